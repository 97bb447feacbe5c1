//! Drawings as SVG files that need nothing else.

use crate::drawing::{Arrow, Bead, Drawing, DrawnEdge, DrawnNode};
use crate::geometry::{Path, Point, Rect};
use crate::graph::Shape;
use crate::text::printable;
use std::fmt::Write;

/// The colours of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
    /// What the reader's device prefers.
    Device,
}

const PALETTE: [&str; 8] =
    ["#1F78B4", "#FF4DA0", "#FF7F00", "#6A3D9A", "#33A02C", "#E31A1C", "#C4C400", "#505050"];

/// The colour of an acceptance set. From set 8 on, colours repeat; the number is always shown too.
pub fn set_colour(set: u32) -> &'static str {
    PALETTE[set as usize % PALETTE.len()]
}

/// The colour of the number in a bead: the one that can be read on the set's colour.
pub fn set_ink(set: u32) -> &'static str {
    match set % 8 {
        1 | 2 | 6 => "#1A1A1A",
        _ => "#FFFFFF",
    }
}

const LIGHT: &str = ":root{--paper:#FFFFFF;--ink:#1F2933;--line:#52606D;--fill:#F3F6FA;--rim:#3E4C59;\
--soft:#9AA5B1;--good:#2F855A;--bad:#C53030}";
const DARK: &str = ":root{--paper:#14181D;--ink:#E6EBF0;--line:#9FB0C0;--fill:#232B34;--rim:#B8C5D1;\
--soft:#66727F;--good:#5BC98B;--bad:#F08080}";
const RULES: &str = "\
.paper{fill:var(--paper)}\
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--ink);\
text-anchor:middle;dominant-baseline:central;white-space:pre}\
.node text{font-weight:600}\
.shape{fill:var(--fill);stroke:var(--rim);stroke-width:1.5}\
.ring{fill:none;stroke:var(--rim);stroke-width:1.2}\
.accepts-all .shape,.accepts-all .ring{stroke:var(--good)}\
.line{fill:none;stroke:var(--line);stroke-width:1.4;stroke-linecap:round}\
.head{fill:var(--line)}\
.bead circle{stroke:var(--paper);stroke-width:1.5}\
.bead text{font-size:10px;font-weight:700}\
.area{fill:var(--soft);fill-opacity:.07;stroke:var(--soft);stroke-width:1.2;stroke-dasharray:4 3}\
.mixed .area,.weak .area,.terminal .area{fill:var(--good);stroke:var(--good)}\
.weak .area,.terminal .area{stroke-dasharray:none}\
.rejecting .area{fill:var(--bad);stroke:var(--bad)}";

/// What state graphs need beside: grey what is left out, bold what is kept, colours of ends.
const STATE_RULES: &str = "\
.node text{font-weight:400}\
.disc text{font-size:11px}.dot text{font-size:5px}\
.left .line{stroke:var(--soft);stroke-width:1.1;stroke-dasharray:4 3}\
.left .head{fill:var(--soft)}\
.left .shape,.left .ring{stroke:var(--soft);stroke-width:1.1;stroke-dasharray:3 2}\
.left .shape{fill:var(--paper)}\
.left text{fill:var(--soft)}\
.kept .line{stroke:var(--rim);stroke-width:2.4}\
.kept .head{fill:var(--rim)}\
.node.kept .shape{stroke-width:2.2}\
.valid-end .shape,.valid-end .ring{stroke:var(--good)}\
.invalid-end .shape,.violation .shape{stroke:var(--bad)}\
.wrong .line{stroke:var(--bad)}.wrong .head{fill:var(--bad)}\
.path .line{stroke:var(--bad);stroke-width:3}.path .head{fill:var(--bad)}";

/// Writes a drawing as a file, with `title` as its name. Numbers have two decimals at most.
pub fn write(drawing: &Drawing, title: &str, theme: Theme) -> String {
    document(drawing, title, theme, "")
}

/// The same for the drawing of a state graph.
pub fn write_states(drawing: &Drawing, title: &str, theme: Theme) -> String {
    document(drawing, &printable(title), theme, STATE_RULES)
}

fn document(drawing: &Drawing, title: &str, theme: Theme, rules: &str) -> String {
    let mut out = String::new();
    let (w, h) = (number(drawing.width), number(drawing.height));
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">"
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    out.push_str("<style>");
    match theme {
        Theme::Light => out.push_str(LIGHT),
        Theme::Dark => out.push_str(DARK),
        Theme::Device => {
            let _ = write!(out, "{LIGHT}@media(prefers-color-scheme:dark){{{DARK}}}");
        }
    }
    let _ = writeln!(out, "{RULES}{rules}</style>");
    let _ = writeln!(out, "<rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>");
    parts(&mut out, drawing, false);
    out.push_str("</svg>\n");
    out
}

/// A drawing as markup for a page: the parts have numbers, `data-node` and `data-edge`, and edges have
/// a broad invisible line to be pointed at. Everything else is as in a file, without its style.
pub fn markup(drawing: &Drawing) -> String {
    let mut out = String::new();
    parts(&mut out, drawing, true);
    out
}

fn parts(out: &mut String, drawing: &Drawing, live: bool) {
    for group in &drawing.groups {
        open(out, "group", None, &group.classes, &group.title);
        for area in &group.areas {
            out.push_str("  ");
            rect(out, "area", area, 12.0);
        }
        out.push_str("</g>\n");
    }
    if let Some(start) = &drawing.start {
        out.push_str("<g class=\"start\">\n");
        line(out, &start.path, &start.arrow);
        out.push_str("</g>\n");
    }
    for e in &drawing.edges {
        edge(out, e, drawing.line_height, live);
    }
    for n in &drawing.nodes {
        node(out, n, drawing.line_height, live);
    }
}

/// The `d` attribute of a path.
pub fn path_data(path: &Path) -> String {
    let mut out = format!("M{}", pair(path.start));
    for c in &path.curves {
        let _ = write!(out, " C{} {} {}", pair(c.first), pair(c.second), pair(c.to));
    }
    out
}

/// The `points` attribute of an arrow head.
pub fn arrow_points(arrow: &Arrow) -> String {
    arrow.outline().map(pair).join(" ")
}

/// The middles of the lines of a text that is centred in an area.
pub fn line_places(area: &Rect, lines: usize, line_height: f64) -> Vec<Point> {
    let centre = area.centre();
    let first = centre.y - line_height * (lines as f64 - 1.0) / 2.0;
    (0..lines).map(|i| Point::new(centre.x, first + line_height * i as f64)).collect()
}

fn open(out: &mut String, class: &str, id: Option<usize>, more: &[String], title: &str) {
    out.push_str("<g");
    if let Some(id) = id {
        let _ = write!(out, " data-{class}=\"{id}\"");
    }
    let _ = write!(out, " class=\"{class}");
    for word in more {
        let _ = write!(out, " {}", escaped(word));
    }
    out.push_str("\">\n");
    // A page says it in its own way.
    if !title.is_empty() && id.is_none() {
        let _ = writeln!(out, "  <title>{}</title>", escaped(title));
    }
}

fn edge(out: &mut String, edge: &DrawnEdge, line_height: f64, live: bool) {
    open(out, "edge", live.then_some(edge.id), &edge.classes, &edge.title);
    if live {
        let _ = writeln!(out, "  <path class=\"reach\" d=\"{}\"/>", path_data(&edge.path));
    }
    line(out, &edge.path, &edge.arrow);
    for Bead { centre, radius, set } in &edge.beads {
        let (x, y) = (number(centre.x), number(centre.y));
        let _ = writeln!(
            out,
            "  <g class=\"bead set-{set}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{}\"/>\
             <text x=\"{x}\" y=\"{y}\" style=\"fill:{}\">{set}</text></g>",
            number(*radius),
            set_colour(*set),
            set_ink(*set)
        );
    }
    if let Some(label) = &edge.label {
        text(out, &label.lines, &label.area, line_height);
    }
    out.push_str("</g>\n");
}

fn line(out: &mut String, path: &Path, arrow: &Arrow) {
    let _ = writeln!(out, "  <path class=\"line\" d=\"{}\"/>", path_data(path));
    let _ = writeln!(out, "  <polygon class=\"head\" points=\"{}\"/>", arrow_points(arrow));
}

fn node(out: &mut String, node: &DrawnNode, line_height: f64, live: bool) {
    open(out, "node", live.then_some(node.id), &node.classes, &node.title);
    let (x, y) = (number(node.centre.x), number(node.centre.y));
    let mut circle = |class: &str, radius: f64| {
        let _ = writeln!(
            out,
            "  <circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>",
            number(radius)
        );
    };
    // The line of a border lies on both sides of it.
    match node.shape {
        Shape::Circle => circle("shape", node.width / 2.0),
        Shape::DoubleCircle => {
            circle("shape", node.width / 2.0);
            circle("ring", node.width / 2.0 - Shape::RING);
        }
        Shape::Box => {
            out.push_str("  ");
            rect(out, "shape", &node.area(), 6.0);
        }
        Shape::DoubleBox => {
            out.push_str("  ");
            rect(out, "shape", &node.area(), 7.0);
            out.push_str("  ");
            rect(out, "ring", &node.area().grown(-Shape::RING), 4.0);
        }
        Shape::Octagon => {
            let _ = writeln!(
                out,
                "  <polygon class=\"shape\" points=\"{}\"/>",
                octagon(&node.area()).map(pair).join(" ")
            );
        }
    }
    text(out, &node.lines, &node.area(), line_height);
    out.push_str("</g>\n");
}

/// The corners of a rectangle with its corners cut off.
pub fn octagon(area: &Rect) -> [Point; 8] {
    let cut = (area.width.min(area.height) * 0.293).min(10.0);
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    [
        Point::new(left + cut, top),
        Point::new(right - cut, top),
        Point::new(right, top + cut),
        Point::new(right, bottom - cut),
        Point::new(right - cut, bottom),
        Point::new(left + cut, bottom),
        Point::new(left, bottom - cut),
        Point::new(left, top + cut),
    ]
}

fn rect(out: &mut String, class: &str, area: &Rect, round: f64) {
    let [x, y, w, h, r] = [area.x, area.y, area.width, area.height, round].map(number);
    let _ = writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
    );
}

fn text(out: &mut String, lines: &[String], area: &Rect, line_height: f64) {
    for (line, at) in lines.iter().zip(line_places(area, lines.len(), line_height)) {
        let _ = writeln!(
            out,
            "  <text x=\"{}\" y=\"{}\">{}</text>",
            number(at.x),
            number(at.y),
            escaped(line)
        );
    }
}

fn pair(p: Point) -> String {
    format!("{},{}", number(p.x), number(p.y))
}

/// At most two decimals, no minus before zero.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// Text for content and attributes; what XML forbids becomes the replacement character.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(c),
            c if c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
