//! State graphs against full checks, and what reduction leaves out of well-known models.

use super::*;
use promenade_protocol::{Fairness, File, Property, Report, Search, Settings, Verdict, WriteOnly};

fn experiment(text: &str, property: Property) -> Experiment {
    let files = vec![File { name: "m.pml".to_owned(), text: text.to_owned() }];
    let settings = Settings { write_only: WriteOnly::Keep, ..Settings::default() };
    Experiment { files, property, settings }
}

fn graph_of(experiment: &Experiment, limit: u32) -> StateGraph {
    match start_graph(experiment, limit, None) {
        Ok(mut graph) => {
            while !graph.advance(7) {}
            graph.finish()
        }
        Err(graph) => *graph,
    }
}

fn report_of(experiment: &Experiment) -> Report {
    let mut experiment = experiment.clone();
    experiment.settings.all_errors = true;
    let crate::Start::Running(mut check) = crate::start(&experiment, None) else {
        panic!("rejected")
    };
    while !check.advance(1000) {}
    check.finish()
}

fn safety(text: &str) -> StateGraph {
    graph_of(&experiment(text, Property::Safety), 500)
}

/// A distributed database: each manager announces its update to the others (A. Valmari).
fn database(managers: usize) -> String {
    let mut text = format!(
        "#define N {managers}\nchan out[N] = [N] of {{ byte }};\nchan back[N] = [N] of {{ byte }};\n\
         byte token = N;\n"
    );
    text.push_str(
        "active [N] proctype Manager() {\n  byte i, from;\n  i = 0;\n  do\n  :: i < N -> \
         if :: i != _pid -> out[i]!_pid :: else -> skip fi; i++\n  :: else -> break\n  od;\n  i = 0;\n  \
         do\n  :: i < N - 1 -> out[_pid]?from; i++\n  :: else -> break\n  od\n}\n",
    );
    text
}

const PHILOSOPHERS: &str = "#define N 3\nchan fork[N] = [1] of { bit };\n\
    active [N] proctype P() {\n  fork[_pid]!1;\n  do\n  :: fork[_pid]?1; fork[(_pid + 1) % N]?1; \
    fork[_pid]!1; fork[(_pid + 1) % N]!1\n  od\n}\n";

const LOCAL: &str =
    "byte g;\nactive [2] proctype P() {\n  byte x;\n  x = 1;\n  x = 2;\n  g = x\n}\n";

const WRONG: &str = "byte x, done;\nactive [2] proctype P() {\n  byte t;\n  t = x; x = t + 1;\n  done++;\n  \
    if :: done == 2 -> assert(x == 2) :: else fi\n}\n";

/// Everything that has to hold of every graph.
fn check_shape(graph: &StateGraph) {
    for (number, edge) in graph.edges.iter().enumerate() {
        assert!((edge.from as usize) < graph.nodes.len());
        assert!(edge.to.is_none_or(|to| (to as usize) < graph.nodes.len()));
        if let Some(before) = number.checked_sub(1).map(|at| &graph.edges[at]) {
            assert!((before.from, before.choice) < (edge.from, edge.choice));
        }
        if let (true, Some(to)) = (edge.kept, edge.to) {
            let (from, to) = (&graph.nodes[edge.from as usize], &graph.nodes[to as usize]);
            assert!(from.kept && (to.kept || !graph.reduction.complete), "{edge:?}");
        }
    }
    for (number, node) in graph.nodes.iter().enumerate() {
        match node.parent {
            None => assert_eq!(number, 0),
            Some(edge) => {
                let edge = &graph.edges[edge as usize];
                assert_eq!(edge.to, Some(number as u32));
                assert_eq!(graph.nodes[edge.from as usize].depth + 1, node.depth);
            }
        }
        for change in &node.changes {
            assert!((change.slot as usize) < graph.slots.len());
        }
        if node.ample.is_some() {
            assert!(node.kept && node.reasons.is_empty());
        }
    }
    if graph.partial.is_none() && graph.counted {
        let kept = graph.nodes.iter().filter(|node| node.kept).count() as u64;
        assert_eq!(kept, graph.reduction.states);
        let kept = graph.edges.iter().filter(|edge| edge.kept && edge.to.is_some()).count() as u64;
        assert_eq!(kept, graph.reduction.transitions);
    }
}

#[test]
fn counts_are_those_of_a_full_check() {
    let models = [database(2), PHILOSOPHERS.to_owned(), LOCAL.to_owned(), WRONG.to_owned()];
    for text in models {
        for search in [Search::DepthFirst, Search::BreadthFirst] {
            let mut experiment = experiment(&text, Property::Safety);
            experiment.settings = Settings { search, ..Settings::default() };
            let graph = graph_of(&experiment, 2000);
            check_shape(&graph);
            let statistics = report_of(&experiment).statistics;
            assert_eq!(graph.states, statistics.states_stored, "{text}");
            assert_eq!(graph.transitions + 1, statistics.transitions, "{text}");
            assert!(graph.counted);
            assert!(graph.reduction.complete && graph.reduction.states <= graph.states);
        }
    }
}

const LOOPS: &str = "byte x;\nactive proctype P() { byte a; do :: a = 1 - a :: x = 1 od }\n\
    active proctype Q() { byte b; do :: b < 3 -> b++ :: b == 3 -> b = 0 :: break od; b = 7 }\n";

#[test]
fn kept_states_are_those_of_a_check_with_reduction() {
    let models = [
        database(2),
        database(3),
        PHILOSOPHERS.to_owned(),
        LOCAL.to_owned(),
        WRONG.to_owned(),
        LOOPS.to_owned(),
    ];
    let mut reduced = 0;
    for text in models {
        let formulas = ["[] (1 == 1)", "<> [] (1 == 1)"]
            .map(|text| Property::Formula { text: text.to_owned() });
        for property in [Property::Safety].into_iter().chain(formulas) {
            for search in [Search::DepthFirst, Search::BreadthFirst] {
                let mut experiment = experiment(&text, property.clone());
                experiment.settings =
                    Settings { search, reduction: Reduction::AmpleSets, ..Settings::default() };
                let report = report_of(&experiment);
                if property != Property::Safety && report.verdict != Verdict::Holds {
                    continue;
                }
                let graph = graph_of(&experiment, 2000);
                check_shape(&graph);
                let statistics = &report.statistics;
                let found = (graph.reduction.states, graph.reduction.transitions + 1);
                assert_eq!(
                    found,
                    (statistics.states_stored, statistics.transitions),
                    "{text} {property:?} {search:?} {:?}",
                    graph.reduction
                );
                reduced += usize::from(graph.reduction.states < graph.states);
            }
        }
    }
    assert!(reduced >= 8, "{reduced}");
}

#[test]
fn local_steps_are_reduced_and_global_ones_are_not() {
    let graph = safety(LOCAL);
    check_shape(&graph);
    assert!(graph.reduction.states < graph.states, "{:?}", graph.reduction);
    let ample = graph.nodes[0].ample.as_ref().unwrap();
    assert_eq!((ample.pid, ample.process.as_str()), (1, "P"));
    assert!(ample.text.contains("`x = 1`"), "{}", ample.text);
    let last = graph.nodes.iter().find(|node| node.kept && node.reasons.len() == 2).unwrap();
    assert!(
        last.reasons[0].starts_with("P:0: `g = x` uses the global `g`, as process 1 may"),
        "{:?}",
        last.reasons
    );
    assert_eq!(graph.nodes[0].lines, ["P0:4 P1:4"]);
    let (from, edge) = graph.leaving(0).next().unwrap();
    assert_eq!((from, edge.label.as_str(), edge.pid, edge.kept), (0, "x = 1", 1, true));
}

#[test]
fn runs_of_reports_are_found_in_the_graph() {
    for (text, search) in [(WRONG, Search::DepthFirst), (WRONG, Search::BreadthFirst)] {
        let mut experiment = experiment(text, Property::Safety);
        experiment.settings.search = search;
        let graph = graph_of(&experiment, 500);
        let report = report_of(&experiment);
        let found = &report.violations[0];
        let walk = graph.walk(&found.trace.choices);
        assert_eq!(walk.len(), found.trace.choices.len());
        let steps: u32 = walk.iter().map(|edge| graph.edges[*edge as usize].steps).sum();
        assert_eq!(steps as usize, found.trace.steps.len());
        let last = &graph.edges[*walk.last().unwrap() as usize];
        assert_eq!(last.violations[0].message, found.message);
        assert_eq!(last.violations[0].kind, "assertion");
    }
}

#[test]
fn ends_are_told_apart() {
    let deadlock = "chan q = [0] of { byte };\nactive proctype A() { q!1; q!2 }\nactive proctype B() { q?_ }\n";
    let graph = safety(deadlock);
    assert!(graph.nodes.iter().any(|node| node.end == StateEnd::Invalid));
    assert!(graph.edges[0].label.contains("q!1 → q?_"), "{}", graph.edges[0].label);
    let graph = safety("active proctype A() { skip }");
    let ends: Vec<StateEnd> = graph.nodes.iter().map(|node| node.end).collect();
    assert_eq!(ends.last(), Some(&StateEnd::Valid));
    let graph = safety("byte x;\nactive proctype A() { x = 1 / x }");
    let edge = graph.edges.iter().find(|edge| edge.to.is_none()).unwrap();
    assert_eq!(edge.violations[0].kind, "division_by_zero");
}

#[test]
fn a_graph_that_is_too_large_is_partial() {
    let text = "byte a, b;\nactive proctype P() { do :: a++ :: b++ od }\n";
    let graph = graph_of(&experiment(text, Property::Safety), 50);
    check_shape(&graph);
    assert_eq!(graph.nodes.len(), 50);
    assert!(!graph.counted);
    assert_eq!(
        graph.partial.as_deref(),
        Some("The model has at least 20,000 states; the first 50, breadth first, are shown.")
    );
    assert!(graph.nodes.iter().any(|node| node.hidden > 0));
    // Counted to its end.
    let text = "byte a, b;\nactive proctype P() { do :: a < 20 -> a++ :: b < 20 -> b++ od }\n";
    let graph = graph_of(&experiment(text, Property::Safety), 50);
    assert!(graph.counted);
    assert_eq!(
        graph.partial.as_deref(),
        Some("The model has 1,281 states; the first 50, breadth first, are shown.")
    );
}

#[test]
fn formulas_are_drawn_as_products() {
    let text = "byte x;\nactive proctype P() { do :: x = 1 - x od }\nactive proctype Q() { byte y; do :: y = 1 - y od }\n";
    let property = |text: &str| Property::Formula { text: text.to_owned() };
    let always = graph_of(&experiment(text, property("[] <> (x == 1)")), 500);
    check_shape(&always);
    assert!(always.product);
    assert_eq!(always.reduction.search, Search::DepthFirst);
    assert!(always.nodes[0].lines[0].starts_with('A'), "{:?}", always.nodes[0].lines);
    assert!(always.reduction.nowhere.is_none());
    let next = graph_of(&experiment(text, property("X (x == 1)")), 500);
    check_shape(&next);
    assert!(next.reduction.nowhere.as_deref().is_some_and(|why| why.contains("`X`")));
    assert_eq!(next.reduction.states, next.states);
    let mut fair = experiment(text, property("[] <> (x == 1)"));
    fair.settings.fairness = Fairness::Weak;
    let fair = graph_of(&fair, 500);
    assert!(fair.reduction.nowhere.as_deref().is_some_and(|why| why.contains("fairness")));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let graph = safety("active proctype P() { x = 1 }");
    assert!(!graph.diagnostics.is_empty() && graph.nodes.is_empty());
    assert!(graph_of(&Experiment::default(), 50).nodes.is_empty());
    // Nothing moves, and nothing is there.
    let graph = safety("byte x;");
    check_shape(&graph);
    assert!(graph.nodes.len() <= 1);
}

/// Values that belong to a state are shown, others are not.
#[test]
fn write_only_variables_are_shown_where_they_have_one_value() {
    let graph = |text: &str| {
        let mut experiment = experiment(text, Property::Safety);
        experiment.settings.write_only = WriteOnly::LeaveOut;
        let graph = graph_of(&experiment, 50);
        check_shape(&graph);
        let names: Vec<String> = graph.slots.iter().map(|it| it.name.clone()).collect();
        (graph.states, names.join(" "))
    };
    let text = "byte n, x, y;\nactive proctype P() { x = 1; y = x }\n";
    assert_eq!(graph(text), (4, "n x y".to_owned()));
    let text = "byte n, x, y;\nactive proctype P() { do :: x = 1 - x; n++; y = n od }\n";
    assert_eq!(graph(text), (6, "x".to_owned()));
}

#[test]
fn a_cancelled_graph_is_partial() {
    let text = "byte a, b;\nactive proctype P() { do :: a++ :: b++ od }\n";
    let mut graph = start_graph(&experiment(text, Property::Safety), 500, None).ok().unwrap();
    graph.advance(3);
    let graph = graph.finish();
    check_shape(&graph);
    assert_eq!(graph.partial.as_deref(), Some("It was cancelled."));
    assert!(!graph.nodes.is_empty() && !graph.counted);
}
