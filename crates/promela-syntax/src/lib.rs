//! Promela text to syntax tree: preprocessor, lexer, resilient parser.
#![forbid(unsafe_code)]

pub mod ast;
pub mod complete;
pub mod format;
pub mod highlight;
mod lexer;
mod parser;
mod preprocessor;
mod scan;
pub mod symbols;
mod token;

use promenade_base::{Checked, SourceMap};

/// How a text is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseOptions {
    /// Macros from outside, as with `-DNAME` (value 1) and `-DNAME=value`. The name may have
    /// parameters: `MAX(a,b)`.
    pub defines: Vec<(String, Option<String>)>,
    /// Macros taken away again, as with `-UNAME`.
    pub undefines: Vec<String>,
    /// Whether a line end can separate statements (SPIN's `-o7` turns it off).
    pub implied_separators: bool,
    /// What stops a text that would grow or nest without end.
    pub bounds: Bounds,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            undefines: Vec::new(),
            implied_separators: true,
            bounds: Bounds::default(),
        }
    }
}

/// Limits of reading. Reaching one is an error with a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Tokens after preprocessing, and again tokens made by inline calls.
    pub tokens: usize,
    /// Blocks, parentheses and inline calls inside each other.
    pub nesting: usize,
    /// Height of the tree of one expression.
    pub expression_height: u32,
    /// Diagnostics that are kept.
    pub diagnostics: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { tokens: 500_000, nesting: 200, expression_height: 1_000, diagnostics: 200 }
    }
}

/// Reads a model: preprocesses the main file and parses it, all inline calls expanded.
///
/// There is always a tree; where the text could not be read it holds error nodes, and the
/// diagnostics say why.
pub fn parse(sources: &SourceMap, options: &ParseOptions) -> Checked<ast::Specification> {
    let preprocessed = preprocessor::preprocess(sources, options);
    parser::parse(preprocessed, options)
}
