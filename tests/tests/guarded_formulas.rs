//! Formulas with parts that would go wrong if they were looked at: `&&`, `||`, `->` and conditional
//! expressions stop early in Promela.
//!
//! `PROMENADE_SEEDS=first-last` chooses other models than usual. A random formula is compared with
//! itself over a text in which nothing can go wrong (a longer array, another divisor), and with SPIN
//! where it is installed.

use promenade_base::random::Random;
use promenade_ltl::Formulas;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_protocol::{
    Emptiness, Experiment, File, Property, Reduction, Report, Settings, Verdict,
};
use promenade_testkit::{seeds, spin};

fn check(text: &str, formula: &str, settings: Settings) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property: Property::Formula { text: formula.to_owned() },
        settings,
    })
}

/// `holds`, or the kind of the first violation.
fn outcome(report: &Report) -> String {
    match (&report.verdict, report.violations.first()) {
        (Verdict::Holds, _) => "holds".to_owned(),
        (Verdict::Violated, Some(found)) => found.kind.clone(),
        (other, _) => format!("{other:?} {:?}", report.diagnostics),
    }
}

const SOLITAIRE: &str = "byte n; byte row[3]; bool fin;
    active proctype A() { do :: n < 3 -> row[n] = 1; n++ :: else -> break od; fin = true }";
const INDEX: &str = "index_out_of_bounds";
const CYCLE: &str = "acceptance_cycle";
const END: &str = "claim_completed";

#[test]
fn a_part_that_is_not_looked_at_cannot_go_wrong() {
    let hoa = |label: &str| {
        format!(
            "HOA: v1 States: 2 Start: 0 AP: 2 \"row[n] <= 1\" \"n < 3\" Acceptance: 1 Inf(0) --BODY-- \
             State: 0 [t] 0 [{label}] 1 State: 1 {{0}} [t] 1 --END--"
        )
    };
    for (formula, expected) in [
        ("[] (n < 3 -> row[n] <= 1) && <> fin", "holds"),
        ("[] (n >= 3 || row[n] <= 1)", "holds"),
        ("[] !(n < 3 && row[n] > 1)", "holds"),
        ("[] ((n < 3 -> row[n] : 0) <= 1)", "holds"),
        ("[] ((n < 3 && row[n] == 0) -> <> fin)", "holds"),
        ("[] (n < 3 -> (row[n] == 0 U (row[n] == 1 || n == 3)))", "holds"),
        ("[] (n < 3 -> (row[n] == 0 U (n == 3 || row[n] == 1)))", "holds"),
        ("[] (n < 3 -> (row[n] == 0 U row[n] == 1))", "holds"),
        ("(n < 3 && row[n] < 2) U (n == 3)", "holds"),
        ("(row[n] < 2) U (n == 3)", "holds"),
        ("[] (n < 3 <-> (n < 3 && row[n] < 2))", "holds"),
        ("[] (n < 3 -> X (n == 3 || row[n] < 2))", "holds"),
        ("[] ((n < 3 -> row[n] < 2) || <> (n == 7))", "holds"),
        ("<> [] (fin && (n < 3 || row[n - 1] == 1))", "holds"),
        ("[] (n < 3 -> row[n] == 0)", END),
        ("<> (n < 3 && row[n] == 7)", CYCLE),
        // As in a statement, and in SPIN: what stands first is looked at first.
        ("[] (row[n] <= 1 || n >= 3)", INDEX),
        ("[] (row[n] <= 1)", INDEX),
        ("[] (fin -> row[n] == 1)", INDEX),
        ("[] (n < 3 -> row[n + 1] <= 1)", INDEX),
        ("[] (n < 3 <-> row[n] < 2)", INDEX),
        ("<> [] (row[n] == 1)", INDEX),
        // An automaton gives no order: an error counts where the label depends on it.
        (&hoa("!0 & 1"), "holds"),
        (&hoa("1 & !0 | 0 & !0"), "holds"),
        (&hoa("!0"), INDEX),
        (&hoa("!0 | 1"), INDEX),
        (&hoa("0 & 1"), END),
        (&hoa("!0 & !1"), INDEX),
    ] {
        let report = check(SOLITAIRE, formula, Settings::default());
        assert_eq!(outcome(&report), expected, "{formula}: {}", report.summary);
    }
}

/// Propositions that are never wrong as they stand, though parts of them may be.
const GUARDED: [&str; 9] = [
    "(n < 3 && row[n] == 1)",
    "(n < 3 -> row[n] <= x)",
    "(n >= 3 || row[n] != 1)",
    "(d != 0 && x / d == 1)",
    "(d == 0 || x % d == 0)",
    "!(n >= 3 || row[n] == x || row[n] == 2)",
    "(n < 3 && (x < 2 -> row[n] == 0))",
    "(x == 1)",
    "(n == 3)",
];

fn random_text(random: &mut Random) -> String {
    let steps = [
        "n < 4 -> n++",
        "atomic { n < 3 -> row[n] = x; n++ }",
        "n >= 3 -> n = 0",
        "atomic { n < 3 && row[n] == 1 -> row[n] = 2 }",
        "x = (x + 1) % 3",
        "d = (d + 1) % 3",
        "d > 0 -> d--",
        "x > 0 -> x = 0; d = 1",
    ];
    let process = |random: &mut Random, name: &str| {
        let chosen: Vec<String> = (0..2 + random.below(3))
            .filter_map(|_| random.pick(&steps).map(|step| format!(":: {step}")))
            .collect();
        let end = if random.chance(1, 2) { ":: break" } else { "" };
        format!("active proctype {name}() {{ do {} {end} od }}\n", chosen.join(" "))
    };
    let (a, b) = (process(random, "A"), process(random, "B"));
    format!("byte n, x, d; byte row[3];\n{a}{b}")
}

#[test]
fn guards_protect_in_every_place_of_a_formula() {
    let with_spin = spin::available();
    let folder = std::env::temp_dir().join(format!("promenade-guarded-{}", std::process::id()));
    let names = GUARDED.map(str::to_owned);
    let (mut violated, mut compared, mut against_spin) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in seeds(1..=60) {
        let mut random = Random::new(seed);
        let text = random_text(&mut random);
        let mut table = Formulas::new();
        let shape = Shape {
            atoms: GUARDED.len() as u32,
            size: 2 + random.below(8),
            next: false,
            ..Shape::default()
        };
        let formula = formula(&mut random, &mut table, &shape);
        let formula = print(&table, formula, &names, Spelling::Spin, Parentheses::Full);
        // Here nothing can go wrong, and nothing else differs where the guards hold.
        let safe = |text: &str| {
            text.replace("row[3]", "row[9]")
                .replace("/ d", "/ (d + (d == 0))")
                .replace("x % d", "x % (d + (d == 0))")
        };
        let whole = || Settings { reduction: Reduction::None, ..Settings::default() };
        let oracle = check(&safe(&text), &safe(&formula), whole());
        let expected = oracle.verdict.clone();
        compared += 1;
        violated += u32::from(expected == Verdict::Violated);
        for settings in [
            whole(),
            Settings { merge: true, ..Settings::default() },
            Settings { reduction: Reduction::AmpleSets, ..Settings::default() },
            Settings { emptiness: Emptiness::NestedDfs, ..whole() },
            Settings { emptiness: Emptiness::Couvreur, ..whole() },
        ] {
            let report = check(&text, &formula, settings.clone());
            let fault =
                report.violations.iter().any(|found| found.kind != CYCLE && found.kind != END);
            if report.verdict != expected || fault {
                wrong.push(format!(
                    "seed {seed}, {:?}: {}, expected {expected:?}\n{text}\n{formula}",
                    settings.emptiness, report.summary
                ));
            }
        }
        if with_spin {
            let block = format!("{text}ltl p {{ {formula} }}\n");
            if let Some(theirs) = spin::violates(&block, &folder).expect("spin runs") {
                against_spin += 1;
                if theirs != (expected == Verdict::Violated) {
                    wrong.push(format!("seed {seed}: SPIN says {theirs}\n{block}"));
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} formulas, {violated} violated, {against_spin} of them with SPIN");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(violated > 0 && violated < compared);
}

/// The same expression at two places is one proposition, its index included: what cannot matter in
/// any run is not looked at.
#[test]
fn an_expression_written_twice_is_one_proposition() {
    let text = "byte x; byte a[3];
        active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }";
    let same = "(x == 3 || a[x] == 0)";
    for formula in [
        format!("(a[x] == 5) V ({same} <-> {same})"),
        format!("[] ({same} -> {same})"),
        format!("[] (a[0] == 0 <-> a[0] == 0) && [] ({same} || !{same})"),
    ] {
        let report = check(text, &formula, Settings::default());
        assert_eq!(outcome(&report), "holds", "{formula}: {}", report.summary);
    }
    let report = check(text, "(a[x] == 5) V (x <= 3)", Settings::default());
    assert_eq!(outcome(&report), INDEX, "{}", report.summary);
}
