//! The table of formulas with the sizes of the best known automata.

use promenade_automata::{
    Method, Options, accepts, build, class, contains_automaton, equivalent, intersection, is_empty,
    stutter_difference, translate,
};
use promenade_base::random::Random;
use promenade_ltl::{Formulas, Lasso, Propositions, Reading, parse};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Rows of a table of the corpus, cells by column name; `None` if there is no corpus.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(name: &str) -> Option<Self> {
        let root = std::env::var_os("PROMENADE_CORPUS").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
            PathBuf::from,
        );
        let Ok(text) = std::fs::read_to_string(root.join("ltl").join(name)) else {
            eprintln!("skipped: there is no corpus; name its folder in PROMENADE_CORPUS");
            return None;
        };
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let cells = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
        Some(Self { columns: cells(lines.next()?), rows: lines.map(cells).collect() })
    }

    fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column).expect("a column");
        row.get(place).map_or("", String::as_str)
    }
}

fn word(random: &mut Random, atoms: u32) -> Lasso {
    promenade_ltl::random::lasso(random, atoms, 4, 4)
}

/// Sum of the states of the state-based automata.
const BUCHI: usize = 506;
/// Sum of the states of the generalised automata.
const GENERALISED: usize = 460;

#[test]
fn sizes() {
    let Some(table) = Table::read("formulas.tsv") else { return };
    let mut random = Random::new(3);
    let (mut ours, mut best, mut spot_ours, mut spot) = (0, 0, 0, 0);
    let (mut tgba, mut tgba_best) = (0, 0);
    let (mut slowest, mut total) = ((Duration::ZERO, String::new()), Duration::ZERO);
    let (mut at_best, mut tgba_at_best) = (0, 0);
    for row in &table.rows {
        let id = table.cell(row, "id");
        let text = table.cell(row, "formula");
        let number = |column: &str| table.cell(row, column).parse::<usize>().ok();
        let mut formulas = Formulas::new();
        let parsed = parse(text, Reading::default()).value;
        let formula = parsed.formula(&mut formulas).expect(text);
        let start = Instant::now();
        let built = build(&mut formulas, formula, &Options::default()).expect(text);
        let mut time = start.elapsed();
        // Other work on the machine is no concern of this table.
        for _ in 0..2 {
            if time > Duration::from_millis(20) {
                let start = Instant::now();
                build(&mut formulas, formula, &Options::default()).expect(text);
                time = time.min(start.elapsed());
            }
        }
        total += time;
        if time > slowest.0 {
            slowest = (time, id.to_owned());
        }
        let atoms = parsed.atoms.len() as u32;
        let negation = built.negation.as_ref().expect(text);
        for automaton in [&built.generalised, &built.buchi] {
            for _ in 0..200 {
                let word = word(&mut random, atoms);
                assert_eq!(
                    accepts(automaton, &word),
                    word.satisfies(&formulas, formula),
                    "{id} {text} {word:?}"
                );
            }
            let both = intersection(automaton, negation, 1 << 20).expect(text);
            assert!(is_empty(&both), "{id} {text}");
        }
        // No word lost, by a deterministic automaton of the result: independent of the trials.
        let plain = translate(
            &mut formulas,
            formula,
            &Options { method: Method::Couvreur, ..Options::default() },
        )
        .expect(text);
        for automaton in [&built.generalised, &built.buchi] {
            let lost = contains_automaton(automaton, &plain, 100_000).expect(text);
            assert_eq!(lost, None, "{id} {text}");
        }
        if let Some(bound) = number("ba_states_lb") {
            assert!(built.buchi.states.len() >= bound, "{id} below a proven bound");
        }
        assert_eq!(
            class(&built.generalised, 10_000).expect(text).name(),
            table.cell(row, "class").replace('+', " and "),
            "{id} {text}"
        );
        let stutter = stutter_difference(&built.generalised, negation, 100_000).expect(text);
        assert_eq!(stutter.is_none(), table.cell(row, "stutter_invariant") == "yes", "{id} {text}");
        if let Some(words) = stutter {
            assert!(
                words.inside.satisfies(&formulas, formula)
                    && !words.outside.satisfies(&formulas, formula),
                "{id}"
            );
        }
        let (states, generalised) = (built.buchi.states.len(), built.generalised.states.len());
        let known = number("ba_states").expect("a size");
        let known_generalised = number("tgba_states").expect("a size");
        ours += states;
        best += known;
        at_best += usize::from(states <= known);
        tgba += generalised;
        tgba_best += known_generalised;
        tgba_at_best += usize::from(generalised <= known_generalised);
        if let Some(size) = number("spot_ba_states") {
            spot += size;
            spot_ours += states;
        }
        if states != known || generalised != known_generalised || time > Duration::from_millis(50) {
            println!(
                "{id} states {states} known {known} spot {:?} | generalised {generalised} known {known_generalised} | {time:?} {text}",
                number("spot_ba_states")
            );
        }
    }
    let rows = table.rows.len();
    println!("Buchi: {ours} states, best known {best}, at best {at_best} of {rows}");
    println!("Buchi, rows with Spot: {spot_ours} states, Spot {spot}");
    println!(
        "generalised: {tgba} states, best known {tgba_best}, at best {tgba_at_best} of {rows}"
    );
    if std::env::var_os("PROMENADE_CORPUS").is_none() {
        // What was reached on the table as it is beside the checkout: to be lowered, never raised.
        assert!(ours <= BUCHI && tgba <= GENERALISED, "larger than before");
    }
    assert!(at_best * 100 >= rows * 95, "larger than the best known on more than 5 % of the rows");
    println!("slowest {:?} ({}), in all {total:?}", slowest.0, slowest.1);
}

#[test]
fn pairs() {
    let Some(table) = Table::read("equivalences.tsv") else { return };
    for row in &table.rows {
        let id = table.cell(row, "id");
        let mut formulas = Formulas::new();
        let mut names = Propositions::new();
        let [f, g] = ["f", "g"].map(|column| {
            let parsed = parse(table.cell(row, column), Reading::default()).value;
            parsed.formula_with(&mut formulas, &mut names).expect(id)
        });
        let found = equivalent(&mut formulas, f, g, &Options::default()).expect(id);
        assert_eq!(found.only_first.is_some(), !table.cell(row, "only_f").is_empty(), "{id}");
        assert_eq!(found.only_second.is_some(), !table.cell(row, "only_g").is_empty(), "{id}");
        for (word, yes, no) in [(&found.only_first, f, g), (&found.only_second, g, f)] {
            if let Some(word) = word {
                assert!(word.satisfies(&formulas, yes) && !word.satisfies(&formulas, no), "{id}");
            }
        }
        // The words named are shortest: braces count positions.
        for (word, column) in [(&found.only_first, "only_f"), (&found.only_second, "only_g")] {
            if let Some(word) = word {
                let shortest = table.cell(row, column).matches('{').count();
                assert_eq!(word.positions(), shortest, "{id} {word:?}");
            }
        }
    }
}
