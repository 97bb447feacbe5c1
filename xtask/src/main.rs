//! All automation of the project.
fn main() {}
