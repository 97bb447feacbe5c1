//! All automation of the project: `cargo xtask help` lists the commands.

mod places;
mod setup;
mod shell;

fn main() {
    if let Err(f) = setup::wasm::ready().map(drop) { eprintln!("{f}"); }
}
