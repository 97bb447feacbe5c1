//! Everything about a formula, without a model.

use crate::given;
use promenade_automata::alternating::alternating;
use promenade_automata::simplify::simplify;
use promenade_automata::text::{dot, hoa, never};
use promenade_automata::{
    Automaton, Built, Components, Label, Method, Options, TooLarge, build_both, class,
    degeneralise, is_empty, is_wide, shape, stutter_difference, translate, translate_with_states,
};
use promenade_base::arrange::Arrange;
use promenade_base::{Checked, Diagnostic, FileId, Fix, Severity, SourceMap, Span};
use promenade_ltl::advisor::advise;
use promenade_ltl::class::classes;
use promenade_ltl::patterns::{self, Operands, Pattern, Recognised, Scope, recognise, sentence};
use promenade_ltl::print::{Parentheses, Spelling, print, to_text};
use promenade_ltl::{Formula, Formulas, Lasso, MAX_ATOMS, Parsed, Propositions, Reading, parse};
use promenade_protocol::{
    AdviceData, AutomatonData, AutomatonEdge, AutomatonState, ComponentKind, DiagnosticData,
    FixData, FormulaOptions, FormulaReport, Given, Level, PatternInfo, PatternReport, SpanData,
    SuggestionData, WordData,
};
use std::collections::HashMap;

/// Characters of a formula.
const MAX_TEXT: usize = 10_000;
/// Most states of an automaton that is shown.
pub(crate) const MOST_STATES: usize = 500;
/// Work for one automaton, in steps of the translation: a second at most.
pub(crate) const STEPS: usize = 300_000;
/// Most states of automata made to find something out.
pub(crate) const LIMIT: usize = 2_000;

/// Reads a formula and says what is known of it.
pub fn formula(text: &str, options: &FormulaOptions) -> FormulaReport {
    let mut report = FormulaReport::default();
    let given = given::given(text);
    // Automata have longer texts than formulas of the same size.
    let most = if given == Given::Formula { MAX_TEXT } else { 20 * MAX_TEXT };
    if text.len() > most {
        let message = format!("the text is longer than {most} characters");
        report.diagnostics.push(general("formula-too-large", message, None));
        return report;
    }
    if given != Given::Formula {
        return given::report(text, options);
    }
    let Checked { value: parsed, diagnostics } = parse(text, Reading::Blocks);
    let sources = SourceMap::single("formula", text);
    report.diagnostics = diagnostics.iter().map(|d| finding(&sources, d)).collect();
    let mut table = Formulas::new();
    let Some(formula) = parsed.formula(&mut table) else {
        if parsed.atoms.len() > MAX_ATOMS as usize {
            let message = format!("there are more than {MAX_ATOMS} different propositions");
            report.diagnostics.push(general("formula-too-large", message, None));
        }
        return report;
    };
    let names = parsed.atom_texts();
    describe(&mut report, &mut table, formula, &parsed, text, &names);
    automata(&mut report, &mut table, formula, &names, options);
    report
}

/// A specification pattern with its events filled in, and what there is to choose.
pub fn pattern(name: &str, scope: &str, events: &[(String, String)]) -> PatternReport {
    let info = |name: &str, letters: &[char]| PatternInfo {
        name: name.to_owned(),
        letters: letters.iter().map(char::to_string).collect(),
    };
    let mut report = PatternReport {
        patterns: Pattern::ALL.iter().map(|p| info(p.name(), p.letters())).collect(),
        scopes: Scope::ALL.iter().map(|s| info(s.name(), s.letters())).collect(),
        ..PatternReport::default()
    };
    let chosen = Pattern::ALL.into_iter().find(|pattern| pattern.name() == name);
    let within = Scope::ALL.into_iter().find(|known| known.name() == scope);
    let (Some(chosen), Some(within)) = (chosen, within) else { return report };
    let mut table = Formulas::new();
    let mut names = Propositions::new();
    let mut operands = [Formula::TRUE; 5];
    for letter in chosen.letters().iter().chain(within.letters()) {
        let given = events.iter().find(|(name, _)| *name == letter.to_string());
        let Some((_, text)) = given.filter(|(_, text)| !text.trim().is_empty()) else {
            return report;
        };
        let parsed = parse(text, Reading::Blocks);
        let sources = SourceMap::single("event", text.as_str());
        for diagnostic in &parsed.diagnostics {
            let mut data = finding(&sources, diagnostic);
            data.message = format!("{letter}: {}", data.message);
            report.diagnostics.push(data);
        }
        let Some(formula) = parsed.value.formula_with(&mut table, &mut names) else {
            return report;
        };
        if let Some(at) = "pqrst".find(*letter) {
            operands[at] = formula;
        }
    }
    let [p, q, r, s, t] = operands;
    let operands = Operands { p, s, t, q, r };
    let formula = patterns::formula(&mut table, chosen, within, operands);
    report.formula = to_text(&table, formula, names.texts());
    let found = Recognised { pattern: chosen, scope: within, operands };
    report.sentence = in_words(&table, &found, names.texts());
    report
}

pub(crate) fn general(code: &str, message: String, hint: Option<String>) -> DiagnosticData {
    let span = SpanData { file: FileId::default().0, start: 0, end: 0, line: 1, column: 1 };
    let (code, related) = (code.to_owned(), Vec::new());
    DiagnosticData { level: Level::Error, code, span, message, hint, related, fix: None }
}

pub(crate) fn finding(sources: &SourceMap, diagnostic: &Diagnostic) -> DiagnosticData {
    let place = |span: Span| {
        let at = sources.line_column(span);
        let (start, end) = (span.start, span.end);
        SpanData { file: 0, start, end, line: at.line, column: at.column }
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
        Severity::Note => Level::Note,
    };
    DiagnosticData {
        level,
        code: diagnostic.code.to_owned(),
        span: place(diagnostic.span),
        message: diagnostic.message.clone(),
        hint: diagnostic.hint.clone(),
        related: Vec::new(),
        fix: diagnostic.fix.as_ref().map(|fix| fixed(fix, place)),
    }
}

/// A change of the text, with its places for people.
pub(crate) fn fixed(fix: &Fix, place: impl Fn(Span) -> SpanData) -> FixData {
    let edit = |(span, text): &(Span, String)| (place(*span), text.clone());
    FixData { title: fix.title.clone(), edits: fix.edits.iter().map(edit).collect() }
}

/// What can be said without automata.
fn describe(
    report: &mut FormulaReport,
    table: &mut Formulas,
    formula: Formula,
    parsed: &Parsed,
    text: &str,
    names: &[String],
) {
    let written = |spelling, parentheses| print(table, formula, names, spelling, parentheses);
    report.spin = written(Spelling::Spin, Parentheses::Clear);
    report.signs = written(Spelling::Mathematical, Parentheses::Clear);
    report.latex = written(Spelling::Latex, Parentheses::Clear);
    report.grouped = match &parsed.syntax {
        Some(syntax) => syntax.grouped(text),
        None => written(Spelling::Spin, Parentheses::Full),
    };
    report.propositions = names.to_vec();
    report.advice = advise(text, parsed)
        .into_iter()
        .map(|hint| AdviceData {
            message: hint.message,
            reason: hint.reason,
            suggestions: hint
                .suggestions
                .into_iter()
                .map(|s| SuggestionData { formula: s.text, meaning: s.meaning })
                .collect(),
        })
        .collect();
    report.pattern = recognise(table, formula).map(|found| in_words(table, &found, names));
    let class = classes(table, formula).lowest();
    report.class = class.name().to_owned();
    report.class_meaning = class.consequence().to_owned();
}

/// A specification pattern as a sentence.
fn in_words(table: &Formulas, found: &Recognised, names: &[String]) -> String {
    let operands = found.operands;
    let operand = |letter: char| match letter {
        'p' => operands.p,
        'q' => operands.q,
        'r' => operands.r,
        's' => operands.s,
        _ => operands.t,
    };
    sentence(found.pattern, found.scope, &|letter| to_text(table, operand(letter), names))
}

/// What automata tell, and pictures of them; what is too much work is left out, and said.
fn automata(
    report: &mut FormulaReport,
    table: &mut Formulas,
    formula: Formula,
    names: &[String],
    options: &FormulaOptions,
) {
    let bounds = bounds();
    let not = table.not(formula);
    // No edge could be labelled.
    let wide = is_wide(table, formula);
    let [positive, negative] = if wide {
        [Err(TooLarge::Steps), Err(TooLarge::Steps)]
    } else {
        build_both(table, formula, names, &bounds)
    };
    if let (Ok(positive), Ok(negative)) = (&positive, &negative) {
        find_out(report, positive, negative, names);
    } else if [&positive, &negative].iter().any(|it| it.as_ref().is_ok_and(is_nothing)) {
        report.constant = Some(negative.as_ref().is_ok_and(is_nothing));
    }
    if !wide {
        report.alternating = drawn_alternating(table, formula, names).unwrap_or_default();
    }
    let mut missing = Vec::new();
    for (what, formula, built, place) in [
        ("the formula", formula, &positive, &mut report.automaton),
        ("its negation", not, &negative, &mut report.negation),
    ] {
        let automaton = match built {
            Ok(built) => shaped(table, formula, built, options),
            Err(reason) => Err(*reason),
        };
        match automaton {
            Ok(mut automaton) => {
                automaton.name_atoms(names);
                *place = drawn(&automaton, &to_text(table, formula, names));
            }
            Err(_) => missing.push(what),
        }
    }
    let texts = texts(report, table, formula, names, options, &positive, &negative);
    if texts.is_err() && missing.is_empty() {
        missing.push("the formula");
    }
    if !missing.is_empty() {
        let of = missing.join(" and of ");
        let message = format!("the automaton of {of} is too large to be shown");
        let hint = "A check can still use it. To see one, leave parts of the formula out.";
        let finding = general("automaton-too-large", message, Some(hint.to_owned()));
        report.diagnostics.push(DiagnosticData { level: Level::Warning, ..finding });
    }
}

/// Whether no word is accepted.
fn is_nothing(built: &Built) -> bool {
    is_empty(&built.generalised)
}

/// What a formula and its negation tell together.
fn find_out(report: &mut FormulaReport, positive: &Built, negative: &Built, names: &[String]) {
    report.constant = match (is_nothing(positive), is_nothing(negative)) {
        (_, true) => Some(true),
        (true, _) => Some(false),
        _ => None,
    };
    if let Ok(exact) = class(&positive.generalised, LIMIT) {
        report.class = exact.name().to_owned();
        report.class_meaning = exact.consequence().to_owned();
    }
    match stutter_difference(&positive.generalised, &negative.generalised, LIMIT) {
        Ok(None) => report.stutter_invariant = Some(true),
        Ok(Some(words)) => {
            report.stutter_invariant = Some(false);
            report.stutter_words = Some((word(&words.inside, names), word(&words.outside, names)));
        }
        Err(_) => {}
    }
}

/// The automata as texts for other tools.
fn texts(
    report: &mut FormulaReport,
    table: &mut Formulas,
    formula: Formula,
    names: &[String],
    options: &FormulaOptions,
    positive: &Result<Built, TooLarge>,
    negative: &Result<Built, TooLarge>,
) -> Result<(), TooLarge> {
    if let Ok(negative) = negative {
        let mut claim = negative.buchi.clone();
        claim.name_atoms(names);
        let claim_options = never::Options { early: true, ..never::Options::default() };
        report.never_claim = never::write(&claim, &claim_options)?;
    }
    let mut shown = match (positive, options.alternating, options.buchi) {
        (Err(_), ..) => return Ok(()),
        (_, true, _) => by_alternation(table, formula, options)?,
        (Ok(positive), _, true) => positive.buchi.clone(),
        (Ok(positive), _, false) => positive.generalised.clone(),
    };
    shown.name_atoms(names);
    report.hoa = hoa::write(&shown, &report.spin);
    report.dot = dot::write(&shown, &dot::Options::default());
    Ok(())
}

/// Bounds for an automaton that is shown.
pub(crate) fn bounds() -> Options<'static> {
    Options { states: MOST_STATES, steps: STEPS, patience: STEPS, ..Options::default() }
}

/// The automaton of a formula in the form that is wanted.
pub(crate) fn shaped(
    table: &mut Formulas,
    formula: Formula,
    built: &Built,
    options: &FormulaOptions,
) -> Result<Automaton, TooLarge> {
    if options.alternating {
        return by_alternation(table, formula, options);
    }
    Ok(match (options.raw, options.buchi) {
        (false, false) => built.generalised.clone(),
        (false, true) => built.buchi.clone(),
        (true, false) => translate(table, formula, &bounds())?,
        (true, true) => degeneralise(&translate(table, formula, &bounds())?, 2 * MOST_STATES)?,
    })
}

/// The same by way of the alternating automaton.
fn by_alternation(
    table: &mut Formulas,
    formula: Formula,
    options: &FormulaOptions,
) -> Result<Automaton, TooLarge> {
    let bounds = Options { method: Method::Alternating, ..bounds() };
    let (mut automaton, meanings) = translate_with_states(table, formula, &bounds)?;
    automaton.names = meanings.iter().map(|&it| to_text(table, it, &[])).collect();
    if !options.raw {
        simplify(&mut automaton);
    }
    if options.buchi {
        automaton = degeneralise(&automaton, 2 * MOST_STATES)?;
        if !options.raw {
            simplify(&mut automaton);
        }
    }
    Ok(automaton)
}

/// The alternating automaton of a formula, ready to draw.
fn drawn_alternating(
    table: &mut Formulas,
    formula: Formula,
    names: &[String],
) -> Result<AutomatonData, TooLarge> {
    let built = alternating(table, formula, &bounds())?;
    let atoms: Vec<String> = (0..built.atoms)
        .map(|number| names.get(number as usize).cloned().unwrap_or_default())
        .collect();
    let mut data = AutomatonData {
        formula: to_text(table, formula, names),
        sets: 1,
        state_based: true,
        alternating: true,
        ..AutomatonData::default()
    };
    for (number, &part) in built.formulas.iter().enumerate() {
        let rejecting = built.rejecting[number];
        let loops = built.states[number].iter().any(|it| it.targets.contains(&(number as u32)));
        data.states.push(AutomatonState {
            meaning: to_text(table, part, names),
            accepting: rejecting && loops,
            component: number as u32,
            ..AutomatonState::default()
        });
        data.components.push(match (loops, rejecting) {
            (false, _) => ComponentKind::Trivial,
            (true, true) => ComponentKind::Rejecting,
            (true, false) => ComponentKind::Weak,
        });
    }
    let mut forks = Forks { data, known: HashMap::new() };
    for (number, branches) in built.states.iter().enumerate() {
        for branch in branches {
            let to = forks.all_of(&branch.targets);
            forks.edge(number as u32, to, branch.label.text(&atoms));
        }
    }
    let begins: Vec<u32> = built.initial.iter().map(|set| forks.all_of(set)).collect();
    forks.data.initial = match begins.as_slice() {
        [] => None,
        [only] => Some(*only),
        several => {
            let fork = forks.state("∨", "");
            several.iter().for_each(|&to| forks.edge(fork, to, String::new()));
            Some(fork)
        }
    };
    let mut data = forks.data;
    if data.initial.is_none() {
        data.states.clear();
        data.edges.clear();
    }
    if data.states.len() > MOST_STATES {
        return Err(TooLarge::States);
    }
    data.edges.arrange_by_key(|edge| edge.from);
    Ok(data)
}

/// The picture of an alternating automaton in the making: its forks are states.
struct Forks {
    data: AutomatonData,
    known: HashMap<Vec<u32>, u32>,
}

impl Forks {
    fn state(&mut self, name: &str, meaning: &str) -> u32 {
        let number = self.data.states.len() as u32;
        self.data.states.push(AutomatonState {
            name: name.to_owned(),
            meaning: meaning.to_owned(),
            component: number,
            ..AutomatonState::default()
        });
        self.data.components.push(ComponentKind::Trivial);
        number
    }

    fn edge(&mut self, from: u32, to: u32, label: String) {
        self.data.edges.push(AutomatonEdge { from, to, label, marks: Vec::new() });
    }

    /// The state that stands for all states of a set at once.
    fn all_of(&mut self, set: &[u32]) -> u32 {
        if let [only] = set {
            return *only;
        }
        if let Some(&known) = self.known.get(set) {
            return known;
        }
        let fork = if set.is_empty() { self.state("⊤", "true") } else { self.state("∧", "") };
        self.known.insert(set.to_vec(), fork);
        for &to in set {
            self.edge(fork, to, String::new());
        }
        fork
    }
}

fn word(word: &Lasso, names: &[String]) -> WordData {
    let letters = |letters: &[u64]| {
        let names = |letter: &u64| {
            let holds = |n: &usize| letter >> n & 1 == 1;
            (0..names.len().min(64)).filter(holds).map(|n| names[n].clone()).collect()
        };
        letters.iter().map(names).collect()
    };
    WordData { prefix: letters(word.prefix()), cycle: letters(word.cycle()) }
}

/// An automaton, ready to draw.
pub(crate) fn drawn(automaton: &Automaton, formula: &str) -> AutomatonData {
    let components = Components::of(automaton);
    let of = |state: u32| components.of.get(state as usize).copied().unwrap_or(0);
    let state = |number: usize| AutomatonState {
        meaning: automaton
            .names
            .get(number)
            .map_or_else(String::new, |name| spelled(name, &automaton.atoms)),
        name: String::new(),
        accepting: automaton.state_based && automaton.accepting(number as u32),
        component: of(number as u32),
    };
    let edges = automaton.states.iter().enumerate().flat_map(|(from, edges)| {
        edges.iter().map(move |edge| AutomatonEdge {
            from: from as u32,
            to: edge.target,
            label: edge.label.text(&automaton.atoms),
            marks: (0..automaton.sets).filter(|set| edge.marks >> set & 1 == 1).collect(),
        })
    });
    AutomatonData {
        formula: formula.to_owned(),
        states: (0..automaton.states.len()).map(state).collect(),
        edges: edges.collect(),
        initial: (!automaton.states.is_empty()).then_some(automaton.initial),
        sets: automaton.sets,
        state_based: automaton.state_based,
        deterministic: shape(automaton).deterministic,
        components: kinds(automaton, &components),
        alternating: false,
    }
}

/// The name of a state with `p0`, `p1`, ... replaced by the propositions.
fn spelled(name: &str, atoms: &[String]) -> String {
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find('p') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let atom = rest[..digits].parse::<usize>().ok().and_then(|number| atoms.get(number));
        match atom {
            Some(atom) => {
                out.push_str(atom);
                rest = &rest[digits..];
            }
            None => out.push('p'),
        }
    }
    out.push_str(rest);
    out
}

/// What the cycles of each component are worth.
fn kinds(automaton: &Automaton, components: &Components) -> Vec<ComponentKind> {
    let all = automaton.all_marks();
    let mut kinds: Vec<ComponentKind> = (0..components.count())
        .map(|c| match (components.cyclic[c], components.accepting(c as u32, all)) {
            (false, _) => ComponentKind::Trivial,
            (true, false) => ComponentKind::Rejecting,
            (true, true) if components.common[c] & all == all => ComponentKind::Terminal,
            (true, true) => ComponentKind::Accepting,
        })
        .collect();
    for (state, edges) in automaton.states.iter().enumerate() {
        let Some(kind) = kinds.get_mut(components.of[state] as usize) else { continue };
        let inside =
            edges.iter().filter(|e| components.of[e.target as usize] == components.of[state]);
        let letters = inside.fold(Label::none(), |sum, edge| sum.or(&edge.label));
        if *kind == ComponentKind::Terminal && !letters.is_all() {
            *kind = ComponentKind::Weak;
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> FormulaReport {
        formula(text, &FormulaOptions::default())
    }

    #[test]
    fn a_formula_is_described() {
        let report = report("[] (p -> <> q)");
        assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
        assert_eq!(report.propositions, ["p", "q"]);
        assert_eq!((report.class.as_str(), report.stutter_invariant), ("recurrence", Some(true)));
        assert_eq!(report.constant, None);
        assert_eq!(report.automaton.states.len(), 2);
        assert_eq!(report.negation.states.len(), 2);
        assert!(report.pattern.is_some());
        assert!(report.never_claim.contains("never"), "{}", report.never_claim);
        assert!(report.hoa.starts_with("HOA: v1"), "{}", report.hoa);
        assert!(report.dot.starts_with("digraph"), "{}", report.dot);
    }

    #[test]
    fn all_kinds_of_automata() {
        for number in 0..8 {
            let (buchi, raw, alternating) = (number & 1 != 0, number & 2 != 0, number & 4 != 0);
            let options = FormulaOptions { buchi, raw, alternating };
            let report = formula("<>[] p || []<> q", &options);
            let automaton = &report.automaton;
            assert!(!automaton.states.is_empty() && automaton.initial.is_some());
            assert_eq!(automaton.state_based, buchi);
            assert!(
                automaton
                    .states
                    .iter()
                    .all(|s| (s.component as usize) < automaton.components.len())
            );
        }
    }

    #[test]
    fn alternating_automata_are_drawn() {
        let data = report("p && [] (q -> <> r)").alternating;
        let named = |name: &str| data.states.iter().filter(|state| state.name == name).count();
        // It begins in two states at once, and waits for r while it goes on.
        assert_eq!((named("∧"), named("⊤"), named("∨")), (2, 1, 0));
        assert_eq!(data.states[data.initial.unwrap_or(99) as usize].name, "∧");
        let waits = data.states.iter().position(|state| state.accepting).expect("<> r");
        assert_eq!(data.states[waits].meaning, "<>r");
        assert!(data.edges.iter().any(|e| e.from == waits as u32 && e.to == e.from));
        assert!(data.edges.iter().all(|e| {
            e.label.is_empty() == ["∧", "∨"].contains(&data.states[e.from as usize].name.as_str())
        }));
        let data = report("p || X q").alternating;
        assert_eq!(data.states[data.initial.unwrap_or(99) as usize].name, "∨");
        assert!(report("p && !p").alternating.states.is_empty());
    }

    #[test]
    fn constants_and_next() {
        assert_eq!(report("p || !p").constant, Some(true));
        assert_eq!(report("[] p && <> !p").constant, Some(false));
        let next = report("X p");
        assert_eq!(next.stutter_invariant, Some(false));
        assert!(next.stutter_words.is_some());
    }

    #[test]
    fn mistakes_have_places() {
        for text in ["", "[] (p ->", "p q", "((", "p U", &"[]".repeat(6000)] {
            let report = report(text);
            assert!(report.diagnostics.iter().any(|d| d.level == Level::Error), "{text}");
            assert!(report.automaton.states.is_empty());
        }
    }

    #[test]
    fn hard_formulas_come_to_an_end() {
        let fair: Vec<String> = (0..9).map(|n| format!("([]<> a{n} -> []<> b{n})")).collect();
        let nested = (0..14).fold("p0".to_owned(), |f, n| format!("({f} U p{n})"));
        for text in [fair.join(" && "), nested] {
            let report = report(&text);
            assert!(!report.spin.is_empty());
        }
    }
}
