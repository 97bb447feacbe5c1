//! Rules of the grammar, one by one.

use crate::ast::*;
use crate::{Bounds, ParseOptions, parse};
use promenade_base::{Checked, SourceMap};

fn read(text: &str) -> Checked<Specification> {
    parse(&SourceMap::single("m", text), &ParseOptions::default())
}

/// Codes of the errors.
fn errors(text: &str) -> Vec<&'static str> {
    read(text).diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
}

fn accepted(text: &str) {
    let found = read(text);
    assert!(!found.has_errors(), "{text}: {:?}", found.diagnostics);
}

fn refused(text: &str, code: &str) {
    let found = errors(text);
    assert_eq!(found, [code], "{text}");
}

/// The statements of `init`.
fn body(text: &str) -> Vec<Statement> {
    let found = read(text);
    assert!(!found.has_errors(), "{text}: {:?}", found.diagnostics);
    found
        .value
        .items
        .into_iter()
        .find_map(|item| match item {
            Item::Init(init) => Some(init.body.statements),
            _ => None,
        })
        .unwrap()
}

fn in_init(text: &str) -> Vec<Statement> {
    body(&format!("init {{ {text} }}"))
}

/// An expression with all parentheses.
fn show(expr: &Expr) -> String {
    let name = |v: &VarRef| {
        let parts: Vec<String> = v
            .segments
            .iter()
            .map(|s| match &s.index {
                Some(i) => format!("{}[{}]", s.name.text, show(i)),
                None => s.name.text.to_string(),
            })
            .collect();
        parts.join(".")
    };
    match &expr.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Var(v) => name(v),
        ExprKind::Unary(op, e) => format!("({op:?} {})", show(e)),
        ExprKind::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
        ExprKind::Conditional(c, a, b) => format!("({} ? {} : {})", show(c), show(a), show(b)),
        ExprKind::Len(v) => format!("len {}", name(v)),
        ExprKind::RemoteLabel { process, label, index } => {
            format!(
                "{}[{}]@{}",
                process.text,
                index.as_ref().map_or(String::new(), |i| show(i)),
                label.text
            )
        }
        ExprKind::RemoteVar { process, variable, .. } => {
            format!("{}:{}", process.text, name(variable))
        }
        other => format!("{other:?}").split([' ', '(']).next().unwrap_or("").to_string(),
    }
}

fn expression(text: &str) -> String {
    match &in_init(&format!("z = {text}"))[0].kind {
        StatementKind::Assign(_, e) => show(e),
        other => panic!("{other:?}"),
    }
}

fn formula(text: &str) -> String {
    fn show_formula(f: &Formula) -> String {
        match &f.kind {
            FormulaKind::Atom(e) => show(e),
            FormulaKind::Not(f) => format!("!{}", show_formula(f)),
            FormulaKind::Next(f) => format!("X{}", show_formula(f)),
            FormulaKind::Always(f) => format!("[]{}", show_formula(f)),
            FormulaKind::Eventually(f) => format!("<>{}", show_formula(f)),
            FormulaKind::Binary(op, a, b) => {
                format!("({} {op:?} {})", show_formula(a), show_formula(b))
            }
        }
    }
    let found = read(&format!("proctype P() {{ L: skip }} ltl f {{ {text} }}"));
    assert!(!found.has_errors(), "{text}: {:?}", found.diagnostics);
    match &found.value.items[1] {
        Item::Ltl(block) => show_formula(block.formula.as_ref().unwrap()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn precedence() {
    assert_eq!(expression("1 + 2 * 3 - 4"), "((1 Add (2 Mul 3)) Sub 4)");
    assert_eq!(expression("a == b && c < d || !e"), "(((a Equal b) And (c Less d)) Or (Not e))");
    assert_eq!(expression("a | b ^ c & d"), "(a BitOr (b BitXor (c BitAnd d)))");
    assert_eq!(
        expression("a << 1 + 2 == b >> 3"),
        "((a ShiftLeft (1 Add 2)) Equal (b ShiftRight 3))"
    );
    assert_eq!(expression("- a + ~b * -1"), "((Negate a) Add ((Complement b) Mul (Negate 1)))");
    assert_eq!(expression("! a == b"), "((Not a) Equal b)");
    assert_eq!(expression("(c -> a : b + 1)"), "(c ? a : (b Add 1))");
    assert_eq!(expression("a.b[i + 1].c"), "a.b[(i Add 1)].c");
    assert_eq!(expression("skip + true + false"), "((true Add true) Add false)");
    assert_eq!(expression("'a' + '\\n'"), "(97 Add 10)");
    assert_eq!(expression("007"), "7");
}

#[test]
fn expressions_that_are_refused() {
    refused("init { x = (a = 1) }", "expected-token");
    refused("init { x = !!a }", "expected-expression");
    refused("init { x = --a }", "expected-expression");
    refused("init { x = a++ + 1 }", "missing-separator");
    refused("init { x = 0x10 }", "bad-number");
    refused("init { x = c -> 1 : b }", "unexpected-colon");
    refused("init { x = 'ab' }", "bad-character");
    refused("init { x = é }", "expected-expression");
    assert_eq!(errors("init { x = \"a }"), ["expected-expression", "unclosed-block"]);
    refused("init { !full(q) }", "channel-test-operand");
    refused("init { full(q) == 1 }", "channel-test-operand");
    refused("init { x = a[full(q)] }", "channel-test-operand");
    accepted("init { full(q) && x > 0 || nempty(q); assert(full(q)); x = empty(q) }");
    refused("proctype P() { skip } init { run P() > 0 }", "misplaced-run");
    refused("proctype P() { skip } init { q!run P() }", "misplaced-run");
    refused("proctype P() { skip } init { x = 1 + run P() }", "misplaced-run");
    accepted("proctype P() { skip } init { run P(); x = run P(); (run P()) }");
    refused("init { x = a ! b }", "missing-separator");
    refused("init { (q?a) }", "expected-token");
    accepted("init { q?[a] && q??[1, b]; x = q?[_] + 1 }");
    refused("init { a[1][2] = 3 }", "array-dimensions");
    refused("byte a[1][2];", "array-dimensions");
}

#[test]
fn separators() {
    accepted("init { x = 1 -> x = 2;; x = 3; -> ; }");
    accepted("init { { x = 1 } x = 2; atomic { x = 1 } x = 3 }");
    accepted("init { if :: x -> skip :: else x = 2 fi; x = 1 }");
    accepted("init {\n x = 1\n y = 2\n if\n :: x\n  y++\n :: else\n fi\n x--\n}");
    accepted("init {\n x = (1\n + 2)\n y = 1 +\n 2\n}");
    accepted("init {\n { x = 1 }\n unless { y }\n x = 2\n}");
    accepted("init {\n x = y\n (x == 1)\n}");
    accepted("byte x byte y; init { skip };;; init { skip }");
    refused("init {\n x = 1\n + 2\n}", "expected-statement");
    refused("init { if :: x fi x = 3 }", "missing-separator");
    refused("init { if :: x fi\n unless { y } }", "expected-statement");
    refused("init { ; x = 1 }", "expected-statement");
    let options = ParseOptions { implied_separators: false, ..ParseOptions::default() };
    let map = SourceMap::single("m", "init {\n x = 1\n y = 2\n}");
    assert!(parse(&map, &options).has_errors());
    // What a macro makes stands on the line of its use.
    accepted("#define STEP(a) a = 1; \\\n a = 2\ninit {\n STEP(x)\n STEP(\n y)\n x = 3 }");
    accepted("#define N 1\ninit {\n x = N\n y = N }");
}

#[test]
fn empty_and_unclosed() {
    refused("init { }", "empty-sequence");
    refused("init { if :: :: x = 1 fi }", "empty-sequence");
    refused("init { x = 1", "unclosed-block");
    refused("init { if :: x", "unclosed-choice");
    refused("init { do :: x fi; skip }", "unclosed-choice");
    refused("init { skip } }", "unmatched-brace");
    refused("init { skip; fi }", "unmatched-choice");
    refused("init { if x == 1 -> skip fi }", "expected-option");
    refused("init { if (x == 1) { y = 2 } else { y = 3 }; skip }", "expected-option");
    refused("init { x = 1 proctype P() { skip }", "unclosed-block");
}

#[test]
fn several_errors_at_once() {
    let found = errors(
        "byte ;\nproctype P( { x = = 1; y = 2 }\ninit { x = ; y = 3; z = (1 + ; goto }\nbyte x = 1 2;\n\
         proctype Q() { if :: x + -> skip :: else fi }",
    );
    assert!(found.len() >= 5, "{found:?}");
    let tree = read("init { x = ; y = 3 } byte z; proctype Q() { skip }").value;
    assert_eq!(tree.items.len(), 3);
}

#[test]
fn statements() {
    use StatementKind as S;
    let kinds = |text: &str| -> Vec<String> {
        let name = |s: &Statement| format!("{:?}", s.kind);
        in_init(text)
            .iter()
            .map(|s| name(s).split([' ', '(', '{']).next().unwrap_or("").to_string())
            .collect()
    };
    assert_eq!(
        kinds(
            "skip; x = 1; x++; x--; x; else; goto L; assert x > 1; printf(\"a\\n\", 1); printm(x)"
        ),
        [
            "Skip",
            "Assign",
            "Increment",
            "Decrement",
            "Expr",
            "Else",
            "Goto",
            "Assert",
            "Printf",
            "Printm"
        ]
    );
    assert_eq!(
        kinds("q!1; q!!a,b; q?x; q??1,x; q?<x>; q??<x>; xr q, p; xs q; byte v; { skip }"),
        [
            "Send",
            "Send",
            "Receive",
            "Receive",
            "Receive",
            "Receive",
            "ExclusiveReceive",
            "ExclusiveSend",
            "Declaration",
            "Block"
        ]
    );
    assert_eq!(
        kinds(
            "atomic { skip }; d_step { skip }; do :: break od; for (i : 0 .. 3) { skip } for (i in a) { skip }; select (i : 1..2); set_priority(0, 2)"
        ),
        ["Atomic", "DStep", "Do", "ForRange", "ForIn", "Select", "SetPriority"]
    );
    let statements = in_init("q!a(b, c); q?d(-1, eval(e + 1), f.g)");
    assert!(matches!(&statements[0].kind, S::Send { arguments, .. } if arguments.len() == 3));
    match &statements[1].kind {
        S::Receive { arguments, .. } => {
            assert!(matches!(arguments[0], ReceiveArgument::Variable(_)));
            assert!(matches!(arguments[1], ReceiveArgument::Constant(-1, _)));
            assert!(matches!(arguments[2], ReceiveArgument::Eval(..)));
            assert!(matches!(&arguments[3], ReceiveArgument::Variable(v) if v.segments.len() == 2));
        }
        other => panic!("{other:?}"),
    }
    let statements = in_init("A: B: x = 1; C: ; goto D; D:");
    assert_eq!(statements[0].labels.len(), 2);
    assert!(matches!(statements[1].kind, S::Skip { implied: true }));
    assert!(matches!(statements[3].kind, S::Skip { implied: true }));
    let statements = in_init("L: { x = 1 } unless { y }; true");
    assert!(matches!(statements[0].kind, S::Unless(..)));
    assert_eq!(statements[0].labels.len(), 1);
    assert!(matches!(&statements[1].kind, S::Expr(e) if matches!(e.kind, ExprKind::Bool(true))));
}

#[test]
fn statements_that_are_refused() {
    refused("init { L: byte x; skip }", "misplaced-label");
    refused("init { L: xr q; skip }", "misplaced-label");
    refused("init { x = y = 1 }", "chained-assignment");
    refused("init { x + 1 = 2 }", "bad-assignment-target");
    refused("init { len = 1 }", "expected-token");
    refused("byte len;", "reserved-word");
    refused("init { x += 1 }", "expected-expression");
    refused("init { a unless b unless c }", "missing-separator");
    refused("init { q?x + 1 }", "expression-in-receive");
    refused("init { for (i = 1 .. 2) { skip } }", "expected-token");
    refused("init { typedef T { byte x }; skip }", "misplaced-unit");
    refused("init { inline f() { skip } skip }", "misplaced-unit");
    refused("init { return 1 }", "misplaced-return");
    refused("init { pritnf(\"a\") }", "unknown-inline");
    refused("x = 1;", "expected-unit");
    refused("proctpye P() { skip }", "expected-unit");
    refused("proctype P(byte x, byte y) { skip }", "expected-token");
    refused("chan q = [1] of { unsigned : 3 };", "unsigned-field");
}

#[test]
fn hints_name_what_was_meant() {
    let hint = |text: &str| read(text).diagnostics[0].hint.clone().unwrap_or_default();
    assert_eq!(hint("init { pritnf(\"a\") }"), "Did you mean `printf`?");
    assert_eq!(hint("proctpye P() { skip }"), "Did you mean `proctype`?");
    assert_eq!(hint("inline addone(v) { v++ } init { addoen(x) }"), "Did you mean `addone`?");
    assert_eq!(
        hint("proctype P() { skip } init { P() }"),
        "To start the process, write `run P(..)`."
    );
    assert!(hint("init { !full(q) }").contains("nfull"));
    assert!(hint("init { while (x) { skip } }").contains("do ::"));
}

#[test]
fn declarations() {
    accepted(
        "hidden byte x = 1, y[3] = { 1, 2 }, z; show int a; local short b; unsigned u : 5 = 3;",
    );
    accepted("chan q = [2] of { byte, mtype:s, chan, T }, r[3] = [0] of { bit }; chan c;");
    accepted("mtype = { a, b c, }; mtype:s = { d }; mtype { e }; mtype:s x = d; mtype y;");
    accepted("typedef T { byte a; short b[3]; T2 c\n bool d };\nT t; init { T u; u.a = 1 }");
    accepted("active [2] proctype P(byte x, y; chan c) priority 3 provided (x > 0) { skip }");
    accepted(
        "D_proctype P() { skip } init priority 2 { skip } never n { skip } trace { q!1 } notrace x { q!1 }",
    );
    refused("mtype = { };", "expected-name");
    refused("typedef T { };", "expected-field");
    refused("int = { a };", "expected-name");
    refused("byte x y;", "expected-unit");
}

#[test]
fn inlines() {
    let text = "inline f(a, b) { L: a = b * 2; g(a) } inline g(a) { a++ } init { f(x.y, z + 1) }";
    let statements = body(text);
    let StatementKind::InlineCall { name, body, .. } = &statements[0].kind else { panic!() };
    assert_eq!(&*name.text, "f");
    let StatementKind::Assign(target, value) = &body.statements[0].kind else { panic!() };
    assert_eq!(target.segments.len(), 2);
    assert_eq!(show(value), "(z Add (1 Mul 2))");
    assert!(matches!(body.statements[1].kind, StatementKind::InlineCall { .. }));
    // Places: the statement lies in the inline, the argument at the call.
    let map = SourceMap::single("m", text);
    assert_eq!(map.text(body.statements[0].span), "a = b * 2");
    assert_eq!(map.text(target.span), "x.y");

    let statements = body_of_result();
    assert!(matches!(statements[0].kind, StatementKind::Return(_)));
    accepted("inline f() { skip } init { f() x = 1; if :: f() -> f() :: else fi; f() }");
    accepted("inline f(a) { printf(\"a %d\", a) } init { f(1) }");
    refused("inline f() { f() } init { f() }", "recursive-inline");
    refused("inline f() { g() } inline g() { f() } init { f() }", "recursive-inline");
    refused("inline f(a) { a } init { f() }", "inline-arguments");
    refused("init { f() } inline f() { skip }", "unknown-inline");
    refused("inline f() { 1 } init { x = 1 + f() }", "inline-in-expression");
    refused("inline f() { 1 } inline f() { 2 } init { f() }", "duplicate-inline");
    refused("inline f(a) { a = ; } init { f(x); f(x) }", "expected-expression");
    refused("inline f() { return 1 } init { f() }", "misplaced-return");
    refused("inline f( { skip } init { skip }", "expected-name");
    let mut deep = String::from("inline f0() { x = 1 }\n");
    for i in 1..40 {
        deep += &format!("inline f{i}() {{ f{}() }}\n", i - 1);
    }
    accepted(&format!("{deep} init {{ f39() }}"));
}

fn body_of_result() -> Vec<Statement> {
    let statements = body("inline sq(v) { return v * v } init { x = sq(3) }");
    let StatementKind::InlineCall { result, body, .. } = &statements[0].kind else { panic!() };
    assert!(result.is_some());
    body.statements.clone()
}

#[test]
fn select_knows_whether_it_stands_in_an_inline() {
    let found = |text: &str| format!("{:?}", body(text)).contains("in_inline: true");
    assert!(!found("init { select (x : 1 .. 2) }"));
    assert!(found("inline f() { select (x : 1 .. 2) } init { f() }"));
}

#[test]
fn formulas() {
    assert_eq!(formula("[] (a -> <> b)"), "[](a Implies <>b)");
    assert_eq!(formula("a -> b -> c"), "((a Implies b) Implies c)");
    assert_eq!(formula("a U b U c"), "((a Until b) Until c)");
    assert_eq!(formula("a && b U c || d"), "((a And (b Until c)) Or d)");
    assert_eq!(formula("[] a U b"), "([]a Until b)");
    assert_eq!(formula("! a U X b"), "(!a Until Xb)");
    assert_eq!(formula("a <-> b V c"), "(a Equivalent (b Release c))");
    assert_eq!(formula("a /\\ b \\/ c"), "((a And b) Or c)");
    assert_eq!(formula("always a implies eventually b"), "([]a Implies <>b)");
    assert_eq!(formula("a until b && c weakuntil d"), "((a Until b) And (c WeakUntil d))");
    assert_eq!(formula("x + 1 < y && !(x == 2)"), "(((x Add 1) Less y) And !(x Equal 2))");
    assert_eq!(formula("(a && b) == c"), "((a And b) Equal c)");
    assert_eq!(formula("[] (P[0]@L || P@L || P:x == 1)"), "[]((P[0]@L Or P[]@L) Or (P:x Equal 1))");
}

#[test]
fn formulas_that_are_refused() {
    let ltl = |text: &str| format!("ltl {{ {text} }} init {{ skip }}");
    refused(&ltl("[] y <= x"), "temporal-operand");
    refused(&ltl("(a U b) + 1"), "temporal-operand");
    refused(&ltl("[] full(q)"), "channel-test-operand");
    refused(&ltl("full(q) -> p"), "channel-test-operand");
    refused(&ltl("[] (q?<1>)"), "receive-in-formula");
    refused(&ltl("run P()"), "misplaced-run");
    refused(&ltl("G a"), "unknown-temporal-operator");
    refused(&ltl("a b"), "expected-token");
    refused(&ltl(""), "expected-expression");
    refused(&ltl("a &&"), "expected-expression");
    refused("ltl p { a", "expected-token");
    accepted(&ltl("full(q) && x > 1"));
}

#[test]
fn embedded_c_is_recognised() {
    refused(
        "c_decl { struct { char *s; } t; char c = '}'; char *d = \"}\"; }; init { skip }",
        "embedded-c",
    );
    refused("c_state \"int x\" \"Global\"; init { skip }", "embedded-c");
    refused("init { c_code { now.x = 3; }; skip }", "embedded-c");
    refused("init {\n c_code [a[1]] { x }\n skip\n}", "embedded-c");
    refused("init { if :: c_expr { x } -> skip :: else fi }", "embedded-c");
}

#[test]
fn limits_end_in_one_error() {
    let bounds = Bounds { nesting: 20, expression_height: 30, ..Bounds::default() };
    let options = ParseOptions { bounds, ..ParseOptions::default() };
    let codes = |text: String| -> Vec<&'static str> {
        let found = parse(&SourceMap::single("m", text), &options);
        found.diagnostics.iter().map(|d| d.code).collect()
    };
    assert_eq!(
        codes(format!("init {{ x = {}1{} }}", "(".repeat(30), ")".repeat(30))),
        ["nesting-limit"]
    );
    assert_eq!(codes(format!("init {} skip", "{".repeat(30))), ["nesting-limit"]);
    assert_eq!(codes(format!("init {{ x = {}1 }}", "1 + ".repeat(40))), ["nesting-limit"]);
    assert_eq!(codes(format!("ltl {{ {}x }}", "[] ".repeat(40))), ["nesting-limit"]);
}
