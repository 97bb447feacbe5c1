//! The table of formulas with the sizes of the best known automata.

use promenade_automata::{Options, accepts, build, intersection, is_empty};
use promenade_base::random::Random;
use promenade_ltl::{Formulas, Lasso, Reading, parse};
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
        let time = start.elapsed();
        total += time;
        if time > slowest.0 {
            slowest = (time, id.to_owned());
        }
        let atoms = parsed.atoms.len() as u32;
        for automaton in [&built.generalised, &built.buchi] {
            for _ in 0..200 {
                let word = word(&mut random, atoms);
                assert_eq!(
                    accepts(automaton, &word),
                    word.satisfies(&formulas, formula),
                    "{id} {text} {word:?}"
                );
            }
            let both = intersection(automaton, &built.negation, 1 << 20).expect(text);
            assert!(is_empty(&both), "{id} {text}");
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
    println!("slowest {:?} ({}), in all {total:?}", slowest.0, slowest.1);
}
