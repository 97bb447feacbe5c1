// Assignments on the page: what is open, how far it is, and what is kept. The page loads this when an assignment is
// opened; it tells the page what to show by `call(what, value)`:
//
//   open { document, file, locks, half, check }   shows a file; locks: by name, lines that may be changed or null for all
//   replay { link, document, locks }               shows the counterexample of a link
//   keep                                           hands over what is in the editor, by "kept"
//   trail                                          gives a link to the counterexample that is shown, if there is one
//   link text                                      gives a link that holds an assignment, unless it would be too long
//   findings list                                  marks what is wrong with the text in the editor
//   notify text, say text, close                   a message that stays, one that goes; closes the dialogs
import { Client } from "./client.js";
import { Author, TEMPLATE } from "./author.js";
import { make } from "./dom.js";
import { gallery } from "./gallery.js";
import { Loading } from "./loading.js";
import { Pane } from "./pane.js";
import style from "./style.css";
import { all, Conflict, digest, get, keeps, own, put, remove } from "./store.js";

/** What this page writes and reads as exported progress. */
const PROGRESS = 1;
/** Milliseconds without a change until work is kept. */
const PAUSE = 400;
/** The most that is opened. */
const MOST_BYTES = 8 << 20;
/** The longest assignment. */
const MOST_TEXT = 2 << 20;

/** Begins; gives the function that the page talks to. */
export function start(call) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const desk = new Desk(call);
  return (what, value) => desk.hear(what, value);
}

/** The lines of a text that may be changed, where a region without lines gets an empty one to write in. */
function prepared(text, editable) {
  if (!editable) return { text, lines: null };
  const all = text.split("\n");
  let more = 0;
  const lines = editable.map(([from, to]) => {
    const first = from + more;
    if (from < to) return [first, to + more];
    all.splice(first, 0, "");
    more += 1;
    return [first, first + 1];
  });
  return { text: all.join("\n"), lines };
}

class Desk {
  /** The assignment as the worker shows it, and the record that is kept of the work. */
  course;
  record;
  /** Where the page has room for the assignment. */
  host;
  /** Stops what the worker does. */
  stop;
  /** The editor still holds what is about to be replaced: it is not taken for work. */
  replacing = false;
  /** What the grades of models depend on, until a file changes. */
  filesMark;

  constructor(call) {
    this.call = call;
    this.loading = new Loading();
    this.client = new Client((bytes, of) => this.loading.show(bytes, of));
    addEventListener("promenade:locked", () => {
      this.call("say", "This line is locked: only the lines between BEGIN EDIT and END EDIT can be changed.");
    });
  }

  hear(what, value) {
    const heard = {
      text: () => this.openText(value),
      shipped: () => this.openShipped(value),
      write: () => this.write(value),
      resume: () => this.resume(value),
      pane: () => this.showPane(value),
      gallery: () => gallery(this, value),
      kept: () => this.kept(value),
    }[what];
    const done = Promise.resolve(heard?.()).catch((error) => this.fail(error));
    if (what !== "text" && what !== "shipped") return;
    this.opening = done;
    done.then(() => {
      if (this.opening === done) this.opening = undefined;
    });
  }

  fail(error) {
    console.info("assignments:", error);
    this.loading.show();
    this.call("notify", `The assignment could not be opened or checked: ${error.message}. Nothing is lost; try again.`);
  }

  // Opening.

  async openShipped(name) {
    const response = await fetch(new URL("./assignments.json", import.meta.url));
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const text = (await response.json())[name];
    if (text === undefined) return this.call("notify", `There is no assignment with the name ${name}.`);
    await this.openText(text, name);
    // As for a model of the gallery, the address leads here until something is changed.
    if (this.record?.shipped === name) history.replaceState(null, "", `#assignment=${name}`);
  }

  /** Opens an assignment, or progress that was exported. */
  async openText(text, shipped) {
    if (text.length > MOST_BYTES) return this.call("notify", "This file is too large for an assignment.");
    if (text.trimStart().startsWith("{")) return this.import(text);
    const head = text.slice(0, 2000);
    if (/^promenade-submission:/m.test(head)) {
      return this.call("notify", "This is what somebody handed in. The command `promenade grade` reads it together with the assignment.");
    }
    this.call("close");
    const { course, diagnostics } = await this.client.ask({ t: "open", text, work: {} });
    if (!course) return this.refuse(diagnostics, text);
    const key = `${course.id}-${digest(text)}`;
    const record = await get(key) ?? {
      key, text, shipped, id: course.id, title: course.title,
      files: {}, answers: {}, fields: {}, attempts: {}, results: {}, setups: {}, opened: Date.now(),
    };
    return this.enter(record);
  }

  /** An assignment with errors: its author gets it as a text. */
  refuse(diagnostics, text) {
    const errors = diagnostics.filter((it) => it.level === "error");
    const [{ span, message }] = errors;
    const more = errors.length > 1 ? ` (${errors.length} errors in all)` : "";
    const where = `This assignment has errors. Line ${span.line}: ${message}${more}.`;
    // What is too long to be read is too long to be written, too.
    if (!text || text.length > MOST_TEXT) return this.call("notify", `${where} Tell whoever gave it to you.`);
    this.call("notify", `${where} It is opened as a text, for its author.`);
    return this.write(text);
  }

  /** Opens an assignment that was worked on before, after a reload. */
  async resume(key) {
    // What an address names comes before what was open.
    if (this.opening) return;
    const record = await get(key);
    if (record?.written) return this.writeOn(record);
    if (record) return this.enter(record);
    return this.call("notify", "The assignment is not in this browser any more. Open its file or its link again.");
  }

  async enter(record) {
    try {
      await this.#enter(record);
    } finally {
      this.replacing = false;
    }
  }

  async #enter(record) {
    if (this.record && this.record.key !== record.key) await this.flush();
    const work = this.workOf(record);
    const { course, diagnostics } = await this.client.ask({ t: "open", text: record.text, work });
    if (!course) return this.refuse(diagnostics);
    this.stop?.abort();
    this.conflict = false;
    this.author = undefined;
    // What is still in the editor is not the work on this record.
    this.replacing = true;
    this.record = record;
    this.course = course;
    this.filesMark = undefined;
    this.others = (await all()).filter((it) => it.id === record.id && it.key !== record.key);
    // Remembered even if nothing is done, so that a reload finds it.
    await this.keep();
    const name = course.files.some((it) => it.name === record.file) ? record.file : course.files[0]?.name;
    this.pane = undefined;
    if (name) await this.showFile(name, { half: "result" });
    else this.call("open", { document: this.document(undefined), file: 0, locks: { "notes.pml": null }, half: "result" });
    this.build();
  }

  /** Begins to write an assignment: with a text, or with the beginning of one. */
  async write(text = TEMPLATE) {
    this.call("close");
    const title = /^title:\s*(.+)$/m.exec(text)?.[1] ?? "Assignment";
    return this.writeOn({ key: `text/${digest(text + Date.now())}`, written: true, text, title, results: {}, opened: Date.now() });
  }

  async writeOn(record) {
    await this.flush();
    this.stop?.abort();
    this.course = this.pane = undefined;
    this.record = record;
    await this.keep();
    const id = `assignment/${record.key}`;
    const { course } = await this.client.ask({ t: "open", text: TEMPLATE, work: {} });
    const experiment = { ...course.blank, files: [{ name: "assignment.md", text: record.text }] };
    const document = { id, changed_at: Date.now(), experiment, origin: id, formulas: [] };
    this.author = new Author(this, record);
    this.call("open", { document, file: 0, locks: { "assignment.md": null }, half: "result" });
    this.host?.replaceChildren(this.author.element);
  }

  // What is shown.

  showPane(host) {
    this.host = host;
    if (this.author) host.replaceChildren(this.author.element);
    else if (this.course) this.build();
  }

  build() {
    if (!this.host) return;
    this.pane = new Pane(this);
    this.host.replaceChildren(this.pane.element);
    if (this.stop) this.busy(this.progress);
  }

  file(name) {
    return this.course.files.find((it) => it.name === name);
  }

  /** The text of a file as the student has it. */
  text(name) {
    return own(this.record.files, name) ?? this.file(name)?.starter ?? "";
  }

  /** A file as the page's document. */
  document(name, setup) {
    const file = this.file(name);
    const id = `assignment/${this.record.key}`;
    const model = file?.experiment ?? this.course.blank;
    const { property, settings } = setup ?? own(this.record.setups, name) ?? model;
    const files = model.files.map((it) => ({ name: it.name, text: this.file(it.name) ? this.text(it.name) : it.text }));
    const experiment = { files, property, settings };
    return { id, changed_at: Date.now(), experiment, origin: id, formulas: [] };
  }

  /** Lines of each file that may be changed; a file that is not of the assignment is free. */
  locks() {
    return Object.fromEntries(this.course.files.map((it) => [it.name, it.rejected ? null : it.editable ?? null]));
  }

  /** Shows a file in the editor; `setup`: with this property and settings; `check`: and checks it. */
  async showFile(name, { half = "edit", setup, check = false } = {}) {
    await this.refresh();
    this.record.file = name;
    const document = this.document(name, setup);
    const file = document.experiment.files.findIndex((it) => it.name === name);
    this.call("open", { document, file: Math.max(file, 0), locks: this.locks(), half, check });
  }

  /** Finds out which lines may be changed now. */
  async refresh() {
    this.call("keep");
    const { course } = await this.client.ask({ t: "open", text: this.record.text, work: this.work() });
    this.course.files = course.files;
    this.filesMark = undefined;
    for (const file of course.files.filter((it) => !it.given && !it.rejected)) {
      const { text, lines } = prepared(this.text(file.name), file.editable);
      file.editable = lines;
      if (text !== this.text(file.name)) this.record.files[file.name] = text;
    }
    this.pane?.update();
  }

  /** Shows the counterexample of a grade. */
  async showRun(name, link) {
    await this.refresh();
    this.call("replay", { link: `#${link}`, document: this.document(name), locks: this.locks() });
  }

  // Work and its grades.

  workOf(record) {
    const files = Object.entries(record.files).map(([name, text]) => ({ name, text }));
    const filled = (object) => Object.entries(object).filter(([, value]) => value.trim() !== "");
    return { files, answers: filled(record.answers), fields: filled(record.fields) };
  }

  /** The work with all starter files, changed or not. */
  work() {
    const work = this.workOf(this.record);
    const starters = this.course.files.filter((it) => !it.given);
    return { ...work, files: starters.map(({ name }) => ({ name, text: this.text(name) })) };
  }

  /** What the grade of a task depends on. */
  mark(task) {
    if (task.has_answer) return digest(own(this.record.answers, task.id) ?? "");
    const starters = this.course.files.filter((it) => !it.given);
    return this.filesMark ??= digest(JSON.stringify(starters.map(({ name }) => this.text(name))));
  }

  /** Whether the work on a task is other than when it was graded. */
  isStale(task) {
    const result = own(this.record.results, task.id);
    return result !== undefined && result.mark !== this.mark(task);
  }

  answer(task, text) {
    this.record.answers[task.id] = text;
    this.changed();
  }

  field(name, value) {
    this.record.fields[name] = value;
    this.changed();
  }

  /** The page hands over what is in the editor. */
  kept(document) {
    if (this.replacing || !this.record || document.id !== `assignment/${this.record.key}`) return;
    if (this.record.written) return this.keptText(document.experiment.files[0].text);
    let changed = false;
    for (const { name, text } of document.experiment.files) {
      const file = this.file(name);
      if (!file || file.given || this.text(name) === text) continue;
      this.record.files[name] = text;
      changed = true;
    }
    const { property, settings } = document.experiment;
    if (this.record.file) this.record.setups[this.record.file] = { property, settings };
    if (changed) this.changed();
  }

  /** The same of an assignment that is written. */
  keptText(text) {
    if (this.record.text === text) return;
    this.record.text = text;
    this.record.title = /^title:\s*(.+)$/m.exec(text)?.[1] ?? "Assignment";
    this.author?.changed();
    this.changed();
  }

  /** Grades all tasks, or one. */
  async grade(task) {
    if (this.stop) return;
    this.call("keep");
    const { record, course } = this;
    const marks = Object.fromEntries(course.tasks.map((it) => [it.id, this.mark(it)]));
    const stop = this.stop = new AbortController();
    this.busy({ done: 0, of: task ? 1 : course.tasks.length, states: 0 });
    let event;
    try {
      const request = { t: "grade", text: record.text, work: this.work(), task: task?.id };
      event = await this.client.ask(request, { stop: stop.signal, progress: (it) => this.busy(it) });
    } catch (error) {
      this.busy();
      this.call("notify", `The check ended early: ${error.message}. Your work is unchanged.`);
      return;
    }
    if (this.record !== record) return this.busy();
    if (event.t === "graded") this.graded(event.grade, marks);
    this.busy();
    this.pane?.tell(event.t === "graded" ? this.said(event.grade, task) : event.message || "Cancelled.");
  }

  /** Something runs and is so far, or nothing does. */
  busy(progress) {
    this.progress = progress;
    if (!progress) this.stop = undefined;
    this.pane?.busy(progress);
  }

  graded(grade, marks) {
    for (const result of grade.tasks) {
      const task = this.course.tasks.find((it) => it.id === result.id);
      const before = own(this.record.results, task.id);
      const fresh = !before || before.mark !== marks[task.id];
      // Asking again with the same answer is no further attempt.
      if (fresh && ["failed", "partial", "rejected"].includes(result.status)) {
        this.record.attempts[task.id] = (own(this.record.attempts, task.id) ?? 0) + 1;
      }
      this.record.results[task.id] = { ...result, mark: marks[task.id], when: Date.now() };
    }
    this.record.problems = grade.problems;
    this.changed();
  }

  said(grade, task) {
    const { score, max } = this.score();
    const passed = grade.tasks.filter((it) => it.status === "passed").length;
    if (task) return passed ? `Solved: ${task.title}` : `Not solved yet: ${task.title}`;
    return `${passed} of ${grade.tasks.length} tasks solved, ${score} of ${max} points.`;
  }

  /** Points so far: of tasks whose answer was graded as it is now. */
  score() {
    const current = this.course.tasks.filter((it) => own(this.record.results, it.id) && !this.isStale(it));
    const score = current.reduce((sum, it) => sum + own(this.record.results, it.id).score, 0);
    return { score: Math.round(score * 100) / 100, max: this.course.points, graded: current.length };
  }

  /** A submission of the work: its text, and a link unless it would be too long. */
  handIn() {
    this.call("keep");
    return this.client.ask({ t: "hand_in", text: this.record.text, work: this.work() });
  }

  // Keeping.

  changed() {
    this.filesMark = undefined;
    this.pane?.update();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), PAUSE);
  }

  async flush() {
    this.call("keep");
    clearTimeout(this.timer);
    await this.keep();
  }

  async keep() {
    if (!this.record || this.conflict) return;
    try {
      await put(this.record);
      this.pane?.saved(keeps);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      this.conflict = true;
      this.call("notify", "This assignment was changed in another tab. Reload this page to go on with that work; what you change here is not kept.");
    }
  }

  // Progress as a file.

  export(record = this.record) {
    return JSON.stringify({ "promenade-progress": PROGRESS, ...record }, null, 1);
  }

  async import(text) {
    let given;
    try {
      given = JSON.parse(text);
    } catch {
      given = {};
    }
    const texts = (value) => value && typeof value === "object" && Object.values(value).every((it) => typeof it === "string");
    const fits = given?.["promenade-progress"] === PROGRESS && [given.key, given.text, given.id, given.title].every((it) => typeof it === "string")
      && [given.files, given.answers, given.fields].every(texts);
    if (!fits) return this.call("notify", "This file is no progress on an assignment that this version of Promenade can read.");
    const there = await get(given.key);
    const { key, text: assignment, id, title, files, answers, fields, shipped } = given;
    // Grades are computed again: nothing in a file is believed but texts.
    await put({ key, text: assignment, id, title, files, answers, fields, shipped, attempts: {}, results: {}, setups: {}, opened: Date.now(), revision: there?.revision });
    if (there) this.call("notify", "The work in this browser was replaced by that of the file.");
    return this.enter(await get(key));
  }

  /** Takes over what was done on another edition of the assignment. */
  async takeOver(other) {
    this.replacing = true;
    for (const part of ["files", "answers", "fields"]) Object.assign(this.record[part], other[part]);
    this.record.results = {};
    await this.enter(this.record);
  }

  /** Begins the assignment, or one file, anew. */
  async reset(name) {
    this.call("keep");
    this.replacing = true;
    if (name) delete this.record.files[name];
    else Object.assign(this.record, { files: {}, answers: {}, attempts: {}, results: {}, setups: {} });
    await this.enter(this.record);
  }

  /** Forgets the work on an assignment in this browser. */
  async forget(key) {
    if (this.record?.key === key) {
      clearTimeout(this.timer);
      this.record = this.course = this.pane = this.author = undefined;
      this.host?.replaceChildren(make("p.empty", {}, "The work on this assignment was deleted from this browser."));
    }
    await remove(key);
  }
}
