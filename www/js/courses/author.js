// The author's side: the text of an assignment is in the editor, and here is what a student sees of it, with the dry
// run, the table of mutants and the editions for students.
import { button, counted, make, save } from "./dom.js";
import { Pane } from "./pane.js";

/** Milliseconds without a change until the text is read. */
const PAUSE = 400;
/** Mutants that are tried at most. */
const MUTANTS = 60;

/** What a new assignment begins with. */
export const TEMPLATE = `---
promenade-assignment: 1
id: my-assignment
title: My assignment
fields: name, id
---

# My assignment

Two processes add 1 to \`x\`. Make sure that both additions count.

\`\`\`promela file="counter.pml"
byte x, done;

active [2] proctype Process()
{
  byte t;
  /* BEGIN EDIT body */
  t = x;
  x = t + 1;
  /* END EDIT */
  done++
}
\`\`\`

\`\`\`task
id: both
kind: hold
title: Both count
points: 2
file: counter.pml
properties:
  - formula [] (done == 2 -> x == 2)
witnesses:
  - <> (done == 2)
\`\`\`

\`\`\`promela solution="counter.pml"
byte x, done;

active [2] proctype Process()
{
  byte t;
  /* BEGIN EDIT body */
  atomic { t = x; x = t + 1 };
  /* END EDIT */
  done++
}
\`\`\`
`;

/** The name of a file for an assignment. */
const fileName = (text, end) => `${/^id:\s*([\w-]+)/m.exec(text)?.[1] ?? "assignment"}${end}.md`;

export class Author {
  constructor(desk, record) {
    this.desk = desk;
    this.record = record;
    this.state = make("p.course-author-state", { role: "status" });
    this.out = make("div.course-result");
    this.view = make("div");
    this.tools = [
      button("Dry run", () => this.#run("Grading the sample solution and trivial answers", { t: "dry_run" }, (it) => this.#findings(it))),
      button("Mutants", () => this.#run("Trying mutants", { t: "mutants", most: MUTANTS }, (it) => this.#mutants(it))),
      button("Save", () => save(fileName(this.record.text, ""), this.#text(), "text/markdown")),
      button("Save sealed edition", () => this.#edition(false)),
      button("Save private edition", () => this.#edition(true)),
      button("Solve it as a student", () => desk.hear("text", this.#text())),
    ];
    this.cancel = button("Cancel", () => this.stop?.abort(), { hidden: true });
    this.element = make("div.course", { "data-author": record.key },
      make("header.course-head", {},
        make("h3", {}, "Writing an assignment"),
        make("p.faint", {}, "The text is in the editor, and below is what students see. It is kept in this browser; save it as a file, and grade with that file."),
        make("p.course-actions", {}, this.tools, this.cancel),
        this.state),
      this.out,
      make("h3.course-preview", {}, "As students see it"),
      this.view);
    this.read();
  }

  #text() {
    this.desk.call("keep");
    return this.record.text;
  }

  /** The text has changed. */
  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  async read() {
    const { record } = this;
    const event = await this.desk.client.ask({ t: "open", text: record.text, work: {} });
    if (this.desk.author !== this || event.t !== "opened") return;
    this.desk.call("findings", event.diagnostics);
    const errors = event.diagnostics.filter((it) => it.level === "error").length;
    this.ready = errors === 0;
    if (!this.stop) {
      for (const tool of this.tools) tool.disabled = !this.ready && tool.textContent !== "Save";
      this.state.textContent = errors > 0
        ? `${counted(errors, "error")}: see the marks in the text, or the tab Problems. The preview is the last one without errors.`
        : `${counted(event.course.tasks.length, "task")}, ${counted(event.course.points, "point")}`;
    }
    if (event.course) this.#preview(event.course);
  }

  /** The pane of a student who has just begun, whose answers are not kept. */
  #preview(course) {
    const before = this.preview?.record;
    const record = {
      key: "preview", id: course.id, text: this.record.text, files: {}, answers: before?.answers ?? {}, fields: before?.fields ?? {},
      attempts: {}, results: {}, setups: {},
    };
    const preview = Object.assign(Object.create(this.desk), {
      course, record, others: [], stop: undefined, filesMark: undefined,
      keep: async () => {},
      showFile: () => this.desk.call("say", "In the preview files stay closed: choose “Solve it as a student”."),
      showRun: () => this.desk.call("say", "In the preview files stay closed: choose “Solve it as a student”."),
      call: (what, value) => (["say", "notify"].includes(what) ? this.desk.call(what, value) : undefined),
    });
    this.preview = preview;
    preview.pane = new Pane(preview, { preview: true });
    this.view.replaceChildren(preview.pane.element);
  }

  async #run(what, request, show) {
    if (this.stop) return;
    const text = this.#text();
    this.stop = new AbortController();
    this.cancel.hidden = false;
    for (const tool of this.tools) tool.disabled = true;
    this.state.textContent = `${what} …`;
    let said = "Cancelled.";
    try {
      const progress = ({ done, of }) => {
        this.state.textContent = `${what}: ${done} of ${of}`;
      };
      const event = await this.desk.client.ask({ ...request, text }, { stop: this.stop.signal, progress });
      if (event.t === "ended") said = event.message || said;
      else said = show(event);
    } catch (error) {
      said = `It ended early: ${error.message}.`;
    }
    this.stop = undefined;
    this.cancel.hidden = true;
    for (const tool of this.tools) tool.disabled = false;
    this.state.textContent = said;
  }

  #findings({ findings }) {
    const tones = { note: "plain", warning: "partial", error: "violated" };
    const row = ({ importance, task, message }) => make("li", {},
      make("span.dot", { "data-tone": message === "the sample solution passes" ? "holds" : tones[importance] }),
      make("span", {}, task ? make("code", {}, task) : "assignment", ` ${importance === "note" ? "" : `${importance}: `}${message}`));
    this.out.replaceChildren(make("h4", {}, "Dry run"), make("ul.course-checks", {}, findings.map(row)));
    const bad = findings.filter((it) => it.importance !== "note").length;
    return bad > 0 ? `Dry run: ${counted(bad, "finding")} to look at.` : "Dry run: the sample solution passes, and no trivial answer does.";
  }

  #mutants({ checks, mutants }) {
    if (mutants.length === 0) {
      this.out.replaceChildren();
      return "There is no sample solution of a model that could be changed.";
    }
    const number = (at) => String(at + 1);
    const list = make("ol.course-mutant-checks", {}, checks.map((it) => make("li", {}, `${it.task}: `, make("code", {}, it.title), it.hidden ? " (hidden)" : "")));
    const row = (it) => make("tr", { "data-survives": it.noticed.length === 0 },
      make("td", {}, `${it.file}:${it.line}`),
      make("td", {}, it.change),
      make("td", {}, make("code", {}, it.before.trim()), " became ", make("code", {}, it.after.trim() || "nothing")),
      make("td", {}, it.noticed.length > 0 ? it.noticed.map(number).join(", ") : "none"));
    const head = make("tr", {}, ["Place", "Change", "Text", "Noticed by check"].map((it) => make("th", { scope: "col" }, it)));
    this.out.replaceChildren(make("h4", {}, "Mutants of the sample solution"), list,
      make("div.course-table", { tabIndex: 0, role: "region", "aria-label": "Mutants" }, make("table", {}, make("thead", {}, head), make("tbody", {}, mutants.map(row)))));
    const survivors = mutants.filter((it) => it.noticed.length === 0).length;
    return survivors > 0
      ? `${counted(mutants.length, "mutant")}, ${survivors} noticed by no check. Such a mutant may be right as well; if it is not, a check is missing.`
      : `${counted(mutants.length, "mutant")}, each noticed by a check.`;
  }

  async #edition(isPrivate) {
    const text = this.#text();
    const event = await this.desk.client.ask({ t: "edition", text, private: isPrivate });
    if (!event.text) {
      this.state.textContent = `It cannot be made: ${event.diagnostics[0]?.message ?? event.message}.`;
      return;
    }
    const name = fileName(text, isPrivate ? "-private" : "-students");
    save(name, event.text, "text/markdown");
    this.state.textContent = isPrivate
      ? `Saved as ${name}, without hidden checks and solutions. Grade with your own file.`
      : `Saved as ${name}. Hidden checks are sealed in it, which is obscurity and no secrecy: grade with your own file.`;
  }
}
