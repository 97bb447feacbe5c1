//! Renders the help texts to HTML, so that the page carries no Markdown parser.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The pages in the order in which they are listed.
const PAGES: &[&str] = &[
    "getting-started",
    "verdicts",
    "infinite-runs",
    "reading-a-counterexample",
    "simulation",
    "state-graph",
    "options",
    "engine",
    "keyboard",
    "promela-quick-reference",
    "glossary",
    "command-line",
    "privacy",
];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let folder = root.join("../../www/help");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut code = String::from("&[\n");
    for name in PAGES {
        let file = folder.join(format!("{name}.md"));
        println!("cargo:rerun-if-changed={}", file.display());
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => panic!("{}: {error}", file.display()),
        };
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(name);
        let body = render(&text);
        code.push_str(&format!("Page {{ name: {name:?}, title: {title:?}, html: {body:?} }},\n"));
    }
    code.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    fs::write(Path::new(&out).join("help_pages.rs"), code).expect("OUT_DIR can be written");
}

/// Markdown to HTML. HTML in the text is shown as text; links between pages become fragments that
/// the help panel follows.
fn render(text: &str) -> String {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let page = dest_url.strip_suffix(".md");
            let dest_url = match page {
                Some(page) => CowStr::from(format!("#help-{page}")),
                None => dest_url,
            };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        other => other,
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out
}
