//! Binding of the text editor (`www/js/editor.js`). Offsets there are UTF-16 units.
//!
//! The page's start script loads it and leaves it in the global object `promenade`: imported from
//! here, it would be loaded by every worker too, which run the same program.

use crate::app::App;
use crate::language;
use crate::offsets::{to_byte, to_utf16};
use leptos::prelude::WithUntracked;
use promenade_protocol::{DiagnosticData, FixData, Level, SpanData};
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = promenade)]
    type Editor;

    #[wasm_bindgen(constructor, js_namespace = promenade)]
    fn new(host: &web_sys::HtmlElement, calls: &js_sys::Object) -> Editor;
    #[wasm_bindgen(method)]
    fn open(this: &Editor, texts: Vec<String>);
    #[wasm_bindgen(method)]
    fn show(this: &Editor, file: usize);
    #[wasm_bindgen(method)]
    fn insert(this: &Editor, file: usize, text: &str);
    #[wasm_bindgen(method)]
    fn remove(this: &Editor, file: usize);
    #[wasm_bindgen(method)]
    fn text(this: &Editor, file: usize) -> String;
    #[wasm_bindgen(method)]
    fn replace(this: &Editor, file: usize, text: &str);
    #[wasm_bindgen(method)]
    fn diagnostics(this: &Editor, file: usize, list: JsValue);
    #[wasm_bindgen(method)]
    fn processes(this: &Editor, file: usize, at: JsValue, moved: JsValue);
    #[wasm_bindgen(method)]
    fn unreached(this: &Editor, file: usize, list: JsValue);
    #[wasm_bindgen(method)]
    fn reveal(this: &Editor, file: usize, from: usize, to: usize, select: bool);
    #[wasm_bindgen(method)]
    fn lock(this: &Editor, file: usize, lines: JsValue);
    #[wasm_bindgen(method)]
    fn focus(this: &Editor);
    #[wasm_bindgen(method)]
    fn focused(this: &Editor) -> bool;
}

/// The editor with one document per file.
pub struct TextEditor(Editor);

/// A place where a process stands.
#[derive(Clone, PartialEq, Debug)]
pub struct ProcessMark {
    /// Where.
    pub span: SpanData,
    /// Two or three characters.
    pub label: String,
    /// The whole name.
    pub title: String,
    /// Number of its colour.
    pub colour: usize,
}

#[derive(Serialize)]
struct Place {
    from: usize,
    to: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fix>,
    fault: bool,
}

/// A change of the text that a finding offers.
#[derive(Serialize)]
struct Fix {
    title: String,
    edits: Vec<Edit>,
}

#[derive(Serialize)]
struct Edit {
    from: usize,
    to: usize,
    text: String,
}

impl Fix {
    /// The change, unless it is one of another file.
    fn new(text: &str, fix: &FixData, file: u16) -> Option<Self> {
        let here = fix.edits.iter().all(|(span, _)| span.file == file);
        let at = |offset: u32| to_utf16(text, offset as usize);
        let edit = |(span, text): &(SpanData, String)| Edit {
            from: at(span.start),
            to: at(span.end),
            text: text.clone(),
        };
        let title = fix.title.clone();
        here.then(|| Self { title, edits: fix.edits.iter().map(edit).collect() })
    }
}

impl Place {
    fn new(text: &str, span: &SpanData) -> Self {
        let from = to_utf16(text, span.start as usize);
        Self {
            from,
            to: to_utf16(text, span.end as usize).max(from),
            label: None,
            title: None,
            colour: None,
            severity: None,
            message: None,
            hint: None,
            fix: None,
            fault: false,
        }
    }
}

fn js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    // These are plain structures of numbers and texts, which always serialise.
    serde_wasm_bindgen::to_value(value).unwrap_or(JsValue::UNDEFINED)
}

#[derive(Serialize)]
struct Completion {
    label: String,
    #[serde(rename = "type")]
    kind: &'static str,
    detail: String,
    boost: i32,
}

#[derive(Serialize)]
struct Completions {
    from: usize,
    options: Vec<Completion>,
}

#[derive(Serialize)]
struct Target {
    file: usize,
    from: usize,
    to: usize,
    text: String,
}

impl TextEditor {
    /// Shows an editor inside an element.
    pub fn new(host: &web_sys::HtmlElement, app: App) -> Self {
        let calls = js_sys::Object::new();
        let set = |name: &str, function: JsValue| {
            // A plain object takes any property.
            let _ = js_sys::Reflect::set(&calls, &name.into(), &function);
        };
        let changed = Closure::<dyn Fn(usize)>::new(move |file| app.text_changed(file));
        set("changed", changed.into_js_value());
        let complete = Closure::<dyn Fn(usize, usize) -> JsValue>::new(move |file, offset| {
            completions(app, file, offset)
        });
        set("complete", complete.into_js_value());
        let target = move |file: usize, offset: usize, of_use: bool| {
            definition(app, file, offset, of_use).map_or(JsValue::UNDEFINED, |found| js(&found))
        };
        let go = Closure::<dyn Fn(usize, usize) -> JsValue>::new(move |file, offset| {
            target(file, offset, false)
        });
        set("definition", go.into_js_value());
        let about = Closure::<dyn Fn(usize, usize) -> JsValue>::new(move |file, offset| {
            target(file, offset, true)
        });
        set("about", about.into_js_value());
        let jump = Closure::<dyn Fn(usize, usize, usize)>::new(move |file, from, to| {
            app.show_units(file, from, to);
        });
        set("jump", jump.into_js_value());
        Self(Editor::new(host, &calls))
    }

    /// New documents.
    pub fn open(&self, texts: Vec<String>) {
        self.0.open(texts);
    }

    /// Another file becomes visible.
    pub fn show(&self, file: usize) {
        self.0.show(file);
    }

    /// One more file at a place.
    pub fn insert(&self, file: usize, text: &str) {
        self.0.insert(file, text);
    }

    /// One file less.
    pub fn remove(&self, file: usize) {
        self.0.remove(file);
    }

    /// The text of a file.
    pub fn text(&self, file: usize) -> String {
        self.0.text(file)
    }

    /// A new text that can be undone.
    pub fn replace(&self, file: usize, text: &str) {
        self.0.replace(file, text);
    }

    /// Underlines and gutter marks; `texts` are those that the spans belong to.
    pub fn diagnostics(&self, texts: &[&str], list: &[DiagnosticData]) {
        for (file, text) in texts.iter().enumerate() {
            let places: Vec<Place> = list
                .iter()
                .filter(|it| usize::from(it.span.file) == file)
                .map(|it| Place {
                    severity: Some(match it.level {
                        Level::Error => "error",
                        Level::Warning => "warning",
                        Level::Note => "info",
                    }),
                    message: Some(it.message.clone()),
                    hint: it.hint.clone(),
                    fix: it.fix.as_ref().and_then(|fix| Fix::new(text, fix, it.span.file)),
                    ..Place::new(text, &it.span)
                })
                .collect();
            self.0.diagnostics(file, js(&places));
        }
    }

    /// Marks where processes stand, and what moved last.
    pub fn processes(&self, texts: &[&str], at: &[ProcessMark], moved: &[(SpanData, bool)]) {
        for (file, text) in texts.iter().enumerate() {
            let at: Vec<Place> = at
                .iter()
                .filter(|it| usize::from(it.span.file) == file)
                .map(|it| Place {
                    label: Some(it.label.clone()),
                    title: Some(it.title.clone()),
                    colour: Some(it.colour),
                    ..Place::new(text, &it.span)
                })
                .collect();
            let moved: Vec<Place> = moved
                .iter()
                .filter(|(span, _)| usize::from(span.file) == file)
                .map(|(span, fault)| Place { fault: *fault, ..Place::new(text, span) })
                .collect();
            self.0.processes(file, js(&at), js(&moved));
        }
    }

    /// Marks statements that no run executes.
    pub fn unreached(&self, texts: &[&str], spans: &[SpanData]) {
        for (file, text) in texts.iter().enumerate() {
            let spans = spans.iter().filter(|span| usize::from(span.file) == file);
            let places: Vec<Place> = spans.map(|span| Place::new(text, span)).collect();
            self.0.unreached(file, js(&places));
        }
    }

    /// Brings a range of bytes into view; `select` puts the cursor there.
    pub fn reveal(&self, text: &str, span: &SpanData, select: bool) {
        let place = Place::new(text, span);
        self.0.reveal(usize::from(span.file), place.from, place.to, select);
    }

    /// The same with UTF-16 units.
    pub fn reveal_units(&self, file: usize, from: usize, to: usize) {
        self.0.reveal(file, from, to, true);
    }

    /// Locks all lines of a file but those in a list of ranges; `null` locks none.
    pub fn lock(&self, file: usize, lines: JsValue) {
        self.0.lock(file, lines);
    }

    /// Puts the cursor into the text.
    pub fn focus(&self) {
        self.0.focus();
    }

    /// Whether the cursor is in the text.
    pub fn focused(&self) -> bool {
        self.0.focused()
    }
}

fn completions(app: App, file: usize, offset: usize) -> JsValue {
    app.files.with_untracked(|files| {
        let Some(text) = files.get(file).map(|f| f.text.as_str()) else {
            return JsValue::UNDEFINED;
        };
        let defines = app.settings.with_untracked(|settings| settings.defines.clone());
        let found = language::complete(files, &defines, file, to_byte(text, offset));
        let options = found.candidates.into_iter().enumerate().map(|(i, it)| Completion {
            label: it.text,
            kind: "text",
            detail: it.detail,
            boost: -(i.min(99) as i32),
        });
        js(&Completions {
            from: to_utf16(text, found.replace.start as usize),
            options: options.collect(),
        })
    })
}

fn definition(app: App, file: usize, offset: usize, of_use: bool) -> Option<Target> {
    app.files.with_untracked(|files| {
        let defines = app.settings.with_untracked(|settings| settings.defines.clone());
        let text = &files.get(file)?.text;
        let found = language::definition(files, &defines, file, to_byte(text, offset))?;
        let span = if of_use { found.used } else { found.defined };
        let target = usize::from(span.file.0);
        let text = &files.get(target)?.text;
        Some(Target {
            file: target,
            from: to_utf16(text, span.start as usize),
            to: to_utf16(text, span.end as usize),
            text: found.detail,
        })
    })
}
