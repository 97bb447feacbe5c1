//! The worker's function table can take functions of modules that are generated at run time.
#![cfg(target_arch = "wasm32")]

use js_sys::WebAssembly::Table;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Fails when the link argument of build.rs is lost: the linker then fixes the table's size.
#[wasm_bindgen_test]
fn the_function_table_grows() {
    let table = wasm_bindgen::function_table().unchecked_into::<Table>();
    let before = table.length();
    let base = table.grow(16).expect("the table was linked with a fixed size");
    assert_eq!(base, before);
    assert_eq!(table.length(), before + 16);
}
