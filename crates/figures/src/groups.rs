//! Boxes around groups of nodes.

use crate::drawing::{Drawing, Group};
use crate::geometry::Rect;
use crate::graph::{Graph, words};
use promenade_base::arrange::Arrange;

/// From the nodes of a group to its box.
const AROUND: f64 = 7.0;

/// The boxes of all groups. A box that would hold nodes of others is split, along the layers, into
/// some that do not.
pub(crate) fn groups(graph: &Graph, drawing: &Drawing, layers: &[usize]) -> Vec<Group> {
    // The room of a node with its loops.
    let mut room: Vec<Rect> = drawing.nodes.iter().map(|node| node.area()).collect();
    for edge in drawing.edges.iter().filter(|e| e.from == e.to) {
        let mut area = edge.path.bounds();
        if let Some(label) = &edge.label {
            area = area.union(&label.area);
        }
        let beads =
            edge.beads.iter().map(|b| Rect::around(b.centre, 2.0 * b.radius, 2.0 * b.radius));
        room[edge.from] = beads.fold(room[edge.from].union(&area), |all, bead| all.union(&bead));
    }
    let group = |(id, group): (usize, &crate::graph::GraphGroup)| {
        let mut member = vec![false; room.len()];
        for &v in &group.nodes {
            member[v] = true;
        }
        let meets = |area: &Rect, around: f64| {
            let area = area.grown(AROUND);
            (0..room.len()).any(|v| !member[v] && area.meets(&room[v].grown(around)))
        };
        let foreign = |area: &Rect| meets(area, 0.0);
        // The edges inside belong into the box too, unless it comes too near to others then.
        let inside =
            || drawing.edges.iter().filter(|e| e.from != e.to && member[e.from] && member[e.to]);
        let labels = || inside().filter_map(|e| e.label.as_ref()).map(|label| label.area);
        let nodes = || (0..room.len()).filter(|&v| member[v]).map(|v| room[v]);
        let all = |areas: &mut dyn Iterator<Item = Rect>| areas.reduce(|a, b| a.union(&b));
        let wholes = [
            all(&mut nodes().chain(labels()).chain(inside().map(|e| e.path.bounds()))),
            all(&mut nodes().chain(labels())),
        ];
        let areas = match wholes.into_iter().flatten().find(|area| !meets(area, AROUND + 4.0)) {
            Some(whole) => vec![whole],
            None => boxes(&member, &room, layers, &foreign),
        };
        Group {
            id,
            areas: areas.iter().map(|area| area.grown(AROUND)).collect(),
            title: group.title.clone(),
            classes: words(&group.classes),
        }
    };
    graph.groups.iter().enumerate().map(group).collect()
}

fn boxes(
    member: &[bool],
    room: &[Rect],
    layers: &[usize],
    foreign: &dyn Fn(&Rect) -> bool,
) -> Vec<Rect> {
    let mut nodes: Vec<usize> = (0..room.len()).filter(|&v| member[v]).collect();
    let Some(whole) = nodes.iter().map(|&v| room[v]).reduce(|a, b| a.union(&b)) else {
        return Vec::new();
    };
    if !foreign(&whole) {
        return vec![whole];
    }
    nodes.arrange_by(|&v, &w| {
        let place = |v: usize| (room[v].x + room[v].y, v);
        layers[v].cmp(&layers[w]).then(place(v).0.total_cmp(&place(w).0)).then(v.cmp(&w))
    });
    let mut out: Vec<Rect> = Vec::new();
    for v in nodes {
        // Only the latest boxes are tried: those before them are far away.
        let recent = out.len().saturating_sub(8);
        let grown = (recent..out.len()).find(|&i| !foreign(&out[i].union(&room[v])));
        match grown {
            Some(i) => out[i] = out[i].union(&room[v]),
            None => out.push(room[v]),
        }
    }
    out
}
