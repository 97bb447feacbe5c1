//! Reading of formulas.

use super::*;

fn read(text: &str, reading: Reading) -> String {
    let checked = parse(text, reading);
    let messages: Vec<_> = checked.diagnostics.iter().filter(|d| d.is_error()).collect();
    match checked.value.syntax {
        Some(syntax) => syntax.grouped(text),
        None => format!("{}: {}", messages[0].code, messages[0].message),
    }
}

fn atoms(text: &str) -> Vec<String> {
    let checked = parse(text, Reading::Blocks);
    assert!(!checked.has_errors(), "{text}: {:?}", checked.diagnostics);
    checked.value.atom_texts()
}

#[test]
fn levels_of_the_three_readings() {
    use Reading::*;
    for (text, reading, expected) in [
        ("a -> b -> c", Blocks, "(a -> b) -> c"),
        ("a -> b -> c", RightAssociative, "a -> (b -> c)"),
        ("a U b U c", Blocks, "(a U b) U c"),
        ("a U b U c", RightAssociative, "a U (b U c)"),
        ("a || b && c", Blocks, "a || (b && c)"),
        ("a || b && c", CommandLine, "(a || b) && c"),
        ("a <-> b -> c", Blocks, "(a <-> b) -> c"),
        ("[] a U b", Blocks, "[] a U b"),
        ("[] (a U b)", Blocks, "[] (a U b)"),
        ("! [] <> a -> b && c U d", Blocks, "![] <> a -> (b && (c U d))"),
        ("a -> b U c || d", CommandLine, "(a -> (b U c)) || d"),
    ] {
        assert_eq!(read(text, reading), expected, "{text}");
    }
    let parsed = parse("[] a U b", Blocks).value.syntax.unwrap();
    assert!(matches!(parsed.kind, SyntaxKind::Binary(BinaryOperator::Until, ..)));
}

#[test]
fn all_spellings() {
    let same = |texts: &[&str]| {
        let mut table = Formulas::new();
        let mut names = Propositions::new();
        let mut last = None;
        for text in texts {
            let checked = parse(text, Reading::Blocks);
            assert!(!checked.has_errors(), "{text}: {:?}", checked.diagnostics);
            let formula = checked.value.formula_with(&mut table, &mut names);
            assert!(formula.is_some());
            assert_eq!(*last.get_or_insert(formula), formula, "{text}");
        }
    };
    same(&["[] p", "G p", "always p", "□ p", "[]p"]);
    same(&["<> p", "F p", "eventually p", "◇p", "true U p", "1 U p"]);
    same(&["p U q", "p until q", "p stronguntil q", "(p) U (q)"]);
    same(&["p W q", "p weakuntil q"]);
    same(&["p V q", "p R q", "p release q"]);
    same(&["X p", "next p", "○ p"]);
    same(&["!p", "~p", "not p", "¬p", "! p"]);
    same(&["p && q", "p & q", "p /\\ q", "p and q", "p ∧ q"]);
    same(&["p || q", "p | q", "p \\/ q", "p or q", "p ∨ q"]);
    same(&["p -> q", "p => q", "p implies q", "p → q"]);
    same(&["p <-> q", "p <=> q", "p equivalent q", "p ↔ q"]);
    same(&["p ^ q", "p xor q", "p ⊕ q", "!(p <-> q)"]);
    same(&["p M q", "p strongrelease q"]);
    same(&["p /* so */ && // and\n q", "p&&q"]);
}

#[test]
fn letters_are_names_where_no_operator_can_stand() {
    assert_eq!(atoms("X == 3 && G"), ["X == 3", "G"]);
    assert_eq!(atoms("U U V"), ["U", "V"]);
    assert_eq!(atoms("X U p"), ["X", "p"]);
    assert_eq!(atoms("X W"), ["W"]);
    assert_eq!(atoms("F[2] -> X.y"), ["F[2]", "X.y"]);
    assert_eq!(atoms("GFp U Xq"), ["GFp", "Xq"]);
    assert_eq!(read("G F p U q", Reading::Blocks), "[] <> p U q");
    assert_eq!(read("X (p U q)", Reading::Blocks), "X (p U q)");
}

#[test]
fn propositions() {
    assert_eq!(atoms("(x > 3 && y == 2) U (z < 1)"), ["x > 3", "y == 2", "z < 1"]);
    assert_eq!(atoms("x>3 U (x  > 3) U ((x >\n3))"), ["x > 3"]);
    assert_eq!(atoms("[] (P@label -> P:x == 2)"), ["P@label", "P:x == 2"]);
    assert_eq!(atoms("<> P[2]@l && P[ 2 ]@l"), ["P[2]@l"]);
    assert_eq!(atoms("q?[msg, 3] || q??[ack]"), ["q?[msg, 3]", "q??[ack]"]);
    assert_eq!(atoms("[] (len(q) < 3) && nempty( q )"), ["len(q) < 3", "nempty(q)"]);
    assert_eq!(atoms("[]<> !np_ && _nr_pr == 1"), ["np_", "_nr_pr == 1"]);
    assert_eq!(atoms("a[i + 1].b[2] == -3"), ["a[i + 1].b[2] == -3"]);
    assert_eq!(atoms("[] {x == 3 && y} -> \"z > 1\""), ["x == 3 && y", "z > 1"]);
    assert_eq!(atoms("(a && b) == c"), ["(a && b) == c"]);
    assert_eq!(atoms("!x == y"), ["!x == y"]);
    assert_eq!(atoms("(flags & 4) != 0 && x % 2 == 0"), ["(flags & 4) != 0", "x % 2 == 0"]);
    assert_eq!(atoms("x == 3 & y == 1 & <> z"), ["x == 3", "y == 1", "z"]);
    assert_eq!(atoms("flags & 4 U q"), ["flags & 4", "q"]);
    assert_eq!(atoms("[] ((x > 1 -> y : z) == 2)"), ["(x > 1 -> y : z) == 2"]);
    assert_eq!(atoms("c_expr { now.x  > 2 } U q"), ["c_expr { now.x > 2 }", "q"]);
    assert_eq!(atoms("x == 'a'"), ["x == 'a'"]);
    assert_eq!(atoms("a - b == 1 && a -b == 1"), ["a - b == 1"]);
    assert_eq!(atoms("true && 0"), Vec::<String>::new());
}

#[test]
fn errors_have_a_place_and_never_panic() {
    for (text, code, start) in [
        ("", "expected-formula", 0),
        ("  ", "expected-formula", 2),
        ("p &&", "expected-operand", 4),
        ("p q", "expected-operator", 2),
        ("(p", "unclosed", 0),
        ("p)", "unopened", 1),
        ("[] y <= x", "formula-as-value", 0),
        ("p = 3", "expected-operator", 2),
        ("q?msg", "receive-in-formula", 1),
        ("a[3", "unclosed", 1),
        ("a[(3]", "unclosed", 1),
        ("{p", "unclosed", 0),
        ("until p", "expected-operand", 0),
        ("[ ] p", "expected-operand", 0),
        ("<> {}", "empty-proposition", 3),
        ("p -> : q", "expected-operand", 5),
        ("(a U b : c)", "expected-operator", 7),
        ("3x U p", "expected-operand", 0),
        ("p $ q", "expected-operator", 2),
    ] {
        let checked = parse(text, Reading::Blocks);
        let found: Vec<_> = checked.diagnostics.iter().map(|d| (d.code, d.span.start)).collect();
        assert_eq!(found, [(code, start)], "{text}");
        assert!(checked.value.syntax.is_none());
    }
}

#[test]
fn limits() {
    let code = |text: &str| parse(text, Reading::Blocks).diagnostics.first().map(|d| d.code);
    assert_eq!(code(&format!("{}p{}", "(".repeat(150), ")".repeat(150))), None);
    assert_eq!(code(&format!("{}p{}", "(".repeat(300), ")".repeat(300))), Some("formula-too-deep"));
    assert_eq!(code(&format!("{}p", "<>".repeat(100_000))), Some("formula-too-deep"));
    assert_eq!(code(&"(".repeat(100_000)), Some("formula-too-deep"));
    assert_eq!(code(&vec!["p"; 500].join(" && ")), None);
    assert_eq!(code(&vec!["p"; 700].join(" && ")), Some("formula-too-deep"));
    let group = format!("({})", vec!["p"; 100].join(" U "));
    assert_eq!(code(&vec![group.as_str(); 30].join(" && ")), Some("formula-too-large"));
    let many = |n: usize| (0..n).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" || ");
    assert_eq!(code(&many(64)), None);
    assert_eq!(code(&many(65)), Some("too-many-propositions"));
}

#[test]
fn other_readings_are_announced() {
    let warning = |text: &str, reading| parse(text, reading).diagnostics.into_iter().next();
    let message = warning("a -> b -> c", Reading::Blocks).unwrap().message;
    assert_eq!(message, "read as `(a -> b) -> c`; Spot reads it as `a -> (b -> c)`");
    let message = warning("a || b && c", Reading::Blocks).unwrap().message;
    assert_eq!(message, "read as `a || (b && c)`; `spin -f` reads it as `(a || b) && c`");
    assert!(warning("a U b U c", Reading::CommandLine).is_some());
    assert_eq!(warning("p U (4)", Reading::Blocks).unwrap().code, "number-as-truth");
    for clear in ["a && b && c", "a <-> b <-> c", "[] a U b", "a || (b && c)", "a && b -> c"] {
        assert_eq!(warning(clear, Reading::Blocks), None, "{clear}");
    }
}

#[test]
fn ghosts_show_the_grouping() {
    let shown = |text: &str| {
        let parsed = parse(text, Reading::Blocks).value;
        let mut out = String::new();
        let ghosts = parsed.syntax.as_ref().unwrap().ghost_parentheses(&parsed);
        let mut from = 0;
        for ghost in ghosts {
            out.push_str(&text[from..ghost.position as usize]);
            out.push(if ghost.opening { '‹' } else { '›' });
            from = ghost.position as usize;
        }
        out + &text[from..]
    };
    assert_eq!(shown("a -> b -> c"), "‹a -> b› -> c");
    assert_eq!(shown("[] a U b"), "‹[] a› U b");
    assert_eq!(shown("a && b && !c || d"), "‹a && b && !c› || d");
    assert_eq!(shown("x == 1 U (y == 2)"), "‹x == 1› U (y == 2)");
    assert_eq!(shown("[] (a -> <> b)"), "[] (a -> <> b)");
}

#[test]
fn random_texts_do_not_panic() {
    let mut random = promenade_base::random::Random::new(11);
    let pieces = [
        "p", "q", "(", ")", "[]", "<>", " ", "U", "X", "->", "<->", "&&", "|", "^", "==", "3", "-",
        "!", "[", "]", "?", "{", "}", "\"", ":", "@", ".", ",", "é", "□", "'", "/*", "*/", "//",
        "\\", "true", "until", "\n", "c_expr",
    ];
    for _ in 0..20_000 {
        let length = random.below(14);
        let text: String = (0..length).filter_map(|_| random.pick(&pieces).copied()).collect();
        for reading in [Reading::Blocks, Reading::CommandLine] {
            let checked = parse(&text, reading);
            assert_eq!(checked.has_errors(), checked.value.syntax.is_none(), "{text}");
        }
    }
}
