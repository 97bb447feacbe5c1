//! Reading takes time in proportion to the text, whatever it is made of. Measured is the time that the
//! processor spends on this thread, so that a busy machine changes nothing.
#![cfg(target_os = "linux")]

use promenade_protocol::{Experiment, File, Reduction, Settings};

/// Nanoseconds that this thread has run.
fn spent() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn read(text: &str) -> u64 {
    // With the facts that a reduction is planned with.
    let settings =
        Settings { state_limit: Some(5), reduction: Reduction::AmpleSets, ..Settings::default() };
    let files = vec![File { name: "m.pml".to_owned(), text: text.to_owned() }];
    let experiment = Experiment { files, settings, ..Experiment::default() };
    let before = spent();
    promenade_service::parse(&experiment);
    promenade_service::check(experiment);
    spent() - before
}

/// A text of so many parts.
type Make = fn(usize) -> String;

fn repeat(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

const TEXTS: &[(&str, Make)] = &[
    ("variables", |n| repeat(n, |i| format!("int v{i};\n")) + "init { v0 = 1 }"),
    ("variables in use", |n| {
        let declared = repeat(n / 4, |i| format!("byte v{i};\n"));
        declared + "init { " + &repeat(n / 4, |i| format!("v{i} = 1;\n")) + "}"
    }),
    ("locals", |n| "init { ".to_owned() + &repeat(n, |i| format!("byte v{i};\n")) + "v0 = 1 }"),
    ("process types", |n| {
        repeat(n / 2, |i| format!("proctype p{i}() {{ skip }}\n")) + "init { run p0() }"
    }),
    ("labels", |n| "init { ".to_owned() + &repeat(n, |i| format!("L{i}: skip;\n")) + "}"),
    ("labels of one name", |n| {
        let inline = "byte x; inline f() { L: x++; if :: x == 2 -> goto L :: else fi }\ninit { ";
        inline.to_owned() + &repeat(n / 8, |_| "{ f() };\n".to_owned()) + "}"
    }),
    ("jumps to one place", |n| {
        "byte x; init { L: x = 1; if\n".to_owned() + &repeat(n, |_| ":: goto L\n".into()) + "fi }"
    }),
    ("options", |n| {
        let options = repeat(n, |i| format!(":: x == {} -> x = {}\n", i % 250, i % 199));
        "byte x; init { do\n".to_owned() + &options + "od }"
    }),
    ("calls", |n| {
        let calls = repeat(n, |i| format!("f({});\n", i % 200));
        "byte x; inline f(a) { x = a }\ninit { ".to_owned() + &calls + "}"
    }),
    ("macros", |n| {
        repeat(n, |i| format!("#define D{} D{i}\n", i + 1)) + "byte D0; init { D9 = 1 }"
    }),
    ("typedefs", |n| {
        repeat(n / 2, |i| format!("typedef T{i} {{ byte f }};\n")) + "T7 t; init { skip }"
    }),
    ("unknown types", |n| {
        repeat(n / 2, |i| format!("typedef T{} {{ T{i} f }};\n", i + 1)) + "init { skip }"
    }),
    ("fields", |n| {
        let fields = repeat(n / 4, |i| format!("byte a{i};"));
        let uses = repeat(n / 4, |i| format!("t.a{i} = 1;"));
        format!("typedef T {{ {fields} }};\nT t; init {{ {uses} }}")
    }),
    ("formulas", |n| {
        repeat(n / 4, |i| format!("ltl q{i} {{ [] (x < {}) }}\n", i % 200))
            + "byte x; init { skip }"
    }),
    ("comments", |n| "/* c */ // d\n".repeat(n) + "init { skip }"),
    ("one line", |n| "byte x; init { ".to_owned() + &"x = 1; ".repeat(n) + "}"),
    ("one line with errors", |n| "init { ".to_owned() + &"/* \u{e9} */ y = 1; ".repeat(n) + "}"),
    ("unknown names", |n| {
        let declared = repeat(n / 2, |i| format!("byte v{i};\n"));
        declared + "init { " + &repeat(n / 2, |i| format!("y{i} = 1;\n")) + "}"
    }),
    ("syntax errors", |n| "byte x; init { ".to_owned() + &"x = ;\n".repeat(n) + "}"),
    ("prints", |n| "init { ".to_owned() + &"printf(\"abc\\n\");\n".repeat(n) + "}"),
    ("atomic", |n| "byte x; init { atomic { ".to_owned() + &"x++;\n".repeat(n) + "} }"),
    ("d_step", |n| "byte x; init { d_step { ".to_owned() + &"x++;\n".repeat(n) + "} }"),
    ("choices", |n| "byte x; init { ".to_owned() + &"if :: x++ :: x-- fi;\n".repeat(n / 4) + "}"),
    ("loops", |n| {
        "byte x; init { ".to_owned() + &"do :: x++ :: x > 2 -> break od;\n".repeat(n / 4) + "}"
    }),
    ("escapes", |n| {
        "byte x; init { { ".to_owned() + &"x = 1;\n".repeat(n) + "} unless { x == 2 } }"
    }),
    ("messages", |n| {
        "chan c = [1] of { byte }; init { ".to_owned() + &"c!1; c?1;\n".repeat(n / 2) + "}"
    }),
    ("scopes", |n| "init { ".to_owned() + &"{ byte x; x = 1 };\n".repeat(n / 4) + "}"),
    ("remote references", |n| {
        let locals = repeat(n / 4, |i| format!("byte v{i};"));
        let uses = repeat(n / 4, |i| format!("x = P:v{i};\n"));
        format!("proctype P() {{ {locals} L: skip }}\nbyte x; init {{ {uses} x = P@L }}")
    }),
    ("initial values", |n| {
        "byte a = 1;\n".to_owned() + &repeat(n, |i| format!("byte b{i} = a;\n")) + "init { skip }"
    }),
];

#[test]
fn reading_is_linear() {
    const SMALL: usize = 1_500;
    const TIMES: usize = 8;
    for (what, make) in TEXTS {
        let least = |count: usize| {
            let text = make(count);
            (0..2).map(|_| read(&text)).min().unwrap_or(0)
        };
        let (small, large) = (least(SMALL), least(SMALL * TIMES));
        // A quadratic part would take 64 times as long.
        let most = 3 * TIMES as u64 * small + 15_000_000;
        assert!(large <= most, "{what}: {small} ns, then {large} ns");
    }
}
