//! Which variables are left out of states, and where they go.

use promenade_analysis::{WriteOnly, leave_out};
use promenade_base::SourceMap;
use promenade_ir::Model;
use promenade_promela::{CompileOptions, compile};

fn model(text: &str) -> Model {
    let compiled = compile(&SourceMap::single("model", text), &CompileOptions::default());
    compiled.value.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).model
}

/// What is left out, each with its uses: counted, printed, used for.
fn left_out(text: &str) -> Vec<String> {
    let found = leave_out(&model(text)).map(|(_, list)| list).unwrap_or_default();
    let said = |it: &WriteOnly| {
        let flags = [(it.counted, '+'), (it.printed, 'p')];
        let flags: String = flags.iter().filter(|it| it.0).map(|it| it.1).collect();
        format!("{}:{flags}{}", it.name, it.used_for.join(","))
    };
    found.iter().map(said).collect()
}

#[test]
fn what_they_are_used_for() {
    let text = "int a, b, c, d, e, f; mtype = { m }; mtype n; hidden int h; byte never_written;
        active proctype P() { a = 1; b++; c = b + 1; printf(\"%d %e\", c, n); n = m; d = d + e; e = h;
            h = f; f = 2 * f; printf(\"%d\", never_written) }";
    // `f` is computed from itself, and not by counting.
    assert_eq!(left_out(text), ["a:", "b:+c", "c:p", "d:+", "e:d", "n:p"]);
}

#[test]
fn claims_and_formulas_count() {
    let text = "byte a, b, c; active proctype P() { a++; b++; c++ }
        never { do :: a > 3 -> break :: else od }
        ltl f { [] (b < 9) }";
    assert_eq!(left_out(text), ["c:+"]);
}

#[test]
fn what_follows_from_what_is_needed() {
    // Around by others, and through a local variable.
    let text = "byte a, b, c, d; active proctype P() { byte l; a = b; b = c; l = d; a > 1 }";
    assert_eq!(left_out(text), [""; 0]);
    // Two that are computed from each other only.
    let text = "byte a, b; active proctype P() { a = b + 1; b = 2 * a }";
    assert_eq!(left_out(text), ["a:b", "b:a"]);
}

/// Fields of arrays of structures are moved one by one, with the bytes between them.
#[test]
fn fields_are_moved() {
    let text = "typedef T { byte f = 5; short g[2] = 6; int h }; byte first; T t[3]; byte last = 7;
        active proctype P() { t[1].g[0] = 1; t[2].f == 5; last == 7; first == 0; t[0].h == 0 }";
    let plain = model(text);
    let (moved, list) = leave_out(&plain).unwrap();
    assert_eq!(list.len(), 1);
    // The other fields lie around it, so their bytes stay where they were.
    assert_eq!(
        (moved.global_bytes, moved.hidden_bytes),
        (plain.global_bytes, moved.write_only_bytes)
    );
    let names = |list: &[promenade_ir::Variable]| {
        list.iter()
            .map(|it| it.path.iter().map(|p| p.0.as_str()).collect::<String>())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&moved.globals), ["first", "tf", "th", "last"]);
    assert_eq!(names(&moved.hidden), ["tg"]);
    let text =
        "byte a; int log[8]; byte z; active proctype P() { log[a] = z; a == 1; z = 1; z == 2 }";
    let (moved, _) = leave_out(&model(text)).unwrap();
    assert_eq!((moved.global_bytes, moved.hidden_bytes, moved.write_only_bytes), (2, 32, 32));
    assert_eq!(moved.globals[1].offset, 1);
}
