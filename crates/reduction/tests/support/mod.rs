//! Reference searches over an interpreter, with reduction and without: the oracle.
#![allow(dead_code)]

use promenade_base::SourceMap;
use promenade_interp::{Interpreter, RunOptions};
use promenade_ir::Model;
use promenade_promela::{CompileOptions, compile};
use promenade_reduction::{CycleProviso, Goal, Preserve, Selector};
use promenade_transition_system::{
    Blocked, Item, Marks, Selection, Successors, TransitionSystem, ViolationKind,
};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// The model of a text, if it has one.
pub fn model(text: &str) -> Option<Rc<Model>> {
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    compiled.value.map(|c| Rc::new(c.model))
}

/// The model of a text in which sends to full channels are lost.
pub fn lossy_model(text: &str) -> Option<Rc<Model>> {
    let options = CompileOptions { lose_messages: true, ..CompileOptions::default() };
    compile(&SourceMap::single("model", text), &options).value.map(|c| Rc::new(c.model))
}

/// The order of the search, with the reduction that goes with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    DepthFirst,
    BreadthFirst,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    pub states: usize,
    pub transitions: usize,
    /// States in which a proper part of the processes was expanded.
    pub reduced: usize,
    pub kinds: BTreeSet<ViolationKind>,
    /// Identities of states in which nothing can move.
    pub blocked: BTreeSet<Vec<u8>>,
    /// Ended early: too many states, or an error that ends every run.
    pub partial: bool,
    /// Successors by state with marks, if acceptance is watched.
    pub graph: Vec<Vec<(usize, Marks)>>,
}

/// One search.
pub struct Run<'a> {
    pub model: &'a Rc<Model>,
    pub options: RunOptions,
    /// The reduction, if there is one, and the condition on cycles.
    pub goal: Option<Goal>,
    pub proviso: Option<CycleProviso>,
    /// Other sticky locations than those of the goal.
    pub sticky: Option<Vec<Vec<bool>>>,
    pub order: Order,
    pub limit: usize,
}

impl<'a> Run<'a> {
    pub fn full(model: &'a Rc<Model>) -> Self {
        Run {
            model,
            options: RunOptions::default(),
            goal: None,
            proviso: None,
            sticky: None,
            order: Order::DepthFirst,
            limit: 20_000,
        }
    }

    pub fn reduced(model: &'a Rc<Model>, preserve: Preserve, order: Order) -> Self {
        Run { goal: Some(Goal::new(preserve)), order, ..Run::full(model) }
    }

    /// With the static condition on cycles.
    pub fn sticky(model: &'a Rc<Model>, preserve: Preserve, order: Order) -> Self {
        let goal = Goal { sticky: true, ..Goal::new(preserve) };
        Run { goal: Some(goal), order, ..Run::full(model) }
    }

    pub fn search(self) -> Found {
        let mut system = Interpreter::new(self.model.clone(), self.options.clone());
        let mut selector = self.goal.as_ref().map(|goal| Selector::new(self.model.clone(), goal));
        if let Some(sticky) = self.sticky {
            selector = selector.map(|selector| selector.with_sticky(sticky));
        }
        let hidden = system.hidden_bytes();
        let mut out = Successors::new(false);
        let mut found = Found::default();
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut states: Vec<Vec<u8>> = Vec::new();
        // On the stack, or expanded already.
        let mut closed: Vec<bool> = Vec::new();
        system.initial(&mut out);
        let Some(first) = out.target(0).map(<[u8]>::to_vec) else {
            found.note(&out, None);
            return found;
        };
        numbers.insert(first[..first.len() - hidden].to_vec(), 0);
        states.push(first);
        closed.push(false);
        found.graph.push(Vec::new());
        let mut queue = VecDeque::from([0usize]);
        let mut stack: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
        let mut first = Some(0usize);
        loop {
            let next = match self.order {
                Order::BreadthFirst => queue.pop_front(),
                Order::DepthFirst => loop {
                    if let Some(first) = first.take() {
                        break Some(first);
                    }
                    let Some((top, rest)) = stack.last_mut() else { break None };
                    match rest.next() {
                        // Seen by the time its turn comes.
                        Some(next) if found.graph[next].is_empty() && !closed[next] => {
                            break Some(next);
                        }
                        Some(_) => {}
                        None => {
                            closed[*top] = false;
                            // An expanded state without successors must not be expanded again.
                            if found.graph[*top].is_empty() {
                                closed[*top] = true;
                            }
                            stack.pop();
                        }
                    }
                },
            };
            let Some(at) = next else { break };
            closed[at] = true;
            let state = states[at].clone();
            let whole = match &mut selector {
                Some(selector) => {
                    let proviso = self.proviso.unwrap_or(selector.proviso());
                    let mut open = |target: &[u8]| {
                        let known = numbers.get(&target[..target.len() - hidden]);
                        known.is_none_or(|n| !closed[*n])
                    };
                    selector.expand_with(proviso, &mut system, &state, &mut out, &mut open)
                        == Selection::All
                }
                None => {
                    system.expand(&state, Selection::All, &mut out);
                    true
                }
            };
            found.reduced += usize::from(!whole);
            if found.note(&out, Some(&state[..state.len() - hidden])) {
                break;
            }
            let mut targets = Vec::new();
            for choice in 0..out.items.len() {
                let Some(target) = out.target(choice) else { continue };
                found.transitions += 1;
                let key = target[..target.len() - hidden].to_vec();
                let number = *numbers.entry(key).or_insert_with(|| {
                    states.push(target.to_vec());
                    closed.push(false);
                    found.graph.push(Vec::new());
                    queue.push_back(states.len() - 1);
                    states.len() - 1
                });
                found.graph[at].push((number, out.marks_of(choice)));
                targets.push(number);
            }
            stack.push((at, targets.into_iter()));
            if states.len() > self.limit {
                found.partial = true;
                break;
            }
        }
        found.states = states.len();
        found
    }
}

impl Found {
    /// Takes over violations and blocked states; true if the run has to end.
    fn note(&mut self, out: &Successors, state: Option<&[u8]>) -> bool {
        for item in &out.items {
            if let Item::Violation { violation, .. } = item {
                self.kinds.insert(violation.kind);
                self.partial |= violation.kind.fatal();
            }
        }
        if out.blocked == Some(Blocked::InvalidEnd) {
            self.kinds.insert(ViolationKind::InvalidEndState);
        }
        if let Some(state) = state.filter(|_| out.blocked.is_some()) {
            self.blocked.insert(state.to_vec());
        }
        self.partial
    }

    /// Whether some infinite run is accepting: a strongly connected component with all marks.
    pub fn accepts(&self, condition: Marks) -> bool {
        let count = self.graph.len();
        let mut order = Vec::new();
        let mut seen = vec![false; count];
        for root in 0..count {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((at, next)) = stack.pop() {
                if let Some(&(to, _)) = self.graph[at].get(next) {
                    stack.push((at, next + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                } else {
                    order.push(at);
                }
            }
        }
        let mut back = vec![Vec::new(); count];
        for (from, edges) in self.graph.iter().enumerate() {
            edges.iter().for_each(|(to, _)| back[*to].push(from));
        }
        let mut component = vec![usize::MAX; count];
        for &root in order.iter().rev() {
            let mut stack = vec![root];
            while let Some(at) = stack.pop() {
                if component[at] == usize::MAX {
                    component[at] = root;
                    stack.extend(&back[at]);
                }
            }
        }
        let mut marks: HashMap<usize, Marks> = HashMap::new();
        for (from, edges) in self.graph.iter().enumerate() {
            for (to, m) in edges {
                if component[from] == component[*to] {
                    *marks.entry(component[from]).or_default() |= m;
                }
            }
        }
        marks.values().any(|m| m & condition == condition)
    }
}
