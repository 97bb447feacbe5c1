//! Drawings of state graphs.

use promenade_figures::{
    Drawing, FigureError, Shape, StateOptions, can_have_texts, dot, should_have_texts, svg,
};
use promenade_protocol::{StateEdge, StateEnd, StateGraph, StateNode, StepViolation};

/// Two counters that go up to `width` and `height`; the way along the rim is kept.
fn lattice(width: u32, height: u32, back: bool) -> StateGraph {
    let mut graph = StateGraph::default();
    let number = |x: u32, y: u32| y * width + x;
    // Numbers do not follow the ranks here; that must not matter.
    for y in 0..height {
        for x in 0..width {
            let last = x + 1 == width && y + 1 == height;
            graph.nodes.push(StateNode {
                depth: x + y,
                lines: vec![format!("P0:{x} P1:{y}")],
                end: if last { StateEnd::Valid } else { StateEnd::None },
                kept: y == 0 || x + 1 == width,
                ..StateNode::default()
            });
            let mut edge = |to: u32, label: &str, kept| {
                graph.edges.push(StateEdge {
                    from: number(x, y),
                    to: Some(to),
                    label: label.to_owned(),
                    kept,
                    ..StateEdge::default()
                });
            };
            if x + 1 < width {
                edge(number(x + 1, y), "x++", y == 0);
            }
            if y + 1 < height {
                edge(number(x, y + 1), "y++", x + 1 == width);
            }
            if back && x == y {
                edge(0, "reset", false);
            }
        }
    }
    graph
}

fn state_drawing(graph: &StateGraph, aspect: f64) -> Result<Drawing, FigureError> {
    promenade_figures::state_drawing(graph, &StateOptions { aspect, texts: true })
}

#[test]
fn few_states_have_labels_and_many_are_dots() {
    let small = lattice(4, 4, false);
    assert!(should_have_texts(&small) && can_have_texts(&small));
    let drawing = state_drawing(&small, 1.0).unwrap();
    assert!(drawing.edges.iter().all(|edge| edge.label.is_some()));
    let boxes: Vec<_> = drawing.nodes.iter().map(|node| node.area()).collect();
    let labels: Vec<_> = drawing.edges.iter().filter_map(|edge| edge.label.as_ref()).collect();
    for (i, label) in labels.iter().enumerate() {
        assert!(boxes.iter().all(|area| !area.meets(&label.area)));
        assert!(labels[..i].iter().all(|other| !other.area.meets(&label.area)));
    }
    assert_eq!(drawing.nodes[15].shape, Shape::DoubleBox);
    let large = lattice(10, 10, true);
    assert!(!can_have_texts(&large) && !should_have_texts(&large));
    let drawing = state_drawing(&large, 1.0).unwrap();
    assert!(drawing.edges.iter().all(|edge| edge.label.is_none()));
    // In between, or without texts: discs with numbers.
    let options = StateOptions { aspect: 1.0, texts: false };
    let drawing = promenade_figures::state_drawing(&lattice(6, 6, true), &options).unwrap();
    assert!(drawing.nodes.iter().all(|node| node.width >= 26.0 && node.lines.len() == 1));
    for (i, a) in drawing.nodes.iter().enumerate() {
        assert!(drawing.nodes[..i].iter().all(|b| !a.area().meets(&b.area())));
    }
}

#[test]
fn dots_lie_apart_and_inside_and_the_shape_is_about_right() {
    for (w, h, aspect) in [(20, 25, 1.0), (2, 60, 0.8), (22, 22, 2.0), (70, 7, 0.6)] {
        let drawing = state_drawing(&lattice(w, h, true), aspect).unwrap();
        for (i, a) in drawing.nodes.iter().enumerate() {
            assert!(a.area().x >= 0.0 && a.area().right() <= drawing.width);
            assert!(a.area().y >= 0.0 && a.area().bottom() <= drawing.height);
            for b in &drawing.nodes[..i] {
                assert!(a.centre.distance(b.centre) > 14.0, "{w} {h}: {:?} {:?}", a, b);
            }
        }
    }
    // Wide and flat: folded.
    let mut star = StateGraph::default();
    star.nodes.push(StateNode::default());
    for to in 1..400 {
        star.nodes.push(StateNode { depth: 1, ..StateNode::default() });
        star.edges.push(StateEdge { to: Some(to), ..StateEdge::default() });
    }
    let drawing = state_drawing(&star, 1.0).unwrap();
    assert!(drawing.width / drawing.height < 4.0, "{} x {}", drawing.width, drawing.height);
}

#[test]
fn five_hundred_states_are_laid_out_at_once() {
    let graph = lattice(20, 25, true);
    let begun = std::time::Instant::now();
    let drawing = state_drawing(&graph, 1.0).unwrap();
    let markup = svg::markup(&drawing);
    let spent = begun.elapsed();
    assert!(markup.contains("data-node=\"499\""));
    // Far from the limit also without optimisation.
    assert!(spent.as_millis() < 1500, "{spent:?}");
    eprintln!("{spent:?} for 500 states");
}

#[test]
fn hostile_names_are_escaped() {
    let bad = "\"/><script>alert('x')</script>&\\\n]\u{202e}".to_owned();
    let mut graph = lattice(2, 2, false);
    graph.nodes[1].lines = vec![bad.clone()];
    graph.edges[0].label = bad.clone();
    graph.edges.push(StateEdge {
        from: 3,
        violations: vec![StepViolation { choice: 0, kind: bad.clone(), message: bad.clone() }],
        label: bad.clone(),
        ..StateEdge::default()
    });
    for graph in [graph.clone(), {
        let mut many = lattice(9, 9, false);
        many.nodes[1].lines = vec![bad.clone()];
        many
    }] {
        let drawing = state_drawing(&graph, 1.0).unwrap();
        for text in [svg::markup(&drawing), svg::write_states(&drawing, &bad, svg::Theme::Light)] {
            assert!(!text.contains("<script"), "{text}");
            assert!(!text.contains('\u{202e}'));
        }
    }
    let text = dot::write_states(&graph, &bad, &[0]);
    let string = r#""\"/><script>alert('x')</script>&\\ ]"#;
    assert!(text.contains(&format!("  label={string}")), "{text}");
    for line in text.lines() {
        // Quotes are balanced on every line.
        let plain = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
    }
    assert!(text.contains("wrong4 [label="), "{text}");
}

#[test]
fn wrong_numbers_are_refused() {
    let mut graph = lattice(2, 2, false);
    graph.edges[0].to = Some(9);
    assert!(state_drawing(&graph, 1.0).is_err());
    assert!(state_drawing(&StateGraph::default(), f64::NAN).is_ok());
}
