//! The reduced search beside a state graph, and why it takes what it takes.

use super::names::Names;
use super::{StateGraph, States};
use crate::prepared::Prepared;
use crate::reducing;
use promenade_interp::{Interpreter, StateView};
use promenade_ir::Model;
use promenade_protocol::{AmpleSet, ReductionData, Search};
use promenade_reduction::{CycleProviso, Goal, Preserve, Reason, Selector};
use promenade_transition_system::{Item, Selection, Successors, TransitionSystem};
use std::collections::VecDeque;
use std::rc::Rc;

/// What the reduced search took in a state.
#[derive(Default)]
struct Visit {
    /// The process whose steps alone were taken.
    ample: Option<u8>,
    /// Where all were taken: for each process why.
    reasons: Vec<(u8, Why)>,
    /// Where the processes are, for words.
    view: StateView,
    /// In the sense of [`CycleProviso`].
    open: bool,
    /// When a depth-first search came here.
    order: u32,
    expanded: bool,
}

/// Why the steps of a process were not enough.
#[derive(Clone, Copy)]
enum Why {
    Reason(Reason),
    /// None of its statements can be executed.
    Stuck,
    /// Something goes wrong on its step.
    Wrong,
    /// The condition on cycles.
    Cycle,
}

/// A reduced search under way.
pub(super) struct Reduced {
    model: Rc<Model>,
    selector: Selector,
    search: Search,
    observed: bool,
    /// Loops of processes are broken beforehand.
    sticky: bool,
    /// Depth first: not the path counts, but components with a state on it.
    components: bool,
    nowhere: Option<String>,
    states: States,
    visits: Vec<Visit>,
    /// Breadth first: states that wait.
    queue: VecDeque<u32>,
    /// Depth first: the path, with the targets that are still to be looked at.
    path: Vec<(u32, std::vec::IntoIter<u32>)>,
    /// States of unfinished components, and the order numbers of their roots (H. N. Gabow, Path-based
    /// depth-first search, 2000).
    unfinished: Vec<u32>,
    roots: Vec<u32>,
    order: u32,
    transitions: u64,
    begun: bool,
    complete: bool,
}

impl Reduced {
    pub(super) fn new(prepared: &Prepared, hidden: usize) -> Self {
        let model = prepared.model.clone();
        let settings = &prepared.experiment.settings;
        let goal = reducing::plan(settings, &model, &prepared.plan.goal);
        let nowhere = goal.as_ref().err().cloned();
        let goal = goal.unwrap_or_else(|_| Goal::new(Preserve::Safety));
        let observed = goal.observed.is_some();
        let sticky = goal.sticky;
        let selector = Selector::new(model.clone(), &goal);
        // Infinite runs are looked for depth first.
        let infinite = prepared.plan.goal.infinite;
        let search = if infinite { Search::DepthFirst } else { settings.search };
        Self {
            model,
            selector,
            search,
            observed,
            sticky,
            components: infinite,
            nowhere,
            states: States { hidden, ..States::default() },
            visits: Vec::new(),
            queue: VecDeque::new(),
            path: Vec::new(),
            unfinished: Vec::new(),
            roots: Vec::new(),
            order: 0,
            transitions: 0,
            begun: false,
            complete: false,
        }
    }

    /// Expands one state; true when the search is over.
    pub(super) fn step(&mut self, system: &mut Interpreter, out: &mut Successors) -> bool {
        if !std::mem::replace(&mut self.begun, true) {
            system.initial(out);
            let first = (0..out.items.len()).find_map(|item| out.target(item));
            if let Some(first) = first.map(<[u8]>::to_vec) {
                self.insert(&first);
            }
            if self.search == Search::DepthFirst && !self.visits.is_empty() {
                self.expand(0, system, out);
            }
            return self.visits.is_empty();
        }
        if self.states.is_full() {
            return true;
        }
        match self.search {
            Search::BreadthFirst => {
                let Some(next) = self.queue.pop_front() else {
                    self.complete = true;
                    return true;
                };
                self.expand(next, system, out);
            }
            Search::DepthFirst => loop {
                let Some((at, targets)) = self.path.last_mut() else {
                    self.complete = true;
                    return true;
                };
                match targets.next() {
                    Some(next) if self.visits[next as usize].expanded => self.arrive_again(next),
                    Some(next) => {
                        self.expand(next, system, out);
                        break;
                    }
                    None => {
                        let at = *at;
                        self.path.pop();
                        self.leave(at);
                    }
                }
            },
        }
        false
    }

    fn insert(&mut self, state: &[u8]) -> u32 {
        let (number, new) = self.states.insert(state);
        if new {
            self.visits.push(Visit { open: true, ..Visit::default() });
            self.queue.push_back(number);
        }
        number
    }

    /// The path goes back to a state: if its component is unfinished, all between belong to it.
    fn arrive_again(&mut self, at: u32) {
        let visit = &self.visits[at as usize];
        while !visit.open && self.roots.last().is_some_and(|root| *root > visit.order) {
            self.roots.pop();
        }
    }

    fn leave(&mut self, at: u32) {
        if !self.components {
            self.visits[at as usize].open = true;
            return;
        }
        if self.roots.last() != Some(&self.visits[at as usize].order) {
            return;
        }
        self.roots.pop();
        while let Some(member) = self.unfinished.pop() {
            self.visits[member as usize].open = true;
            if member == at {
                break;
            }
        }
    }

    /// A state is open, breadth first, as long as it waits; depth first unless it is on the path, or its
    /// component is unfinished where components count.
    fn expand(&mut self, at: u32, system: &mut Interpreter, out: &mut Successors) {
        let state = self.states.all[at as usize].clone();
        self.visits[at as usize].open = false;
        self.visits[at as usize].expanded = true;
        let selection = if self.nowhere.is_some() {
            system.expand(&state, Selection::All, out);
            Selection::All
        } else {
            let (states, visits) = (&self.states, &self.visits);
            let mut open =
                |target: &[u8]| states.find(target).is_none_or(|known| visits[known as usize].open);
            self.selector.expand(system, &state, out, &mut open)
        };
        let mut targets = Vec::new();
        for item in 0..out.items.len() {
            let Some(target) = out.target(item).map(<[u8]>::to_vec) else { continue };
            self.transitions += 1;
            targets.push(target);
        }
        let reasons = match selection {
            Selection::All if self.nowhere.is_none() => self.reasons(&state, system, out),
            _ => Vec::new(),
        };
        let visit = &mut self.visits[at as usize];
        visit.view = system.decode(&state);
        visit.reasons = reasons;
        visit.ample = match selection {
            Selection::Process(pid) => Some(pid),
            Selection::All => None,
        };
        let targets: Vec<u32> = targets.iter().map(|target| self.insert(target)).collect();
        if self.search == Search::DepthFirst {
            self.visits[at as usize].order = self.order;
            self.roots.push(self.order);
            self.unfinished.push(at);
            self.order += 1;
            self.path.push((at, targets.into_iter()));
        }
    }

    /// For each process why its steps were not taken alone. Changes `out`.
    fn reasons(
        &mut self,
        state: &[u8],
        system: &mut Interpreter,
        out: &mut Successors,
    ) -> Vec<(u8, Why)> {
        let explained = self.selector.explain(system, state);
        let mut reasons = Vec::new();
        for (pid, reason) in explained.into_iter().enumerate() {
            let pid = pid as u8;
            let why = match reason {
                Some(Reason::NoEdges) => continue,
                Some(reason) => Why::Reason(reason),
                None => {
                    system.expand(state, Selection::Process(pid), out);
                    let ends = |item: &Item| matches!(item, Item::Violation { violation, .. } if violation.kind.ends_path());
                    if out.items.iter().any(ends) {
                        Why::Wrong
                    } else if (0..out.items.len()).all(|item| out.target(item).is_none()) {
                        Why::Stuck
                    } else {
                        Why::Cycle
                    }
                }
            };
            reasons.push((pid, why));
        }
        reasons
    }

    /// Puts what was visited into the graph.
    pub(super) fn mark(self, graph: &mut StateGraph, all: &States, names: &Names) {
        let known = graph.nodes.len() as u32;
        for (state, visit) in self.states.all.iter().zip(&self.visits) {
            let Some(number) = all.find(state).filter(|number| *number < known) else { continue };
            let node = &mut graph.nodes[number as usize];
            node.kept = true;
            if !visit.expanded {
                continue;
            }
            node.ample = visit.ample.map(|pid| self.ample(pid, visit, names));
            let reason = |(pid, why): &(u8, Why)| self.reason(*pid, *why, visit);
            node.reasons = visit.reasons.iter().map(reason).collect();
            let first = graph.edges.partition_point(|edge| edge.from < number);
            let own = graph.edges.iter_mut().skip(first).take_while(|edge| edge.from == number);
            for edge in own {
                edge.kept = visit.ample.is_none_or(|pid| pid == edge.pid);
            }
        }
        graph.reduction = ReductionData {
            search: self.search,
            about: self.about(),
            states: self.visits.len() as u64,
            transitions: self.transitions,
            complete: self.complete,
            nowhere: self.nowhere,
        };
    }

    fn about(&self) -> String {
        let proviso = match (self.selector.proviso(), self.search) {
            (CycleProviso::Nothing, _) if self.sticky => {
                " Loops of processes are broken beforehand, where all steps are taken."
            }
            (CycleProviso::Nothing, _) => "",
            (CycleProviso::OneOpen, Search::DepthFirst) => {
                " A step of them has to lead away from the path of the search."
            }
            (CycleProviso::AllOpen, Search::DepthFirst) => {
                " All of them have to lead away from the path of the search."
            }
            (CycleProviso::OneOpen, Search::BreadthFirst) => {
                " A step of them has to lead to a state that still waits for its turn."
            }
            (CycleProviso::AllOpen, Search::BreadthFirst) => {
                " All of them have to lead to states that still wait for their turn."
            }
        };
        let order = match self.search {
            Search::DepthFirst => "depth first",
            Search::BreadthFirst => "breadth first",
        };
        format!(
            "Visited {order}. Where the steps of one process suffice, only they are taken.{proviso}"
        )
    }

    fn ample(&self, pid: u8, visit: &Visit, names: &Names) -> AmpleSet {
        let process =
            visit.view.processes.get(usize::from(pid)).map_or("", |it| it.proctype.as_str());
        let unseen = if self.observed { ", and the property does not look at it" } else { "" };
        let text = match names.choices(&visit.view, pid) {
            Some(choices) => format!(
                "all it can do here is {}. Nothing that others may do until then disturbs it or depends on it{unseen}",
                choices
            ),
            None => format!("all it can do here is to end, and nobody notices{unseen}"),
        };
        AmpleSet { pid, process: process.to_owned(), text }
    }

    fn reason(&self, pid: u8, why: Why, visit: &Visit) -> String {
        let name = visit.view.processes.get(usize::from(pid));
        let name = name.map_or_else(|| pid.to_string(), |it| format!("{}:{pid}", it.proctype));
        let text = match why {
            Why::Reason(reason) => reason.text(&self.model, self.selector.facts()),
            Why::Stuck => "cannot move here".to_owned(),
            Why::Wrong => "its step goes wrong, which would hide what others do".to_owned(),
            Why::Cycle if self.search == Search::DepthFirst => {
                "its steps would suffice, but lead back to the path of the search: the others might \
                 be put off for ever"
                    .to_owned()
            }
            Why::Cycle => "its steps would suffice, but lead to states that were expanded before: \
                           the others might be put off for ever"
                .to_owned(),
        };
        format!("{name}: {text}")
    }
}
