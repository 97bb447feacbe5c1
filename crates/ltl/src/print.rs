//! Formulas as text.

use crate::parse::is_operator_word;
use crate::{Formula, Formulas, Node};

/// A text that gets longer ends here with `...`: shared parts are written out each time, so a small
/// table can stand for a text of any length.
pub const MAX_TEXT: usize = 1 << 20;

/// How operators are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Spelling {
    /// `[] <> X U W V ! && || -> <->`. SPIN has no sign for `p M q`: it becomes `q U (p && q)`.
    #[default]
    Spin,
    /// `always eventually next until weakuntil release strongrelease not and or implies equivalent`.
    Words,
    /// `G F X U W R M ! & | -> <->`, as Spot and many others read it.
    Letters,
    /// `□ ◇ ○ U W R M ¬ ∧ ∨ → ↔`.
    Mathematical,
    /// For LaTeX's mathematical mode, without packages.
    Latex,
}

/// Which parentheses are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Parentheses {
    /// Only those that the levels of `ltl` blocks need.
    Minimal,
    /// Also where tools read a text in different ways, as in `a -> b -> c` or `a || b && c`.
    #[default]
    Clear,
    /// Around every operand that has an operator, but for negated propositions.
    Full,
}

/// The text of a formula. `names[i]` is the text of proposition `i`; one without a name is written
/// `p` with its number.
pub fn print(
    table: &Formulas,
    formula: Formula,
    names: &[String],
    spelling: Spelling,
    parentheses: Parentheses,
) -> String {
    let mut printer = Printer { table, names, spelling, parentheses, out: String::new() };
    printer.formula(formula);
    printer.out
}

/// The text in SPIN's spelling with clear parentheses.
pub fn to_text(table: &Formulas, formula: Formula, names: &[String]) -> String {
    print(table, formula, names, Spelling::Spin, Parentheses::Clear)
}

struct Printer<'a> {
    table: &'a Formulas,
    names: &'a [String],
    spelling: Spelling,
    parentheses: Parentheses,
    out: String,
}

/// Operators, in the order of the columns of [`SIGNS`].
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Always,
    Eventually,
    Next,
    Not,
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
}

const SIGNS: [[&str; 12]; 5] = [
    ["[]", "<>", "X", "!", "&&", "||", "->", "<->", "U", "W", "V", "M"],
    [
        "always",
        "eventually",
        "next",
        "not",
        "and",
        "or",
        "implies",
        "equivalent",
        "until",
        "weakuntil",
        "release",
        "strongrelease",
    ],
    ["G", "F", "X", "!", "&", "|", "->", "<->", "U", "W", "R", "M"],
    ["□", "◇", "○", "¬", "∧", "∨", "→", "↔", "U", "W", "R", "M"],
    [
        "\\Box",
        "\\Diamond",
        "\\bigcirc",
        "\\neg",
        "\\land",
        "\\lor",
        "\\rightarrow",
        "\\leftrightarrow",
        "\\mathbin{\\mathsf{U}}",
        "\\mathbin{\\mathsf{W}}",
        "\\mathbin{\\mathsf{R}}",
        "\\mathbin{\\mathsf{M}}",
    ],
];

/// Level of what is no infix formula.
const TIGHT: u8 = 6;

impl Printer<'_> {
    fn sign(&self, sign: Sign) -> &'static str {
        let row = match self.spelling {
            Spelling::Spin => 0,
            Spelling::Words => 1,
            Spelling::Letters => 2,
            Spelling::Mathematical => 3,
            Spelling::Latex => 4,
        };
        SIGNS[row][sign as usize]
    }

    fn formula(&mut self, f: Formula) {
        if self.out.len() > MAX_TEXT {
            if !self.out.ends_with("...") {
                self.out.push_str("...");
            }
            return;
        }
        let table = self.table;
        match table.node(f) {
            Node::True => self.constant("true"),
            Node::False => self.constant("false"),
            Node::Atom(number) => {
                let name = self.name(*number);
                self.atom(&name);
            }
            Node::Not(g) => self.prefix(Sign::Not, *g),
            Node::Next(g) => self.prefix(Sign::Next, *g),
            Node::Eventually(g) => self.prefix(Sign::Eventually, *g),
            Node::Always(g) => self.prefix(Sign::Always, *g),
            Node::And(list) => self.infix(Sign::And, 4, list),
            Node::Or(list) => self.infix(Sign::Or, 3, list),
            Node::Implies(g, h) => self.infix(Sign::Implies, 1, &[*g, *h]),
            Node::Equivalent(g, h) => self.infix(Sign::Equivalent, 1, &[*g, *h]),
            Node::Until(g, h) => self.infix(Sign::Until, 5, &[*g, *h]),
            Node::WeakUntil(g, h) => self.infix(Sign::WeakUntil, 5, &[*g, *h]),
            Node::Release(g, h) => self.infix(Sign::Release, 5, &[*g, *h]),
            Node::StrongRelease(g, h) if self.spelling == Spelling::Spin => {
                let level = self.level(*h);
                let clear = level < 5 || level == 5 && self.parentheses != Parentheses::Minimal;
                self.operand(*h, clear || self.parentheses == Parentheses::Full, false);
                self.out.push_str(" U (");
                self.infix(Sign::And, 4, &[*g, *h]);
                self.out.push(')');
            }
            Node::StrongRelease(g, h) => self.infix(Sign::StrongRelease, 5, &[*g, *h]),
        }
    }

    fn name(&self, number: u32) -> String {
        self.names.get(number as usize).cloned().unwrap_or_else(|| format!("p{number}"))
    }

    fn constant(&mut self, word: &str) {
        if self.spelling == Spelling::Latex {
            self.out.push_str(&format!("\\mathrm{{{word}}}"));
        } else {
            self.out.push_str(word);
        }
    }

    fn atom(&mut self, name: &str) {
        if self.spelling != Spelling::Latex {
            self.out.push_str(name);
            return;
        }
        let word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        self.out.push_str(if word { "\\mathit{" } else { "\\texttt{" });
        for c in name.chars() {
            match c {
                '\\' => self.out.push_str("\\textbackslash{}"),
                '~' => self.out.push_str("\\textasciitilde{}"),
                '^' => self.out.push_str("\\textasciicircum{}"),
                '_' | '{' | '}' | '&' | '%' | '#' | '$' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                _ => self.out.push(c),
            }
        }
        self.out.push('}');
    }

    fn prefix(&mut self, sign: Sign, operand: Formula) {
        let text = self.sign(sign);
        self.out.push_str(text);
        let negated_atom = matches!(self.table.node(operand), Node::Atom(_));
        let compound = self.level(operand) < TIGHT;
        let spaced = match self.spelling {
            Spelling::Words => true,
            Spelling::Latex => !compound,
            _ => text.chars().all(|c| c.is_ascii_alphabetic()),
        };
        if spaced {
            self.out.push(' ');
        }
        let full = self.parentheses == Parentheses::Full && !negated_atom;
        self.operand(operand, compound || full, true);
    }

    /// An operand, in parentheses if asked for or if it is a proposition that needs them.
    fn operand(&mut self, f: Formula, parentheses: bool, in_prefix: bool) {
        let plain = match self.table.node(f) {
            Node::Atom(number) => is_plain(&self.name(*number)),
            Node::True | Node::False => true,
            // Full parentheses: `!p` stays as it is beside an infix operator.
            Node::Not(g) if !in_prefix && matches!(self.table.node(*g), Node::Atom(_)) => true,
            _ => !parentheses,
        };
        // LaTeX shows a proposition in its own font.
        let is_atom = matches!(self.table.node(f), Node::Atom(_));
        if plain || is_atom && self.spelling == Spelling::Latex && !parentheses {
            self.formula(f);
        } else {
            self.out.push('(');
            self.formula(f);
            self.out.push(')');
        }
    }

    fn infix(&mut self, sign: Sign, level: u8, operands: &[Formula]) {
        for (i, &f) in operands.iter().enumerate() {
            if i > 0 {
                self.out.push(' ');
                self.out.push_str(self.sign(sign));
                self.out.push(' ');
            }
            let inner = self.level(f);
            let needed = if i == 0 { inner < level } else { inner <= level };
            let wanted = match self.parentheses {
                Parentheses::Minimal => needed,
                Parentheses::Clear => needed || inner < 5 || inner == 5 && level == 5,
                Parentheses::Full => true,
            };
            self.operand(f, wanted, false);
        }
    }

    fn level(&self, f: Formula) -> u8 {
        match self.table.node(f) {
            Node::Implies(..) | Node::Equivalent(..) => 1,
            Node::Or(_) => 3,
            Node::And(_) => 4,
            Node::Until(..) | Node::WeakUntil(..) | Node::Release(..) | Node::StrongRelease(..) => {
                5
            }
            _ => TIGHT,
        }
    }
}

/// Whether the text of a proposition can stand beside any operator.
fn is_plain(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || "_@.:?[]()".contains(c));
    starts && goes_on && !is_operator_word(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Propositions, Reading, parse};
    use crate::random::{self, Shape};
    use promenade_base::random::Random;

    fn names() -> Vec<String> {
        ["p", "x == 3", "q?[msg, 2]", "X"].map(str::to_owned).to_vec()
    }

    #[test]
    fn reading_what_was_printed_gives_the_formula() {
        let mut random = Random::new(8);
        for round in 0..4000 {
            let mut table = Formulas::new();
            let shape = Shape { atoms: 4, size: 14, ..Shape::default() };
            let f = random::formula(&mut random, &mut table, &shape);
            for spelling in
                [Spelling::Spin, Spelling::Words, Spelling::Letters, Spelling::Mathematical]
            {
                let strong = |g: &Formula| matches!(table.node(*g), Node::StrongRelease(..));
                let has_strong = table.subformulas(f).iter().any(strong);
                for parentheses in [Parentheses::Minimal, Parentheses::Clear, Parentheses::Full] {
                    let text = print(&table, f, &names(), spelling, parentheses);
                    let checked = parse(&text, Reading::Blocks);
                    assert!(!checked.has_errors(), "{text}: {:?}", checked.diagnostics);
                    if parentheses != Parentheses::Minimal {
                        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
                    }
                    let mut propositions = Propositions::new();
                    for name in names() {
                        propositions.number(&name);
                    }
                    let read = checked.value.formula_with(&mut table, &mut propositions);
                    let read = read.expect("a formula");
                    if spelling == Spelling::Spin && has_strong {
                        for _ in 0..5 {
                            let word = random::lasso(&mut random, 4, 3, 3);
                            assert_eq!(word.satisfies(&table, read), word.satisfies(&table, f));
                        }
                    } else {
                        assert_eq!(read, f, "{round}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn spellings() {
        let checked = parse("[](p -> <>(x == 3 && !q_1)) || X p U q_1 U p", Reading::Blocks);
        let mut table = Formulas::new();
        let f = checked.value.formula(&mut table).expect("a formula");
        let names = checked.value.atom_texts();
        let text = |spelling, parentheses| print(&table, f, &names, spelling, parentheses);
        let sorted = |text: String| {
            let mut parts: Vec<String> = text.split(" | ").map(str::to_owned).collect();
            parts.sort();
            parts
        };
        use Parentheses::*;
        let minimal = text(Spelling::Letters, Minimal);
        assert_eq!(
            sorted(minimal.clone()),
            ["G (p -> F ((x == 3) & !q_1))", "X p U q_1 U p"],
            "{minimal}"
        );
        assert!(text(Spelling::Spin, Clear).contains("[](p -> <>((x == 3) && !q_1))"));
        assert!(text(Spelling::Spin, Clear).contains("(X p U q_1) U p"));
        assert!(text(Spelling::Spin, Full).contains("(((X p) U q_1) U p)"));
        assert!(text(Spelling::Words, Clear).contains("always (p implies eventually ("));
        assert!(text(Spelling::Mathematical, Clear).contains("□(p → ◇((x == 3) ∧ ¬q_1))"));
        let latex = text(Spelling::Latex, Clear);
        assert!(latex.contains("\\Box(\\mathit{p} \\rightarrow \\Diamond("), "{latex}");
        assert!(latex.contains("\\texttt{x == 3} \\land \\neg \\mathit{q\\_1}"), "{latex}");
    }

    #[test]
    fn texts_have_a_limit() {
        let mut table = Formulas::new();
        let mut f = table.atom(0);
        for number in 1..50 {
            let p = table.atom(number);
            f = table.equivalent(f, p);
        }
        let f = table.negation_normal_form(f);
        let text = to_text(&table, f, &[]);
        assert!(text.contains("...") && text.len() < MAX_TEXT + 10_000);
    }
}
