//! A word on a formula and on its automaton.

use crate::formula::{bounds, drawn, finding, general, shaped};
use crate::given;
use promenade_automata::{Automaton, Components, Marks, TooLarge, build_named, is_wide};
use promenade_base::SourceMap;
use promenade_ltl::print::to_text;
use promenade_ltl::{Formulas, Lasso, Letter, Reading, parse};
use promenade_protocol::{FormulaOptions, Given, PartData, WordData, WordReport};
use std::collections::VecDeque;

/// Positions of a word.
const MAX_POSITIONS: usize = 200;

/// Where the formula and its parts hold on the word, and which runs its automaton has. An automaton
/// in place of a formula has no parts; the word satisfies it if it accepts it.
pub fn word(text: &str, word: &WordData, options: &FormulaOptions) -> WordReport {
    let mut report = WordReport::default();
    let mut wrong = |message: String| report.diagnostics.push(general("word", message, None));
    let positions = word.prefix.len() + word.cycle.len();
    if word.cycle.is_empty() {
        wrong("the part of the word that repeats is empty".to_owned());
    }
    if positions > MAX_POSITIONS {
        wrong(format!("the word has more than {MAX_POSITIONS} positions"));
    }
    if !report.diagnostics.is_empty() {
        return report;
    }
    if given::given(text) != Given::Formula {
        return of_automaton(text, word, options);
    }
    let parsed = parse(text, Reading::Blocks);
    let sources = SourceMap::single("formula", text);
    report.diagnostics = parsed.diagnostics.iter().map(|d| finding(&sources, d)).collect();
    let mut table = Formulas::new();
    let Some(formula) = parsed.value.formula(&mut table) else { return report };
    let names = parsed.value.atom_texts();
    report.propositions.clone_from(&names);
    let Some(lasso) = lasso(word, &names, &mut report) else { return report };
    let truth = lasso.truth(&table, formula);
    report.satisfied = lasso.satisfies(&table, formula);
    report.parts = table
        .subformulas(formula)
        .into_iter()
        .filter_map(|part| {
            let values = truth.of(part)?.to_vec();
            Some(PartData { text: to_text(&table, part, &names), values })
        })
        .collect();
    let shown = if is_wide(&mut table, formula) {
        Err(TooLarge::Steps)
    } else {
        build_named(&mut table, formula, &names, &bounds())
            .and_then(|built| shaped(&mut table, formula, &built, options))
    };
    let text = to_text(&table, formula, &names);
    run(&mut report, shown, &names, &text, &lasso);
    report
}

/// The same for an automaton in place of a formula.
fn of_automaton(text: &str, word: &WordData, options: &FormulaOptions) -> WordReport {
    let mut report = WordReport::default();
    let read = given::read(text);
    let sources = SourceMap::single("automaton", text);
    report.diagnostics = read.diagnostics.iter().map(|d| finding(&sources, d)).collect();
    let Some(given::Read { name, automaton }) = read.value else { return report };
    report.propositions.clone_from(&automaton.atoms);
    let Some(lasso) = lasso(word, &automaton.atoms, &mut report) else { return report };
    let names = automaton.atoms.clone();
    run(&mut report, given::shaped(&automaton, options), &names, &name, &lasso);
    report.satisfied = report.run.is_some();
    report
}

/// The word over these propositions; what is wrong with it is reported.
fn lasso(word: &WordData, names: &[String], report: &mut WordReport) -> Option<Lasso> {
    let letters = |letters: &[Vec<String>]| -> Result<Vec<Letter>, String> {
        letters.iter().map(|letter| set(letter, names)).collect()
    };
    match (letters(&word.prefix), letters(&word.cycle)) {
        (Ok(prefix), Ok(cycle)) => Lasso::new(prefix, cycle),
        (Err(unknown), _) | (_, Err(unknown)) => {
            let message = format!("the formula has no proposition `{unknown}`");
            report.diagnostics.push(general("word", message, None));
            None
        }
    }
}

/// The runs of the automaton that is shown over the word.
fn run(
    report: &mut WordReport,
    shown: Result<Automaton, TooLarge>,
    names: &[String],
    text: &str,
    lasso: &Lasso,
) {
    let Ok(mut automaton) = shown else {
        let message = "its automaton becomes too large to be shown".to_owned();
        report.diagnostics.push(general("automaton-too-large", message, None));
        return;
    };
    automaton.name_atoms(names);
    report.automaton = drawn(&automaton, text);
    let product = Product::new(&automaton, lasso);
    report.reached = product.reached(lasso.positions());
    report.stuck = product.stuck(lasso.positions());
    report.endless = product.endless();
    report.run = product.accepting_run(automaton.all_marks());
}

/// The letter with these propositions; an error names one that there is not.
fn set(letter: &[String], names: &[String]) -> Result<Letter, String> {
    let mut set = 0;
    for name in letter {
        let number = names.iter().position(|known| known == name).ok_or_else(|| name.clone())?;
        set |= 1 << number.min(63);
    }
    Ok(set)
}

/// A move of the product: target, marks, number of the automaton's edge.
type Move = (usize, Marks, u32);

/// The runs of an automaton over one word: nodes are a position and a state.
struct Product {
    nodes: Vec<(usize, u32)>,
    moves: Vec<Vec<Move>>,
}

impl Product {
    fn new(automaton: &Automaton, word: &Lasso) -> Self {
        let mut first_edge = Vec::new();
        let mut count = 0u32;
        for edges in &automaton.states {
            first_edge.push(count);
            count += edges.len() as u32;
        }
        let mut product = Self { nodes: Vec::new(), moves: Vec::new() };
        if automaton.states.is_empty() {
            return product;
        }
        let mut numbers = std::collections::HashMap::new();
        product.nodes.push((0, automaton.initial));
        numbers.insert((0, automaton.initial), 0);
        let mut at = 0;
        while at < product.nodes.len() {
            let (position, state) = product.nodes[at];
            let mut moves = Vec::new();
            for (number, edge) in automaton.states[state as usize].iter().enumerate() {
                if !edge.label.contains(word.letter(position)) {
                    continue;
                }
                let target = (word.after(position), edge.target);
                let next = product.nodes.len();
                let target = *numbers.entry(target).or_insert_with(|| {
                    product.nodes.push(target);
                    next
                });
                moves.push((target, edge.marks, first_edge[state as usize] + number as u32));
            }
            product.moves.push(moves);
            at += 1;
        }
        product
    }

    /// For each position the states in which a run can be there.
    fn reached(&self, positions: usize) -> Vec<Vec<u32>> {
        let mut reached = vec![Vec::new(); positions];
        for &(position, state) in &self.nodes {
            reached[position].push(state);
        }
        reached.iter_mut().for_each(|states| states.sort_unstable());
        reached
    }

    /// For each position the states there in which every run ends.
    fn stuck(&self, positions: usize) -> Vec<Vec<u32>> {
        let mut stuck = vec![Vec::new(); positions];
        for (&(position, state), moves) in self.nodes.iter().zip(&self.moves) {
            if moves.is_empty() {
                stuck[position].push(state);
            }
        }
        stuck.iter_mut().for_each(|states| states.sort_unstable());
        stuck
    }

    /// Whether some run goes on for ever: whether anything is left when nodes that lead nowhere are
    /// taken away again and again.
    fn endless(&self) -> bool {
        let mut before = vec![Vec::new(); self.nodes.len()];
        let mut left: Vec<usize> = self.moves.iter().map(Vec::len).collect();
        for (node, moves) in self.moves.iter().enumerate() {
            moves.iter().for_each(|step| before[step.0].push(node));
        }
        let mut gone: Vec<usize> = (0..left.len()).filter(|&node| left[node] == 0).collect();
        let mut count = 0;
        while let Some(node) = gone.pop() {
            count += 1;
            for &earlier in &before[node] {
                left[earlier] -= 1;
                if left[earlier] == 0 {
                    gone.push(earlier);
                }
            }
        }
        count < self.nodes.len()
    }

    /// The shortest way from a node to a move that is wanted, within some nodes; that move included.
    fn way(
        &self,
        from: usize,
        within: &dyn Fn(usize) -> bool,
        wanted: &dyn Fn(&Move) -> bool,
    ) -> Option<Vec<Move>> {
        let mut before: Vec<Option<(usize, Move)>> = vec![None; self.nodes.len()];
        let mut seen = vec![false; self.nodes.len()];
        let mut queue = VecDeque::from([from]);
        seen[from] = true;
        while let Some(node) = queue.pop_front() {
            for step in self.moves[node].iter().filter(|step| within(step.0)) {
                if wanted(step) {
                    let mut way = vec![*step];
                    let mut at = node;
                    while at != from {
                        let (earlier, step) = before[at]?;
                        way.push(step);
                        at = earlier;
                    }
                    way.reverse();
                    return Some(way);
                }
                if !std::mem::replace(&mut seen[step.0], true) {
                    before[step.0] = Some((node, *step));
                    queue.push_back(step.0);
                }
            }
        }
        None
    }

    /// An accepting run as numbers of edges: those before the cycle, those of the cycle.
    fn accepting_run(&self, all: Marks) -> Option<(Vec<u32>, Vec<u32>)> {
        let graph =
            self.moves.iter().map(|moves| moves.iter().map(|m| (m.0 as u32, m.1)).collect());
        let components = Components::of_edges(&graph.collect::<Vec<Vec<(u32, Marks)>>>(), 0);
        let good = |node: usize| components.accepting(components.of[node], all);
        if self.nodes.is_empty() {
            return None;
        }
        let stem = if good(0) { Vec::new() } else { self.way(0, &|_| true, &|step| good(step.0))? };
        let entry = stem.last().map_or(0, |step| step.0);
        let inside = |node: usize| components.of[node] == components.of[entry];
        let (mut cycle, mut at, mut met): (Vec<Move>, usize, Marks) = (Vec::new(), entry, 0);
        while met & all != all {
            let way = self.way(at, &inside, &|step| step.1 & all & !met != 0)?;
            met |= way.iter().fold(0, |marks, step| marks | step.1);
            at = way.last().map_or(at, |step| step.0);
            cycle.extend(way);
        }
        if at != entry || cycle.is_empty() {
            cycle.extend(self.way(at, &inside, &|step| step.0 == entry)?);
        }
        let numbers = |way: &[Move]| way.iter().map(|step| step.2).collect();
        Some((numbers(&stem), numbers(&cycle)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use promenade_base::random::Random;
    use promenade_ltl::random::{Shape, formula, lasso};

    #[test]
    fn runs_exist_exactly_for_words_that_satisfy() {
        let mut random = Random::new(5);
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        let (mut yes, mut no) = (0, 0);
        for round in 0..600 {
            let mut table = Formulas::new();
            let shape = Shape { size: 1 + round % 8, ..Shape::default() };
            let formula = formula(&mut random, &mut table, &shape);
            let text = to_text(&table, formula, &names);
            let word = lasso(&mut random, 3, 3, 3);
            let used = parse(&text, Reading::Blocks).value.atom_texts();
            let letters = |letters: &[Letter]| -> Vec<Vec<String>> {
                let names = |letter: &Letter| {
                    let holds = |(n, name): (usize, &String)| {
                        (letter >> n & 1 == 1 && used.contains(name)).then(|| name.clone())
                    };
                    names.iter().enumerate().filter_map(holds).collect()
                };
                letters.iter().map(names).collect()
            };
            let data = WordData { prefix: letters(word.prefix()), cycle: letters(word.cycle()) };
            let options = FormulaOptions {
                buchi: round % 2 == 0,
                raw: round % 3 == 0,
                alternating: round % 5 == 0,
            };
            let report = super::word(&text, &data, &options);
            assert_eq!(report.satisfied, word.satisfies(&table, formula), "{text}");
            assert_eq!(report.run.is_some(), report.satisfied, "{text} {data:?}");
            assert!(report.endless || !report.satisfied, "{text} {data:?}");
            for (stuck, reached) in report.stuck.iter().zip(&report.reached) {
                assert!(stuck.iter().all(|state| reached.contains(state)));
            }
            if let Some((stem, cycle)) = &report.run {
                yes += 1;
                assert!(!cycle.is_empty());
                let edges = &report.automaton.edges;
                let mut at = report.automaton.initial;
                let mut entry = at;
                for (number, &edge) in stem.iter().chain(cycle).enumerate() {
                    let edge = &edges[edge as usize];
                    assert_eq!(Some(edge.from), at, "{text}");
                    at = Some(edge.to);
                    if number + 1 == stem.len() {
                        entry = at;
                    }
                }
                assert_eq!(at, entry, "{text}");
            } else {
                no += 1;
            }
        }
        assert!(yes > 100 && no > 100, "{yes} {no}");
    }

    #[test]
    fn automata_in_place_of_formulas() {
        let p = || vec!["p".to_owned()];
        let claim = "never { T0_init: do :: (1) -> goto T0_init :: p -> goto accept_1 od; \
            accept_1: do :: p -> goto accept_1 od }";
        for (text, raw) in [(claim, false), (claim, true)] {
            let options = FormulaOptions { raw, ..FormulaOptions::default() };
            for (prefix, cycle, accepted) in
                [(vec![p(), vec![]], vec![p()], true), (vec![], vec![p(), vec![]], false)]
            {
                let report = super::word(text, &WordData { prefix, cycle }, &options);
                assert_eq!(report.propositions, ["p"]);
                assert_eq!((report.satisfied, report.run.is_some()), (accepted, accepted));
                assert!(report.parts.is_empty() && report.diagnostics.is_empty());
            }
        }
        let report = super::word(
            "never { goto S }",
            &WordData { prefix: vec![], cycle: vec![p()] },
            &FormulaOptions::default(),
        );
        assert!(!report.diagnostics.is_empty() && !report.satisfied);
    }

    #[test]
    fn runs_end_where_no_edge_fits() {
        let letter = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let options = FormulaOptions::default();
        let data = WordData { prefix: vec![letter(&["p"])], cycle: vec![letter(&[])] };
        let report = super::word("[] p", &data, &options);
        assert!(!report.satisfied && !report.endless && report.run.is_none());
        assert_eq!(report.stuck, [vec![], vec![0]]);
        // Waiting for ever is a run, but not an accepting one.
        let data = WordData { prefix: vec![], cycle: vec![letter(&[])] };
        let report = super::word("<> q", &data, &options);
        assert!(!report.satisfied && report.endless && report.run.is_none());
        assert_eq!(report.stuck, [Vec::<u32>::new()]);
    }

    #[test]
    fn wrong_words_are_explained() {
        let p = || vec!["p".to_owned()];
        let options = FormulaOptions::default();
        for (text, prefix, cycle) in [
            ("[] p", vec![], vec![]),
            ("[] p", vec![], vec![vec!["q".to_owned()]]),
            ("[] (", vec![], vec![p()]),
            ("[] p", vec![p(); 300], vec![p()]),
        ] {
            let report = super::word(text, &WordData { prefix, cycle }, &options);
            assert!(!report.diagnostics.is_empty(), "{text}");
        }
    }
}
