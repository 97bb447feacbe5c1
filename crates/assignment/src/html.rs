//! Markdown to HTML that can do no harm: markup in the text is shown as text, and nothing is loaded.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// Elements within each other. Deeper ones are shown as text, since browsers and printers of HTML
/// go down into them.
const DEPTH: usize = 60;

/// Instructions as HTML.
///
/// Raw HTML is shown as text. Links lead to `https:`, `http:` and `mailto:` addresses and to places
/// in the same page only, and open elsewhere; pictures become links, so that nothing is loaded from
/// other hosts. Formulas between `$` signs are kept as their text, marked as formulas.
pub fn render(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut depth = 0usize;
    // Links that lead nowhere we know: their text stays, without its element.
    let mut dropped: Vec<bool> = Vec::new();
    let events = Parser::new_ext(markdown, options).filter_map(move |event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        Event::InlineMath(math) => Some(formula("math", &math)),
        Event::DisplayMath(math) => Some(formula("math display", &math)),
        Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => None,
        Event::Start(
            Tag::Link { link_type, dest_url, title, id }
            | Tag::Image { link_type, dest_url, title, id },
        ) => {
            let safe = is_safe(&dest_url) && depth < DEPTH;
            dropped.push(!safe);
            safe.then_some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        Event::End(TagEnd::Link | TagEnd::Image) => {
            let dropped = dropped.pop().unwrap_or(true);
            (!dropped).then_some(Event::End(TagEnd::Link))
        }
        Event::Start(tag) => {
            depth += 1;
            (depth <= DEPTH).then_some(Event::Start(tag))
        }
        Event::End(tag) => {
            depth = depth.saturating_sub(1);
            (depth < DEPTH).then_some(Event::End(tag))
        }
        other => Some(other),
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out
}

fn formula<'a>(class: &str, math: &str) -> Event<'a> {
    Event::InlineHtml(CowStr::from(format!("<span class=\"{class}\">{}</span>", escape(math))))
}

fn is_safe(address: &str) -> bool {
    let lower = address.trim_start().to_ascii_lowercase();
    ["https://", "http://", "mailto:", "#"].iter().any(|start| lower.starts_with(start))
}

/// Text that is shown as it is, also within an attribute.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML has no place for them.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_as_text() {
        for hostile in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "a <b onclick=\"x()\">b</b>",
            "<!-- x --><iframe src=//x></iframe>",
            "<svg/onload=alert(1)>",
            "$<script>alert(1)</script>$",
            "$$\n<img src=x onerror=y>\n$$",
            "![x](https://example.org/x.png)",
            "`<script>`\n\n    <script>\n\n```html\n<script>\n```",
        ] {
            let html = render(hostile);
            for tag in ["<script", "<img", "<b ", "<iframe", "<svg", "<!--"] {
                assert!(!html.contains(tag), "{hostile}: {html}");
            }
        }
        for link in [
            "[x](javascript:alert(1))",
            "[x](JaVaScRiPt:alert(1))",
            "[x](data:text/html,<script>)",
            "<javascript:alert(1)>",
            "[x](vbscript:x)",
            "![x](file:///etc/passwd)",
            "[x][y]\n\n[y]: javascript:alert(1)",
        ] {
            assert!(!render(link).contains("href"), "{link}: {}", render(link));
        }
        assert!(render("[x](https://example.org)").contains("href=\"https://example.org\""));
        assert!(render("a $x < 1$").contains("<span class=\"math\">x &lt; 1</span>"));
    }

    #[test]
    fn deep_and_long_texts_come_to_an_end() {
        for text in [
            "> ".repeat(5_000) + "x",
            "- ".repeat(3_000),
            "*a **b ".repeat(5_000),
            "[".repeat(20_000),
            "`".repeat(9_999),
        ] {
            let html = render(&text);
            assert!(
                html.matches("<blockquote").count() <= DEPTH
                    && html.matches("<ul").count() <= DEPTH
            );
        }
    }
}
