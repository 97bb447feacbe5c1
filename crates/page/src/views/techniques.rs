//! What each technique buys: the same check under several combinations, as a table.

use crate::app::{App, Combination, Row, Status, combinations, ended_early};

use crate::files;
use crate::numbers::{bytes, counted, duration, grouped, percent};
use crate::share::copy_text;
use leptos::prelude::*;
use promenade_protocol::{Experiment, Report, StoppedBy, Traits, Verdict};
use wasm_bindgen_futures::spawn_local;

/// The tool, closed at first.
#[component]
pub fn TechniquesTable() -> impl IntoView {
    let app = App::get();
    let open = app.techniques.open;
    view! {
        <details class="tool" id="techniques" prop:open=move || open.get() on:toggle=move |event| open.set(super::is_open(&event))>
            <summary>"What each technique buys"</summary>
            {move || open.get().then(|| view! { <Comparison/> })}
        </details>
    }
}

#[component]
fn Comparison() -> impl IntoView {
    let app = App::get();
    let going = move || app.techniques.current.get().is_some();
    let busy = move || app.running.with(Option::is_some);
    let about = move || {
        let title = app.property_title(&app.property.get());
        format!(
            "Checks the chosen property, {title}, once with each technique that is ticked, and compares the cost with the first row."
        )
    };
    let said = move || {
        if let Some(current) = app.techniques.current.get() {
            let (total, name) = app
                .techniques
                .rows
                .with(|all| (all.len(), all.get(current).map(|it| it.combination.name)));
            let progress = app.running.with(|it| it.as_ref().map_or(0, |it| it.progress.states));
            let states = counted(progress, "state", "states");
            return format!("{} of {total}: {}, {states}", current + 1, name.unwrap_or_default());
        }
        if app.techniques.rows.with(Vec::is_empty) {
            return String::new();
        }
        match (app.techniques_are_old(), app.techniques.ended_early.get()) {
            (true, _) => "",
            (false, true) => "ended early",
            (false, false) => "",
        }
        .to_owned()
    };
    let none = move || {
        choices(app).iter().all(|(it, why)| why.is_some() || !app.techniques.takes_part(it))
    };
    view! {
        <div class="tool-body">
            <p class="meaning tool-text">{about}</p>
            <Choices/>
            <div class="race-actions">
                <button
                    class="quiet"
                    disabled=move || !going() && (busy() || none())
                    on:click=move |_| if going() { app.cancel() } else { app.begin_techniques() }
                >
                    {move || if going() { "Cancel" } else { "Run all" }}
                </button>
                <span class="meaning" role="status">{said}</span>
            </div>
            {move || table(app)}
        </div>
    }
}

/// The combinations for what is open, each with the reason if it is not possible.
fn choices(app: App) -> Vec<(Combination, Option<String>)> {
    let experiment = Experiment {
        files: Vec::new(),
        property: app.property.get(),
        settings: app.settings.get(),
    };
    app.summary.with(|summary| combinations(&experiment, summary))
}

#[component]
fn Choices() -> impl IntoView {
    let app = App::get();
    let list = Memo::new(move |_| choices(app));
    let going = move || app.techniques.current.get().is_some();
    let row = move |(it, refused): (Combination, Option<String>)| {
        let off = refused.is_some();
        view! {
            <label class="technique" class:off=off>
                <input
                    type="checkbox"
                    disabled=move || off || going()
                    prop:checked=move || !off && app.techniques.takes_part(&it)
                    on:change=move |_| app.techniques.flip(it.name)
                />
                <span>{it.name}</span>
                {refused.map(|why| view! { <span class="refused">{why}</span> })}
            </label>
        }
    };
    view! {
        <fieldset class="technique-list">
            <legend class="unseen">"Techniques"</legend>
            {move || list.get().into_iter().map(row).collect_view()}
        </fieldset>
    }
}

/// A column: its heading and its number.
struct Column {
    name: &'static str,
    value: fn(&Report) -> f64,
    text: fn(f64) -> String,
    /// Whether it is compared with the first row.
    bar: bool,
}

const COLUMNS: &[Column] = &[
    Column {
        name: "states",
        value: |it| it.statistics.states_stored as f64,
        text: |value| grouped(value as u64),
        bar: true,
    },
    Column {
        name: "transitions",
        value: |it| it.statistics.transitions as f64,
        text: |value| grouped(value as u64),
        bar: false,
    },
    Column {
        name: "memory for states",
        value: |it| it.statistics.store_bytes as f64,
        text: |value| bytes(value as u64),
        bar: true,
    },
    Column {
        name: "bytes a state",
        value: |it| it.statistics.store_bytes as f64 / it.statistics.states_stored.max(1) as f64,
        text: |value| {
            if value < 99.95 { format!("{value:.1}") } else { grouped(value.round() as u64) }
        },
        bar: false,
    },
    Column { name: "time", value: |it| it.statistics.seconds, text: duration, bar: true },
];

/// How often the plain value a value is.
fn ratio(value: f64) -> String {
    match value {
        v if !v.is_finite() => "–".to_owned(),
        v if v < 0.095 => format!("{v:.3}\u{d7}"),
        v if v < 9.95 => format!("{v:.2}\u{d7}"),
        v => format!("{}\u{d7}", grouped(v.round() as u64)),
    }
}

fn outcome(row: &Row) -> Option<&Report> {
    row.outcome.as_ref().map(|it| &it.report)
}

/// What has to be known about a result beside the verdict's word.
fn remark(row: &Row) -> Option<String> {
    let report = outcome(row)?;
    let mut parts = Vec::new();
    if let Verdict::NoViolationFound { why } = report.verdict {
        parts.push(
            match why {
                StoppedBy::Omissions => "lossy",
                StoppedBy::Memory => "out of memory",
                StoppedBy::Time => "out of time",
                StoppedBy::Cancelled => "cancelled",
                StoppedBy::States | StoppedBy::Depth => "limit reached",
                StoppedBy::Fatal => "ended by an error",
                StoppedBy::Successors => "too many successors",
            }
            .to_owned(),
        );
    } else if row.combination.store.is_lossy() && report.confidence.is_some() {
        parts.push("lossy".to_owned());
    }
    if let Some(confidence) = &report.confidence {
        if confidence.any_omission > 0.0 && !ended_early(report) {
            parts.push(format!("{} of the states met kept", percent(confidence.coverage)));
        }
        if confidence.replaced > 0 {
            parts.push(format!("{} forgotten", grouped(confidence.replaced)));
        }
    }
    if report.experiment.settings.reduction == promenade_protocol::Reduction::AmpleSets {
        let made = row.outcome.as_ref().is_some_and(|it| {
            it.plan.iter().any(|note| note.topic == "reduction" && !note.text.starts_with("None"))
        });
        if !made {
            parts.push("nothing to reduce".to_owned());
        }
    }
    if report.experiment.settings.dead_variables == promenade_protocol::DeadVariables::Reset {
        let none = row.outcome.as_ref().is_some_and(|it| {
            it.plan.iter().any(|note| note.topic == "dead variables" && note.text.starts_with("No"))
        });
        if none {
            parts.push("no dead variables".to_owned());
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn status(row: &Row, runs: bool, going: bool) -> Status {
    match outcome(row) {
        None if runs => Status::Running,
        None if going => Status::Waiting,
        None => Status::Unknown,
        Some(report) => Status::of(report),
    }
}

/// The first row, if the others can be compared with it.
fn plain(rows: &[Row]) -> Option<&Report> {
    outcome(rows.first()?).filter(|it| !ended_early(it))
}

fn table(app: App) -> Option<impl IntoView + use<>> {
    let rows = app.techniques.rows.get();
    if rows.is_empty() {
        return None;
    }
    let current = app.techniques.current.get();
    let plain = plain(&rows).cloned();
    let heads: Vec<_> =
        COLUMNS.iter().map(|column| view! { <th scope="col">{column.name}</th> }).collect();
    let lines: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let status = status(row, current == Some(index), current.is_some());
            let cells: Vec<_> =
                COLUMNS.iter().map(|column| cell(row, column, plain.as_ref(), index)).collect();
            let share = budget(row, &rows);
            view! {
                <tr data-technique=row.combination.name>
                    <th scope="row">
                        {row.combination.name}
                        {share.map(|text| view! { <span class="cell-note">{text}</span> })}
                    </th>
                    <td>
                        <span class="status" data-status=status.word()>
                            <span class="dot" data-tone=status.tone()></span>
                            {status.word()}
                        </span>
                        {remark(row).map(|text| view! { <span class="cell-note">{text}</span> })}
                    </td>
                    {cells}
                </tr>
            }
        })
        .collect();
    let fixed = rows.iter().any(|row| budget(row, &rows).is_some()).then(|| {
        view! {
            <p class="meaning tool-text">
                "Bitstate, hash compaction and the cache take their memory at once. Here they get what suits the number of states of the first row: 32 bits a state, signatures with a quarter of room to spare, half the memory; but always some MiB, and what the path needs."
            </p>
        }
    });
    let stopped = rows.iter().filter_map(outcome).any(|it| it.verdict == Verdict::Violated).then(|| {
        view! {
            <p class="meaning tool-text">
                "There is a violation: the numbers say how soon it is found, unless all errors are looked for."
            </p>
        }
    });
    let done = rows.iter().any(|row| row.outcome.is_some());
    let old = Memo::new(move |_| app.techniques_are_old());
    let old = move || old.get();
    Some(view! {
        {super::out_of_date(old, move || app.running.with(Option::is_some), move || app.begin_techniques())}
        <div class="race-scroll" tabindex="0" role="group" aria-label="Results of the techniques" class:stale=old>
            <table class="race-table technique-table">
                <thead><tr><th scope="col">"technique"</th><th scope="col">"verdict"</th>{heads}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        <p class="meaning tool-text">
            "Bars: the cost as part of the first row's, which is a full one; where it is more, the bar ends in an arrow. Times of a few milliseconds say little."
        </p>
        {fixed}
        {stopped}
        {done.then(|| exports(app))}
    })
}

/// The memory of a row that has another budget than the first.
fn budget(row: &Row, rows: &[Row]) -> Option<String> {
    let fixed = row.combination.store.has(Traits::TAKES_ALL);
    let own = row.experiment.settings.memory_mib;
    let first = rows.first()?.experiment.settings.memory_mib;
    (fixed && own != first).then(|| format!("in {own}\u{a0}MiB"))
}

fn cell(row: &Row, column: &Column, plain: Option<&Report>, index: usize) -> impl IntoView + use<> {
    let report = outcome(row);
    let text = report.map_or_else(|| "–".to_owned(), |it| (column.text)((column.value)(it)));
    let base = plain.map(column.value).filter(|base| *base > 0.0 && column.bar);
    let compared = report.zip(base).map(|(report, base)| {
        let part = (column.value)(report) / base;
        // Rows that ended early did not do all the work.
        let whole = !ended_early(report);
        let width = format!("{:.1}%", (part * 100.0).clamp(0.0, 100.0));
        let text = if index == 0 || !whole { "\u{a0}".to_owned() } else { ratio(part) };
        let over = part > 1.005;
        view! {
            <span class="ratio">
                <span class="ratio-text">{text}</span>
                <span class="ratio-bar" class:over=whole && over aria-hidden="true">
                    {whole.then(|| view! { <span class="ratio-part" style:width=width></span> })}
                </span>
            </span>
        }
    });
    view! { <td class="number">{text} {compared}</td> }
}

/// The table as rows of text.
fn lines(rows: &[Row]) -> Vec<Vec<String>> {
    let plain_spaces = |text: String| text.replace('\u{a0}', " ");
    let mut head = vec!["technique".to_owned(), "verdict".to_owned(), "remark".to_owned()];
    head.extend(
        ["states", "transitions", "memory for states (bytes)", "bytes a state", "time (s)"]
            .map(str::to_owned),
    );
    head.push("budget (MiB)".to_owned());
    let mut out = vec![head];
    for row in rows {
        let Some(report) = outcome(row) else { continue };
        let mut line = vec![
            row.combination.name.to_owned(),
            Status::of(report).word().to_owned(),
            plain_spaces(remark(row).unwrap_or_default()),
        ];
        let it = &report.statistics;
        let each = it.store_bytes as f64 / it.states_stored.max(1) as f64;
        line.extend([
            it.states_stored.to_string(),
            it.transitions.to_string(),
            it.store_bytes.to_string(),
            format!("{each:.1}"),
            format!("{:.4}", it.seconds),
            report.experiment.settings.memory_mib.to_string(),
        ]);
        out.push(line);
    }
    out
}

fn csv(rows: &[Row]) -> String {
    let field = |text: &String| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    let line = |line: &Vec<String>| line.iter().map(field).collect::<Vec<_>>().join(",");
    lines(rows).iter().map(|it| line(it) + "\n").collect()
}

fn markdown(rows: &[Row]) -> String {
    let mut out = String::new();
    for (index, line) in lines(rows).iter().enumerate() {
        out.push_str(&format!("| {} |\n", line.join(" | ")));
        if index == 0 {
            // Numbers stand at the right.
            let rule = (0..line.len()).map(|at| if at < 3 { "---" } else { "---:" });
            out.push_str(&format!("|{}|\n", rule.collect::<Vec<_>>().join("|")));
        }
    }
    out
}

fn exports(app: App) -> impl IntoView {
    let give = move |what: &'static str, name: &'static str, text: String| {
        spawn_local(async move {
            if copy_text(&text).await {
                app.notify(format!("The table was copied as {what}."), None);
            } else if files::save_text(name, &text, "text/plain").is_err() {
                app.warn("The browser let the page neither copy nor save it.", None);
            }
        });
    };
    let as_csv = move |_| {
        give("CSV", "techniques.csv", app.techniques.rows.with_untracked(|rows| csv(rows)));
    };
    let as_markdown = move |_| {
        give("Markdown", "techniques.md", app.techniques.rows.with_untracked(|it| markdown(it)));
    };
    view! {
        <div class="race-actions">
            <button class="quiet" on:click=as_csv>"Copy as CSV"</button>
            <button class="quiet" on:click=as_markdown>"Copy as Markdown"</button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Outcome, Shared};
    use promenade_protocol::{ModelSummary, Statistics};

    fn rows() -> Vec<Row> {
        let experiment = Experiment::default();
        let all = combinations(&experiment, &ModelSummary::default());
        let (combination, _) = all[0];
        let report = Report {
            version: String::new(),
            experiment: experiment.clone(),
            verdict: Verdict::Holds,
            summary: String::new(),
            notes: Vec::new(),
            violations: Vec::new(),
            statistics: Statistics { states_stored: 4, store_bytes: 50, ..Statistics::default() },
            unreached: Vec::new(),
            automaton: None,
            confidence: None,
            vacuity: None,
            layout: Vec::new(),
            stopped_by: None,
            diagnostics: Vec::new(),
        };
        let outcome = Outcome { report, mismatch: None, replayed: false, plan: Vec::new() };
        vec![
            Row {
                combination,
                experiment: experiment.clone(),
                outcome: Some(Shared::new(outcome)),
            },
            Row { combination: all[1].0, experiment, outcome: None },
        ]
    }

    #[test]
    fn texts_hold_the_rows_that_ran() {
        let csv = csv(&rows());
        assert_eq!(csv.lines().count(), 2);
        assert!(csv.contains("\"Depth-first, exact\",holds,,4,0,50,12.5,0.0000,512"), "{csv}");
        let markdown = markdown(&rows());
        assert_eq!(markdown.lines().count(), 3);
        assert!(markdown.lines().all(|line| line.matches('|').count() == 10), "{markdown}");
    }

    #[test]
    fn ratios_are_short() {
        for (value, text) in [(0.012, "0.012×"), (0.5, "0.50×"), (1.0, "1.00×"), (12.4, "12×")]
        {
            assert_eq!(ratio(value), text);
        }
    }
}
