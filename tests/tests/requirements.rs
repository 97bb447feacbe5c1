//! Formulas as large as specifications write them: they are checked, and SPIN says the same.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::requirements;
use promenade_protocol::{Emptiness, Experiment, File, Property, Report, Settings, Verdict};
use promenade_testkit::{seeds, spin};
use std::fmt::Write;

fn check(text: &str, formula: &str, emptiness: Emptiness) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property: Property::Ltl { name: Some(formula.to_owned()) },
        settings: Settings { emptiness, ..Settings::default() },
    })
}

/// A model over some Boolean variables: one or two processes that choose again and again what to
/// do; some rest at times.
fn flags(random: &mut Random, atoms: usize) -> String {
    let names: Vec<String> = (0..atoms).map(|i| format!("p{i}")).collect();
    let mut text = format!("bool {};\n", names.join(", "));
    for process in 0..1 + random.below(2) {
        let _ = writeln!(text, "active proctype P{process}() {{\n  do");
        for _ in 0..1 + random.below(3) {
            let statements: Vec<String> = (0..1 + random.below(3))
                .map(|_| {
                    let (a, b) = (&names[random.below(atoms)], &names[random.below(atoms)]);
                    match random.below(6) {
                        0 => format!("{a} = !{a}"),
                        1 => format!("{a} = {b}"),
                        2 => format!("{a} = false"),
                        3 => format!("{a} = true"),
                        4 => format!("({a} || !{b})"),
                        _ => format!("d_step {{ {a} = true; {b} = !{b} }}"),
                    }
                })
                .collect();
            let _ = writeln!(text, "  :: {}", statements.join("; "));
        }
        text.push_str("  od\n}\n");
    }
    text
}

#[test]
fn requirements_are_checked_as_spin_checks_them() {
    let with_spin = spin::available();
    let folder = std::env::temp_dir().join(format!("promenade-required-{}", std::process::id()));
    let (mut violated, mut held, mut against_spin) = (0, 0, 0);
    for seed in seeds(1..=24) {
        let mut random = Random::new(seed);
        let atoms = 3 + random.below(6);
        let model = flags(&mut random, atoms);
        let mut table = Formulas::new();
        let (count, within) = (1 + random.below(7), random.chance(1, 3));
        let formula = requirements(&mut random, &mut table, count, atoms as u32, within);
        let names: Vec<String> = (0..atoms).map(|i| format!("p{i}")).collect();
        let formula = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        let text = format!("{model}\nltl all {{ {formula} }}\n");
        let report = check(&text, "all", Emptiness::Automatic);
        let verdict = match report.verdict {
            Verdict::Holds => false,
            Verdict::Violated => true,
            other => panic!("seed {seed}: {other:?} {:?}\n{text}", report.diagnostics),
        };
        let one_set = check(&text, "all", Emptiness::NestedDfs).verdict;
        assert_eq!(one_set == Verdict::Violated, verdict, "seed {seed}\n{text}");
        if verdict {
            violated += 1;
        } else {
            held += 1;
        }
        if with_spin && let Some(theirs) = spin::violates(&text, &folder).expect("SPIN runs") {
            assert_eq!(theirs, verdict, "seed {seed}\n{text}");
            against_spin += 1;
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{violated} violated, {held} held, {against_spin} of them with SPIN");
    assert!(violated > 0 && held > 0 || std::env::var_os("PROMENADE_SEEDS").is_some());
}

/// Requirements of a lift for each floor, of a handshake, of fairness: no conjunction is too large.
#[test]
fn no_conjunction_is_too_large() {
    let mut text = String::from(
        "bool call[12], open[12], s, t, u, v, w, x;
        active proctype Lift() {
          byte floor;
          do
          :: call[floor] -> open[floor] = true; d_step { open[floor] = false; call[floor] = false }
          :: floor < 11 -> floor++
          :: floor > 0 -> floor--
          od
        }
        active proctype Guest() { do :: call[3] = true :: s = !s :: u = !u; w = u :: x = !x od }\n",
    );
    let every = |sign: &str, of: &dyn Fn(usize) -> String| {
        (0..12).map(|i| format!("({})", of(i))).collect::<Vec<_>>().join(sign)
    };
    let served = every(" && ", &|i| format!("call[{i}] -> <> open[{i}]"));
    let again = every(" && ", &|i| format!("[] <> open[{i}]"));
    let fair = (0..5)
        .map(|i| format!("(([]<> call[{i}]) -> ([]<> open[{i}]))"))
        .collect::<Vec<_>>()
        .join(" && ");
    let order = every(" && ", &|i| format!("!open[{i}] W call[{i}]"));
    let nested = "(((s U t) U u) -> <> ((x -> v) U (x -> w))) && (((s U v) U w) -> <> ((x -> t) U \
                  (x -> u))) && (((t U s) U v) -> <> ((x -> u) U (x -> t)))";
    for (name, formula) in [
        ("served", format!("[] ({served})")),
        ("again", again),
        ("fair", fair),
        ("order", order),
        ("nested", format!("[] ({nested})")),
    ] {
        let _ = writeln!(text, "ltl {name} {{ {formula} }}");
    }
    for (name, holds) in
        [("served", false), ("again", false), ("fair", false), ("order", true), ("nested", false)]
    {
        for emptiness in [Emptiness::Automatic, Emptiness::NestedDfs] {
            let report = check(&text, name, emptiness);
            let expected = if holds { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(report.verdict, expected, "{name}: {:?}", report.diagnostics);
        }
    }
}

/// Conditions over many propositions: pairs of which one holds, and whether an even number holds.
#[test]
fn wide_conditions_are_checked() {
    let names: Vec<String> = (0..40).map(|i| format!("p{i}")).collect();
    let parity = names[..20].join(" <-> ");
    let pairs = (0..20).map(|i| format!("(p{i} && p{})", i + 20)).collect::<Vec<_>>();
    let pairs = pairs.join(" || ");
    let apart = (0..20).map(|i| format!("[] (p{i} -> p{})", i + 20)).collect::<Vec<_>>();
    let mut text = format!("bool {};\n", names.join(", "));
    // Pairs change together, the last ones one after the other.
    text.push_str("active proctype P() {\n  do\n");
    for i in 0..19 {
        let _ = writeln!(text, "  :: !p{i} -> d_step {{ p{i} = true; p{} = true }}; break", i + 20);
    }
    text.push_str("  :: p19 = true; p39 = true; p19 = false; p39 = false\n  od\n}\n");
    let formulas = [
        ("even", format!("[] ({parity})"), false),
        ("odd", format!("[] <> ({parity}) || <> [] !({parity})"), true),
        ("reached", format!("<> ({pairs})"), true),
        ("kept", format!("[] (({pairs}) -> [] ({pairs}))"), false),
        ("before", format!("!({pairs}) U ((p19 && !p39) || ({pairs}))"), true),
        ("apart", apart.join(" && "), false),
        ("some", format!("!({})", apart.join(" && ")), false),
    ];
    for (name, formula, _) in &formulas {
        let _ = writeln!(text, "ltl {name} {{ {formula} }}");
    }
    for (name, _, holds) in &formulas {
        for emptiness in [Emptiness::Automatic, Emptiness::NestedDfs] {
            let report = check(&text, name, emptiness);
            let expected = if *holds { Verdict::Holds } else { Verdict::Violated };
            assert_eq!(
                report.verdict, expected,
                "{name}: {} {:?}",
                report.summary, report.diagnostics
            );
        }
    }
}

/// More propositions than a letter has room for: whole conditions stand for their parts.
#[test]
fn conditions_over_more_than_64_propositions_are_checked() {
    let all = (0..70).map(|i| format!("(x == {i})")).collect::<Vec<_>>().join(" || ");
    let none = (70..150).map(|i| format!("!(x == {i})")).collect::<Vec<_>>().join(" && ");
    let guarded = (0..70).map(|i| format!("(x != {i} || a[x - {i}] == 0)"));
    let guarded = guarded.collect::<Vec<_>>().join(" && ");
    let mut text =
        String::from("byte x; byte a[2]; active proctype A() { do :: x = (x + 1) % 70 od }\n");
    let formulas = [
        ("among", format!("[] ({all})"), Verdict::Holds),
        ("few", format!("<> [] ({})", all.replacen("(x == 5) || ", "", 1)), Verdict::Violated),
        ("not_seen", format!("[] ({none}) && [] <> ({all})"), Verdict::Holds),
        ("leads", format!("[] (({all}) -> <> (x == 70))"), Verdict::Violated),
        ("returns", format!("[] (({all}) -> <> (x == 69))"), Verdict::Holds),
        // An error counts where its value is needed: a is never read beyond its end.
        ("safe", format!("[] ({guarded})"), Verdict::Holds),
    ];
    for (name, formula, _) in &formulas {
        let _ = writeln!(text, "ltl {name} {{ {formula} }}");
    }
    for (name, _, expected) in &formulas {
        let report = check(&text, name, Emptiness::Automatic);
        let said = (&report.summary, &report.diagnostics);
        assert_eq!(report.verdict, *expected, "{name}: {said:?}");
    }
}
