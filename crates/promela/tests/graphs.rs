//! The program graphs themselves, edge by edge, against those that SPIN's verifier prints (`-d`).
//!
//! Skipped with a message where SPIN, gcc or the corpus is missing. `PROMENADE_FILTER` chooses
//! files by their name, `PROMENADE_SEEDS=first-last` random models; without a filter a sample of
//! the corpus is compared, with `PROMENADE_FILTER=` all of it.

mod support;

use promenade_base::SourceMap;
use promenade_ir::{Action, LocationId, Model, Proctype};
use promenade_promela::{CompileOptions, compile};
use promenade_testkit::corpus::Corpus;
use promenade_testkit::{random_model, seeds, spin};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(Debug, Clone)]
struct SpinEdge {
    target: u32,
    atomic: bool,
    d_step: bool,
    escape: u32,
    text: String,
}

#[derive(Default, Debug)]
struct SpinGraph {
    start: u32,
    edges: HashMap<u32, Vec<SpinEdge>>,
    flags: HashMap<u32, (bool, bool, bool)>,
}

/// Graphs by name, or why there are none.
fn spin_graphs(text: &str, folder: &Path) -> Result<HashMap<String, SpinGraph>, String> {
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    std::fs::write(folder.join("model.pml"), text).map_err(|e| e.to_string())?;
    let _ = std::fs::remove_file(folder.join("pan.c"));
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| e.to_string())
    };
    let made = run("spin", &["-a", "-o1", "-o2", "-o3", "model.pml"])?;
    if !made.status.success() {
        let said = String::from_utf8_lossy(&made.stdout).into_owned();
        return Err(format!("refused: {said}"));
    }
    let built = run("gcc", &["-w", "-O0", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"])?;
    if !built.status.success() {
        return Err("gcc".to_owned());
    }
    let printed = run("timeout", &["20", "./pan", "-d"])?;
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    if printed.contains("error:") {
        return Err(printed);
    }
    let mut graphs = HashMap::new();
    let mut at: Option<(String, SpinGraph)> = None;
    for line in printed.lines() {
        if let Some(edge) = line.strip_prefix("\tstate ") {
            if let Some((_, graph)) = &mut at {
                read_edge(edge, graph);
            }
            continue;
        }
        let name = line
            .strip_prefix("proctype ")
            .or_else(|| line.strip_prefix("claim "))
            .or((line == "init").then_some("init"))
            .or(line.ends_with("trace assertion").then_some(":trace:"));
        if let Some(name) = name {
            if let Some((name, graph)) = at.take() {
                graphs.insert(name, graph);
            }
            at = Some((name.trim().to_owned(), SpinGraph::default()));
        }
    }
    graphs.extend(at);
    Ok(graphs)
}

/// `  2 -(tr   1)-> state  11  [id   1 tp   2] [----L] t9.pml:2 => (1)`
fn read_edge(line: &str, graph: &mut SpinGraph) {
    let number = |text: &str| text.split_whitespace().next().and_then(|w| w.parse::<u32>().ok());
    let Some(from) = number(line) else { return };
    let Some(target) = line.split("-> state ").nth(1).and_then(number) else { return };
    let escape = line.split(" org ").nth(1).and_then(|t| number(t.split(']').next()?)).unwrap_or(0);
    let Some(flags) = line.split("] [").nth(1) else { return };
    let flags: Vec<char> = flags.chars().take(5).collect();
    let text = line.split(" => ").nth(1).unwrap_or("").to_owned();
    if graph.start == 0 {
        graph.start = from;
    }
    graph.flags.insert(from, (flags[1] == 'a', flags[2] == 'e', flags[3] == 'p'));
    let edge = SpinEdge { target, atomic: flags[0] == 'A', d_step: flags[0] == 'D', escape, text };
    graph.edges.entry(from).or_default().push(edge);
}

/// Walks both graphs in step.
fn compare(model: &Model, ours: &Proctype, theirs: &SpinGraph) -> Option<String> {
    let mut pairs: HashMap<LocationId, u32> = HashMap::new();
    let mut back: HashMap<u32, LocationId> = HashMap::new();
    let mut work = vec![(ours.entry, theirs.start)];
    while let Some((location, state)) = work.pop() {
        match (pairs.get(&location), back.get(&state)) {
            (Some(&s), Some(&l)) if s == state && l == location => continue,
            (None, None) => {}
            _ => return Some(format!("state {state} is not one location")),
        }
        pairs.insert(location, state);
        back.insert(state, location);
        let none = Vec::new();
        let their_edges = theirs.edges.get(&state).unwrap_or(&none);
        // A choice without executable options is printed as one edge that is never taken.
        let their_edges: Vec<&SpinEdge> =
            their_edges.iter().filter(|e| e.target != 0 || e.text.contains("-end-")).collect();
        let here = ours.graph.location(location);
        let texts = |list: &[&SpinEdge]| {
            list.iter().map(|e| e.text.clone()).collect::<Vec<_>>().join(" | ")
        };
        let our_texts = || {
            let text = |s: promenade_ir::StatementId| model.statements[s.0 as usize].text.clone();
            here.edges.iter().map(|e| text(e.statement)).collect::<Vec<_>>().join(" | ")
        };
        if their_edges.len() != here.edges.len() {
            return Some(format!(
                "state {state}: SPIN has {}, ours are {}",
                texts(&their_edges),
                our_texts()
            ));
        }
        if let Some(&(accept, end, progress)) = theirs.flags.get(&state) {
            let flags = (here.accept, here.valid_end, here.progress);
            if flags != (accept, end, progress) {
                return Some(format!("state {state}: flags {flags:?}"));
            }
        }
        for (edge, theirs) in here.edges.iter().zip(&their_edges) {
            let d_step = matches!(edge.action, Action::DStep(_));
            if !d_step && edge.keeps_atomic != theirs.atomic {
                return Some(format!("state {state}, {}: atomic {}", theirs.text, theirs.atomic));
            }
            if theirs.d_step && !d_step {
                return Some(format!("state {state}, {}: a d_step", theirs.text));
            }
            if (edge.escape > 0) != (theirs.escape > 0) {
                return Some(format!("state {state}, {}: escape", theirs.text));
            }
            let kind = |text: &str| match text {
                "else" => 1,
                "-end-" => 2,
                _ => 0,
            };
            let ours = match edge.action {
                Action::Else => 1,
                Action::End => 2,
                _ => 0,
            };
            if kind(&theirs.text) != ours {
                return Some(format!("state {state}: {} is {:?}", theirs.text, our_texts()));
            }
            if theirs.target != 0 {
                work.push((edge.target, theirs.target));
            }
        }
    }
    None
}

fn difference(name: &str, text: &str, folder: &Path) -> Result<Option<String>, String> {
    let graphs = spin_graphs(text, folder)?;
    let checked = compile(&SourceMap::single(name, text), &CompileOptions::default());
    let Some(compiled) = checked.value else {
        let errors: Vec<String> = checked
            .diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(|d| format!("{}: {}", d.code, d.message))
            .collect();
        // SPIN's verifier says so only when it is run; the others are refused here on purpose.
        let purpose = ["duplicate-else", "embedded-c", "temporal-operand"];
        if errors.iter().all(|e| purpose.iter().any(|p| e.starts_with(p))) {
            return Err(errors.join("; "));
        }
        return Ok(Some(format!("refused: {}", errors.join("; "))));
    };
    let model = compiled.model;
    for process in &model.proctypes {
        let Some(graph) = graphs.get(&process.name) else { continue };
        if let Some(what) = compare(&model, process, graph) {
            return Ok(Some(format!("{}: {what}", process.name)));
        }
    }
    Ok(None)
}

#[test]
fn random_graphs_are_those_of_spin() {
    if !spin::available() {
        return println!("skipped: spin or gcc is not installed");
    }
    let folder = std::env::temp_dir().join(format!("promenade-graphs-{}", std::process::id()));
    let (mut compared, mut different) = (0, Vec::new());
    for seed in seeds(1..=8) {
        for text in [
            support::flow::random_flow(seed),
            random_model::random_model(seed, random_model::Features::ALL),
        ] {
            match difference("model.pml", &text, &folder) {
                Err(_) => {}
                Ok(None) => compared += 1,
                Ok(Some(what)) => {
                    println!("seed {seed}: {what}\n{text}\n");
                    different.push(seed);
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} graphs compared");
    assert!(different.is_empty(), "different: {different:?}");
}

#[test]
fn graphs_of_the_corpus_are_those_of_spin() {
    let corpus = match Corpus::find() {
        Ok(corpus) if spin::available() => corpus,
        Ok(_) => return println!("skipped: spin or gcc is not installed"),
        Err(why) => return println!("skipped: {why}"),
    };
    let filter = std::env::var("PROMENADE_FILTER").ok();
    let folder = std::env::temp_dir().join(format!("promenade-corpus-{}", std::process::id()));
    let (mut compared, mut different) = (0, Vec::new());
    let mut number = 0;
    for set in ["micro", "reports", "spin-examples", "beem"] {
        for file in corpus.files(set) {
            number += 1;
            let wanted = match &filter {
                Some(filter) => file.contains(filter),
                None => number % 60 == 0,
            };
            let Ok(text) = corpus.text(set, &file) else { continue };
            if !wanted || text.contains("#include") {
                continue;
            }
            match difference(&file, &text, &folder) {
                Err(_) => {}
                Ok(None) => compared += 1,
                Ok(Some(what)) => different.push(format!("{set}/{file}: {what}")),
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
    println!("{compared} models compared\n{}", different.join("\n"));
    assert!(different.is_empty(), "{} differ", different.len());
}
