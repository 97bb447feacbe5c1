//! Prints what the compiler says about files: `diagnose FILE..`.

use promenade_base::{Severity, SourceMap};
use promenade_promela::{CompileOptions, compile};

fn main() {
    for file in std::env::args().skip(1) {
        let text = match std::fs::read(&file) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                println!("{file}: {error}");
                continue;
            }
        };
        let mut sources = SourceMap::default();
        sources.add(file.as_str(), text);
        let checked = compile(&sources, &CompileOptions::default());
        for d in &checked.diagnostics {
            let at = sources.line_column(d.span);
            let severity = match d.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            println!("{file}:{}:{}: {severity}[{}]: {}", at.line, at.column, d.code, d.message);
            if let Some(hint) = &d.hint {
                println!("    {hint}");
            }
            for related in &d.related {
                let at = sources.line_column(related.span);
                println!("    {}:{}: {}", at.line, at.column, related.message);
            }
        }
    }
}
