//! Points, rectangles and paths of cubic curves. The y axis points down, as in SVG.

/// A point or a vector.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point `(x, y)`.
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    /// The point with the axes swapped.
    pub fn transposed(self) -> Self {
        Point { x: self.y, y: self.x }
    }

    /// The point moved by `(x, y)`.
    pub fn moved(self, x: f64, y: f64) -> Self {
        Point { x: self.x + x, y: self.y + y }
    }

    /// The distance to another point.
    pub fn distance(self, other: Point) -> f64 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    fn between(self, other: Point, t: f64) -> Self {
        Point { x: self.x + (other.x - self.x) * t, y: self.y + (other.y - self.y) * t }
    }
}

/// A rectangle with sides along the axes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// The left side.
    pub x: f64,
    /// The upper side.
    pub y: f64,
    /// Never negative.
    pub width: f64,
    /// Never negative.
    pub height: f64,
}

impl Rect {
    /// The rectangle of this centre and size.
    pub fn around(centre: Point, width: f64, height: f64) -> Self {
        Rect { x: centre.x - width / 2.0, y: centre.y - height / 2.0, width, height }
    }

    /// The rectangle between two corners.
    pub fn between(a: Point, b: Point) -> Self {
        Rect {
            x: a.x.min(b.x),
            y: a.y.min(b.y),
            width: (a.x - b.x).abs(),
            height: (a.y - b.y).abs(),
        }
    }

    /// The right side.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The lower side.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        Point { x: self.x + self.width / 2.0, y: self.y + self.height / 2.0 }
    }

    /// The smallest rectangle around both.
    pub fn union(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }

    /// The rectangle with `by` more on every side.
    pub fn grown(&self, by: f64) -> Rect {
        Rect {
            x: self.x - by,
            y: self.y - by,
            width: self.width + 2.0 * by,
            height: self.height + 2.0 * by,
        }
    }

    /// Whether the insides of both have a point in common.
    pub fn meets(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// The rectangle with the axes swapped.
    pub fn transposed(&self) -> Rect {
        Rect { x: self.y, y: self.x, width: self.height, height: self.width }
    }

    /// The rectangle moved by `(x, y)`.
    pub fn moved(&self, x: f64, y: f64) -> Rect {
        Rect { x: self.x + x, y: self.y + y, ..*self }
    }
}

/// A cubic Bezier curve from where the path is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The first control point.
    pub first: Point,
    /// The second control point.
    pub second: Point,
    /// Where it ends.
    pub to: Point,
}

/// Cubic Bezier curves, each beginning where the one before ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Path {
    /// Where the path begins.
    pub start: Point,
    /// Its curves.
    pub curves: Vec<Curve>,
}

impl Path {
    /// A path without curves.
    pub fn at(start: Point) -> Self {
        Path { start, curves: Vec::new() }
    }

    /// Where the path ends.
    pub fn end(&self) -> Point {
        self.curves.last().map_or(self.start, |curve| curve.to)
    }

    /// Adds a straight line.
    pub fn line_to(&mut self, to: Point) {
        let from = self.end();
        self.curves.push(Curve {
            first: from.between(to, 1.0 / 3.0),
            second: from.between(to, 2.0 / 3.0),
            to,
        });
    }

    /// Adds a curve.
    pub fn curve_to(&mut self, first: Point, second: Point, to: Point) {
        self.curves.push(Curve { first, second, to });
    }

    /// The point of curve number `curve` at parameter `t` between 0 and 1; the end of the path if
    /// there is no such curve.
    pub fn point(&self, curve: usize, t: f64) -> Point {
        let Some(c) = self.curves.get(curve) else {
            return self.end();
        };
        let from =
            curve.checked_sub(1).and_then(|c| self.curves.get(c)).map_or(self.start, |c| c.to);
        let (ab, bc, cd) =
            (from.between(c.first, t), c.first.between(c.second, t), c.second.between(c.to, t));
        ab.between(bc, t).between(bc.between(cd, t), t)
    }

    /// The path with every point mapped.
    pub fn map(&self, f: impl Fn(Point) -> Point) -> Path {
        let curve = |c: &Curve| Curve { first: f(c.first), second: f(c.second), to: f(c.to) };
        Path { start: f(self.start), curves: self.curves.iter().map(curve).collect() }
    }

    /// A rectangle that holds the path: that of its end and control points.
    pub fn bounds(&self) -> Rect {
        let start = Rect { x: self.start.x, y: self.start.y, width: 0.0, height: 0.0 };
        let points = self.curves.iter().flat_map(|c| [c.first, c.second, c.to]);
        points.fold(start, |rect, p| rect.union(&Rect { x: p.x, y: p.y, width: 0.0, height: 0.0 }))
    }
}
