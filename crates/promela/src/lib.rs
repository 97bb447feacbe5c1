//! Promela syntax trees to executable models: names, types, control points.
//!
//! Control points follow SPIN 6.5.2 without statement merging (`spin -o1 -o2 -o3`): a model has the
//! same states and steps here as in SPIN's verifier. The construction is described by G. J.
//! Holzmann, "The SPIN Model Checker" (2003); its finer points were read off the public sources of
//! SPIN and checked against its runs.
#![forbid(unsafe_code)]

mod atomic;
mod body;
mod constant;
mod d_step;
mod declare;
mod emit;
mod exclusive;
mod expr;
mod finish;
mod flow;
mod formula;
mod hunt;
mod initial;
mod jumps;
mod loops;
mod lowering;
mod message;
mod names;
mod nodes;
mod operand;
mod print;
mod reference;
mod remote;
mod report;
mod splice;
mod statement;
mod text;
mod transitions;
mod types;
mod units;

use promenade_base::arrange::Arrange;
use promenade_base::{Checked, SourceMap, Span};
use promenade_ir as ir;
use promenade_promela_syntax::{ParseOptions, ast, parse};

/// How a model is compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompileOptions {
    /// How the text is read: macros, implied separators, bounds.
    pub parse: ParseOptions,
    /// Sends to full buffers succeed and the message is lost (`spin -m`).
    pub lose_messages: bool,
    /// Of nested `unless`, the inner escape wins instead of the outer one (`spin -J`).
    pub inner_unless_first: bool,
}

/// A compiled model.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The executable model, with the formulas that have no error.
    pub model: ir::Model,
    /// All formulas of the text, in order.
    pub formulas: Vec<Named>,
}

/// A formula of a text.
#[derive(Clone, Debug)]
pub struct Named {
    /// Given or made up (`ltl_0`).
    pub name: String,
    /// Where it stands: the [`Diagnostic::unit`](promenade_base::Diagnostic::unit) of what is wrong
    /// with it.
    pub span: Span,
}

/// Reads and compiles a model. There is none where a diagnostic is an error, unless that is about a
/// formula alone: then this formula is not part of it.
pub fn compile(sources: &SourceMap, options: &CompileOptions) -> Checked<Option<Compiled>> {
    let parsed = parse(sources, &options.parse);
    let broken = parsed.diagnostics.iter().any(|d| d.is_error() && d.unit.is_none());
    let mut lowered = lower(&parsed.value, options);
    if broken {
        lowered.value = None;
        // What could not be read may be what the rest of the text refers to.
        let unread = parsed.diagnostics.iter().any(|d| d.code == "missing-include");
        // Where reading went wrong something may be missing.
        let after = ["no-process", "empty-sequence"];
        let names = ["undeclared-variable", "unknown-proctype", "unknown-type"];
        lowered
            .diagnostics
            .retain(|d| !(after.contains(&d.code) || unread && names.contains(&d.code)));
    }
    let mut diagnostics = parsed.diagnostics;
    diagnostics.append(&mut lowered.diagnostics);
    diagnostics.arrange_by_key(|d| (d.span.file, d.span.start));
    if let Some(compiled) = &mut lowered.value {
        let wrong = |span| diagnostics.iter().any(|d| d.is_error() && d.unit == Some(span));
        compiled.model.formulas.retain(|formula| !wrong(formula.span));
    }
    Checked { value: lowered.value, diagnostics }
}

/// Compiles a syntax tree. There is no model where a diagnostic is an error, unless that is about a
/// formula.
pub fn lower(
    specification: &ast::Specification,
    options: &CompileOptions,
) -> Checked<Option<Compiled>> {
    lowering::lower(specification, options)
}
