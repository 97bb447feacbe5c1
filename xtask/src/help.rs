//! The help texts of www/help as HTML, so that the page carries no Markdown parser.

use crate::places;
use crate::shell::Outcome;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, html};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// Writes www/js/bundle/help.json: an object from the names of the pages to their HTML.
pub fn render() -> Outcome {
    let pages = pages(&places::root().join("www/help"))?;
    let folder = places::js().join("bundle");
    let file = folder.join("help.json");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&file, Value::Object(pages).to_string()))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn pages(folder: &Path) -> Outcome<Map<String, Value>> {
    let entries = fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut pages = Map::new();
    for file in entries.flatten().map(|entry| entry.path()) {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.as_deref().and_then(|name| name.strip_suffix(".md")) else {
            continue;
        };
        let text = fs::read_to_string(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        pages.insert(name.to_owned(), Value::String(page(&text)));
    }
    Ok(pages)
}

/// Markdown to HTML. HTML in the text is shown as text; links between pages become fragments that
/// the help panel follows.
fn page(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages() {
        let pages = pages(&places::root().join("www/help")).unwrap();
        assert!(pages.len() > 10);
        for (name, page) in &pages {
            let html = page.as_str().unwrap();
            assert!(html.starts_with("<h1>"), "{name}");
            for target in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let page = target.strip_prefix("#help-");
                assert!(
                    page.is_some_and(|page| pages.contains_key(page)),
                    "{name} links to {target}"
                );
            }
            assert!(!html.contains("<script"), "{name}");
        }
    }
}
