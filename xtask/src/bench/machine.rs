//! The machine and the versions, for the head of the report.

use crate::shell::ask;
use std::fs;

/// A list in Markdown.
pub fn described() -> String {
    let mut lines = Vec::new();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let processor = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?.to_owned();
            Some(line.split_once(':')?.1.trim().to_owned())
        })
        .or_else(|| ask("sysctl", &["-n", "machdep.cpu.brand_string"]))
        .unwrap_or_else(|| std::env::consts::ARCH.into());
    lines.push(format!("Processor: {processor}, {cores} cores used at most"));
    let memory = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| text.lines().next()?.split_whitespace().nth(1)?.parse::<f64>().ok());
    if let Some(kib) = memory {
        lines.push(format!("Memory: {:.0} GiB", kib / 1024.0 / 1024.0));
    }
    let system = fs::read_to_string("/etc/os-release").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("PRETTY_NAME="))?.to_owned();
        Some(line.split_once('=')?.1.trim_matches('"').to_owned())
    });
    lines.push(format!("System: {}", system.unwrap_or_else(|| std::env::consts::OS.into())));
    for (name, program, arguments) in [
        ("SPIN", "spin", &["-V"][..]),
        ("C compiler", "gcc", &["--version"][..]),
        ("Rust compiler", "rustc", &["--version"][..]),
    ] {
        let answer = ask(program, arguments).unwrap_or_default();
        lines.push(format!("{name}: {}", answer.lines().next().unwrap_or("not found")));
    }
    lines.into_iter().map(|line| format!("- {line}\n")).collect()
}
