//! Broken and hostile texts: an answer within bounded time and stack, never a panic.

use promenade_base::SourceMap;
use promenade_base::random::Random;
use promenade_promela_syntax::complete::complete;
use promenade_promela_syntax::format::format;
use promenade_promela_syntax::highlight::tokens;
use promenade_promela_syntax::symbols::symbols;
use promenade_promela_syntax::{ParseOptions, parse};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Models of this test, so that it does not depend on the corpus.
const SNIPPETS: &[&str] = &[
    "#define N 3\n#define max(a, b) ((a) > (b) -> (a) : (b))\nbyte a[N] = {1, 2};\nmtype = { req, ack }\n\
     chan q = [N] of { mtype, byte };\ntypedef T { short x; bool f[2] }\nT t;\n\
     inline put(c, v) { c!req(v); t.x = v }\n\
     proctype P(byte n; chan c) provided (n > 0) {\n  byte i;\n  L: for (i : 0 .. N - 1) { put(c, i) }\n  \
     if\n  :: q??[ack, _] -> atomic { q?ack, i; goto L }\n  :: else -> d_step { i++; i-- }\n  fi\n  \
     do :: len(c) < N -> c!!ack, max(i, 2) :: timeout -> break od\n  { skip } unless { t.f[0] }\n}\n\
     active [2] proctype Q() { select (a[0] : 1 .. 3); printf(\"%d\\n\", a[0]); assert(!t.f[1]) }\n\
     init { run P(1, q) priority 2; x: }\n\
     never { do :: !(t.x == 1) -> break :: true od }\n\
     ltl safe { [] (t.x <= 3 && <> (len(q) == 0) -> (a[0] U b@L)) }\n",
    "#if defined(A) && A > 1 || !defined B\n#include \"x.h\"\n#elif 1 ? 2 : 0\nint y = 'a';\n#else\n#error no\n#endif\n\
     #define cat(a,b) a##b\n#define str(x) #x\nactive proctype A() { byte cat(x, 1); cat(x,1) = 2 /* c */ // d\n \
     printf(str(a \"b\" c)) }",
    "notrace t { do :: q?a,eval(b),-1 :: q!c od }\nhidden bit h; unsigned u : 5 = 3\nxs q\n\
     init { c_code { x = '}'; \"}\" } if :: c_expr { y } -> x = f(1) fi; P[1]:x = 2; r = run P(1,2) }",
];

/// Texts that aim at limits.
fn hostile() -> Vec<(&'static str, String)> {
    let deep = |open: &str, middle: &str, close: &str, n: usize| {
        format!("byte x; init {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
    };
    let mut bomb = String::from("#define a0 x x x x x x x x\n");
    let mut inlines = String::from("byte x; inline f0() { x++; x++ }\n");
    let mut chain = String::new();
    for i in 1..60 {
        let j = i - 1;
        bomb += &format!("#define a{i} a{j} a{j} a{j} a{j} a{j} a{j}\n");
        inlines += &format!("inline f{i}() {{ f{j}(); f{j}(); f{j}() }}\n");
    }
    for i in 0..20_000 {
        chain += &format!("#define c{} c{i}\n", i + 1);
    }
    let many = |piece: &str, n: usize| piece.repeat(n);
    vec![
        ("parentheses", deep("(", "x", ")", 100_000)),
        ("open parentheses", format!("init {{ x = {}", "(".repeat(200_000))),
        ("blocks", deep("{", "skip", "}", 100_000)),
        ("open blocks", format!("init {}", "{".repeat(200_000))),
        ("choices", deep("if :: ", "skip", " fi", 50_000)),
        ("open choices", format!("init {{ {}", "do :: ".repeat(50_000))),
        ("atomics", deep("atomic { ", "skip", " }", 50_000)),
        ("negations", deep("! ", "x", "", 200_000)),
        ("minus", deep("- ", "x", "", 200_000)),
        ("sum", format!("init {{ x = {} 1 }}", "1 + ".repeat(100_000))),
        ("indices", deep("x[", "1", "]", 100_000)),
        ("fields", format!("init {{ x{} = 1 }}", ".x".repeat(100_000))),
        ("conditionals", deep("(x -> ", "1", " : 2)", 50_000)),
        ("evals", format!("init {{ q?{}1 }}", "(".repeat(100_000))),
        ("unless", format!("init {{ {} skip }}", "{ skip } unless ".repeat(50_000))),
        ("labels", format!("init {{ {} skip }}", "L: ".repeat(50_000))),
        ("formula", format!("ltl {{ {} x }}", "[] <> X ! (".repeat(50_000))),
        ("until", format!("ltl {{ {} x }}", "x U ".repeat(50_000))),
        ("braces in c", format!("init {{ c_code {} }}", "{".repeat(100_000))),
        ("macro bomb", format!("{bomb}init {{ a59 }}")),
        ("macro bomb in an argument", format!("{bomb}#define f(y) y y\ninit {{ f(f(f(a59))) }}")),
        ("macro chain", format!("{chain}init {{ c20000 }}")),
        ("macro that names itself", "#define f(x) f(f(x) f)\ninit { f(f(f(1))) }".to_string()),
        ("macro calls in arguments", format!("#define f(x) x\ninit {{ {}1", "f(".repeat(100_000))),
        ("pasted", "#define p(a,b) a##b\n#define q p(p,p)(p,p)\ninit { q q p(#,#) }".to_string()),
        ("inline bomb", format!("{inlines}init {{ f59() }}")),
        ("inline cycle", "inline f() { g() }\ninline g() { f() }\ninit { f() }".to_string()),
        ("conditions", format!("{}x", "#if 1\n".repeat(50_000))),
        ("condition depth", format!("#if {}1\n#endif", "(".repeat(50_000))),
        ("condition signs", format!("#if {}1\n#endif", "!!".repeat(50_000))),
        ("else without if", many("#else\n#elif\n#endif\n", 20_000)),
        ("self include", "#include \"m\"\n#include \"m\"\ninit { skip }".to_string()),
        ("open comment", format!("init {{ /* {}", "* /".repeat(50_000))),
        ("open string", format!("init {{ printf(\"{}", "a".repeat(100_000))),
        ("open quotes", many("' \" ' \n", 20_000)),
        ("splices", many("\\\n", 100_000)),
        ("nul", many("\0", 10_000) + "init { \0 skip }"),
        ("letters", many("é ü 漢字 🦀 ", 10_000)),
        ("numbers", format!("init {{ x = {}; y = -{} }}", "9".repeat(100_000), "1".repeat(5_000))),
        ("name", format!("init {{ {} = 1 }}", "x".repeat(100_000))),
        ("separators", format!("init {{ {} }}", many(";", 100_000))),
        ("declarators", format!("byte x{};", ", x".repeat(100_000))),
        ("stray ends", format!("init {{ {} }}", many("fi od :: ", 30_000))),
        ("stray braces", many("} ", 100_000)),
        ("unknown words", many("foo bar baz ", 30_000)),
        ("heads", many("proctype ", 50_000)),
        ("typedefs", many("typedef { ", 50_000)),
        ("mtype", format!("mtype = {{ {} }}", many("a ", 100_000))),
        (
            "defines",
            many("#define\n#define 1\n#define f(\n#define f(,)\n#define f(...) ## #\n", 5_000),
        ),
    ]
}

fn corpus_texts() -> Vec<String> {
    let root = std::env::var_os("PROMENADE_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        PathBuf::from,
    );
    let mut texts: Vec<String> = SNIPPETS.iter().map(|s| s.to_string()).collect();
    let mut files = Vec::new();
    for folder in ["micro", "reports", "spin-examples/LTL", "spin-examples/Book_1991"] {
        if let Ok(entries) = std::fs::read_dir(root.join(folder)) {
            files.extend(entries.flatten().map(|e| e.path()));
        }
    }
    files.sort();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "pml")) {
        if let Ok(bytes) = std::fs::read(file) {
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    if texts.len() == SNIPPETS.len() {
        println!("NO CORPUS: {} is absent, only the built-in models were used", root.display());
    }
    texts
}

/// Rough words and single characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut inside = false;
    for (i, c) in text.char_indices() {
        let word = c.is_ascii_alphanumeric() || c == '_';
        if !word || !inside {
            if start < i {
                words.push(&text[start..i]);
            }
            start = i;
        }
        inside = word;
    }
    words.push(&text[start..]);
    words
}

fn mutate(random: &mut Random, texts: &[String]) -> String {
    let text = random.pick(texts).cloned().unwrap_or_default();
    let other = random.pick(texts).cloned().unwrap_or_default();
    match random.below(5) {
        0 => {
            let mut bytes = text.into_bytes();
            for _ in 0..1 + random.below(6) {
                let at = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = match random.below(3) {
                        0 => *byte ^ (1 << random.below(8)),
                        1 => random.pick(b"(){}[];:#\"'\\/*-><!?\n\0").copied().unwrap_or(0),
                        _ => random.next_u64() as u8,
                    };
                }
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        1 => {
            let mut parts = words(&text);
            for _ in 0..1 + random.below(4) {
                let at = random.below(parts.len());
                let length = (1 + random.below(8)).min(parts.len() - at);
                parts.drain(at..at + length);
            }
            parts.concat()
        }
        2 => {
            let mut parts = words(&text);
            for _ in 0..1 + random.below(4) {
                let at = random.below(parts.len());
                if let Some(&part) = parts.get(at) {
                    let to = random.below(parts.len());
                    parts.insert(to, part);
                }
            }
            parts.concat()
        }
        3 => {
            let (a, b) = (words(&text), words(&other));
            let cut = random.below(a.len());
            let from = random.below(b.len());
            let length = random.below(40).min(b.len() - from);
            [&a[..cut], &b[from..from + length], &a[cut..]].concat().concat()
        }
        _ => {
            let parts = words(&text);
            parts[..random.below(parts.len())].concat()
        }
    }
}

/// Spans must fit their file, so that whoever shows them cannot stumble.
fn check(text: &str) -> usize {
    let map = SourceMap::single("m", text);
    let result = parse(&map, &ParseOptions::default());
    for diagnostic in &result.diagnostics {
        let span = diagnostic.span;
        let file = map.get(span.file).expect("a diagnostic lies in a file");
        let range = span.start as usize..span.end as usize;
        assert!(file.text().get(range).is_some(), "{diagnostic:?} does not fit\n{text}");
    }
    let mut at = 0;
    for (range, _) in tokens(text) {
        assert!(range.start >= at && text.get(range.clone()).is_some(), "{range:?}\n{text}");
        at = range.end;
    }
    if let Some(once) = format(text) {
        assert_eq!(format(&once).as_deref(), Some(once.as_str()), "formatted twice\n{text}");
    }
    let names = symbols(&map, &ParseOptions::default());
    let middle = text.len() as u32 / 2;
    names.definition_at(map.main(), middle);
    complete(&map, &ParseOptions::default(), map.main(), middle);
    result.diagnostics.len()
}

/// The stack of a browser's worker is small.
fn with_small_stack(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.to_string()).stack_size(1 << 20);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn mutated_models_never_panic() {
    with_small_stack("fuzz", || {
        let texts = corpus_texts();
        let mut random = Random::new(20_240_607);
        let (mut slowest, mut reported) = (Duration::ZERO, 0);
        for _ in 0..6_000 {
            let text = mutate(&mut random, &texts);
            let start = Instant::now();
            reported += usize::from(check(&text) > 0);
            slowest = slowest.max(start.elapsed());
        }
        println!("6000 texts, {reported} with diagnostics, slowest {slowest:?}");
        assert!(slowest < Duration::from_secs(2), "one text took {slowest:?}");
    });
}

#[test]
fn hostile_texts_end_in_diagnostics() {
    for (name, text) in hostile() {
        let start = Instant::now();
        with_small_stack(name, move || {
            check(&text);
        });
        let time = start.elapsed();
        if time > Duration::from_millis(300) {
            println!("{name}: {time:?}");
        }
        assert!(time < Duration::from_secs(10), "{name} took {time:?}");
    }
}
