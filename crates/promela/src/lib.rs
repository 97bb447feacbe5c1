//! Promela syntax trees to executable models: names, types, control points.
#![forbid(unsafe_code)]

mod declare;
mod elements;
mod expression;
mod graph;
mod loops;
mod lower;
mod print;
mod process;
mod statement;
mod text;
mod types;

use promenade_base::{Checked, SourceMap};
use promenade_ir::Model;
use promenade_promela_syntax::{ParseOptions, ast};

/// How a text is compiled.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// How it is read.
    pub parse: ParseOptions,
    /// Sends to full channels lose the message (`spin -m`).
    pub lose_messages: bool,
    /// Inner `unless` escapes win (`spin -J`).
    pub inner_unless_first: bool,
}

/// A model ready to run.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The model.
    pub model: Model,
}

/// Reads and compiles a text. There is no model if any diagnostic is an error.
pub fn compile(sources: &SourceMap, options: &CompileOptions) -> Checked<Option<Compiled>> {
    let parsed = promenade_promela_syntax::parse(sources, &options.parse);
    let mut lowered = lower(&parsed.value, options);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.append(&mut lowered.diagnostics);
    let failed = diagnostics.iter().any(|d| d.is_error());
    Checked { value: lowered.value.filter(|_| !failed), diagnostics }
}

/// Compiles a syntax tree. There is no model if any diagnostic is an error.
pub fn lower(spec: &ast::Specification, options: &CompileOptions) -> Checked<Option<Compiled>> {
    lower::run(spec, options)
}
