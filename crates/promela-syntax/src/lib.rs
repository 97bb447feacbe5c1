//! Promela text to syntax tree: preprocessor, lexer, resilient parser.
