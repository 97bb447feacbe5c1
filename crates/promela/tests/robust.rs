//! Broken and hostile texts: an answer within bounded time and stack, never a panic, neither while
//! compiling nor in the first steps of the model that comes out.

use promenade_base::SourceMap;
use promenade_base::random::Random;
use promenade_interp::{Interpreter, RunOptions};
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::corpus::Corpus;
use promenade_testkit::random_model::{Features, random_model};
use promenade_transition_system::{Selection, Successors, TransitionSystem};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

fn check(text: &str) -> bool {
    let sources = SourceMap::single("m", text);
    let checked = compile(&sources, &CompileOptions::default());
    for diagnostic in &checked.diagnostics {
        let related = diagnostic.related.iter().map(|r| r.span);
        for span in related.chain([diagnostic.span]) {
            let file = sources.get(span.file).expect("a diagnostic lies in a file");
            let range = span.start as usize..span.end as usize;
            assert!(file.text().get(range).is_some(), "{diagnostic:?} does not fit\n{text}");
        }
        assert!(!diagnostic.code.is_empty() && !diagnostic.message.ends_with('.'));
    }
    let failed = checked.diagnostics.iter().any(|d| d.is_error() && d.unit.is_none());
    assert_eq!(failed, checked.value.is_none(), "{:?}\n{text}", checked.diagnostics);
    let Some(compiled) = checked.value else { return false };
    let model = Rc::new(compiled.model);
    let claims = [None].into_iter().chain((0..model.claims.len().min(1)).map(Some));
    for claim in claims {
        let mut system =
            Interpreter::new(model.clone(), RunOptions { claim, ..RunOptions::default() });
        let mut out = Successors::new(true);
        system.initial(&mut out);
        let mut work: VecDeque<Vec<u8>> = VecDeque::new();
        for _ in 0..30 {
            work.extend((0..out.items.len().min(4)).filter_map(|i| Some(out.target(i)?.to_vec())));
            let Some(state) = work.pop_front() else { break };
            system.expand(&state, Selection::All, &mut out);
        }
    }
    true
}

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = (0..40).map(|s| random_model(s, Features::ALL)).collect();
    match Corpus::find() {
        Ok(corpus) => {
            for set in ["micro", "reports", "spin-examples"] {
                texts.extend(corpus.files(set).iter().filter_map(|f| corpus.text(set, f).ok()));
            }
        }
        Err(why) => println!("only random models: {why}"),
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
        if (!word || !inside) && start < i {
            words.push(&text[start..i]);
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
    let mut parts = words(&text);
    let others = words(&other);
    for _ in 0..1 + random.below(4) {
        if parts.is_empty() {
            break;
        }
        let at = random.below(parts.len());
        match random.below(5) {
            0 => {
                let length = (1 + random.below(6)).min(parts.len() - at);
                parts.drain(at..at + length);
            }
            1 => {
                let part = parts[random.below(parts.len())];
                parts.insert(at, part);
            }
            2 => {
                let part = parts[random.below(parts.len())];
                parts[at] = part;
            }
            3 => {
                let from = random.below(others.len());
                let length = random.below(30).min(others.len() - from);
                parts.splice(at..at, others[from..from + length].iter().copied());
            }
            _ => {
                let to = random.below(parts.len());
                parts.swap(at, to);
            }
        }
    }
    parts.concat()
}

/// The stack of a browser's worker is small.
fn with_small_stack(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.to_string()).stack_size(1 << 20);
    thread.spawn(work).expect("a thread").join().expect("no panic");
}

#[test]
fn mutated_models_never_panic() {
    with_small_stack("mutations", || {
        let texts = texts();
        let rounds: usize =
            std::env::var("PROMENADE_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(4_000);
        let mut random = Random::new(rounds as u64 + 7);
        let (mut slowest, mut compiled) = (Duration::ZERO, 0);
        for _ in 0..rounds {
            let text = mutate(&mut random, &texts);
            let start = Instant::now();
            compiled += usize::from(check(&text));
            slowest = slowest.max(start.elapsed());
        }
        println!("{rounds} texts, {compiled} compiled, slowest {slowest:?}");
        assert!(slowest < Duration::from_secs(20), "one text took {slowest:?}");
    });
}

fn hostile() -> Vec<(&'static str, String)> {
    let deep = |open: &str, middle: &str, close: &str, n: usize| {
        format!("byte x; init {{ {}{middle}{} }}", open.repeat(n), close.repeat(n))
    };
    let mut typedefs = String::from("typedef T0 { byte a; byte b }\n");
    let mut doubling = typedefs.clone();
    for i in 1..40 {
        typedefs += &format!("typedef T{i} {{ T{} a }}\n", i - 1);
        doubling += &format!("typedef T{i} {{ T{} a; T{} b }}\n", i - 1, i - 1);
    }
    let labels: String = (0..20_000).map(|i| format!("L{i}: goto L{}; ", i + 1)).collect();
    let many_labels: String = (0..20_000).map(|i| format!("M{i}: x = 1; ")).collect();
    let options: String = (0..5_000).map(|i| format!(":: x == {i} -> skip ")).collect();
    let processes: String = (0..3_000).map(|i| format!("proctype P{i}() {{ skip }}\n")).collect();
    vec![
        ("sum", format!("byte x; init {{ x = {} 1 }}", "1 + ".repeat(900))),
        ("loads", format!("byte x; init {{ x = {} 1 }}", "x + ".repeat(900))),
        ("parentheses", deep("(", "x", ")", 190)),
        ("indices", format!("byte a[2]; init {{ {}0{} = 1 }}", "a[".repeat(190), "]".repeat(190))),
        ("blocks", deep("{", "skip", "}", 190)),
        ("choices", deep("if :: ", "skip", " fi", 190)),
        ("loops", deep("do :: ", "skip", " od", 190)),
        ("atomics", deep("atomic { ", "skip", " }", 190)),
        ("d_steps", deep("d_step { ", "skip", " }", 190)),
        ("escapes", deep("{ ", "x = 1", " } unless { x == 2; x = 3 }", 90)),
        ("escapes of escapes", deep("{ x = 1 } unless { x == 2; ", "x = 1", " }", 90)),
        ("typedefs", format!("{typedefs} T39 t; init {{ t{}.a = 1 }}", ".a".repeat(39))),
        ("doubling typedefs", format!("{doubling} T39 t; T15 u; init {{ skip }}")),
        ("doubling messages", format!("{doubling} chan q = [1] of {{ T15 }}; init {{ skip }}")),
        ("large array", "int a[2000000000]; init { skip }".to_string()),
        ("large arrays", format!("{} init {{ skip }}", "int a[200000];".repeat(3))),
        ("large channel", "chan q = [2000000000] of { int }; init { skip }".to_string()),
        ("channels", "chan q[100000] = [1] of { int }; init { skip }".to_string()),
        ("goto chain", format!("byte x; init {{ {labels} L20000: skip }}")),
        ("labels", format!("byte x; init {{ {many_labels} goto M3 }}")),
        ("options", format!("byte x; init {{ do {options} od unless {{ x == 7 }} }}")),
        ("many processes", format!("{processes} init {{ run P1() }}")),
        (
            "declarators",
            format!("byte x0{}; init {{ skip }}", {
                (1..60_000).map(|i| format!(", x{i}")).collect::<String>()
            }),
        ),
        ("statements", format!("byte x; init {{ {} }}", "x = 1; ".repeat(60_000))),
        (
            "atomic statements",
            format!("byte x; init {{ atomic {{ {} skip }} }}", "x = 1; ".repeat(60_000)),
        ),
        (
            "escape of much",
            format!(
                "byte x; init {{ {{ {} skip }} unless {{ x == 2 }} }}",
                "x = 1; ".repeat(30_000)
            ),
        ),
        ("selects", format!("byte x; init {{ {} skip }}", "select (x : 0 .. 30); ".repeat(2_000))),
    ]
}

#[test]
fn hostile_texts_end_in_time() {
    for (name, text) in hostile() {
        let start = Instant::now();
        with_small_stack(name, move || {
            check(&text);
        });
        let time = start.elapsed();
        if time > Duration::from_millis(500) {
            println!("{name}: {time:?}");
        }
        assert!(time < Duration::from_secs(20), "{name} took {time:?}");
    }
}
