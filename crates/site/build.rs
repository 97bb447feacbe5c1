//! Lets modules that are generated at run time add functions to the table.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        // Without it the linker fixes the size of the table and Table.grow fails.
        println!("cargo:rustc-link-arg=--growable-table");
    }
}
