//! Core crates name no host: they run in a browser's worker and at a prompt alike, so they do not
//! read files or clocks, start threads, print, or call the browser. They have no unsafe code either.

/// The crates that may: the two faces, the worker, what joins it to the page, the engine at a
/// prompt, and what only tests use.
const HOSTS: [&str; 7] =
    ["cli", "page", "wasmtime-engine", "worker", "messages", "site", "testkit"];

/// What a core crate does not write, outside comments and tests.
const BANNED: [&str; 14] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::io",
    "std::time::Instant",
    "std::time::SystemTime",
    "println!",
    "print!(",
    "dbg!(",
    "wasm_bindgen",
    "web_sys",
    "js_sys",
];

/// Checks one file; the name is relative to the checkout.
pub fn check(name: &str, text: &str, complaints: &mut Vec<String>) {
    let mut parts = name.split('/');
    let (Some("crates"), Some(room), Some("src")) = (parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    if HOSTS.contains(&room) || !name.ends_with(".rs") {
        return;
    }
    if name.ends_with("/src/lib.rs") && !text.contains("#![forbid(unsafe_code)]") {
        complaints.push(format!("{name}:1: a core crate begins with `#![forbid(unsafe_code)]`"));
    }
    if parts.next_back().is_some_and(|file| file == "tests.rs") {
        return;
    }
    for (at, line) in (1..).zip(text.lines()) {
        // Test modules stand at the end of a file.
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        let code = line.split("//").next().unwrap_or_default();
        for word in BANNED.iter().filter(|word| code.contains(**word)) {
            complaints.push(format!("{name}:{at}: `{word}` names a host: pass what is needed in"));
        }
    }
}

#[cfg(test)]
mod tests {
    fn complaints(name: &str, text: &str) -> usize {
        let mut complaints = Vec::new();
        super::check(name, text, &mut complaints);
        complaints.len()
    }

    #[test]
    fn core_crates_name_no_host() {
        let clean = "//! A.\n#![forbid(unsafe_code)]\n// std::fs\n#[cfg(test)]\nuse std::fs;\n";
        assert_eq!(complaints("crates/store/src/lib.rs", clean), 0);
        assert_eq!(complaints("crates/store/src/lib.rs", "//! A.\n"), 1);
        assert_eq!(complaints("crates/store/src/a.rs", "//! A.\nuse std::fs;\n"), 1);
        assert_eq!(complaints("crates/cli/src/a.rs", "//! A.\nuse std::fs;\n"), 0);
        assert_eq!(complaints("crates/store/tests/a.rs", "use std::fs;\n"), 0);
    }
}
