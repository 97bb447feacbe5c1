//! Rules of the preprocessor; the expected texts are what a C compiler prints.

use super::preprocess;
use crate::{Bounds, ParseOptions};
use promenade_base::SourceMap;

/// The tokens with blanks between them, `|` in front of those that start a line, and the codes of
/// the diagnostics.
fn run_with(map: &SourceMap, options: &ParseOptions) -> (String, Vec<&'static str>) {
    let out = preprocess(map, options);
    let mut text = String::new();
    for (i, token) in out.tokens.iter().enumerate() {
        if i > 0 {
            text.push_str(if token.line_start { " | " } else { " " });
        }
        text.push_str(out.words.spelling(token));
    }
    (text, out.diagnostics.iter().map(|d| d.code).collect())
}

fn run(text: &str) -> (String, Vec<&'static str>) {
    run_with(&SourceMap::single("m", text), &ParseOptions::default())
}

fn same(text: &str, expected: &str) {
    assert_eq!(run(text), (expected.to_string(), vec![]), "{text}");
}

#[test]
fn objects_and_functions() {
    same("#define N 3\nN N", "3 3");
    same("#define f(a,b) a+b\nf(1,\n2) x", "1 + 2 | x");
    same("#define f(x) x\nf f (1) f", "f 1 f");
    same("#define f(x) x f\nf(1)(2)", "1 f ( 2 )");
    same("#define E\nE z\nE", "z");
    same("#define g f\n#define f(x) <x>\ng(1)", "< 1 >");
    same("#define f(x) (x)\nf((1,2))", "( ( 1 , 2 ) )");
    same("#define f() 1\nf() f( )", "1 1");
    same("#define BOTH(f) (f(1) && f(2))\n#define is(k) k==k\nBOTH(is)", "( 1 == 1 && 2 == 2 )");
    same("#define N 2\n#undef N\nN", "N");
    same("#define N 1\n#define N 1\nN", "1");
    same("#define a b\n#define b a\na b", "a b");
    same("#define f(x) f(x)\nf(f(1))", "f ( f ( 1 ) )");
    same("#define x x y\nx", "x y");
    same("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
}

#[test]
fn operators() {
    same("#define s(x) #x\ns( a  \"b\\n\" '\\'' )", "\"a \\\"b\\\\n\\\" '\\\\''\"");
    same("#define c(a,b) a##b\nc(x,1) c(-,>) c(,) c(,z)", "x1 -> z");
    same("#define N 5\n#define c(a,b) a##b\n#define d(a,b) c(a,b)\nc(N,N) d(N,N)", "NN 55");
    same("#define v(...) <__VA_ARGS__>\nv(1,2) v()", "< 1 , 2 > < >");
    same("#define p(f, ...) q(f, ## __VA_ARGS__)\np(1) p(1,2,3)", "q ( 1 ) q ( 1 , 2 , 3 )");
    same("#define p(f, a...) q(f, a)\np(1,2,3)", "q ( 1 , 2 , 3 )");
    assert_eq!(run("#define c(a,b) a##b\nc(;,;)").1, ["bad-paste"]);
    assert_eq!(run("#define f(a) #b\nf(1)").1, ["bad-directive"]);
}

#[test]
fn lines() {
    same("a\n\n b // c\n/* d\n e */ f", "a | b | f");
    same("x = \\\n 1 + 2", "x = | 1 + 2");
    same("#define f(a) a\nf(1\n) y\nz", "1 | y | z");
    same("#define K 7\nx K\nK", "x 7 | 7");
    same("w f\n(3)", "w f | ( 3 )");
    same("#define f(a) a\nw f\n(3\n) v", "w 3 | v");
    same("#define f(a) a\nw f\nv", "w f | v");
    same("__LINE__\n__LINE__", "1 | 2");
}

#[test]
fn conditions() {
    same("#if 1\na\n#else\nb\n#endif", "a");
    same("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne", "b | e");
    same("#ifdef A\na\n#endif\n#ifndef A\nb\n#endif", "b");
    same("#define A\n#if defined A && !defined(B) && B == 0\na\n#endif", "a");
    same("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\n#else\nc\n#endif", "c");
    same("#define N 2\n#if N * 3 == 6 && (1 ? N : 1/0) && 1 || 1/0\na\n#endif", "a");
    same("#if 'a' == 97 && -1 < 0 && 010 == 8 && 0x1F == 31 && (2 | 1) == 3\na\n#endif", "a");
    same("#if !!1 && ~0 == -1 && - -1 == 1\na\n#endif", "a");
    assert_eq!(run("#if 1/0\n#endif").1, ["bad-condition"]);
    assert_eq!(run("#if (1\n#endif").1, ["bad-condition"]);
    assert_eq!(run("#if\n#endif").1, ["bad-condition"]);
    assert_eq!(run("#if 1 2\n#endif").1, ["bad-condition"]);
    assert_eq!(run("#if 1\na").1, ["unterminated-condition"]);
    assert_eq!(run("#endif").1, ["bad-directive"]);
    assert_eq!(run("#if 0\n#else\n#else\n#endif").1, ["bad-directive"]);
}

#[test]
fn messages_and_strange_lines() {
    assert_eq!(run("#error it's wrong\na").1, ["error-directive"]);
    assert_eq!(run("#warning x\na").1, ["warning-directive"]);
    assert_eq!(run("#foo\na").1, ["bad-directive"]);
    assert_eq!(run("#define N 1\n#define N 2\nN"), ("2".to_string(), vec!["macro-redefined"]));
    same("#\n#line 7 \"x\"\n# 12 \"y\"\n#pragma z\n#ident \"q\"\na", "a");
    assert_eq!(run("#define f(x) x\nf(1").1, ["unterminated-macro-call"]);
    assert_eq!(run("#define f(x) x\nf(1,2)").1, ["macro-arguments"]);
    assert_eq!(run("a /* b").1, ["unterminated-comment"]);
}

#[test]
fn included_files() {
    let mut map =
        SourceMap::single("dir/main.pml", "#include \"a.h\"\n#define B \"b.h\"\n#include B\nz");
    map.add("dir/a.h", "#ifndef A\n#define A\nfrom_a\n#endif");
    map.add("b.h", "#include <dir/a.h>\nfrom_b");
    let (text, codes) = run_with(&map, &ParseOptions::default());
    assert_eq!((text.as_str(), codes.len()), ("from_a | from_b | z", 0));

    let mut map = SourceMap::single("m", "#include \"none.h\"\nz");
    map.add("some.h", "");
    let out = preprocess(&map, &ParseOptions::default());
    assert_eq!(out.diagnostics[0].code, "missing-include");
    assert!(out.diagnostics[0].hint.as_ref().unwrap().contains("some.h"));

    let (_, codes) = run("#include \"m\"\n");
    assert_eq!(codes, ["include-depth"]);
}

#[test]
fn definitions_from_outside() {
    let map = SourceMap::single("m", "A B C(1) D");
    let define = |name: &str, value: Option<&str>| (name.to_string(), value.map(String::from));
    let options = ParseOptions {
        defines: vec![
            define("A", None),
            define("B", Some("x + 1")),
            define("C(v)", Some("v v")),
            define("D", Some("2")),
        ],
        undefines: vec!["D".to_string()],
        ..ParseOptions::default()
    };
    assert_eq!(run_with(&map, &options).0, "1 x + 1 1 1 D");
}

#[test]
fn places_of_expanded_tokens() {
    let text = "#define F(a) (a + N)\n#define N 9\nx = F(y);";
    let map = SourceMap::single("m", text);
    let out = preprocess(&map, &ParseOptions::default());
    let places: Vec<(&str, &str)> =
        out.tokens.iter().map(|t| (out.words.spelling(t), map.text(t.span))).collect();
    assert_eq!(
        places,
        [
            ("x", "x"),
            ("=", "="),
            ("(", "F"),
            ("y", "y"),
            ("+", "F"),
            ("9", "F"),
            (")", "F"),
            (";", ";")
        ]
    );
}

#[test]
fn limits() {
    let mut text = String::from("#define a0 x x\n");
    for i in 1..40 {
        text += &format!("#define a{i} a{} a{}\n", i - 1, i - 1);
    }
    text += "a39";
    let bounds = Bounds { tokens: 1_000, ..Bounds::default() };
    let options = ParseOptions { bounds, ..ParseOptions::default() };
    let out = preprocess(&SourceMap::single("m", text.as_str()), &options);
    assert!(out.cut);
    assert_eq!(out.diagnostics[0].code, "expansion-limit");
    assert!(out.tokens.len() <= 1_001);
}
