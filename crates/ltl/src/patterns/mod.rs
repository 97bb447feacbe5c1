//! The property specification patterns of Dwyer, Avrunin and Corbett (1999): formulas and sentences
//! for them, and the way back from a formula to its pattern.
//!
//! Some of the formulas published with the patterns ask for more or less than the pattern says: bounded
//! existence and response chains after `q` until `r` demand progress, response chains before `r` count
//! events at `r` or later, precedence after `q` may choose which `q`. The formulas made here follow the
//! pattern; the published ones are recognised all the same.

mod recognise;
#[cfg(test)]
mod tests;

use crate::parse::{Propositions, Reading, parse};
use crate::{Formula, Formulas, Node};

pub use recognise::{Recognised, Recogniser, recognise};

/// What is to happen within the scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Pattern {
    /// `p` never holds.
    Absence,
    /// `p` holds at some time.
    Existence,
    /// `p` holds in at most two stretches of time.
    BoundedExistence,
    /// `p` holds at all times.
    Universality,
    /// `p` does not hold before `s` does.
    Precedence,
    /// Each `p` is followed by `s`.
    Response,
    /// `p` does not hold before `s` and later `t` have held.
    PrecedenceChain21,
    /// `s` with a later `t` does not come before `p`.
    PrecedenceChain12,
    /// Each `s` with a later `t` is followed, after that, by `p`.
    ResponseChain21,
    /// Each `p` is followed by `s` and later `t`.
    ResponseChain12,
}

/// When it is to happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// Always.
    Globally,
    /// Up to the first `r`, if there is one.
    Before,
    /// From `q` on.
    After,
    /// From each `q` up to the next `r`, if there is one.
    Between,
    /// From each `q` up to the next `r`, or for ever if there is none.
    AfterUntil,
}

/// What the letters of a pattern stand for; letters it does not use are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operands {
    /// The event the pattern speaks about.
    pub p: Formula,
    /// The second event.
    pub s: Formula,
    /// The third event.
    pub t: Formula,
    /// Where the scope begins.
    pub q: Formula,
    /// Where the scope ends.
    pub r: Formula,
}

impl Operands {
    /// The formulas in the order p, q, r, s, t.
    fn list(self) -> [Formula; 5] {
        [self.p, self.q, self.r, self.s, self.t]
    }

    fn from_list([p, q, r, s, t]: [Formula; 5]) -> Self {
        Self { p, q, r, s, t }
    }
}

impl Pattern {
    /// All patterns.
    pub const ALL: [Self; 10] = [
        Self::Absence,
        Self::Existence,
        Self::BoundedExistence,
        Self::Universality,
        Self::Precedence,
        Self::Response,
        Self::PrecedenceChain21,
        Self::PrecedenceChain12,
        Self::ResponseChain21,
        Self::ResponseChain12,
    ];

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absence => "absence",
            Self::Existence => "existence",
            Self::BoundedExistence => "bounded existence (2)",
            Self::Universality => "universality",
            Self::Precedence => "precedence",
            Self::Response => "response",
            Self::PrecedenceChain21 => "precedence chain 2-1",
            Self::PrecedenceChain12 => "precedence chain 1-2",
            Self::ResponseChain21 => "response chain 2-1",
            Self::ResponseChain12 => "response chain 1-2",
        }
    }

    /// Which letters beside `p` it uses, of `s` and `t`.
    pub fn letters(self) -> &'static [char] {
        match self {
            Self::Absence | Self::Existence | Self::BoundedExistence | Self::Universality => &['p'],
            Self::Precedence | Self::Response => &['p', 's'],
            _ => &['p', 's', 't'],
        }
    }
}

impl Scope {
    /// All scopes.
    pub const ALL: [Self; 5] =
        [Self::Globally, Self::Before, Self::After, Self::Between, Self::AfterUntil];

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Globally => "globally",
            Self::Before => "before r",
            Self::After => "after q",
            Self::Between => "between q and r",
            Self::AfterUntil => "after q until r",
        }
    }

    /// Which letters it uses, of `q` and `r`.
    pub fn letters(self) -> &'static [char] {
        match self {
            Self::Globally => &[],
            Self::Before => &['r'],
            Self::After => &['q'],
            Self::Between | Self::AfterUntil => &['q', 'r'],
        }
    }
}

/// The formula of a pattern in a scope.
pub fn formula(
    table: &mut Formulas,
    pattern: Pattern,
    scope: Scope,
    operands: Operands,
) -> Formula {
    let text = texts(pattern, scope).first().copied().unwrap_or("true");
    let (letters, template) = template(text);
    instantiate(&letters, template, table, &operands.list())
}

/// A sentence in plain words; `text` gives the words for a letter.
pub fn sentence(pattern: Pattern, scope: Scope, text: &dyn Fn(char) -> String) -> String {
    let [p, q, r, s, t] = ['p', 'q', 'r', 's', 't'].map(|letter| {
        let used = pattern.letters().contains(&letter) || scope.letters().contains(&letter);
        if used { text(letter) } else { String::new() }
    });
    let core = match pattern {
        Pattern::Absence => format!("{p} never holds"),
        Pattern::Existence => format!("{p} holds at least once"),
        Pattern::BoundedExistence => format!("{p} becomes true at most twice"),
        Pattern::Universality => format!("{p} always holds"),
        Pattern::Precedence => format!("{p} does not hold before {s} has held"),
        Pattern::Response => format!("each {p} is followed by {s}, at once or later"),
        Pattern::PrecedenceChain21 => {
            format!("{p} does not hold before {s} and, after it, {t} have held")
        }
        Pattern::PrecedenceChain12 => {
            format!("{s} with a later {t} does not come before {p}")
        }
        Pattern::ResponseChain21 => {
            format!("each {s} with a later {t} is followed by {p} after that")
        }
        Pattern::ResponseChain12 => format!("each {p} is followed by {s} and, after it, by {t}"),
    };
    match scope {
        Scope::Globally => format!("In every run, {core}."),
        Scope::Before => format!("In every run with {r}, up to the first {r}, {core}."),
        Scope::After => format!("From {q} on, {core}."),
        Scope::Between => format!("From each {q} up to the next {r}, if it comes, {core}."),
        Scope::AfterUntil => {
            format!("From each {q} up to the next {r}, or for ever if it never comes, {core}.")
        }
    }
}

/// A letter of the templates by its number.
const LETTERS: [&str; 5] = ["p", "q", "r", "s", "t"];

/// The template over propositions 0 to 4 for p, q, r, s, t.
fn template(text: &str) -> (Formulas, Formula) {
    let mut table = Formulas::new();
    let mut names = Propositions::new();
    for letter in LETTERS {
        names.number(letter);
    }
    let parsed = parse(text, Reading::Blocks).value;
    let formula = parsed.formula_with(&mut table, &mut names).unwrap_or(Formula::TRUE);
    (table, formula)
}

/// The formula with other formulas in place of its propositions.
fn instantiate(
    from: &Formulas,
    formula: Formula,
    table: &mut Formulas,
    operands: &[Formula; 5],
) -> Formula {
    let mut done = vec![Formula::TRUE; from.len()];
    for f in from.subformulas(formula) {
        let of = |g: &Formula| done[g.index()];
        let new = match from.node(f) {
            Node::True => Formula::TRUE,
            Node::False => Formula::FALSE,
            Node::Atom(number) => operands.get(*number as usize).copied().unwrap_or(Formula::TRUE),
            Node::Not(g) => table.not(of(g)),
            Node::And(list) => table.and(list.iter().map(of)),
            Node::Or(list) => table.or(list.iter().map(of)),
            Node::Implies(g, h) => table.implies(of(g), of(h)),
            Node::Equivalent(g, h) => table.equivalent(of(g), of(h)),
            Node::Next(g) => table.next(of(g)),
            Node::Eventually(g) => table.eventually(of(g)),
            Node::Always(g) => table.always(of(g)),
            Node::Until(g, h) => table.until(of(g), of(h)),
            Node::WeakUntil(g, h) => table.weak_until(of(g), of(h)),
            Node::Release(g, h) => table.release(of(g), of(h)),
            Node::StrongRelease(g, h) => table.strong_release(of(g), of(h)),
        };
        done[f.index()] = new;
    }
    done[formula.index()]
}

/// The formulas of a pattern: the first is the one to make, the others are recognised too.
fn texts(pattern: Pattern, scope: Scope) -> &'static [&'static str] {
    use Pattern::*;
    use Scope::*;
    match (pattern, scope) {
        (Absence, Globally) => &["[] !p"],
        (Absence, Before) => &["<> r -> (!p U r)"],
        (Absence, After) => &["[] (q -> [] !p)"],
        (Absence, Between) => &["[] ((q && !r && <> r) -> (!p U r))"],
        (Absence, AfterUntil) => &["[] ((q && !r) -> (!p W r))"],
        (Existence, Globally) => &["<> p"],
        (Existence, Before) => &["!r W (p && !r)"],
        (Existence, After) => &["[] !q || <> (q && <> p)"],
        (Existence, Between) => {
            &["[] ((q && !r) -> (!r W (p && !r)))", "[] ((q && !r && <> r) -> (!r U (p && !r)))"]
        }
        (Existence, AfterUntil) => &["[] ((q && !r) -> (!r U (p && !r)))"],
        (BoundedExistence, Globally) => &["!p W (p W (!p W (p W [] !p)))"],
        (BoundedExistence, Before) => {
            &["<> r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U \
             (r || (!p U r)))))))))"]
        }
        (BoundedExistence, After) => &["<> q -> (!q U (q && (!p W (p W (!p W (p W [] !p))))))"],
        (BoundedExistence, Between) => {
            &["[] ((q && <> r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || \
             ((p && !r) U (r || (!p U r))))))))))"]
        }
        (BoundedExistence, AfterUntil) => &[
            "[] (q -> ((!p && !r) W (r || ((p && !r) W (r || ((!p && !r) W (r || ((p && !r) W \
             (r || (!p W r))))))))))",
            "[] (q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U \
             (r || ((!p W r) || [] p))))))))))",
        ],
        (Universality, Globally) => &["[] p"],
        (Universality, Before) => &["<> r -> (p U r)"],
        (Universality, After) => &["[] (q -> [] p)"],
        (Universality, Between) => &["[] ((q && !r && <> r) -> (p U r))"],
        (Universality, AfterUntil) => &["[] ((q && !r) -> (p W r))"],
        (Precedence, Globally) => &["!p W s"],
        (Precedence, Before) => &["<> r -> (!p U (s || r))"],
        (Precedence, After) => &["!q W (q && (!p W s))", "[] !q || <> (q && (!p W s))"],
        (Precedence, Between) => &["[] ((q && !r && <> r) -> (!p U (s || r)))"],
        (Precedence, AfterUntil) => &["[] ((q && !r) -> (!p W (s || r)))"],
        (Response, Globally) => &["[] (p -> <> s)"],
        (Response, Before) => &["<> r -> ((p -> (!r U (s && !r))) U r)"],
        (Response, After) => &["[] (q -> [] (p -> <> s))"],
        (Response, Between) => &["[] ((q && !r && <> r) -> ((p -> (!r U (s && !r))) U r))"],
        (Response, AfterUntil) => &["[] ((q && !r) -> ((p -> (!r U (s && !r))) W r))"],
        (PrecedenceChain21, Globally) => &["<> p -> (!p U (s && !p && X (!p U t)))"],
        (PrecedenceChain21, Before) => &["<> r -> (!p U (r || (s && !p && X (!p U t))))"],
        (PrecedenceChain21, After) => {
            &["[] !q || (!q U (q && (<> p -> (!p U (s && !p && X (!p U t))))))"]
        }
        (PrecedenceChain21, Between) => {
            &["[] ((q && <> r) -> (!p U (r || (s && !p && X (!p U t)))))"]
        }
        (PrecedenceChain21, AfterUntil) => {
            &["[] (q -> (<> p -> (!p U (r || (s && !p && X (!p U t))))))"]
        }
        (PrecedenceChain12, Globally) => &["<> (s && X <> t) -> (!s U p)"],
        (PrecedenceChain12, Before) => &["<> r -> (!(s && !r && X (!r U (t && !r))) U (r || p))"],
        (PrecedenceChain12, After) => &["[] !q || (!q U (q && (<> (s && X <> t) -> (!s U p))))"],
        (PrecedenceChain12, Between) => {
            &["[] ((q && <> r) -> (!(s && !r && X (!r U (t && !r))) U (r || p)))"]
        }
        (PrecedenceChain12, AfterUntil) => {
            &["[] (q -> ((!(s && !r && X (!r U (t && !r))) U (r || p)) || [] !(s && X <> t)))"]
        }
        (ResponseChain21, Globally) => &["[] ((s && X <> t) -> X <> (t && <> p))"],
        (ResponseChain21, Before) => &[
            "<> r -> (((s && X (!r U (t && !r))) -> X (!r U (t && (!r U (p && !r))))) U r)",
            "<> r -> (((s && X (!r U t)) -> X (!r U (t && <> p))) U r)",
        ],
        (ResponseChain21, After) => &["[] (q -> [] ((s && X <> t) -> X (!t U (t && <> p))))"],
        (ResponseChain21, Between) => &[
            "[] ((q && <> r) -> (((s && X (!r U (t && !r))) -> X (!r U (t && (!r U (p && !r))))) \
             U r))",
            "[] ((q && <> r) -> (((s && X (!r U t)) -> X (!r U (t && <> p))) U r))",
        ],
        (ResponseChain21, AfterUntil) => &[
            "[] (q -> (((s && X (!r U (t && !r))) -> X (!r U (t && (!r U (p && !r))))) W r))",
            "[] (q -> (((s && X (!r U t)) -> X (!r U (t && <> p))) U \
             (r || [] ((s && X (!r U t)) -> X (!r U (t && <> p))))))",
        ],
        (ResponseChain12, Globally) => &["[] (p -> <> (s && X <> t))"],
        (ResponseChain12, Before) => &[
            "<> r -> ((p -> (!r U (s && !r && X (!r U (t && !r))))) U r)",
            "<> r -> ((p -> (!r U (s && !r && X (!r U t)))) U r)",
        ],
        (ResponseChain12, After) => {
            &["[] (q -> [] (p -> <> (s && X <> t)))", "[] (q -> [] (p -> (s && X <> t)))"]
        }
        (ResponseChain12, Between) => &[
            "[] ((q && <> r) -> ((p -> (!r U (s && !r && X (!r U (t && !r))))) U r))",
            "[] ((q && <> r) -> ((p -> (!r U (s && !r && X (!r U t)))) U r))",
        ],
        (ResponseChain12, AfterUntil) => &[
            "[] (q -> ((p -> (!r U (s && !r && X (!r U (t && !r))))) W r))",
            "[] (q -> ((p -> (!r U (s && !r && X (!r U t)))) U (r || [] (p -> (s && X <> t)))))",
        ],
    }
}
