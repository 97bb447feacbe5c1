//! The `promenade` command.
fn main() {}
