//! Weak fairness as acceptance conditions: the product of model and automaton does not grow.
//!
//! Numbers of the client-server experiment with the reference product sizes that two independent
//! programs computed for this model (after J.-M. Couvreur, A. Duret-Lutz, D. Poitrenaud, On-the-fly
//! emptiness checks for generalized Buchi automata, SPIN 2005, table 3).

use promenade_protocol::{
    Define, Emptiness, Experiment, Fairness, File, Property, Settings, Verdict,
};

/// Clients, servers, whether the property holds without fairness, states and steps of the product.
const TABLE: [(u32, u32, bool, u64, u64); 5] = [
    (1, 1, true, 6, 7),
    (3, 1, true, 66, 162),
    (2, 2, false, 37, 92),
    (3, 2, false, 146, 460),
    (3, 3, false, 266, 1028),
];

#[test]
fn products_have_the_sizes_of_the_table() {
    let entry = promenade_gallery::find("client-server").expect("it is in the gallery");
    for (clients, servers, holds_unfair, states, steps) in TABLE {
        for fairness in [Fairness::None, Fairness::Weak] {
            let define = |name: &str, value: u32| Define {
                name: name.to_owned(),
                value: Some(value.to_string()),
            };
            let report = promenade_service::check(Experiment {
                files: vec![File { name: "model.pml".to_owned(), text: entry.text.to_owned() }],
                property: Property::Ltl { name: Some("served".to_owned()) },
                settings: Settings {
                    fairness,
                    emptiness: Emptiness::Couvreur,
                    defines: vec![define("CLIENTS", clients), define("SERVERS", servers)],
                    ..Settings::default()
                },
            });
            let what = format!("{clients} clients, {servers} servers, {fairness:?}");
            if fairness == Fairness::None && !holds_unfair {
                assert_eq!(report.verdict, Verdict::Violated, "{what}");
                assert!(report.violations[0].trace.cycle_start.is_some(), "{what}");
                continue;
            }
            assert_eq!(report.verdict, Verdict::Holds, "{what}: {}", report.summary);
            // As SPIN does, we count the arrival at the initial state as a transition.
            let counted = (report.statistics.states_stored, report.statistics.transitions - 1);
            assert_eq!(counted, (states, steps), "{what}");
        }
    }
}
