//! What is said about wrong and doubtful texts: the codes, their places, and no more of them than
//! there are mistakes.

use promenade_base::{Diagnostic, Severity, SourceMap};
use promenade_promela::{CompileOptions, compile};

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    compile(&SourceMap::single("m", text), &CompileOptions::default()).diagnostics
}

fn codes(text: &str, severity: Severity) -> Vec<&'static str> {
    let found = diagnostics(text);
    found.iter().filter(|d| d.severity == severity).map(|d| d.code).collect()
}

#[track_caller]
fn errors(text: &str, expected: &[&str]) {
    let found = diagnostics(text);
    let codes: Vec<&str> = found.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
    assert_eq!(codes, expected, "{found:#?}");
}

#[track_caller]
fn in_process(body: &str, expected: &[&str]) {
    let declarations = "mtype = { red, green }; mtype:fruit = { apple }; byte x, a[3]; bit b; \
        chan q = [1] of { byte, byte }; chan c; typedef T { byte f; byte g[2] } T t; \
        mtype:fruit fruit; proctype P(byte n) { skip }";
    errors(&format!("{declarations}\nactive proctype A() {{ byte l; {body} }}"), expected);
}

#[track_caller]
fn warnings(text: &str, expected: &[&str]) {
    assert_eq!(codes(text, Severity::Warning), expected, "{:#?}", diagnostics(text));
    assert_eq!(codes(text, Severity::Error), [""; 0], "{:#?}", diagnostics(text));
}

#[test]
fn names_and_scopes() {
    in_process("y = 1", &["undeclared-variable"]);
    in_process("x = y + z", &["undeclared-variable", "undeclared-variable"]);
    in_process("byte x", &["redeclaration"]);
    in_process("byte l", &["redeclaration"]);
    in_process("{ byte l }", &["redeclaration"]);
    in_process("{ byte m; m = 1 }; { byte m; m = 2 }; m = 3", &["undeclared-variable"]);
    in_process("byte red", &["redeclaration"]);
    in_process("byte T", &["redeclaration"]);
    in_process("byte _pid", &["redeclaration"]);
    in_process("byte s = s", &["undeclared-variable"]);
    in_process("red = 1", &["not-a-variable"]);
    in_process("P = 1", &["not-a-variable"]);
    in_process("_pid = 1", &["read-only"]);
    in_process("x = _", &["read-of-nothing"]);
    in_process("_ = x", &[]);
    in_process("mtype = { blue }; skip", &["local-mtype"]);
    errors("proctype A() { skip } proctype A() { skip } init { skip }", &["redeclaration"]);
    errors("byte x = y; byte y; init { skip }", &["undeclared-variable"]);
    errors("proctype A() { skip }", &["no-process"]);
    errors("active proctype A() { x = 1 } byte x;", &["undeclared-variable"]);
}

#[test]
fn close_names_are_suggested() {
    let hint = |text: &str| diagnostics(text)[0].hint.clone().unwrap_or_default();
    assert_eq!(hint("byte count; init { cuont = 1 }"), "Did you mean `count`?");
    assert_eq!(hint("init { again: skip; goto agian }"), "Did you mean `again`?");
    assert_eq!(hint("proctype Sender() { skip } init { run Sendr() }"), "Did you mean `Sender`?");
    assert_eq!(hint("typedef T { byte left } T t; init { t.lfet = 1 }"), "Did you mean `left`?");
    let ltl = "active proctype P() { byte v; v = 1 } ltl { [] (v < 2) }";
    assert_eq!(hint(ltl), "It is a local of `P`; write `P:v`.");
}

#[test]
fn types_and_layout() {
    errors("byte a[0]; init { skip }", &["array-size"]);
    errors("byte n; init { byte a[x]; skip } byte x;", &["undeclared-variable"]);
    errors("unsigned u; init { skip }", &["width"]);
    errors("unsigned u : 32; init { skip }", &["width"]);
    errors("byte u : 3; init { skip }", &["width"]);
    errors("hidden bit b; init { skip }", &["hidden-bit"]);
    errors("init { hidden byte b; skip }", &["hidden-local"]);
    errors("byte a[2147483647]; init { skip }", &["state-too-large"]);
    // What uses them is not wrong as well.
    errors("byte a[2147483647]; init { a[1] = 2; a[3]++ }", &["state-too-large"]);
    errors("init { byte a[2147483647]; a[1] = 2 }", &["state-too-large"]);
    errors("typedef T { byte b[60000] } T a[60000]; init { a[1].b[2] = 2 }", &["state-too-large"]);
    errors("proctype P(byte a[2]) { skip } init { skip }", &["array-parameter"]);
    errors("typedef T { byte a[2] } proctype P(T t) { skip } init { skip }", &["array-parameter"]);
    errors("proctype P(byte a = 1) { skip } init { skip }", &["parameter-initializer"]);
    errors("byte a[1/0]; init { skip }", &["division-by-zero"]);
    errors("byte x = { 1 }; init { skip }", &["list-initializer"]);
    errors("byte x = [1] of { byte }; init { skip }", &["channel-initializer"]);
    in_process("a = 1", &["missing-index"]);
    in_process("x = a + 1", &["missing-index"]);
    in_process("x[1] = 1", &["index-on-scalar"]);
    in_process("x[0] = 1", &[]);
    in_process("t.h = 1", &["no-field"]);
    in_process("x.h = 1", &["no-field"]);
    in_process("t = t", &["structure-as-value", "structure-as-value"]);
    in_process("x = (t == t)", &["structure-as-value", "structure-as-value"]);
    in_process("fruit = red", &["mtype-mismatch"]);
    in_process("fruit = apple; fruit = 1", &[]);
    in_process("c = 1", &["channel-assignment"]);
    in_process("x = q + 1", &["channel-arithmetic"]);
    in_process("q++", &["channel-arithmetic"]);
    in_process("c = q; q == c", &[]);
}

#[test]
fn messages() {
    in_process("x!1", &["not-a-channel"]);
    in_process("y!1,2", &["undeclared-variable"]);
    in_process("q!1,2,3", &["too-many-fields"]);
    in_process("q?l,l", &["received-twice"]);
    in_process("q?a[0],a[0]", &[]);
    in_process("q?_pid,x", &["read-only"]);
    in_process("chan d = [1] of { byte }; skip", &[]);
    in_process("skip; chan d = [1] of { byte }", &["late-channel"]);
    in_process("skip; byte d[2] = { 1, 2 }", &["late-list-initializer"]);
}

#[test]
fn processes() {
    in_process("run P()", &["run-arguments"]);
    in_process("run P(1, 2)", &["run-arguments"]);
    in_process("run P(1)", &[]);
    in_process("run Q(1)", &["unknown-proctype"]);
    in_process("d_step { run P(1) }", &["run-in-d-step"]);
    in_process("x = np_", &["np-outside-claim"]);
    in_process("B@l == 1", &["unknown-proctype"]);
    in_process("P@l == 1", &["undefined-label"]);
    in_process("P:m == 1", &["undeclared-variable"]);
    errors("proctype A() { skip } init priority 0 { run A() }", &["priority-range"]);
    errors("active [300] proctype A() { skip }", &["too-many-processes"]);
    errors(
        "active [200] proctype A() { skip } active [200] proctype B() { skip }",
        &["too-many-processes"],
    );
    errors("active proctype A(byte n) provided (n) { skip }", &["provided-local"]);
    errors("chan q = [0] of { bit }; init { enabled(0) }", &["enabled-with-rendezvous"]);
    errors("chan q[300] = [1] of { bit }; init { skip }", &["too-many-channels"]);
}

#[test]
fn control_flow() {
    in_process("break", &["misplaced-break"]);
    in_process("goto L", &["undefined-label"]);
    in_process("L: skip; L: skip", &["duplicate-label"]);
    in_process("L: goto L", &["endless-goto"]);
    in_process("L: goto M; M: goto L", &["endless-goto"]);
    // A long chain is no circle, but too long.
    for length in [4_999, 5_000, 5_001, 20_000] {
        let jumps: String = (0..length).map(|i| format!("L{i}: goto L{}; ", i + 1)).collect();
        let text = format!("init {{ {jumps} L{length}: skip }}");
        let checked = compile(&SourceMap::single("m", text), &CompileOptions::default());
        let mut errors = checked.diagnostics.iter().filter(|d| d.code == "endless-goto");
        match length {
            4_999 => assert!(checked.value.is_some()),
            _ => assert!(errors.any(|d| d.message.contains("jumps or more lead from one"))),
        }
    }
    in_process("x: skip", &["label-name"]);
    in_process("atomic { L: skip }", &["misplaced-label"]);
    in_process("d_step { L: skip }", &["misplaced-label"]);
    in_process("{ L: skip }", &["misplaced-label"]);
    in_process("{ skip; { L: skip } }; { skip; L: skip }", &["misplaced-label"]);
    in_process("d_step { x = 1; goto L }; L: skip", &["jump-across-d-step"]);
    in_process("goto L; d_step { x = 1; L: x = 2 }", &["jump-across-d-step"]);
    in_process("do :: d_step { x = 1; break } od", &["jump-across-d-step"]);
    in_process("if :: else :: x :: else fi", &["duplicate-else"]);
    in_process("if :: x :: if :: b :: else fi :: else fi", &["duplicate-else"]);
    in_process("for (x : 3 .. 1) { skip }", &["empty-range"]);
    in_process("select (x : 3 .. 1)", &["empty-range"]);
    in_process("for (a[0] : 1 .. 3) { skip }", &["loop-variable"]);
    in_process("select (t.f : 1 .. 3)", &["loop-variable"]);
    in_process("for (l in x) { y = 1 }", &["for-container", "undeclared-variable"]);
    in_process("for (t in q) { skip }", &["for-container"]);
}

#[test]
fn claims_and_formulas() {
    let with = |more: &str| format!("byte x; chan q = [1] of {{ byte }}; init {{ x = 1 }}\n{more}");
    errors(&with("never { q!1 }"), &["claim-with-channels"]);
    errors(&with("never { byte l; l == 1 }"), &["claim-local"]);
    errors(&with("never a { x == 1 } ltl a { x }"), &["duplicate-claim"]);
    errors(&with("ltl { y }"), &["undeclared-variable"]);
    errors(&with("ltl p { [] (x <= 1) } ltl { <> x } ltl { x U q?[1] }"), &[]);
    errors(&with("trace { x = 1 }"), &["not-an-event"]);
    errors(&with("trace { q!1 } notrace { q!2 }"), &["duplicate-trace"]);
    warnings(&with("never { x = 2 }"), &["claim-with-effect"]);
}

#[test]
fn doubtful_texts_are_warned_about() {
    warnings("bit f[8]; bool b[2]; init { f[1] = 1; b[0] = !f[0]; f[2] = f[1] && b[1] }", &[]);
    warnings("bit f[8]; byte x; init { f[1] = x }", &["bit-array"]);
    warnings("bit f[8]; init { f[1] = 2; f[0]++ }", &["bit-array", "bit-array"]);
    warnings("typedef T { bool b[2] } T t; byte x; init { t.b[x] = x + 1 }", &["bit-array"]);
    warnings("byte n = 3; byte a[n]; init { skip }", &["variable-array-size"]);
    warnings("byte a[2]; init { a[2] = 1 }", &["index-out-of-bounds"]);
    warnings("byte x; init { x = 1 / 0 }", &["zero-divisor"]);
    warnings("int x = 5; byte y = x; init { skip }", &["initialization-order"]);
    warnings("chan q = [1] of { byte, byte }; init { q!1 }", &["field-count"]);
    warnings("chan q = [1] of { byte, byte }; byte x; init { q?x }", &["field-count"]);
    warnings("byte x; init { skip; byte a[2] }", &["late-declaration"]);
    warnings("bit a, b; init { if :: if :: a :: else fi :: b fi }", &["nested-else"]);
    warnings("chan q = [1] of { bit }; init { if :: q!1 :: else fi }", &["else-with-channels"]);
    warnings("byte x; init { d_step { if :: x :: x = 1 fi } }", &["d-step-start"]);
    warnings("byte x; init { d_step { if :: skip :: x = 1 fi } }", &[]);
    warnings("byte x; init { do :: end: x -> skip od }", &["misplaced-label"]);
    warnings("byte x; init { atomic { skip; progress: x; skip } }", &["invisible-label"]);
    warnings("init { printf(\"%d\") }", &["printf-arguments"]);
    warnings("init { printf(\"%k\") }", &["printf-directive"]);
    warnings("byte x; init { do :: x -> break od; d_step { skip } }", &["jump-to-d-step"]);
    warnings("active [0] proctype P() { skip } init { skip }", &["no-instance"]);
    warnings("active [-3] proctype P() { skip } init { skip }", &["no-instance"]);
    warnings("hidden unsigned z : 3; init { z = 1 }", &["hidden-unsigned"]);
    warnings("hidden unsigned z : 8; unsigned y : 3; init { z = 1; y = 1 }", &[]);
    warnings("byte x; init { x = 1 } never { do :: _pid == 0 od }", &["pid-in-formula"]);
    warnings("byte x; init { if :: x = 1 -> skip fi }", &["assignment-as-guard"]);
}

#[test]
fn one_mistake_has_one_message() {
    // Declared with an unknown type: its uses are not reported.
    errors("Unknown t; init { t = 1; t = 2 }", &["unknown-type"]);
    errors("init { byte a[0]; a[1] = 2; a[0] = a[1] }", &["array-size"]);
    errors("byte x[y]; init { x[1] = 2 }", &["undeclared-variable"]);
    errors("bool b; init { b = True; b = FALSE }", &["undeclared-variable", "undeclared-variable"]);
    errors(&format!("init {{ {} }}", "{".repeat(10_000)), &["nesting-limit"]);
    // What an absent file would have declared is not missed.
    errors("#include \"a.h\"\ninit { x = 1; run P() }", &["missing-include"]);
    // An inline that is expanded twice has its errors once.
    errors("inline f() { y = 1 } init { f(); f() }", &["undeclared-variable"]);
}

/// References to processes that are never there; where a `run` may give the number nothing is said.
#[test]
fn remote_references_to_nobody() {
    let with = |head: &str, reference: &str| {
        format!(
            "byte x; {head} active [2] proctype P() {{ byte l; L: x = 1 }}\n\
             active proctype Q() {{ {reference} }}"
        )
    };
    let nobody =
        |head: &str, reference: &str| warnings(&with(head, reference), &["no-such-process"]);
    let fine = |head: &str, reference: &str| warnings(&with(head, reference), &[]);
    nobody("", "P[5]@L");
    nobody("", "P[2]@L");
    nobody("", "P[1 + 1]:l == 2");
    nobody("", "P[-1]@L");
    nobody("proctype R() { L: skip }", "R@L");
    nobody("proctype R() { L: skip }", "R[0]@L");
    fine("", "P[0]@L || P[1]@L");
    fine("", "P@L");
    fine("", "P[x]@L");
    fine("proctype R() { L: skip } init { run R() }", "R[7]@L");
    nobody("proctype R() { L: skip } init { run R() }", "R[255]@L");
    let text = with("", "x == 1 && P[5]@L");
    let found = diagnostics(&text);
    let at = (found[0].span.start as usize, found[0].span.end as usize);
    assert_eq!(&text[at.0..at.1], "P[5]@L");
    assert_eq!(found[0].message, "process 5 is never of type `P`");
    assert_eq!(found[0].hint.as_deref(), Some("Those of this type have numbers from 0 to 1."));
    warnings(&format!("{text} ltl p {{ [] !P[9]@L }}"), &["no-such-process", "no-such-process"]);
}
