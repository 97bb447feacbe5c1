//! A finished drawing: where everything is.

use crate::geometry::{Path, Point, Rect};
use crate::graph::Shape;

/// Lines of text and the room that is theirs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Label {
    /// One after another.
    pub lines: Vec<String>,
    /// Nothing else lies in it; the lines are centred.
    pub area: Rect,
}

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnNode {
    /// Its number in the graph.
    pub id: usize,
    /// Its middle.
    pub centre: Point,
    /// Width of its shape, border included.
    pub width: f64,
    /// Height of its shape, border included.
    pub height: f64,
    /// Its shape. Circles are as wide as high.
    pub shape: Shape,
    /// Its lines, centred in the shape.
    pub lines: Vec<String>,
    /// What to say when it is pointed at; may be empty.
    pub title: String,
    /// Words for the style sheet.
    pub classes: Vec<String>,
}

impl DrawnNode {
    /// The rectangle around its shape.
    pub fn area(&self) -> Rect {
        Rect::around(self.centre, self.width, self.height)
    }
}

/// The head of an arrow.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Arrow {
    /// On the border of the node that it points to.
    pub tip: Point,
    /// The direction that it points to, in radians, clockwise from the right.
    pub angle: f64,
}

impl Arrow {
    /// From the tip to the base, where the path ends.
    pub const LENGTH: f64 = 9.0;
    /// From the axis to a corner.
    pub const HALF_WIDTH: f64 = 4.0;

    /// The outline: tip, corner, notch, other corner.
    pub fn outline(&self) -> [Point; 4] {
        let (sin, cos) = self.angle.sin_cos();
        let at = |along: f64, across: f64| {
            self.tip.moved(-cos * along - sin * across, -sin * along + cos * across)
        };
        [
            self.tip,
            at(Self::LENGTH + 0.5, Self::HALF_WIDTH),
            at(Self::LENGTH - 2.0, 0.0),
            at(Self::LENGTH + 0.5, -Self::HALF_WIDTH),
        ]
    }
}

/// The mark of an acceptance set on an edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bead {
    /// Its middle, on the path of the edge.
    pub centre: Point,
    /// Its radius.
    pub radius: f64,
    /// Number of the set.
    pub set: u32,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawnEdge {
    /// Its number in the graph.
    pub id: usize,
    /// Number of the node that it leaves.
    pub from: usize,
    /// Number of the node that it leads to.
    pub to: usize,
    /// From the border of the one node to the base of the arrow head.
    pub path: Path,
    /// The arrow head.
    pub arrow: Arrow,
    /// The label, if there is one.
    pub label: Option<Label>,
    /// The marks by number, in the direction of reading.
    pub beads: Vec<Bead>,
    /// What to say when it is pointed at: the label in full; may be empty.
    pub title: String,
    /// Numbers, in the data, of the edges that it stands for.
    pub sources: Vec<usize>,
    /// Words for the style sheet.
    pub classes: Vec<String>,
}

/// The arrow from nowhere to the initial node.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// Number of the initial node.
    pub node: usize,
    /// The line up to the base of the arrow head.
    pub path: Path,
    /// The arrow head.
    pub arrow: Arrow,
}

/// Nodes that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Its number in the graph.
    pub id: usize,
    /// Rectangles that hold the nodes of the group and no others: one if possible.
    pub areas: Vec<Rect>,
    /// What to say when it is pointed at; may be empty.
    pub title: String,
    /// Words for the style sheet.
    pub classes: Vec<String>,
}

/// A finished drawing. All coordinates lie between 0 and its width or height.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Drawing {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// The nodes by number.
    pub nodes: Vec<DrawnNode>,
    /// The edges by number.
    pub edges: Vec<DrawnEdge>,
    /// The arrow to the initial node.
    pub start: Option<Start>,
    /// The groups by number.
    pub groups: Vec<Group>,
    /// Distance of the baselines of two lines of text.
    pub line_height: f64,
    /// How many steps the layout took: a measure that does not depend on the machine.
    pub work: u64,
}
