//! The class of a formula in the hierarchy of temporal properties, as far as its syntax shows it.
//!
//! The hierarchy is that of Manna and Pnueli (1990), the grammar of the classes that of Chang, Manna
//! and Pnueli (1992) with the extensions by Cerna and Pelanek (2003). A "yes" is a proof; a "no" only
//! says that the syntax does not show it.

use crate::simplify::Simplifier;
use crate::{Formula, Formulas, Node};
use std::collections::HashMap;

/// A class of the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Both safety and guarantee: decided within finitely many positions.
    SafetyGuarantee,
    /// Violated by some finite beginning, if at all: nothing bad happens.
    Safety,
    /// Satisfied by some finite beginning, if at all: something good happens.
    Guarantee,
    /// Boolean combinations of safety and guarantee.
    Obligation,
    /// Something good happens again and again.
    Recurrence,
    /// From some position on only good things happen.
    Persistence,
    /// Boolean combinations of recurrence and persistence: all of LTL.
    Reactivity,
}

impl Class {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::SafetyGuarantee => "safety and guarantee",
            Self::Safety => "safety",
            Self::Guarantee => "guarantee",
            Self::Obligation => "obligation",
            Self::Recurrence => "recurrence",
            Self::Persistence => "persistence",
            Self::Reactivity => "reactivity",
        }
    }

    /// What checking such a property means, in one sentence.
    pub fn consequence(self) -> &'static str {
        match self {
            Self::SafetyGuarantee => "A bounded beginning of a run decides it.",
            Self::Safety => {
                "A counterexample is a finite run, and no search for cycles is needed; \
                 breadth-first search gives the shortest."
            }
            Self::Guarantee => {
                "A counterexample is an infinite run in which the good thing never happens."
            }
            Self::Obligation => {
                "The automaton of its negation is weak: one plain depth-first search finds a cycle."
            }
            Self::Recurrence => {
                "A deterministic Büchi automaton accepts it, and a counterexample is a cycle \
                 without the good thing."
            }
            Self::Persistence => {
                "A deterministic Büchi automaton accepts its negation, and a counterexample is a \
                 cycle with something bad in it."
            }
            Self::Reactivity => "The search for accepting cycles is needed in full.",
        }
    }

    /// The class of the negations of its properties.
    pub fn of_negation(self) -> Self {
        match self {
            Self::Safety => Self::Guarantee,
            Self::Guarantee => Self::Safety,
            Self::Recurrence => Self::Persistence,
            Self::Persistence => Self::Recurrence,
            Self::SafetyGuarantee | Self::Obligation | Self::Reactivity => self,
        }
    }

    /// Whether every property of this class is one of `other`.
    pub fn is_within(self, other: Class) -> bool {
        use Class::*;
        match other {
            Reactivity => true,
            Recurrence | Persistence => self == other || self <= Obligation,
            Obligation => self <= Obligation,
            Safety | Guarantee => self == other || self == SafetyGuarantee,
            SafetyGuarantee => self == SafetyGuarantee,
        }
    }
}

/// What the syntax proves about a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Classes {
    /// A safety property.
    pub safety: bool,
    /// A guarantee property.
    pub guarantee: bool,
    /// An obligation property.
    pub obligation: bool,
    /// A recurrence property.
    pub recurrence: bool,
    /// A persistence property.
    pub persistence: bool,
    /// True of `a w` whenever true of `w`.
    pub pure_eventuality: bool,
    /// True of `w` whenever true of `a w`.
    pub pure_universality: bool,
    /// Repeating letters makes no difference, since the formula has no `X`. Formulas with `X` can
    /// have the property too.
    pub stutter_invariant: bool,
}

impl Classes {
    /// The lowest class that is proven.
    pub fn lowest(self) -> Class {
        match self {
            Self { safety: true, guarantee: true, .. } => Class::SafetyGuarantee,
            Self { safety: true, .. } => Class::Safety,
            Self { guarantee: true, .. } => Class::Guarantee,
            Self { obligation: true, .. } => Class::Obligation,
            // Both together are obligation.
            Self { recurrence: true, persistence: true, .. } => Class::Obligation,
            Self { recurrence: true, .. } => Class::Recurrence,
            Self { persistence: true, .. } => Class::Persistence,
            _ => Class::Reactivity,
        }
    }

    /// What either of two formulas with the same meaning proves.
    fn or(self, other: Self) -> Self {
        let mut both = Self {
            safety: self.safety || other.safety,
            guarantee: self.guarantee || other.guarantee,
            obligation: self.obligation || other.obligation,
            recurrence: self.recurrence || other.recurrence,
            persistence: self.persistence || other.persistence,
            pure_eventuality: self.pure_eventuality || other.pure_eventuality,
            pure_universality: self.pure_universality || other.pure_universality,
            stutter_invariant: self.stutter_invariant || other.stutter_invariant,
        };
        both.obligation |= both.recurrence && both.persistence;
        both
    }
}

/// Classes of a formula, from its negation normal form and from its simplified form.
pub fn classes(table: &mut Formulas, formula: Formula) -> Classes {
    let mut simplifier = Simplifier::new();
    let simple = simplifier.simplify(table, formula);
    let normal = table.negation_normal_form(formula);
    [normal, simple]
        .map(|form| {
            let pure_eventuality = simplifier.is_pure_eventuality(table, form);
            let pure_universality = simplifier.is_pure_universality(table, form);
            let stutter_invariant = is_next_free(table, form);
            Classes {
                pure_eventuality,
                pure_universality,
                stutter_invariant,
                ..by_grammar(table, form)
            }
        })
        .into_iter()
        .fold(Classes::default(), Classes::or)
}

/// Whether there is no `X` in a formula.
pub fn is_next_free(table: &Formulas, formula: Formula) -> bool {
    !table.subformulas(formula).iter().any(|&f| matches!(table.node(f), Node::Next(_)))
}

/// The grammar, for a formula in negation normal form.
fn by_grammar(table: &Formulas, formula: Formula) -> Classes {
    let mut known: HashMap<Formula, Classes> = HashMap::new();
    for f in table.subformulas(formula) {
        let of = |g: &Formula| known.get(g).copied().unwrap_or_default();
        let classes = match table.node(f) {
            Node::True | Node::False | Node::Atom(_) => BOOLEAN,
            Node::Not(g) => match of(g) {
                boolean if boolean.safety && boolean.guarantee => BOOLEAN,
                _ => Classes::default(),
            },
            Node::And(list) | Node::Or(list) => list.iter().map(of).fold(BOOLEAN, meet),
            Node::Next(g) => of(g),
            Node::Eventually(g) => eventually(of(g)),
            Node::Always(g) => always(of(g)),
            Node::Until(g, h) => until(of(g), of(h)),
            Node::StrongRelease(g, h) => until(of(h), of(g)),
            Node::Release(g, h) => release(of(g), of(h)),
            Node::WeakUntil(g, h) => release(of(h), of(g)),
            Node::Implies(..) | Node::Equivalent(..) => Classes::default(),
        };
        known.insert(f, close(classes));
    }
    known.get(&formula).copied().unwrap_or_default()
}

/// The class of Boolean formulas.
const BOOLEAN: Classes = Classes {
    safety: true,
    guarantee: true,
    obligation: true,
    recurrence: true,
    persistence: true,
    pure_eventuality: false,
    pure_universality: false,
    stutter_invariant: false,
};

/// Lower classes are part of higher ones.
fn close(mut c: Classes) -> Classes {
    c.obligation |= c.safety || c.guarantee || c.recurrence && c.persistence;
    c.recurrence |= c.obligation;
    c.persistence |= c.obligation;
    c
}

/// Classes that both have: each class is closed under conjunction and disjunction.
fn meet(a: Classes, b: Classes) -> Classes {
    Classes {
        safety: a.safety && b.safety,
        guarantee: a.guarantee && b.guarantee,
        obligation: a.obligation && b.obligation,
        recurrence: a.recurrence && b.recurrence,
        persistence: a.persistence && b.persistence,
        ..Classes::default()
    }
}

fn eventually(f: Classes) -> Classes {
    Classes { guarantee: f.guarantee, persistence: f.persistence, ..Classes::default() }
}

fn always(f: Classes) -> Classes {
    Classes { safety: f.safety, recurrence: f.recurrence, ..Classes::default() }
}

/// `f U g`, and `g M f`, whose operands play the same parts: some position has `g`, all before it
/// have `f`.
fn until(f: Classes, g: Classes) -> Classes {
    Classes {
        guarantee: f.guarantee && g.guarantee,
        obligation: f.obligation && g.guarantee,
        recurrence: f.recurrence && g.guarantee,
        persistence: f.persistence && g.persistence,
        ..Classes::default()
    }
}

/// `f V g`, and `g W f`: `g` for ever, or up to a position with `f`.
fn release(f: Classes, g: Classes) -> Classes {
    Classes {
        safety: f.safety && g.safety,
        obligation: f.obligation && g.safety,
        recurrence: f.recurrence && g.recurrence,
        persistence: f.persistence && g.safety,
        ..Classes::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Reading, parse};
    use crate::print::to_text;
    use crate::random::{self, Shape};
    use promenade_base::random::Random;
    use std::path::PathBuf;

    fn of(text: &str) -> Classes {
        let mut table = Formulas::new();
        let parsed = parse(text, Reading::Blocks).value;
        let formula = parsed.formula(&mut table).expect(text);
        classes(&mut table, formula)
    }

    #[test]
    fn textbook_formulas() {
        for (text, class) in [
            ("p && !q", Class::SafetyGuarantee),
            ("X p", Class::SafetyGuarantee),
            ("[] p", Class::Safety),
            ("p W q", Class::Safety),
            ("!(p U q)", Class::Safety),
            ("<> p", Class::Guarantee),
            ("p M q", Class::Guarantee),
            ("[] p || <> q", Class::Obligation),
            ("[] p -> [] q", Class::Obligation),
            ("[] (p -> <> q)", Class::Recurrence),
            ("[]<> p && []<> q", Class::Recurrence),
            ("<>[] p", Class::Persistence),
            ("p U [] q", Class::Persistence),
            ("[]<> p -> []<> q", Class::Reactivity),
        ] {
            assert_eq!(of(text).lowest(), class, "{text}");
        }
        assert!(of("[]<> p").pure_eventuality && of("[]<> p").pure_universality);
        assert!(of("p U q").stutter_invariant && !of("X p").stutter_invariant);
        assert!(of("X []<> p").stutter_invariant);
    }

    #[test]
    fn next_free_formulas_do_not_see_stuttering() {
        let mut random = Random::new(2);
        for _ in 0..2000 {
            let mut table = Formulas::new();
            let shape = Shape { next: random.chance(1, 2), ..Shape::default() };
            let f = random::formula(&mut random, &mut table, &shape);
            if classes(&mut table, f).stutter_invariant {
                let word = random::lasso(&mut random, 3, 3, 3);
                let other = random::stuttered(&mut random, &word);
                assert_eq!(word.satisfies(&table, f), other.satisfies(&table, f));
            }
        }
    }

    /// Finite beginnings decide: a word that violates a safety formula does so within the lasso
    /// unrolled far enough, whatever comes after.
    #[test]
    fn safety_and_guarantee_show_in_finite_beginnings() {
        let mut random = Random::new(6);
        for _ in 0..3000 {
            let mut table = Formulas::new();
            let shape = Shape { atoms: 2, size: 7, ..Shape::default() };
            let f = random::formula(&mut random, &mut table, &shape);
            let classes = classes(&mut table, f);
            let word = random::lasso(&mut random, 2, 2, 2);
            let value = word.satisfies(&table, f);
            if !(classes.safety && !value || classes.guarantee && value) {
                continue;
            }
            let mut start = word.prefix().to_vec();
            for _ in 0..40 {
                start.extend_from_slice(word.cycle());
            }
            for _ in 0..10 {
                let rest = random::lasso(&mut random, 2, 3, 3);
                let prefix = start.iter().chain(rest.prefix()).copied().collect();
                let other = crate::Lasso::new(prefix, rest.cycle().to_vec()).expect("a cycle");
                let text = to_text(&table, f, &[]);
                assert_eq!(other.satisfies(&table, f), value, "{text}");
            }
        }
    }

    fn corpus() -> Option<String> {
        let folder = std::env::var_os("PROMENADE_CORPUS").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
            PathBuf::from,
        );
        std::fs::read_to_string(folder.join("ltl/formulas.tsv")).ok()
    }

    #[test]
    fn corpus_classes_are_never_contradicted() {
        let Some(text) = corpus() else {
            eprintln!("skipped: there is no corpus; name its folder in PROMENADE_CORPUS");
            return;
        };
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
        let column = |name: &str| header.iter().position(|h| *h == name).expect("a column");
        let (formula, class, stutter, satisfiable, valid) = (
            column("formula"),
            column("class"),
            column("stutter_invariant"),
            column("satisfiable"),
            column("valid"),
        );
        let (mut rows, mut exact) = (0, 0);
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            let listed = match cells[class] {
                "safety+guarantee" => Class::SafetyGuarantee,
                "safety" => Class::Safety,
                "guarantee" => Class::Guarantee,
                "obligation" => Class::Obligation,
                "recurrence" => Class::Recurrence,
                "persistence" => Class::Persistence,
                "reactivity" => Class::Reactivity,
                other => panic!("{other}"),
            };
            let found = of(cells[formula]);
            for (yes, class) in [
                (found.safety, Class::Safety),
                (found.guarantee, Class::Guarantee),
                (found.obligation, Class::Obligation),
                (found.recurrence, Class::Recurrence),
                (found.persistence, Class::Persistence),
            ] {
                assert!(!yes || listed.is_within(class), "{line}");
            }
            assert!(!found.stutter_invariant || cells[stutter] == "yes", "{line}");
            let mut table = Formulas::new();
            let f = parse(cells[formula], Reading::Blocks).value.formula(&mut table);
            let simple = crate::simplify::simplify(&mut table, f.expect("a formula"));
            assert!(simple != Formula::TRUE || cells[valid] == "yes", "{line}");
            assert!(simple != Formula::FALSE || cells[satisfiable] == "no", "{line}");
            rows += 1;
            exact += usize::from(found.lowest() == listed);
        }
        assert!(rows > 100 && exact * 10 >= rows * 6, "{exact} of {rows}");
        eprintln!("{exact} of {rows} classes show in the syntax");
    }
}
