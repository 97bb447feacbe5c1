//! Counts the states of Promela files as SPIN's reference run does:
//! `count [--claim N] [--first] [--limit N] FILE..`.

#[path = "../tests/support/mod.rs"]
mod support;

use promenade_base::SourceMap;
use promenade_interp::RunOptions;
use promenade_promela::{CompileOptions, compile};
use std::rc::Rc;
use std::time::Instant;

fn main() {
    let mut options = RunOptions::default();
    let mut limit = 10_000_000;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--claim" => options.claim = arguments.next().and_then(|a| a.parse().ok()),
            "--limit" => limit = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(limit),
            file => report(file, &options, limit),
        }
    }
}

fn report(file: &str, options: &RunOptions, limit: u64) {
    let Ok(text) = std::fs::read_to_string(file) else { return println!("{file}: not readable") };
    let mut sources = SourceMap::default();
    sources.add(file.to_owned(), text);
    let compiled = compile(&sources, &CompileOptions::default());
    for diagnostic in &compiled.diagnostics {
        eprintln!("{file}: {:?}: {}", diagnostic.severity, diagnostic.message);
    }
    let Some(compiled) = compiled.value else { return println!("{file}: refused") };
    let start = Instant::now();
    let counts = support::count_up_to(&Rc::new(compiled.model), options.clone(), limit);
    println!(
        "{file}: {}/{}/{} e{} {:?} {:.2} s",
        counts.stored,
        counts.matched,
        counts.stored + counts.matched,
        counts.errors,
        counts.kinds.first(),
        start.elapsed().as_secs_f64()
    );
}
