//! Labels as text: factored sums of products in Promela's operators.

use super::{Cube, Label};
use crate::bits::bits_of;

impl Label {
    /// The label as an expression over the names of the propositions, with `!`, `&&`, `||`,
    /// `true` and `false`. Literals that several products share are factored out. Names that are
    /// no plain words are put in parentheses.
    pub fn text(&self, names: &[String]) -> String {
        if self.is_empty() {
            return "false".to_owned();
        }
        if self.is_all() {
            return "true".to_owned();
        }
        let sum = factor(&self.cubes(), names, false);
        let product = factor(&self.not().cubes(), names, true);
        let best = if product.0.len() < sum.0.len() { product } else { sum };
        best.0
    }
}

/// What binds an expression together at its top.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Top {
    #[default]
    Literal,
    And,
    Or,
}

/// Text of a proposition.
fn name(atom: u32, names: &[String]) -> String {
    match names.get(atom as usize) {
        Some(name) if is_word(name) => name.clone(),
        Some(name) => format!("({name})"),
        None => format!("p{atom}"),
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn literal(atom: u32, positive: bool, names: &[String]) -> String {
    let name = name(atom, names);
    if positive { name } else { format!("!{name}") }
}

fn literals(cube: Cube, names: &[String], negated: bool) -> Vec<String> {
    bits_of(cube.must | cube.must_not)
        .map(|atom| literal(atom, (cube.must >> atom & 1 == 1) != negated, names))
        .collect()
}

/// Joins texts by an operator.
fn join(parts: Vec<(String, Top)>, and: bool) -> (String, Top) {
    let (top, weaker, operator) =
        if and { (Top::And, Top::Or, " && ") } else { (Top::Or, Top::And, " || ") };
    if let [_] = parts.as_slice() {
        return parts.into_iter().next().unwrap_or_default();
    }
    let texts: Vec<_> = parts
        .into_iter()
        .map(|(text, inner)| if inner == weaker { format!("({text})") } else { text })
        .collect();
    (texts.join(operator), top)
}

/// The sum of some products; if `dual`, the negation of that sum.
fn factor(cubes: &[Cube], names: &[String], dual: bool) -> (String, Top) {
    let as_literals = |cube: Cube| {
        let parts =
            literals(cube, names, dual).into_iter().map(|text| (text, Top::Literal)).collect();
        join(parts, !dual)
    };
    match cubes {
        [] => return (if dual { "true" } else { "false" }.to_owned(), Top::Literal),
        [cube] if cube.literals() == 0 => {
            return (if dual { "false" } else { "true" }.to_owned(), Top::Literal);
        }
        [cube] => return as_literals(*cube),
        _ => {}
    }
    let common = cubes.iter().fold(Cube { must: u64::MAX, must_not: u64::MAX }, |c, d| Cube {
        must: c.must & d.must,
        must_not: c.must_not & d.must_not,
    });
    if common.literals() > 0 {
        let rest: Vec<_> = cubes
            .iter()
            .map(|c| Cube { must: c.must & !common.must, must_not: c.must_not & !common.must_not })
            .collect();
        let mut parts: Vec<_> =
            literals(common, names, dual).into_iter().map(|text| (text, Top::Literal)).collect();
        parts.push(factor(&rest, names, dual));
        return join(parts, !dual);
    }
    // The literal that most products share, if at least two do; the rest stands beside.
    let count = |atom: u32, positive: bool| {
        let in_cube = |c: &&Cube| (if positive { c.must } else { c.must_not }) >> atom & 1 == 1;
        cubes.iter().filter(in_cube).count()
    };
    let all = cubes.iter().fold(0, |set, c| set | c.must | c.must_not);
    let best = bits_of(all)
        .flat_map(|atom| [(count(atom, true), atom, true), (count(atom, false), atom, false)])
        .max_by_key(|&(count, atom, positive)| (count, std::cmp::Reverse(atom), positive));
    if let Some((2.., atom, positive)) = best {
        let in_cube = |c: &Cube| (if positive { c.must } else { c.must_not }) >> atom & 1 == 1;
        let (with, without): (Vec<Cube>, Vec<Cube>) = cubes.iter().partition(|c| in_cube(c));
        let parts = vec![factor(&without, names, dual), factor(&with, names, dual)];
        return join(parts, dual);
    }
    join(cubes.iter().map(|&c| as_literals(c)).collect(), dual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factored() {
        let names: Vec<String> = ["p", "q", "r", "x > 3"].iter().map(|&s| s.to_owned()).collect();
        let [p, q, r, x] = [0, 1, 2, 3].map(Label::atom);
        assert_eq!(p.text(&names), "p");
        assert_eq!(Label::all().text(&names), "true");
        assert_eq!(p.not().and(&r).or(&q.and(&r)).text(&names), "r && (!p || q)");
        assert_eq!(p.and(&q).not().text(&names), "!p || !q");
        assert_eq!(x.not().or(&p).text(&names), "p || !(x > 3)");
        assert_eq!(p.or(&q).and(&r.or(&x)).text(&names), "(p || q) && (r || (x > 3))");
    }
}
