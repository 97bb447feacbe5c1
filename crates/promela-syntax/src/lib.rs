//! Promela text to syntax tree: preprocessor, lexer, resilient parser.
#![forbid(unsafe_code)]

pub mod ast;
