//! Promela syntax trees to executable models: names, types, control points.
