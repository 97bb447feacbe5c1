//! Many variables, large variables: what has room is taken, what has none is reported once.

use promenade_base::SourceMap;
use promenade_promela::{CompileOptions, compile};

fn errors(text: &str) -> Vec<String> {
    let checked = compile(&SourceMap::single("m.pml", text), &CompileOptions::default());
    let errors = checked.diagnostics.iter().filter(|it| it.is_error());
    errors.map(|it| format!("{}: {}", it.code, it.message)).collect()
}

fn variables(count: usize, declared: &str) -> String {
    let all: String = (0..count).map(|i| format!("{declared} v{i};\n")).collect();
    all + "init { v0 = 1 }\n"
}

#[test]
fn sixty_thousand_integers_have_room() {
    let text = variables(60_000, "int");
    let checked = compile(&SourceMap::single("m.pml", text), &CompileOptions::default());
    let model = checked.value.expect("a model").model;
    assert_eq!((model.global_bytes, model.globals.len()), (240_000, 60_000));
}

#[test]
fn one_cause_has_one_message() {
    // Each of the two limits, and both kinds of places.
    let arrays: String = (0..300).map(|i| format!("int a{i}[1000];\n")).collect();
    for text in [
        format!("{arrays}init {{ a0[0] = 1; a299[1] = 2 }}"),
        format!("init {{ {arrays} a0[0] = 1; a299[1] = 2 }}"),
        format!("typedef T {{ {arrays} }}; init {{ skip }}"),
    ] {
        let found = errors(&text);
        assert!(
            matches!(found.as_slice(), [one] if one.starts_with("state-too-large")),
            "{found:?}"
        );
    }
    let inner: String = (0..900).map(|i| format!("byte f{i};")).collect();
    let many: String = (0..400).map(|i| format!("T t{i};\n")).collect();
    let found =
        errors(&format!("typedef T {{ {inner} }};\n{many}init {{ t0.f0 = 1; t399.f0 = 2 }}"));
    let few = matches!(found.as_slice(), [one] if one.starts_with("too-many-variables"));
    assert!(few, "{found:?}");
}

#[test]
fn jumps_in_a_row_are_bounded() {
    let chain = |count: usize, others: usize| {
        let row: String = (0..count).map(|i| format!("L{i}: goto L{};\n", i + 1)).collect();
        let others = "if :: goto L0 :: skip fi;\n".repeat(others);
        format!("init {{ {others} {row} L{count}: skip }}")
    };
    assert_eq!(errors(&chain(3000, 100)), Vec::<String>::new());
    for text in [chain(6000, 0), chain(4000, 6000)] {
        let found = errors(&text);
        assert!(matches!(found.as_slice(), [one] if one.starts_with("endless-goto")), "{found:?}");
    }
}
