//! What holds of every drawing, tested on random graphs.

mod common;

use common::{Random, random_graph};
use promenade_figures::{
    AutomatonOptions, Curve, Direction, Drawing, FigureError, Graph, GraphEdge, GraphGroup,
    GraphNode, Metrics, Path, Point, Rect, Shape, Style, automaton_drawing, draw, svg,
};

const STYLES: [Direction; 2] = [Direction::LeftToRight, Direction::TopToBottom];

fn style(direction: Direction) -> Style {
    Style { direction, ..Style::default() }
}

fn samples(path: &Path) -> Vec<Point> {
    let steps = |c: usize| (0..=16).map(move |i| path.point(c, f64::from(i) / 16.0));
    (0..path.curves.len()).flat_map(steps).collect()
}

/// How far a point is from the border of a node, about; negative inside.
fn outside(drawing: &Drawing, node: usize, p: Point) -> f64 {
    let node = &drawing.nodes[node];
    match node.shape {
        Shape::Box => {
            let (x, y) = (
                (p.x - node.centre.x).abs() - node.width / 2.0,
                (p.y - node.centre.y).abs() - node.height / 2.0,
            );
            x.max(y)
        }
        _ => p.distance(node.centre) - node.width / 2.0,
    }
}

fn check(name: &str, graph: &Graph, drawing: &Drawing) {
    assert_eq!(drawing.nodes.len(), graph.nodes.len(), "{name}");
    assert_eq!(drawing.edges.len(), graph.edges.len(), "{name}");
    let page = Rect { x: 0.0, y: 0.0, width: drawing.width, height: drawing.height };
    let inside =
        |r: &Rect| r.x >= 0.0 && r.y >= 0.0 && r.right() <= page.width && r.bottom() <= page.height;
    let point = |p: Point| {
        p.x.is_finite()
            && p.y.is_finite()
            && inside(&Rect { x: p.x, y: p.y, width: 0.0, height: 0.0 })
    };

    // Everything with room of its own: nodes, labels, beads.
    let mut rooms: Vec<(String, Rect)> = Vec::new();
    for node in &drawing.nodes {
        rooms.push((format!("node {}", node.id), node.area()));
    }
    for edge in &drawing.edges {
        let lines = graph.edges[edge.id].lines.iter().any(|line| !line.is_empty());
        assert_eq!(edge.label.is_some(), lines, "{name}: label of edge {}", edge.id);
        if let Some(label) = &edge.label {
            rooms.push((format!("label {}", edge.id), label.area));
        }
        for (i, bead) in edge.beads.iter().enumerate() {
            let size = 2.0 * bead.radius;
            rooms.push((format!("bead {} {i}", edge.id), Rect::around(bead.centre, size, size)));
        }
    }
    rooms.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
    for (i, (what, room)) in rooms.iter().enumerate() {
        assert!(inside(room), "{name}: {what} is outside: {room:?}");
        for (other, area) in rooms[i + 1..].iter().take_while(|(_, area)| area.x < room.right()) {
            assert!(
                !room.grown(-0.01).meets(area),
                "{name}: {what} {room:?} meets {other} {area:?}"
            );
        }
    }

    // Edges begin and end at the borders and meet no other node and no label.
    for edge in &drawing.edges {
        let Curve { second, to, .. } = *edge.path.curves.last().expect("an edge has curves");
        assert!(
            outside(drawing, edge.from, edge.path.start).abs() < 0.01,
            "{name}: begin of edge {}",
            edge.id
        );
        assert!(
            outside(drawing, edge.to, edge.arrow.tip).abs() < 0.01,
            "{name}: end of edge {}",
            edge.id
        );
        assert!(
            (to.distance(edge.arrow.tip) - 9.0).abs() < 0.01,
            "{name}: head of edge {}",
            edge.id
        );
        assert!(edge.arrow.angle.is_finite() && second.x.is_finite(), "{name}");
        assert!(
            edge.beads.len() == {
                let mut m = graph.edges[edge.id].marks.clone();
                m.sort();
                m.dedup();
                m.len()
            }
        );
        let path = samples(&edge.path);
        for p in &path {
            assert!(point(*p), "{name}: edge {} leaves the page: {p:?}", edge.id);
        }
        for bead in &edge.beads {
            let fine = (0..edge.path.curves.len())
                .flat_map(|c| (0..=256).map(move |i| (c, f64::from(i) / 256.0)));
            let fine = fine.map(|(c, t)| edge.path.point(c, t));
            let near = fine.map(|p: Point| p.distance(bead.centre)).fold(f64::INFINITY, f64::min);
            assert!(near < 3.0, "{name}: a bead of edge {} is beside it: {near}", edge.id);
        }
        let bounds = edge.path.bounds();
        for node in drawing.nodes.iter().filter(|n| n.area().meets(&bounds)) {
            let slack = if node.id == edge.from || node.id == edge.to { 2.5 } else { 0.0 };
            for p in &path {
                assert!(
                    outside(drawing, node.id, *p) > -slack - 0.01,
                    "{name}: edge {} meets node {}",
                    edge.id,
                    node.id
                );
            }
        }
        if edge.from == edge.to {
            continue;
        }
        for other in &drawing.edges {
            let Some(label) = other.label.as_ref().filter(|l| l.area.meets(&bounds)) else {
                continue;
            };
            let area = label.area.grown(-0.01);
            for p in &path {
                let within =
                    p.x > area.x && p.x < area.right() && p.y > area.y && p.y < area.bottom();
                assert!(
                    !within,
                    "{name}: edge {} meets the label of {}: {p:?} {area:?}",
                    edge.id, other.id
                );
            }
        }
    }
    if let Some(start) = &drawing.start {
        assert!(point(start.path.start) && point(start.path.end()), "{name}: start");
        assert!(outside(drawing, start.node, start.arrow.tip).abs() < 0.01, "{name}: start");
    }
    for (group, wanted) in drawing.groups.iter().zip(&graph.groups) {
        for area in &group.areas {
            assert!(inside(area), "{name}: group");
        }
        for node in &drawing.nodes {
            let holds = group.areas.iter().any(|area| area.meets(&node.area()));
            assert_eq!(
                holds,
                wanted.nodes.contains(&node.id),
                "{name}: group {} node {}",
                group.id,
                node.id
            );
        }
    }
}

#[test]
fn random_graphs() {
    let mut random = Random(1);
    for seed in 0..400 {
        let nodes = random.below(if seed % 10 == 0 { 40 } else { 10 });
        let edges = random.below(1 + nodes * 3);
        let mut graph = random_graph(seed, nodes, edges);
        if seed % 3 == 0 && nodes > 0 {
            let count = 1 + random.below(3);
            graph.groups = vec![GraphGroup::default(); count];
            for v in 0..nodes {
                let group = random.below(count + 1);
                if let Some(group) = graph.groups.get_mut(group) {
                    group.nodes.push(v);
                }
            }
        }
        for direction in STYLES {
            let name = format!("seed {seed} {direction:?}");
            let drawing = draw(&graph, &style(direction)).expect("drawn");
            check(&name, &graph, &drawing);
            assert!(
                draw(&graph, &style(direction)).as_ref() == Ok(&drawing),
                "{name}: not the same again"
            );
        }
    }
}

#[test]
fn regular_graphs() {
    let mut graphs = Vec::new();
    for n in [1, 2, 3, 7, 12] {
        let label =
            |i: usize, j: usize| if i % 2 == j % 2 { format!("a{i}{j}") } else { String::new() };
        let nodes = || (0..n).map(|i| (vec![format!("n{i}")], Shape::Circle)).collect::<Vec<_>>();
        let complete = (0..n).flat_map(|i| (0..n).map(move |j| (i, j, label(i, j)))).collect();
        let ring = (0..n).map(|i| (i, (i + 1) % n, label(i, i))).collect();
        let star = (0..n).map(|i| (0, i, label(0, i))).collect();
        let parallel = (0..n).map(|i| (0, n - 1, format!("label {i}"))).collect();
        let loops = (0..3 * n).map(|i| (i % n, i % n, format!("loop number {i}"))).collect();
        for edges in [complete, ring, star, parallel, loops, Vec::new()] {
            let mut graph = Graph::new(nodes(), edges);
            graphs.push(graph.clone());
            graph.initial = Some(n - 1);
            graphs.push(graph);
        }
    }
    graphs.push(Graph::default());
    for (i, graph) in graphs.iter().enumerate() {
        for direction in STYLES {
            check(
                &format!("graph {i} {direction:?}"),
                graph,
                &draw(graph, &style(direction)).expect("drawn"),
            );
        }
    }
}

#[test]
fn large_graphs_take_bounded_work() {
    for (nodes, edges) in [(100, 150), (300, 450), (300, 900)] {
        let graph = random_graph(7, nodes, edges);
        let drawing = draw(&graph, &Style::default()).expect("drawn");
        check(&format!("{nodes} nodes"), &graph, &drawing);
        assert!(drawing.work < 40_000_000, "{nodes} nodes and {edges} edges took {}", drawing.work);
    }
    // Rings and paths of the largest size allowed.
    let ring = |n: usize| {
        Graph::new(
            vec![(Vec::new(), Shape::Circle); n],
            (0..n).map(|i| (i, (i + 1) % n, String::new())).collect(),
        )
    };
    let drawing = draw(&ring(2000), &Style::default()).expect("drawn");
    assert!(drawing.work < 80_000_000, "a ring took {}", drawing.work);
    assert_eq!(
        draw(&ring(2001), &Style::default()),
        Err(FigureError::TooLarge { nodes: 2001, edges: 2001 })
    );
    let huge = random_graph(3, 900, 20_000);
    assert_eq!(
        draw(&huge, &Style::default()),
        Err(FigureError::TooLarge { nodes: 900, edges: 20_000 })
    );
}

#[test]
fn hostile_texts() {
    let texts = [
        "<script>alert(1)</script>",
        "\"/><svg onload='x'>&amp;",
        "]]>\u{0}\u{1b}[31m",
        "\u{202E}desrever\u{200B}\u{FFFE}\u{FFFF}",
        "a\nb\r\nc\td",
        "漢字漢字漢字漢字漢字漢字漢字漢字漢字",
        "",
        "   ",
        &"x".repeat(100_000),
        &"y\n".repeat(1000),
    ];
    let nodes =
        texts.iter().map(|t| (t.lines().map(str::to_string).collect(), Shape::Box)).collect();
    let edges = texts
        .iter()
        .enumerate()
        .map(|(i, t)| (i, (i + 1) % texts.len(), t.trim().to_string()))
        .collect();
    let mut graph = Graph::new(nodes, edges);
    graph.nodes[0].classes = vec!["good-1".into(), "\"bad".into(), "x y".into()];
    let drawing = draw(&graph, &Style::default()).expect("drawn");
    check("hostile", &graph, &drawing);
    assert_eq!(drawing.nodes[0].classes, ["good-1"]);
    assert!(
        drawing.width < 8000.0 && drawing.height < 2000.0,
        "{} {}",
        drawing.width,
        drawing.height
    );
    let text = svg::write(&drawing, texts[0], svg::Theme::Device);
    assert!(
        !text.contains("<script") && !text.contains("<svg onload") && !text.contains("onload='")
    );
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    assert_eq!(text.matches("<svg").count(), 1);
    assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
}

#[test]
fn data_that_contradicts_itself_is_refused() {
    let mut data = common::response();
    data.edges[1].to = 7;
    let options = AutomatonOptions::default();
    assert_eq!(automaton_drawing(&data, &options), Err(FigureError::UnknownNode { node: 7 }));
    let mut data = common::response();
    data.initial = Some(u32::MAX);
    assert!(automaton_drawing(&data, &options).is_err());
    let graph = Graph {
        nodes: vec![GraphNode::default()],
        groups: vec![GraphGroup { nodes: vec![1], ..GraphGroup::default() }],
        ..Graph::default()
    };
    assert_eq!(draw(&graph, &Style::default()), Err(FigureError::UnknownNode { node: 1 }));
    let metrics = Metrics { character: f64::NAN, line: f64::NEG_INFINITY };
    let odd = Style { metrics, margin: f64::INFINITY, ..Style::default() };
    let graph = random_graph(9, 9, 20);
    assert_eq!(draw(&graph, &odd), draw(&graph, &Style::default()));
    let none =
        Style { metrics: Metrics { character: 0.0, line: 0.0 }, margin: 0.0, ..Style::default() };
    assert!(draw(&graph, &none).is_ok());
    let many = GraphEdge { marks: (0..40).rev().chain(0..40).collect(), ..GraphEdge::default() };
    let graph = Graph { nodes: vec![GraphNode::default()], edges: vec![many], ..Graph::default() };
    check("many marks", &graph, &draw(&graph, &Style::default()).expect("drawn"));
}

#[test]
fn edges_alike_become_one() {
    let drawing =
        automaton_drawing(&common::reactive(), &AutomatonOptions::default()).expect("drawn");
    let both = drawing.edges.iter().find(|e| e.from == 5 && e.to == 4).expect("there");
    assert_eq!(both.sources, [13, 14]);
    assert_eq!(both.label.as_ref().map(|l| l.lines.len()), Some(2));
    assert_eq!(both.title, "r && !s or r && s; in set 1");
    let sink = drawing.edges.iter().find(|e| e.from == 6).expect("there");
    assert_eq!(sink.label.as_ref().map(|l| l.lines[0].as_str()), Some("true"));
    let long = drawing.edges.iter().find(|e| e.from == 4 && e.to == 5).expect("there");
    assert!(long.title.contains("long_name_of_something || other"));
    assert!(long.label.as_ref().is_some_and(|l| l.lines[0].chars().count() <= 24));
}
