//! Formulas as people write them: words of the logic as names, a temporal operator inside a
//! comparison, one wrong formula beside others.

use promenade_base::random::Random;
use promenade_ltl::print::{Parentheses, Spelling, print};
use promenade_ltl::random::{Shape, formula};
use promenade_ltl::{Formulas, Reading, parse};
use promenade_protocol::{
    DiagnosticData, Experiment, File, Level, Property, Report, Settings, SpanData, Verdict,
};
use promenade_testkit::random_model::{Features, random_model};
use promenade_testkit::seeds;

/// Words that are operators of formulas, in SPIN's spellings and in those of Promenade.
const WORDS: [&str; 14] = [
    "next",
    "always",
    "eventually",
    "until",
    "stronguntil",
    "weakuntil",
    "release",
    "implies",
    "equivalent",
    "X",
    "U",
    "V",
    "W",
    "R",
];

fn check(text: &str, property: Property) -> Report {
    promenade_service::check(Experiment {
        files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
        property,
        settings: Settings { state_limit: Some(100_000), ..Settings::default() },
    })
}

fn named(name: &str) -> Property {
    Property::Ltl { name: Some(name.to_owned()) }
}

/// The text with one name in place of another.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
        let (head, tail) = rest.split_at(length);
        out.push_str(if head == from { to } else { head });
        let other = tail.find(word).unwrap_or(tail.len());
        let (between, after) = tail.split_at(other);
        out.push_str(between);
        rest = after;
    }
    out
}

#[test]
fn words_of_the_logic_are_names_where_they_can_be_nothing_else() {
    let variable = "typedef T { byte ZZ }; T s; byte arr[2]; byte ZZ;
        active proctype Q() { do :: ZZ < 3 -> ZZ++ :: else -> ZZ = 0 od }";
    let local = "active proctype P() { byte ZZ; do :: ZZ < 3 -> ZZ++ :: else -> ZZ = 0 od }";
    let constant =
        "mtype = { ZZ, other }; mtype m; active proctype P() { do :: m = ZZ :: m = other od }";
    let label = "byte x; active proctype P() { do :: x < 3 -> x++; ZZ: skip :: else -> x = 0 od }";
    let process = "active proctype ZZ() { byte v; do :: v < 3 -> here: v++ :: else -> v = 0 od }";
    let defined = "byte x; active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }\n#define ZZ (x == 1)\n";
    // Every place of a formula where a name stands.
    for (text, place) in [
        (variable, "[] (ZZ == 0 -> <> (ZZ == ZZ))"),
        (variable, "<> (ZZ)"),
        (variable, "[] (ZZ <= 3 && !(ZZ > 4))"),
        (variable, "<> ZZ"),
        (variable, "ZZ U (ZZ == 3)"),
        (variable, "(ZZ == 0) U ZZ"),
        (variable, "ZZ || ZZ"),
        (variable, "[] (ZZ -> ZZ)"),
        (variable, "!ZZ until ZZ"),
        (variable, "[] (arr[ZZ % 2] <= ZZ + 1)"),
        (variable, "[] (s.ZZ == 0)"),
        (local, "[] (P[0]:ZZ <= 3)"),
        (local, "[] (P:ZZ == 0 -> <> (P:ZZ == 3))"),
        (variable, "[] ((ZZ - 1) < 4 || ZZ -1 < 4)"),
        (variable, "[] <> (3 == ZZ)"),
        (constant, "[] (m == ZZ -> <> (m != ZZ))"),
        (constant, "[] (ZZ != m || ZZ == m)"),
        (label, "[] (P@ZZ -> x > 0)"),
        (label, "<> P[0]@ZZ"),
        (process, "[] (ZZ@here -> ZZ:v < 3)"),
        (process, "[] (ZZ[0]:v <= 3)"),
        (defined, "[] (ZZ -> <> ZZ)"),
        (defined, "ZZ || <> ZZ"),
    ] {
        let plain = check(text, Property::Formula { text: place.to_owned() });
        assert_ne!(plain.verdict, Verdict::InputError, "{place}: {:?}", plain.diagnostics);
        for word in WORDS {
            let (text, formula) = (renamed(text, "ZZ", word), renamed(place, "ZZ", word));
            for report in [
                check(&text, Property::Formula { text: formula.clone() }),
                check(&format!("{text}\nltl p {{ {formula} }}"), named("p")),
            ] {
                assert_eq!(report.verdict, plain.verdict, "{formula}: {:?}", report.diagnostics);
                assert_eq!(
                    report.statistics.states_stored, plain.statistics.states_stored,
                    "{formula}"
                );
            }
            let alone = parse(&formula, Reading::Blocks);
            assert!(!alone.has_errors(), "{formula}: {:?}", alone.diagnostics);
        }
    }
}

#[test]
fn random_formulas_over_words_are_those_over_names() {
    let mut compared = 0;
    for seed in seeds(1..=60) {
        let mut random = Random::new(seed);
        let word = *random.pick(&WORDS).expect("words");
        let atoms = ["(g == 1)", "(h > g)", "g", "(h + 1 >= g)", "(g)"].map(str::to_owned);
        let mut table = Formulas::new();
        let shape = Shape {
            atoms: atoms.len() as u32,
            size: 1 + random.below(8),
            next: true,
            ..Shape::default()
        };
        let formula = formula(&mut random, &mut table, &shape);
        let clear = if random.chance(1, 2) { Parentheses::Clear } else { Parentheses::Full };
        let plain = print(&table, formula, &atoms, Spelling::Spin, clear);
        let model = random_model(seed, Features { assertions: false, ..Features::ALL });
        let report = check(&model, Property::Formula { text: plain.clone() });
        let other = renamed(&plain, "g", word);
        let theirs = check(&renamed(&model, "g", word), Property::Formula { text: other.clone() });
        // A declared name does not change what `X` in front of an operand is.
        let known = report.verdict != Verdict::InputError;
        assert!(known, "{plain}: {:?}\n{model}", report.diagnostics);
        assert_eq!(theirs.verdict, report.verdict, "{plain} / {other}\n{:?}", theirs.diagnostics);
        assert_eq!(theirs.statistics.states_stored, report.statistics.states_stored, "{other}");
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
fn a_missing_operand_is_said() {
    let model = "byte x; active proctype A() { x = 1 }";
    for (formula, word) in [("[] (x == 1 -> next)", "next"), ("<> always", "always"), ("[] X", "X")]
    {
        let report = check(model, Property::Formula { text: formula.to_owned() });
        let hint = report.diagnostics.iter().find_map(|it| it.hint.clone()).unwrap_or_default();
        assert_eq!(report.verdict, Verdict::InputError);
        assert!(
            hint.contains(&format!("`{word}` is an operator of formulas")),
            "{formula}: {hint}"
        );
    }
}

fn formula_report(text: &str) -> promenade_protocol::FormulaReport {
    promenade_service::formula(text, &promenade_protocol::FormulaOptions::default())
}

/// The text after the edits of a fix.
fn fixed(text: &str, data: &DiagnosticData, file: u16) -> String {
    let fix = data.fix.as_ref().unwrap_or_else(|| panic!("no fix: {data:?}"));
    assert!(fix.edits.iter().all(|(span, _)| span.file == file), "{fix:?}");
    fix.applied(text).unwrap_or_else(|| panic!("does not fit: {fix:?}"))
}

#[test]
fn a_temporal_operator_in_a_comparison_is_put_right() {
    let model = "byte x; byte y; active proctype A() { do :: x < 3 -> x++ :: else -> x = 0 od }";
    for (wrong, right) in [
        ("[] x == 1", "[] (x == 1)"),
        ("<> [] x == 1", "<> [] (x == 1)"),
        ("[] x + 1 == 2", "[] (x + 1 == 2)"),
        ("[] x == 1 && <> y", "[] (x == 1) && <> y"),
        ("(<> x >= 1) -> y", "(<> (x >= 1)) -> y"),
        ("[] (y -> <> x != (y + 1))", "[] (y -> <> (x != (y + 1)))"),
        ("! <> x > 7", "! <> (x > 7)"),
        ("[]<> x == y until y", "[]<> (x == y) until y"),
    ] {
        let read = |formula: &str| check(model, Property::Formula { text: formula.to_owned() });
        let report = read(wrong);
        let [error] = report.diagnostics.as_slice() else { panic!("{wrong}: {report:?}") };
        assert_eq!(error.code, "temporal-operand", "{wrong}");
        assert_eq!(fixed(wrong, error, SpanData::PROPERTY), right);
        let put_right = read(right);
        assert_ne!(put_right.verdict, Verdict::InputError, "{right}: {:?}", put_right.diagnostics);

        // In the text of the model.
        let text =
            format!("{model}\n#define ONE 1\nltl p {{ {} }}\n", wrong.replace("== 1", "== ONE"));
        let report = check(&text, named("p"));
        let [error] = report.diagnostics.as_slice() else { panic!("{wrong}: {report:?}") };
        let again = check(&fixed(&text, error, 0), named("p"));
        assert_eq!(again.verdict, put_right.verdict, "{wrong}: {:?}", again.diagnostics);

        // Without a model.
        let alone = formula_report(wrong);
        let [error] = alone.diagnostics.as_slice() else { panic!("{wrong}: {alone:?}") };
        assert_eq!(fixed(wrong, error, 0), right);
        assert!(formula_report(right).diagnostics.is_empty(), "{right}");
    }
}

#[test]
fn a_wrong_formula_hinders_no_other_property() {
    let head = "byte x; active proctype A() { do :: x < 3 -> x++ :: else -> x = 0 od }\n";
    for bad in [
        "<> [] x == 1",
        "[] (y == 1)",
        "[] (x ==)",
        "[] (x = 1)",
        "",
        "[] x x",
        "<> q?[1]",
        "[] (x == 1) }}",
    ] {
        for (before, after) in [("good", "bad"), ("bad", "good")] {
            let block = |name: &str| {
                if name == "bad" {
                    format!("ltl bad {{ {bad} }}\n")
                } else {
                    "ltl good { [] (x < 4) }\n".to_owned()
                }
            };
            let text = format!("{head}{}{}", block(before), block(after));
            if bad.contains("}}") {
                // The text does not end with the formula.
                assert_eq!(check(&text, Property::Safety).verdict, Verdict::InputError);
                continue;
            }
            for property in [Property::Safety, named("good")] {
                let report = check(&text, property);
                assert_eq!(report.verdict, Verdict::Holds, "{text}: {:?}", report.diagnostics);
                let about = |it: &&DiagnosticData| it.message.contains("formula `bad`");
                let told = report.diagnostics.iter().find(about);
                assert_eq!(told.map(|it| it.level), Some(Level::Warning), "{text}: {report:?}");
            }
            let refused = check(&text, named("bad"));
            assert_eq!(refused.verdict, Verdict::InputError, "{text}");
            let first = check(&text, Property::Ltl { name: None });
            let expected = if before == "bad" { Verdict::InputError } else { Verdict::Holds };
            assert_eq!(first.verdict, expected, "{text}");
        }
    }
    // A wrong text is refused as before.
    let text = format!("{head}active proctype B() {{ z = 1 }}\nltl good {{ [] (x < 4) }}");
    assert_eq!(check(&text, named("good")).verdict, Verdict::InputError);
}

#[test]
fn comments_do_not_nest() {
    let text = "byte x;\nactive proctype A() {\n  x = 1;\n  /* off: x = 7 /* too large */ */\n  x = 2\n}\n";
    let report = check(text, Property::Safety);
    assert_eq!(report.verdict, Verdict::Holds, "{:?}", report.diagnostics);
    assert_eq!(report.statistics.states_stored, 4);
    let [warning] = report.diagnostics.as_slice() else { panic!("{report:?}") };
    assert_eq!((warning.level, warning.code.as_str()), (Level::Warning, "stray-comment-end"));
    assert!(warning.message.contains("do not nest"), "{}", warning.message);
    let at = |span: SpanData| &text[span.start as usize..span.end as usize];
    assert_eq!(at(warning.span), "*/");
    let related: Vec<&str> = warning.related.iter().map(|(span, _)| at(*span)).collect();
    assert_eq!(related, ["/*", "*/"]);
    assert!(warning.related[0].0.start > text.find("off").map_or(0, |at| at as u32));
    // A product of a comment is none.
    let text = "byte x; active proctype A() { x = 2 */* two */3; assert(x == 6) } */";
    let report = check(text, Property::Safety);
    assert_eq!(report.verdict, Verdict::Holds, "{:?}", report.diagnostics);
    assert!(report.diagnostics[0].message.contains("no `/*`"));
}

#[test]
fn definitions_without_effect_say_so() {
    use promenade_protocol::Define;
    let text =
        "#define N 3\n#ifdef ASKED\nbyte y;\n#endif\nbyte x = N; active proctype A() { x = M }";
    let define = |text: &str| {
        let (name, value) = text.split_once('=').unwrap_or((text, "1"));
        Define { name: name.to_owned(), value: Some(value.to_owned()) }
    };
    for (defines, expected) in [
        (&["M=1"][..], &[][..]),
        (&["M=1", "ASKED"], &[]),
        (&["M=1", "N=5"], &[(Level::Warning, "macro-redefined", "takes the place of `5`")]),
        (&["M=1", "N=3"], &[]),
        (&["M=1", "M=2"], &[(Level::Warning, "macro-redefined", "the last counts, `2`")]),
        (&["M=1", "Q=2"], &[(Level::Note, "macro-unused", "`Q` of the options is not used")]),
        (&["M=K", "K=2"], &[]),
    ] {
        let report = promenade_service::check(Experiment {
            files: vec![File { name: "model.pml".to_owned(), text: text.to_owned() }],
            property: Property::Safety,
            settings: Settings {
                defines: defines.iter().map(|it| define(it)).collect(),
                ..Settings::default()
            },
        });
        assert_eq!(report.verdict, Verdict::Holds, "{defines:?}: {:?}", report.diagnostics);
        assert_eq!(
            report.diagnostics.len(),
            expected.len(),
            "{defines:?} {:?}",
            report.diagnostics
        );
        for (found, (level, code, words)) in report.diagnostics.iter().zip(expected) {
            assert_eq!((found.level, found.code.as_str()), (*level, *code));
            assert!(found.message.contains(words), "{}", found.message);
        }
    }
}
