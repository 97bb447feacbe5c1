//! Program graphs of small texts, edge by edge.

use promenade_base::SourceMap;
use promenade_ir::{Action, Expr, LocationId, Model, Proctype};
use promenade_promela::{CompileOptions, compile};

fn model(text: &str) -> Model {
    let checked = compile(&SourceMap::single("m", text), &CompileOptions::default());
    checked.value.unwrap_or_else(|| panic!("{:#?}", checked.diagnostics)).model
}

/// `0: x = 1 > 1 | ..`: the text and target of each edge, locations renumbered from the entry on.
fn graph(model: &Model, process: &Proctype) -> Vec<String> {
    let mut order = vec![process.entry];
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(&location) = order.get(at) {
        let mut edges = Vec::new();
        for edge in &process.graph.location(location).edges {
            let known = order.iter().position(|&l| l == edge.target);
            let target = known.unwrap_or_else(|| {
                order.push(edge.target);
                order.len() - 1
            });
            let text = &model.statements[edge.statement.0 as usize].text;
            let marks = format!(
                "{}{}",
                if edge.keeps_atomic { "A" } else { "" },
                if edge.escape > 0 { "E" } else { "" }
            );
            let end = matches!(edge.action, Action::End);
            edges.push(if end { "end".to_owned() } else { format!("{text} >{target}{marks}") });
        }
        lines.push(format!("{at}: {}", edges.join(" | ")));
        at += 1;
    }
    lines
}

#[track_caller]
fn shape(body: &str, expected: &[&str]) {
    let model = model(&format!("byte x, y; active proctype A() {{ {body} }}"));
    assert_eq!(graph(&model, &model.proctypes[0]), expected);
}

#[test]
fn hops_are_free_except_at_the_start_of_an_option() {
    shape("x = 1; goto L; x = 2; L: y = 1", &["0: x = 1 >1", "1: y = 1 >2", "2: end"]);
    shape("do :: x = 1 :: break od", &["0: x = 1 >0 | break >1", "1: end"]);
    shape("if :: x = 1 :: y = 1 fi; x = 2", &["0: x = 1 >1 | y = 1 >1", "1: x = 2 >2", "2: end"]);
}

#[test]
fn the_entry_of_a_block_is_a_point() {
    shape("{ do :: x = 1 od }", &["0: x = 1 >1", "1: x = 1 >1"]);
    shape("do :: x = 1 od", &["0: x = 1 >0"]);
}

#[test]
fn choices_are_spliced() {
    shape(
        "if :: if :: x = 1 :: x = 2 fi :: y = 1 fi",
        &["0: x = 1 >1 | x = 2 >1 | y = 1 >1", "1: end"],
    );
    shape("if :: false -> x = 1 :: y = 1 fi", &["0: y = 1 >1", "1: end"]);
    shape(
        "if :: else -> x = 1 :: y == 1 -> x = 2 fi",
        &["0: (y == 1) >1 | else >2", "1: x = 2 >3", "2: x = 1 >3", "3: end"],
    );
}

#[test]
fn redundant_skips_go() {
    shape("if :: true -> skip; skip; x = 1 fi", &["0: true >1", "1: x = 1 >2", "2: end"]);
    shape("if :: true -> skip fi", &["0: true >1", "1: skip >2", "2: end"]);
    shape("skip; skip", &["0: skip >1", "1: skip >2", "2: end"]);
}

#[test]
fn atomic_sequences_keep_the_right_until_their_last_step() {
    shape(
        "atomic { x = 1; x = 2; x = 3 }",
        &["0: x = 1 >1A", "1: x = 2 >2A", "2: x = 3 >3", "3: end"],
    );
    shape(
        "atomic { x = 1; if :: x = 2 :: y = 2 fi }",
        &["0: x = 1 >1A", "1: x = 2 >2A | y = 2 >2A", "2: fi >3", "3: end"],
    );
}

#[test]
fn escapes_stand_in_front() {
    shape(
        "{ x = 1; x = 2 } unless { y == 1; y = 2 }",
        &["0: (y == 1) >1E | x = 1 >2", "1: y = 2 >3", "2: (y == 1) >1E | x = 2 >3", "3: end"],
    );
    // The outer escape comes first; with -J the inner one.
    let text =
        "byte x, y; active proctype A() { { { x = 1 } unless { y == 1 } } unless { y == 2 } }";
    let outer = model(text);
    assert_eq!(graph(&outer, &outer.proctypes[0])[0], "0: (y == 2) >1E | (y == 1) >1E | x = 1 >1");
    let options = CompileOptions { inner_unless_first: true, ..CompileOptions::default() };
    let inner = compile(&SourceMap::single("m", text), &options).value.expect("a model").model;
    assert_eq!(graph(&inner, &inner.proctypes[0])[0], "0: (y == 1) >1E | (y == 2) >1E | x = 1 >1");
}

#[test]
fn loops_are_written_out() {
    shape(
        "for (x : 1 .. 3) { y = x }",
        &["0: x = 1 >1", "1: (x <= 3) >2 | else >3", "2: y = x >4", "3: end", "4: x++ >1"],
    );
    shape("select (x : 1 .. 2)", &["0: x = 1 >1 | x = 2 >1", "1: end"]);
    shape(
        "select (x : y .. 2)",
        &["0: x = y >1", "1: break >2 | (x < 2) >3", "2: end", "3: x++ >1"],
    );
}

#[test]
fn late_declarations_are_steps() {
    shape("byte l = 3; x = l; byte m", &["0: x = l >1", "1: m = 0 >2", "2: end"]);
    let model = model("active proctype A(byte p) { byte l = p + 1; skip }");
    let process = &model.proctypes[0];
    assert_eq!((process.local_bytes, process.parameters.len()), (2, 1));
    assert_eq!(process.initializers.len(), 1);
}

#[test]
fn labels_mark_points() {
    let model =
        model("byte x; active proctype A() { end: x == 1; progress: x = 2; accept1: x = 3 }");
    let graph = &model.proctypes[0].graph;
    let marks: Vec<_> =
        graph.locations.iter().map(|l| (l.valid_end, l.progress, l.accept)).collect();
    assert_eq!(
        marks,
        [(true, false, false), (false, true, false), (false, false, true), (true, false, false)]
    );
    assert_eq!(graph.locations[1].labels, ["progress"]);
}

#[test]
fn d_steps_are_one_edge() {
    let model = model("byte x; active proctype A() { d_step { x == 0 -> x = 1; x = 2 }; skip }");
    let process = &model.proctypes[0];
    let entry = process.graph.location(process.entry);
    let Action::DStep(step) = &entry.edges[0].action else { panic!("no d_step") };
    assert_eq!(step.start_edges, Some(vec![0]));
    assert_eq!(step.graph.location(step.entry).edges.len(), 1);
    assert!(step.graph.location(step.exit).edges.is_empty());
}

#[test]
fn remote_references_name_locations() {
    let model = model(
        "byte x; active proctype A() { x = 1; L: x = 2 } active proctype B() { A[0]@L; A:q } \
         ltl p { <> A@L }"
            .replace("A:q", "skip")
            .as_str(),
    );
    let b = &model.proctypes[1];
    let Action::Condition(Expr::RemoteLocation { locations, .. }) =
        &b.graph.location(b.entry).edges[0].action
    else {
        panic!("no remote reference")
    };
    let a = &model.proctypes[0];
    let second = a.graph.location(a.entry).edges[0].target;
    assert_eq!(locations, &[second]);
    assert_eq!(model.formulas[0].name, "p");
    assert!(second != LocationId(u32::MAX));
}

#[test]
fn statements_have_readable_texts() {
    let model = model(
        "mtype = { msg } chan q = [1] of { mtype, byte }; byte x, a[3]; typedef T { byte f } T t; \
         active proctype A() { q!msg(x + 1); q??msg,eval(x); a[x + 1] = (x > 1 -> 2 : t.f); \
         (x + 1) * 2 == 4; !(x && a[0]); x++; assert(x < 3); printf(\"%d\\n\", x); len(q) == 1 }",
    );
    let texts: Vec<&str> = model.statements.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "q!msg,x + 1",
            "q??msg,eval(x)",
            "a[x + 1] = (x > 1 -> 2 : t.f)",
            "((x + 1) * 2 == 4)",
            "(!(x && a[0]))",
            "x++",
            "assert(x < 3)",
            "printf(\"%d\\n\",x)",
            "(len(q) == 1)",
            "-end-",
        ]
    );
}

#[test]
fn layout_lists_every_scalar_once() {
    let model = model(
        "typedef In { short s; bit b[2] } typedef Out { In in[3]; int i } Out o; hidden byte h; \
         bool f; init { skip }",
    );
    let names: Vec<String> = model
        .globals
        .iter()
        .map(|v| v.path.iter().map(|p| p.0.clone()).collect::<Vec<_>>().join("."))
        .collect();
    assert_eq!(names, ["o.in.s", "o.in.b", "o.i", "f"]);
    assert_eq!((model.global_bytes, model.hidden_bytes), (3 * 4 + 4 + 1, 1));
    assert_eq!(model.globals[1].path[1].1.map(|d| (d.length, d.stride)), Some((3, 4)));
}

#[test]
fn globals_get_their_values_in_spins_order() {
    let model = model(
        "typedef T { chan c = [1] of { bit } } T t; int x = 5; chan q[2] = [3] of { byte }; \
         byte y = 1; init { skip }",
    );
    let names: Vec<&str> = model.channels.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["q[0]", "q[1]", "t.c"]);
}

/// What is shown as the next thing to do: keywords, whole statements, never parts of words.
#[test]
fn places_are_whole_words() {
    let text = "byte i, x;\nactive proctype P() {\n\
                for (i : 0 .. 2) { x++ };\n\
                select (i : 1 .. 3);\n\
                select (i : 1 .. 100);\n\
                do :: x < 9 -> x++ :: else -> break od;\n\
                if :: x == 1 :: x == 2 fi;\n\
                { x = 5 } unless { x == 77 -> x = 1 };\n\
                d_step { x = 6; x = 7 };\n\
                atomic { x = 8; x = 9 }\n}\n";
    let model = model(text);
    let shown: Vec<&str> = model.proctypes[0]
        .graph
        .locations
        .iter()
        .filter_map(|location| location.span)
        .filter_map(|span| text.get(span.start as usize..span.end as usize))
        .filter(|text| !text.is_empty())
        .collect();
    for part in [
        "for",
        "select (i : 1 .. 3)",
        "select (i : 1 .. 100)",
        "do",
        "if",
        "x = 5",
        "d_step { x = 6; x = 7 }",
        "x = 8",
        "x = 9",
    ] {
        assert!(shown.contains(&part), "{part} in {shown:#?}");
    }
    for part in ["fo", "se", "sel"] {
        assert!(!shown.contains(&part), "{part} in {shown:#?}");
    }
}

/// Elements of arrays of `bit` and `bool` are bytes, but shown as what was declared.
#[test]
fn arrays_of_bits_are_shown_as_declared() {
    use promenade_ir::ScalarType::{Bit, Bool, Byte};
    let model = model(
        "typedef T { bool b[2]; byte c[2] }\nbool f[2]; bit g[2]; bool h; T t;\n\
         active proctype P() { f[1] = true; g[0] = 1; t.b[1] = h }\n",
    );
    let types: Vec<_> = model.globals.iter().map(|v| (v.path.last().cloned(), v.ty)).collect();
    let of = |name: &str| {
        let found = types.iter().find(|(path, _)| path.as_ref().is_some_and(|p| p.0 == name));
        found.map(|(_, ty)| *ty)
    };
    assert_eq!(of("f"), Some(Bool));
    assert_eq!(of("g"), Some(Bit));
    assert_eq!(of("h"), Some(Bool));
    assert_eq!(of("b"), Some(Bool));
    assert_eq!(of("c"), Some(Byte));
}
