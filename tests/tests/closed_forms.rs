//! Models whose numbers are known in closed form, with every exact store, and how far ample sets
//! bring them down.

use promenade_protocol::{
    Emptiness, Experiment, File, Property, Proviso, Reduction, Report, Search, Settings, Store,
    Verdict, WriteOnly,
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

/// No reduction, and all variables are parts of states.
fn whole() -> Settings {
    Settings { reduction: Reduction::None, write_only: WriteOnly::Keep, ..Settings::default() }
}

fn everywhere(text: &str, expected: (u64, u64)) {
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        // The automatic store is exact as long as the memory suffices.
        let is_exact =
            |it: &&Store| **it == Store::Automatic || !it.is_lossy() && **it != Store::Caching;
        for store in Store::ALL.iter().copied().filter(|it| is_exact(&it)) {
            let report = check(text, Settings { search, store, ..whole() });
            assert_eq!(numbers(&report), expected, "{search:?} {store:?}\n{text}");
        }
    }
    let report = check(text, Settings { store: Store::Caching, ..whole() });
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
        let settings = Settings { reduction: Reduction::AmpleSets, ..whole() };
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
        let report = check(text, Settings { search, reduction, ..whole() });
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
            let report = check(text, Settings { search, reduction, ..whole() });
            assert_eq!(report.verdict, Verdict::Violated, "{}", report.summary);
        }
    }
}

/// With every search and the condition on cycles that is asked for: states stored.
fn reduced(text: &str, proviso: Proviso) -> Vec<u64> {
    let mut states = Vec::new();
    for search in [Search::DepthFirst, Search::BreadthFirst] {
        for store in [Store::Exact, Store::Collapse, Store::HashCompact] {
            let reduction = Reduction::AmpleSets;
            let settings = Settings { search, store, reduction, proviso, ..whole() };
            states.push(check(text, settings).statistics.states_stored);
        }
    }
    states.dedup();
    states
}

/// Processes that go around, and processes that choose and stop: where the conditions on cycles
/// differ most (R. Nalumasu, G. Gopalakrishnan, "An efficient partial order reduction algorithm with
/// an alternative proviso implementation", FMSD 2002).
#[test]
fn around_and_choose() {
    for n in [3, 5, 7] {
        let around =
            format!("active [{n}] proctype P() {{ byte v; do :: v = 1; v = 2; v = 0 od }}");
        let plain = check(&around, whole());
        assert_eq!(plain.statistics.states_stored, 3u64.pow(n));
        // On the stack, or in the queue: each goes around a little further than the one before.
        assert_eq!(reduced(&around, Proviso::Dynamic), [3u64.pow(n)]);
        // A loop is broken at its head: one goes around while all others wait there.
        assert_eq!(reduced(&around, Proviso::Static), [2 * u64::from(n) + 1]);
    }
    for n in [3, 8, 10] {
        let choose =
            format!("active [{n}] proctype P() {{ byte v; if :: v = 1 :: v = 2 fi; end: false }}");
        let plain = check(&choose, whole());
        assert_eq!(plain.statistics.states_stored, 3u64.pow(n));
        for proviso in [Proviso::Dynamic, Proviso::Static] {
            assert_eq!(reduced(&choose, proviso), [(1 << (n + 1)) - 1]);
        }
    }
}

/// From F. Lerda, N. Sinha and M. Theobald, "Symbolic Model Checking of Software" (2003), figure 3.
#[test]
fn one_message_and_two_writers() {
    let text = "chan q = [1] of { int }; int x;
        active proctype receiver() { int a; q ? a; end: false }
        active proctype sender() { q ! 1; end: false }
        active proctype another1() { x = 1; end: false }
        active proctype another2() { x = 2; end: false }";
    // As SPIN counts, with the arrival at the initial state, 23.
    everywhere(text, (15, 22));
    for proviso in [Proviso::Dynamic, Proviso::Static] {
        assert_eq!(reduced(text, proviso), [7]);
    }
}

/// Somebody goes around for ever, and an error waits behind the step of another one: without a
/// condition on cycles it is never met (D. Bosnacki, G. J. Holzmann, SPIN 2005).
#[test]
fn nobody_is_ignored() {
    let text = "active proctype Q() { assert(false) }
        active proctype P() { byte a; do :: a = 1; a = 0 od }";
    for proviso in [Proviso::Automatic, Proviso::Dynamic, Proviso::Static] {
        for search in [Search::DepthFirst, Search::BreadthFirst] {
            let reduction = Reduction::AmpleSets;
            let settings = Settings { search, reduction, proviso, ..Settings::default() };
            assert_eq!(check(text, settings).verdict, Verdict::Violated);
        }
    }
}

/// Whoever leaves out too much says that it holds.
#[test]
fn a_run_that_ends_too_late() {
    let text = "bool x, y;
        active proctype P() { byte l; do :: l = 0 :: break od; y = 1 }
        active proctype Q() { x = 1 }";
    let property = Property::Formula { text: "[] (x -> <> y)".to_owned() };
    for emptiness in [
        Emptiness::Automatic,
        Emptiness::NestedDfs,
        Emptiness::OriginalNestedDfs,
        Emptiness::GeneralisedNestedDfs,
        Emptiness::GeldenhuysValmari,
        Emptiness::Couvreur,
        Emptiness::CouvreurShy,
        Emptiness::CouvreurWithoutRem,
    ] {
        for proviso in [Proviso::Automatic, Proviso::Static] {
            let reduction = Reduction::AmpleSets;
            let settings = Settings { emptiness, reduction, proviso, ..Settings::default() };
            let files = vec![File { name: "model.pml".to_owned(), text: text.to_owned() }];
            let property = property.clone();
            let report = promenade_service::check(Experiment { files, property, settings });
            assert_eq!(report.verdict, Verdict::Violated, "{emptiness:?} {proviso:?}");
        }
    }
}
