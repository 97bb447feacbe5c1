//! A state graph, ready to draw: all states up to a limit, and what partial-order reduction leaves
//! out of them.
//!
//! States are sent as changes: the first edge that leads to a state ([`StateNode::parent`]) makes the
//! states a tree, and a state differs from its parent by [`StateNode::changes`] and
//! [`StateNode::positions`].

use crate::{Change, DiagnosticData, ProcessPosition, Search, Slot, SpanData};
use serde::{Deserialize, Serialize};

/// What becomes of a run in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateEnd {
    /// It goes on.
    #[default]
    None,
    /// It ends here, and may.
    Valid,
    /// It ends here, and may not: a deadlock.
    Invalid,
    /// No step is possible that the claim follows.
    Claim,
}

/// The process whose steps alone were taken in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AmpleSet {
    /// Its pid.
    pub pid: u8,
    /// Its type.
    pub process: String,
    /// Why its steps suffice, in a sentence.
    pub text: String,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StateNode {
    /// Least number of steps from the initial state.
    pub depth: u32,
    /// The edge by which it was first reached; none for the initial state.
    pub parent: Option<u32>,
    /// The state in short: where the processes are, then what changed.
    pub lines: Vec<String>,
    /// Whether runs end here.
    pub end: StateEnd,
    /// Transitions to states that are not shown.
    pub hidden: u32,
    /// The reduced search visits it.
    pub kept: bool,
    /// The process whose steps alone the reduced search took here, if it did so.
    pub ample: Option<AmpleSet>,
    /// Where it took all: for each process why its steps do not suffice. What holds for every process
    /// of every state is said in [`ReductionData::nowhere`] only.
    pub reasons: Vec<String>,
    /// What differs from the parent; of the initial state, everything.
    pub changes: Vec<Change>,
    /// Positions that differ from those in the parent; of the initial state, all.
    pub positions: Vec<ProcessPosition>,
}

/// Something wrong on a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepViolation {
    /// Its own choice number.
    pub choice: u32,
    /// Stable name: `assertion`, ...
    pub kind: String,
    /// In plain words.
    pub message: String,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StateEdge {
    /// Number of the state that it leaves.
    pub from: u32,
    /// Number of the state that it leads to; none where a violation ends the run.
    pub to: Option<u32>,
    /// Its statements, as shown.
    pub label: String,
    /// Who moves first, but for the claim; 255 if only the claim moves.
    pub pid: u8,
    /// Its type.
    pub process: String,
    /// The place of its first statement.
    pub span: SpanData,
    /// The reduced search takes it.
    pub kept: bool,
    /// Its choice number; of one that leads to no state, that of its violation.
    pub choice: u32,
    /// How many steps of a trace it is.
    pub steps: u32,
    /// What goes wrong on the way.
    pub violations: Vec<StepViolation>,
}

/// What reduction does to the model.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReductionData {
    /// The order of the reduced search.
    pub search: Search,
    /// In words: what is preserved, and how.
    pub about: String,
    /// Why there is no reduction at all in this model with this property, if so.
    pub nowhere: Option<String>,
    /// States that it visits.
    pub states: u64,
    /// Transitions that it takes.
    pub transitions: u64,
    /// It visited everything that it has to.
    pub complete: bool,
}

/// The graph of a model with a property.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct StateGraph {
    /// Errors of the text; then there is nothing else.
    pub diagnostics: Vec<DiagnosticData>,
    /// States that are shown at most, as asked.
    pub limit: u32,
    /// States in breadth-first order; the initial one is number 0.
    pub nodes: Vec<StateNode>,
    /// Transitions in the order of the states that they leave and of their choice numbers.
    pub edges: Vec<StateEdge>,
    /// Everything that has a value in some state.
    pub slots: Vec<Slot>,
    /// States that were found, shown or not.
    pub states: u64,
    /// Transitions that were found.
    pub transitions: u64,
    /// These are all states that there are.
    pub counted: bool,
    /// Why not all states are shown, in a sentence.
    pub partial: Option<String>,
    /// What is wrong before the first state, in plain words.
    pub initial_violation: Option<String>,
    /// States include the state of a claim that runs along.
    pub product: bool,
    /// What reduction does.
    pub reduction: ReductionData,
}

/// Choice numbers from here on count among the steps of one process, see [`StateGraph::walk`].
const OF_ONE_PROCESS: u32 = 1 << 24;

impl StateGraph {
    /// The edges that leave a state, with their numbers.
    pub fn leaving(&self, state: u32) -> impl Iterator<Item = (u32, &StateEdge)> {
        let first = self.edges.partition_point(|edge| edge.from < state);
        let own = self.edges.iter().enumerate().skip(first);
        own.take_while(move |(_, edge)| edge.from == state).map(|(at, edge)| (at as u32, edge))
    }

    /// The edges that a run goes through, one for each choice, as far as they are here. A choice of
    /// `(pid + 1) << 24 | n` is number n among the choices of one process.
    pub fn walk(&self, choices: &[u32]) -> Vec<u32> {
        let mut at = 0;
        let mut edges = Vec::new();
        for &choice in choices {
            let mut own: Vec<(u32, u32, Option<u32>, u8)> = Vec::new();
            for (number, edge) in self.leaving(at) {
                let violations = edge.violations.iter().map(|violation| violation.choice);
                own.extend(violations.map(|choice| (choice, number, edge.to, edge.pid)));
                own.push((edge.choice, number, edge.to, edge.pid));
            }
            own.sort_unstable();
            own.dedup();
            let found = if choice < OF_ONE_PROCESS {
                own.iter().find(|it| it.0 == choice)
            } else {
                let (pid, choice) = (choice / OF_ONE_PROCESS - 1, choice % OF_ONE_PROCESS);
                own.iter().filter(|it| u32::from(it.3) == pid).nth(choice as usize)
            };
            let Some(&(_, number, to, _)) = found else { break };
            edges.push(number);
            let Some(to) = to else { break };
            at = to;
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_lead_along_edges() {
        let edge =
            |from, to, pid, choice| StateEdge { from, to, pid, choice, ..StateEdge::default() };
        let wrong = StepViolation { choice: 1, kind: String::new(), message: String::new() };
        let graph = StateGraph {
            edges: vec![
                edge(0, Some(1), 1, 0),
                StateEdge { violations: vec![wrong], ..edge(0, Some(2), 0, 2) },
                edge(0, Some(0), 0, 3),
                edge(2, None, 0, 0),
            ],
            ..StateGraph::default()
        };
        assert_eq!(graph.walk(&[3, 3, 0, 7]), [2, 2, 0]);
        assert_eq!(graph.walk(&[1, 0, 9]), [1, 3]);
        // Among the choices of process 0: the violation, its step, the loop.
        let of_0 = |choice: u32| 1 << 24 | choice;
        assert_eq!(graph.walk(&[of_0(2), of_0(1), 0]), [2, 1, 3]);
        assert_eq!(graph.walk(&[of_0(0)]), [1]);
        assert_eq!(graph.walk(&[of_0(3)]), Vec::<u32>::new());
        assert_eq!(graph.leaving(0).count(), 3);
    }
}
