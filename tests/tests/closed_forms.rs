//! Models whose numbers are known in closed form, with every exact store, and how far ample sets
//! bring them down.

use promenade_protocol::{
    Experiment, File, Property, Reduction, Report, Search, Settings, Store, Verdict,
};

fn check(text: &str, settings: Settings) -> Report {
    let files = vec![File { name: "model.pml".to_owned(), text: text.to_owned() }];
    promenade_service::check(Experiment { files, property: Property::Safety, settings })
}

/// States and transitions, the arrival at the initial state not counted.
fn numbers(report: &Report) -> (u64, u64) {
    assert_eq!(report.verdict, Verdict::Holds, "{}", report.summary);
    (report.statistics.states_stored, report.statistics.transitions - 1)
}

fn everywhere(text: &str, expected: (u64, u64)) {
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        let stores =
            [Store::Exact, Store::Automatic, Store::Collapse, Store::Automaton, Store::Delta];
        for store in stores {
            let report = check(text, Settings { search, store, ..Settings::default() });
            assert_eq!(numbers(&report), expected, "{search:?} {store:?}\n{text}");
        }
    }
    let report = check(text, Settings { store: Store::Caching, ..Settings::default() });
    assert_eq!(numbers(&report), expected, "cache\n{text}");
}

/// The database managers of S. Evangelista and J.-F. Pradat-Peyre, "Memory Efficient State Space
/// Storage in Explicit Software Model Checking" (SPIN 2005), in Promela.
fn managers(n: u32) -> String {
    format!(
        "#define N {n}
        byte owner = N; byte s[N]; byte acks;
        active [N] proctype Mgr() {{ byte j;
        end: do
          :: d_step {{ owner == N -> owner = _pid; acks = 0; j = 0;
               do :: j < N -> if :: j != _pid -> s[j] = 1 :: else fi; j++ :: else -> j = 0; break od }}
          :: d_step {{ s[_pid] == 1 -> s[_pid] = 2 }}
          :: d_step {{ s[_pid] == 2 -> s[_pid] = 3; acks++ }}
          :: d_step {{ owner == _pid && acks == N-1 -> owner = N; acks = 0; j = 0;
               do :: j < N -> s[j] = 0; j++ :: else -> j = 0; break od }}
          od }}"
    )
}

#[test]
fn database_managers() {
    for n in 2..=8u64 {
        let states = n * 3u64.pow(n as u32 - 1) + 1;
        let transitions = n * (2 * (n - 1) * 3u64.pow(n as u32 - 2) + 2);
        everywhere(&managers(n as u32), (states, transitions));
    }
}

/// Dining philosophers with one ticket less than seats, from the same paper.
fn philosophers(n: u32, tickets: u32) -> String {
    format!(
        "#define N {n}
        byte tickets = {tickets}; bool fork[N];
        active [N] proctype Phil() {{ end: do
          :: d_step {{ tickets > 0 -> tickets-- }};
             d_step {{ !fork[_pid] -> fork[_pid] = 1 }};
             d_step {{ !fork[(_pid+1)%N] -> fork[(_pid+1)%N] = 1 }};
             d_step {{ fork[_pid] = 0; fork[(_pid+1)%N] = 0; tickets++ }} od }}"
    )
}

#[test]
fn dining_philosophers() {
    let (mut a, mut b) = (vec![2u64, 3], vec![2u64, 2]);
    for n in 2..10 {
        a.push(3 * a[n - 1] + 2 * a[n - 2]);
        b.push(2 * b[n - 1] + b[n - 2]);
    }
    let transitions = [8, 63, 376, 1895, 8748, 38171];
    for (n, transitions) in (2..=7).zip(transitions) {
        everywhere(&philosophers(n, n - 1), (a[n as usize] - b[n as usize], transitions));
        // With a ticket for everybody they can get stuck, in one state only.
        let settings = Settings { all_errors: true, ..Settings::default() };
        let report = check(&philosophers(n, n), settings);
        assert_eq!((report.statistics.states_stored, report.statistics.errors), (a[n as usize], 1));
        for search in [Search::DepthFirst, Search::BreadthFirst] {
            let settings = Settings {
                search,
                all_errors: true,
                reduction: Reduction::AmpleSets,
                ..Settings::default()
            };
            let reduced = check(&philosophers(n, n), settings);
            assert_eq!(reduced.statistics.errors, 1);
        }
    }
}

/// Pairs of processes that each write one variable, from T. Basten and D. Bosnacki, "Enhancing
/// Partial-Order Reduction via Process Clustering" (ASE 2001).
fn pairs(n: u32) -> String {
    let mut text = String::new();
    for k in 0..n {
        text.push_str(&format!(
            "byte v{k} = 2; proctype P{k}() {{ v{k} = 0 }} proctype Q{k}() {{ v{k} = 1 }}\n"
        ));
    }
    let runs: Vec<String> = (0..n).map(|k| format!("run P{k}(); run Q{k}()")).collect();
    format!("{text}init {{ atomic {{ {} }} }}", runs.join("; "))
}

#[test]
fn pairs_of_processes() {
    // Full search; SPIN's reduction; clusters, the best that is published. Transitions as SPIN
    // counts them, with the arrival at the initial state.
    let table = [
        (2, (65, 108), 60, 30),
        (3, (329, 784), 304, 66),
        (4, (1657, 5216), 1532, 138),
        (5, (8313, 32680), 7688, 282),
    ];
    for (n, (states, transitions), plain, clusters) in table {
        everywhere(&pairs(n), (states, transitions - 1));
        let settings = Settings { reduction: Reduction::AmpleSets, ..Settings::default() };
        let (reduced, _) = numbers(&check(&pairs(n), settings));
        // A variable that the partner has done with is as good as one's own.
        assert!((clusters..plain).contains(&reduced), "{n}: {reduced}");
    }
}

/// N processes with two local steps each, and what three diamonds of interleavings come down to.
#[test]
fn local_steps() {
    let text = "active [3] proctype P() { byte x; x = 1; x = 2; end: false }";
    everywhere(text, (27, 54));
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        let reduction = Reduction::AmpleSets;
        let report = check(text, Settings { search, reduction, ..Settings::default() });
        assert_eq!(numbers(&report), (7, 6));
    }
}

/// A choice whose other alternative only another process can enable must not be left out.
#[test]
fn disabled_alternatives_are_not_forgotten() {
    let text = "byte g = 0;
        active proctype P() { byte x; if :: x = 1 :: (g == 1) -> assert(false) fi }
        active proctype Q() { g = 1 }";
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        for reduction in [Reduction::None, Reduction::AmpleSets] {
            let report = check(text, Settings { search, reduction, ..Settings::default() });
            assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
        }
    }
}
