//! The reduction that a check takes by itself: small state spaces are visited whole, large ones are
//! begun anew with ample sets where these leave something out.

use promenade_protocol::{
    Event, Experiment, File, Property, Reduction, Report, Search, Settings, Store, Verdict,
};
use promenade_service::Timeless;

/// Processes that count on their own, and one in the end that looks at `i`.
fn counters(processes: u32, most: u32, i: u32) -> String {
    format!(
        "byte done;
         active [{processes}] proctype Counter() {{
           byte i;
           do :: i < {most} -> i++ :: else -> break od;
           done++
         }}
         active proctype Last() {{ byte i = {i}; done == {processes} -> assert(i == 0) }}"
    )
}

/// Nothing can be left out: all share one variable.
fn shared(processes: u32) -> String {
    format!(
        "byte x; byte y[{processes}];
         active [{processes}] proctype P() {{
           end: do :: d_step {{ x != _pid && y[_pid] < 6 -> x = _pid; y[_pid]++ }} od
         }}"
    )
}

/// The report, and the last note on the reduction.
fn check(text: &str, settings: &Settings) -> (Report, String) {
    check_property(text, Property::Safety, settings)
}

fn check_property(text: &str, property: Property, settings: &Settings) -> (Report, String) {
    let files = vec![File { name: "model.pml".to_owned(), text: text.to_owned() }];
    let settings = settings.clone();
    let experiment = Experiment { files, property, settings };
    let mut said = String::new();
    let report = promenade_service::run(experiment, Timeless, |_, event| {
        if let Event::Planned { notes, .. } = event {
            let note = notes.iter().find(|note| note.topic == "reduction");
            said = note.map(|note| note.text.clone()).unwrap_or_default();
        }
    });
    (report, said)
}

fn settings(reduction: Reduction) -> Settings {
    Settings { reduction, ..Settings::default() }
}

fn stored(text: &str, settings: &Settings) -> u64 {
    let (report, _) = check(text, settings);
    report.statistics.states_stored
}

#[test]
fn a_small_state_space_is_visited_whole() {
    let text = counters(3, 8, 0);
    let (report, said) = check(&text, &Settings::default());
    assert_eq!(report.statistics.states_stored, stored(&text, &settings(Reduction::None)));
    assert_eq!(report.statistics.states_reduced, 0);
    assert!(stored(&text, &settings(Reduction::AmpleSets)) < report.statistics.states_stored);
    assert!(said.starts_with("None up to 10,000 states"), "{said}");
}

#[test]
fn a_large_one_is_begun_anew_with_ample_sets() {
    let text = counters(5, 8, 0);
    let ample = settings(Reduction::AmpleSets);
    let (report, said) = check(&text, &Settings::default());
    let (asked, _) = check(&text, &ample);
    assert_eq!(report.verdict, Verdict::Holds);
    assert!(
        said.starts_with("Begun anew with ample sets, as there are more than 10,000 states"),
        "{said}"
    );
    assert_eq!(report.statistics.states_stored, asked.statistics.states_stored);
    assert_eq!(report.statistics.states_reduced, asked.statistics.states_reduced);
    // The first search took more memory.
    assert!(report.statistics.memory_bytes > asked.statistics.memory_bytes);
    // Other exact stores do so, too, and those that take all their memory at once from the start.
    for store in [Store::Collapse, Store::Automatic, Store::Caching, Store::Bitstate] {
        let (other, _) = check(&text, &Settings { store, ..Settings::default() });
        assert_eq!(other.statistics.errors, 0);
        assert_eq!(other.statistics.states_stored, report.statistics.states_stored, "{store:?}");
    }
}

#[test]
fn what_leaves_nothing_out_is_not_taken() {
    let text = shared(5);
    let (report, said) = check(&text, &Settings::default());
    assert_eq!(report.verdict, Verdict::Holds);
    assert!(report.statistics.states_stored > 10_000, "{}", report.statistics.states_stored);
    assert_eq!(report.statistics.states_stored, stored(&text, &settings(Reduction::None)));
    assert!(said.starts_with("None: "), "{said}");
}

#[test]
fn more_than_one_error_or_a_shortest_run_need_every_state() {
    let text = counters(5, 8, 0);
    let all = Settings { all_errors: true, ..Settings::default() };
    let wide = Settings { search: Search::BreadthFirst, ..Settings::default() };
    for wanted in [all, Settings { stop_at: Some(1000), ..Settings::default() }, wide] {
        let (report, said) = check(&text, &wanted);
        let none = Settings { reduction: Reduction::None, ..wanted };
        assert!(report.statistics.states_stored > 10_000);
        assert_eq!(report.statistics.states_stored, stored(&text, &none));
        assert!(said.starts_with("None: every state is visited"), "{said}");
    }
    // A limit of states is one, whichever way the states are counted.
    for limit in [9_999, 10_000, 10_001, 12_000] {
        let limited = Settings { state_limit: Some(limit), ..settings(Reduction::None) };
        assert_eq!(stored(&text, &limited), u64::from(limit));
        let limited = Settings { reduction: Reduction::Automatic, ..limited };
        assert!(stored(&text, &limited) <= u64::from(limit));
    }
}

/// Breadth-first search is for finite runs: a formula is reduced whatever is chosen there.
#[test]
fn a_formula_is_reduced_whatever_the_order_for_finite_runs() {
    let text = counters(5, 8, 0);
    let formula = Property::Formula { text: "[] (done <= 5)".to_owned() };
    let whole = check_property(&text, formula.clone(), &settings(Reduction::None)).0;
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        let settings = Settings { search, ..Settings::default() };
        let (report, said) = check_property(&text, formula.clone(), &settings);
        assert_eq!(report.verdict, Verdict::Holds);
        assert!(said.starts_with("Begun anew with ample sets"), "{search:?}: {said}");
        let statistics = &report.statistics;
        assert!(statistics.states_stored < whole.statistics.states_stored / 2);
        assert_eq!(statistics.states_before, 10_000);
    }
    assert_eq!(whole.statistics.states_before, 0);
}
