//! Hints about formulas that may not say what was meant.
//!
//! The slips are the known ones of people who write temporal properties: an implication that only
//! speaks about the first state, an answer demanded in the very state of the request, `U` where the
//! end may never come, `<>[]` for `[]<>`. A hint never says that a formula is wrong; it says what the
//! formula says, and offers another one.

#[cfg(test)]
mod tests;

use crate::parse::{BinaryOperator, Parsed, Syntax, SyntaxKind, UnaryOperator};
use crate::simplify::Simplifier;
use crate::{Formula, Formulas};
use promenade_base::Span;
use promenade_base::arrange::Arrange;

/// The kind of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rule {
    /// The formula holds in every run of every model, or in none.
    Constant,
    /// A part of the formula is always true or always false.
    ConstantPart,
    /// A proposition makes no difference.
    NoInfluence,
    /// A prefix operator applies to less than it seems to.
    NarrowPrefix,
    /// An implication without `[]` in front.
    FirstStateOnly,
    /// `[] (p && <> q)`, where `p` has to hold in every state.
    AlwaysBoth,
    /// `<> (p -> q)`, which holds as soon as `p` does not.
    EventuallyImplies,
    /// `[] (p -> q)` without `<>` on the right.
    SameState,
    /// `[] (p && q)`, which may have been meant as cause and effect.
    AlwaysConjunction,
    /// `U`, which demands that the end comes.
    StrongUntil,
    /// The operands of `V` in an unusual order.
    ReleaseOrder,
    /// `<>[]` where `[]<>` may be meant.
    Stabilises,
    /// `[]<>` where `<>[]` may be meant.
    Recurs,
    /// `X` over processes that take steps in any order.
    NextStep,
    /// `[] (p -> ..)` holds if `p` never does.
    Vacuous,
}

/// How likely it is that something else was meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// The formula is hardly ever what was meant.
    Likely,
    /// Worth a look.
    Possible,
    /// Good to know.
    Information,
}

/// One hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// What kind it is.
    pub rule: Rule,
    /// How likely something else was meant.
    pub weight: Weight,
    /// The part of the text it is about.
    pub span: Span,
    /// What the formula says.
    pub message: String,
    /// Why that may not be what was meant.
    pub reason: String,
    /// Formulas that say something related, the best guess first, with what each says.
    pub suggestions: Vec<Suggestion>,
}

/// A formula to try instead or besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The whole formula.
    pub text: String,
    /// What it says.
    pub meaning: String,
}

/// Hints about a formula, the weightiest first. `text` is what was read. At most one hint of each
/// kind is given, about the first place.
pub fn advise(text: &str, parsed: &Parsed) -> Vec<Hint> {
    let Some(root) = &parsed.syntax else { return Vec::new() };
    let mut advisor = Advisor { text, parsed, root, hints: Vec::new() };
    let constant = advisor.constants();
    if !constant {
        advisor.whole();
        advisor.parts(root, true, &mut Vec::new());
    }
    let mut hints = advisor.hints;
    // The sort is stable: hints of one weight stay in the order in which they were found.
    hints.arrange_by_key(|hint| hint.weight);
    let mut seen = Vec::new();
    hints.retain(|hint| {
        let new = !seen.contains(&hint.rule);
        seen.push(hint.rule);
        new
    });
    hints
}

struct Advisor<'a> {
    text: &'a str,
    parsed: &'a Parsed,
    root: &'a Syntax,
    hints: Vec<Hint>,
}

impl<'a> Advisor<'a> {
    fn hint(
        &mut self,
        rule: Rule,
        weight: Weight,
        span: Span,
        message: String,
        reason: impl Into<String>,
        suggestions: Vec<Suggestion>,
    ) {
        let reason = reason.into();
        self.hints.push(Hint { rule, weight, span, message, reason, suggestions });
    }

    fn show(&self, syntax: &Syntax) -> String {
        syntax.grouped(self.text)
    }

    /// The text of an operand, in parentheses if it is not a single word.
    fn operand(&self, syntax: &Syntax) -> String {
        let text = self.show(syntax);
        let single =
            !text.contains(' ') || text.starts_with('(') && syntax.parenthesised && is_leaf(syntax);
        if single { text } else { format!("({text})") }
    }

    /// The whole formula with another text for one part.
    fn replaced(&self, part: Span, by: &str) -> String {
        let (start, end) = (part.start as usize, part.end as usize);
        let before = self.text.get(..start).unwrap_or("");
        let after = self.text.get(end..).unwrap_or("");
        format!("{before}{by}{after}").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Hints about what never changes. Gives whether the whole formula is constant.
    fn constants(&mut self) -> bool {
        let mut table = Formulas::new();
        let mut simplifier = Simplifier::new();
        let numbers: Vec<u32> = (0..self.parsed.atoms.len() as u32).collect();
        let Some(whole) = self.root.formula(&mut table, &numbers) else { return true };
        let simple = simplifier.simplify(&mut table, whole);
        if is_constant(simple) {
            if !matches!(self.root.kind, SyntaxKind::Constant(_)) {
                let (all, why) = match simple {
                    Formula::TRUE => ("every", "checking it tells nothing about the model"),
                    _ => ("no", "checking it fails for every model that has a run"),
                };
                let message = format!("this formula holds in {all} run of {all} model");
                let message = message.replace("in no run of no model", "in no run of any model");
                self.hint(Rule::Constant, Weight::Likely, self.root.span, message, why, Vec::new());
            }
            return true;
        }
        self.constant_part(self.root, &mut table, &mut simplifier, &numbers);
        let (used, known) = (table.atoms(simple), self.parsed.atoms.len());
        for number in 0..known.min(64) {
            if used >> number & 1 == 0 {
                let atom = &self.parsed.atoms[number];
                let message = format!("`{}` makes no difference to this formula", atom.text);
                let names = self.parsed.atom_texts();
                let text = crate::print::to_text(&table, simple, &names);
                let meaning = "says the same in fewer words".to_owned();
                let suggestion = vec![Suggestion { text, meaning }];
                let reason = "the other parts decide alone whether the formula holds";
                let weight = Weight::Likely;
                self.hint(Rule::NoInfluence, weight, atom.span, message, reason, suggestion);
                break;
            }
        }
        false
    }

    /// The first largest part that is constant, although not written as a constant.
    fn constant_part(
        &mut self,
        syntax: &Syntax,
        table: &mut Formulas,
        simplifier: &mut Simplifier,
        numbers: &[u32],
    ) -> bool {
        if is_leaf(syntax) {
            return false;
        }
        let Some(formula) = syntax.formula(table, numbers) else { return false };
        let simple = simplifier.simplify(table, formula);
        if is_constant(simple) {
            let value = if simple == Formula::TRUE { "true" } else { "false" };
            let message = format!("`{}` is always {value}", self.show(syntax));
            let reason = "a part that never changes says nothing";
            self.hint(Rule::ConstantPart, Weight::Likely, syntax.span, message, reason, Vec::new());
            return true;
        }
        match &syntax.kind {
            SyntaxKind::Unary(_, f) => self.constant_part(f, table, simplifier, numbers),
            SyntaxKind::Binary(_, f, g) => {
                self.constant_part(f, table, simplifier, numbers)
                    || self.constant_part(g, table, simplifier, numbers)
            }
            _ => false,
        }
    }

    /// Hints about the topmost operators.
    fn whole(&mut self) {
        let root = self.root;
        match &root.kind {
            SyntaxKind::Binary(operator, left, right) => {
                if self.narrow_prefix(*operator, left, right) {
                    return;
                }
                if *operator == BinaryOperator::Implies && is_boolean(left) {
                    self.first_state_only(left, right);
                }
            }
            SyntaxKind::Unary(UnaryOperator::Always, inner) => self.under_always(inner),
            SyntaxKind::Unary(UnaryOperator::Eventually, inner) => {
                if let SyntaxKind::Binary(BinaryOperator::Implies, left, right) = &inner.kind {
                    let (p, q) = (self.operand(left), self.operand(right));
                    self.hint(
                        Rule::EventuallyImplies,
                        Weight::Likely,
                        inner.span,
                        format!("this holds as soon as {p} is false in some state"),
                        "an implication is true where its left side is false",
                        vec![
                            suggestion(
                                format!("<> ({p} && {q})"),
                                format!("at some time {p} holds, and {q} with it"),
                            ),
                            suggestion(
                                format!("[] ({p} -> {q})"),
                                format!("whenever {p} holds, so does {q}"),
                            ),
                        ],
                    );
                }
            }
            _ => {}
        }
    }

    /// `[] p -> q` is `([] p) -> q`.
    fn narrow_prefix(&mut self, operator: BinaryOperator, left: &Syntax, right: &Syntax) -> bool {
        let SyntaxKind::Unary(prefix, inner) = &left.kind else { return false };
        let sign = match prefix {
            UnaryOperator::Always => "[]",
            UnaryOperator::Eventually => "<>",
            _ => return false,
        };
        let always = *prefix == UnaryOperator::Always;
        // `<> r -> ..` and `[] p || [] q` are usual; `[] p -> ..` and `[] p && q` hardly.
        let suspicious = match operator {
            BinaryOperator::Implies => always,
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Equivalent => {
                is_boolean(right)
            }
            operator => operator.is_temporal(),
        };
        if left.parenthesised || inner.parenthesised || !is_boolean(inner) || !suspicious {
            return false;
        }
        let (p, q) = (self.operand(inner), self.operand(right));
        let sign_of = operator.sign();
        self.hint(
            Rule::NarrowPrefix,
            Weight::Likely,
            left.span,
            format!("`{sign}` applies to {p} only: this is read as `({sign} {p}) {sign_of} {q}`"),
            "prefix operators bind tighter than all others",
            vec![suggestion(
                format!("{sign} ({p} {sign_of} {q})"),
                format!("`{sign}` applies to the whole"),
            )],
        );
        true
    }

    /// The first two rungs of the ladder from implication to cause and effect.
    fn first_state_only(&mut self, left: &Syntax, right: &Syntax) {
        let (p, q) = (self.operand(left), self.operand(right));
        let mut suggestions = vec![suggestion(
            format!("[] ({p} -> {q})"),
            format!("says it of every state with {p}"),
        )];
        let message = if is_boolean(right) {
            suggestions.insert(
                0,
                suggestion(format!("[] ({p} -> <> {q})"), format!("each {p} is followed by {q}")),
            );
            format!("this only speaks about the first state: {p} is false or {q} is true there")
        } else {
            format!("this only speaks about runs in whose first state {p} holds")
        };
        self.hint(
            Rule::FirstStateOnly,
            Weight::Likely,
            self.root.span,
            message,
            "without `[]` in front an implication is not repeated in later states",
            suggestions,
        );
    }

    /// `[]` over an implication or a conjunction.
    fn under_always(&mut self, inner: &Syntax) {
        let SyntaxKind::Binary(operator, left, right) = &inner.kind else { return };
        let (p, q) = (self.operand(left), self.operand(right));
        match operator {
            BinaryOperator::Implies => {
                if is_boolean(left) && is_boolean(right) {
                    self.hint(
                        Rule::SameState,
                        Weight::Possible,
                        inner.span,
                        format!("{q} has to hold in the very state in which {p} does"),
                        "an answer usually comes some steps after the request",
                        vec![suggestion(
                            format!("[] ({p} -> <> {q})"),
                            format!("each {p} is followed by {q}, at once or later"),
                        )],
                    );
                }
                self.hint(
                    Rule::Vacuous,
                    Weight::Information,
                    left.span,
                    format!("this also holds if {p} never does"),
                    format!(
                        "check besides that the formula offered here is violated; do not use \
                         `<> {p}`, which demands {p} in every run"
                    ),
                    vec![suggestion(format!("[] !{p}"), format!("{p} never holds"))],
                );
            }
            BinaryOperator::And => {
                let eventually =
                    |s: &Syntax| matches!(s.kind, SyntaxKind::Unary(UnaryOperator::Eventually, _));
                // The state formula is the cause, whichever side it stands on.
                let (cause, effect) = match (is_boolean(left), is_boolean(right)) {
                    (true, false) if eventually(right) => (&p, &q),
                    (false, true) if eventually(left) => (&q, &p),
                    (true, true) => {
                        self.hint(
                            Rule::AlwaysConjunction,
                            Weight::Information,
                            inner.span,
                            format!("{p} and {q} both have to hold in every state"),
                            "cause and effect are written with `->`",
                            vec![suggestion(
                                format!("[] ({p} -> <> {q})"),
                                format!("each {p} is followed by {q}"),
                            )],
                        );
                        return;
                    }
                    _ => return,
                };
                let text = format!("[] ({cause} -> {effect})");
                let meaning = format!("whenever {cause} holds, {effect} has to hold");
                let message = format!("{cause} has to hold in every state");
                self.hint(
                    Rule::AlwaysBoth,
                    Weight::Likely,
                    inner.span,
                    message,
                    "under `[]` both sides of `&&` are demanded of every state",
                    vec![suggestion(text, meaning)],
                );
            }
            _ => {}
        }
    }

    /// Hints about operators anywhere. `positive` is false under an odd number of negations;
    /// `promised` has the formulas that the context says will come, as text.
    fn parts(&mut self, syntax: &'a Syntax, positive: bool, promised: &mut Vec<String>) {
        match &syntax.kind {
            SyntaxKind::Constant(_) | SyntaxKind::Atom(_) => {}
            SyntaxKind::Unary(operator, inner) => {
                self.unary(syntax, *operator, inner);
                self.parts(inner, positive != (*operator == UnaryOperator::Not), promised);
            }
            SyntaxKind::Binary(operator, left, right) => {
                match operator {
                    BinaryOperator::Until if positive => self.until(syntax, left, right, promised),
                    BinaryOperator::Release => self.release(syntax, left, right),
                    _ => {}
                }
                let implies = *operator == BinaryOperator::Implies;
                self.parts(left, positive != implies, promised);
                let before = promised.len();
                if implies {
                    self.promises(left, promised);
                }
                self.parts(right, positive, promised);
                promised.truncate(before);
            }
        }
    }

    fn promises(&self, syntax: &Syntax, promised: &mut Vec<String>) {
        match &syntax.kind {
            SyntaxKind::Unary(UnaryOperator::Eventually, inner) => promised.push(self.show(inner)),
            SyntaxKind::Binary(BinaryOperator::And, left, right) => {
                self.promises(left, promised);
                self.promises(right, promised);
            }
            _ => {}
        }
    }

    fn until(&mut self, whole: &Syntax, left: &Syntax, right: &Syntax, promised: &[String]) {
        let (p, q) = (self.operand(left), self.operand(right));
        let mut ends = vec![self.show(right)];
        let mut stack = vec![right];
        while let Some(part) = stack.pop() {
            if let SyntaxKind::Binary(BinaryOperator::Or, f, g) = &part.kind {
                ends.extend([self.show(f), self.show(g)]);
                stack.extend([f.as_ref(), g.as_ref()]);
            }
        }
        let constant = matches!(left.kind, SyntaxKind::Constant(true));
        if constant || ends.iter().any(|end| promised.contains(end)) {
            return;
        }
        let by = format!("({p} W {q})");
        self.hint(
            Rule::StrongUntil,
            Weight::Possible,
            whole.span,
            format!("`U` demands that {q} comes at some time"),
            "if it need not come, the weak `W` is meant",
            vec![suggestion(
                self.replaced(whole.span, &by),
                format!("{p} holds until {q} does, or for ever"),
            )],
        );
    }

    fn release(&mut self, whole: &Syntax, left: &Syntax, right: &Syntax) {
        let (p, q) = (self.operand(left), self.operand(right));
        let by = format!("({p} W {q})");
        self.hint(
            Rule::ReleaseOrder,
            Weight::Information,
            whole.span,
            format!("{q} has to hold up to and including the state in which {p} first holds"),
            "`V` names the end on the left; `U` and `W` name it on the right",
            vec![suggestion(
                self.replaced(whole.span, &by),
                format!("{p} holds until {q} does, or for ever"),
            )],
        );
    }

    fn unary(&mut self, whole: &Syntax, operator: UnaryOperator, inner: &Syntax) {
        match (operator, &inner.kind) {
            (UnaryOperator::Eventually, SyntaxKind::Unary(UnaryOperator::Always, f)) => {
                let p = self.operand(f);
                self.hint(
                    Rule::Stabilises,
                    Weight::Information,
                    whole.span,
                    format!("from some state on {p} holds for ever"),
                    "often only repetition is meant",
                    vec![suggestion(
                        self.replaced(whole.span, &format!("([] <> {p})")),
                        format!("{p} holds again and again"),
                    )],
                );
            }
            (UnaryOperator::Always, SyntaxKind::Unary(UnaryOperator::Eventually, f)) => {
                let p = self.operand(f);
                self.hint(
                    Rule::Recurs,
                    Weight::Information,
                    whole.span,
                    format!("{p} holds again and again, with gaps of any length"),
                    "if it is to stay, the operators change places",
                    vec![suggestion(
                        self.replaced(whole.span, &format!("(<> [] {p})")),
                        format!("from some state on {p} holds for ever"),
                    )],
                );
            }
            (UnaryOperator::Next, _) => {
                let p = self.operand(inner);
                self.hint(
                    Rule::NextStep,
                    Weight::Possible,
                    whole.span,
                    "`X` speaks about the next step of any process".to_owned(),
                    "steps of unrelated processes come in between, so the next step is no measure \
                     of time; and unless the formula ignores repeated states all the same, \
                     partial-order reduction has to stay off",
                    vec![suggestion(
                        self.replaced(whole.span, &format!("(<> {p})")),
                        format!("{p} holds at once or later"),
                    )],
                );
            }
            _ => {}
        }
    }
}

fn suggestion(text: String, meaning: String) -> Suggestion {
    Suggestion { text, meaning }
}

fn is_constant(f: Formula) -> bool {
    f == Formula::TRUE || f == Formula::FALSE
}

fn is_leaf(syntax: &Syntax) -> bool {
    matches!(syntax.kind, SyntaxKind::Constant(_) | SyntaxKind::Atom(_))
}

/// Whether there is no temporal operator.
fn is_boolean(syntax: &Syntax) -> bool {
    match &syntax.kind {
        SyntaxKind::Constant(_) | SyntaxKind::Atom(_) => true,
        SyntaxKind::Unary(operator, f) => *operator == UnaryOperator::Not && is_boolean(f),
        SyntaxKind::Binary(operator, f, g) => {
            !operator.is_temporal() && is_boolean(f) && is_boolean(g)
        }
    }
}
