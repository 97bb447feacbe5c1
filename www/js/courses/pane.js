// The assignment beside the editor: instructions, files, tasks, what was checked, handing in.
import { button, counted, make, save } from "./dom.js";
import { own } from "./store.js";
import { TaskCard } from "./task.js";

/** A text without empty lines, which the page adds to empty regions. */
const bare = (text) => text.replace(/^\s*\n/gm, "").trimEnd();

/** Puts a link with this fragment on the clipboard, or shows it where that is forbidden; true if it is there. */
async function copyLink(fragment) {
  const address = `${location.href.split("#")[0]}#${fragment}`;
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    prompt("Copy this link.", address);
    return false;
  }
}

export class Pane {
  /** `preview`: as an author sees it, without what is kept. */
  constructor(desk, { preview = false } = {}) {
    this.desk = desk;
    const { course, record } = desk;
    this.cards = new Map(course.tasks.map((task) => [task.id, new TaskCard(desk, task)]));
    this.files = new Map(course.files.map((file) => [file.name, this.#fileCard(file)]));
    const placed = new Set();
    const pieces = course.pieces.map((piece) => {
      if (piece.text) return this.#text(piece.text.html);
      const [kind, key] = piece.file ? ["file", piece.file.name] : ["task", piece.task.id];
      placed.add(`${kind} ${key}`);
      return kind === "file" ? this.files.get(key)?.element : this.cards.get(key)?.element;
    });
    const rest = [
      ...[...this.files].filter(([name]) => !placed.has(`file ${name}`)).map(([, it]) => it.element),
      ...[...this.cards].filter(([id]) => !placed.has(`task ${id}`)).map(([, it]) => it.element),
    ];
    this.heard = make("p.course-said", { role: "status" });
    this.savedLine = make("p.faint");
    this.element = make("div.course", { "data-assignment": course.id },
      ...[this.#head(), this.heard, this.#others(), ...pieces, ...rest, this.#handIn(), preview ? null : this.#progress()].filter(Boolean));
    this.update();
    this.saved(true);
    if (record.problems?.length) this.tell(record.problems.join(" "));
  }

  /** Instructions as the worker made them: it lets no markup of the author through. */
  #text(html) {
    const box = make("div.course-text.prose");
    box.innerHTML = html;
    // The pane has a title of its own, and headings below it.
    for (const heading of box.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
      if (heading.textContent.trim() === this.desk.course.title) {
        heading.remove();
        continue;
      }
      const own = make(`h${Math.min(Number(heading.tagName[1]) + 2, 6)}`);
      own.append(...heading.childNodes);
      heading.replaceWith(own);
    }
    for (const link of box.querySelectorAll("a")) Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
    for (const block of box.querySelectorAll("pre, table")) block.tabIndex = 0;
    return box;
  }

  #head() {
    const { desk } = this;
    const { course } = desk;
    this.points = make("span.course-points");
    this.check = make("button.action", { type: "button", onclick: () => (desk.stop ? desk.stop.abort() : desk.grade()) }, "Check my work");
    this.going = make("p.course-going", { hidden: true, "aria-live": "off" });
    return make("header.course-head", {},
      make("h3", {}, course.title),
      make("p.course-line", {}, this.points, this.check),
      this.going,
      make("p.faint", {}, course.edition === "private"
        ? "These points count the checks that are in this file; your teacher's file has more. What counts is the grade that your teacher computes with that file."
        : "These points are a self-check. What counts is the grade that your teacher computes with the teacher's file."));
  }

  /** Work on other editions of the same assignment. */
  #others() {
    const { desk } = this;
    const { record, others } = desk;
    const [other] = others.filter((it) => Object.keys({ ...it.files, ...it.answers }).length > 0);
    const changed = desk.course.files.some((it) => !it.given && bare(desk.text(it.name)) !== bare(it.starter));
    if (!other || changed || Object.keys(record.answers).length > 0) return null;
    const when = new Date(other.changed).toLocaleString();
    const note = make("p.course-note", {},
      `In this browser there is work on another edition of this assignment, from ${when}. `,
      button("Copy it here", () => desk.takeOver(other)));
    return note;
  }

  #fileCard(file) {
    const { desk } = this;
    const name = make("code", {}, file.name);
    const about = make("span.faint");
    const reset = button("Start again", () => {
      if (confirm(`Give up what you wrote in ${file.name}, and begin with its first text?`)) desk.reset(file.name);
    }, { "aria-label": `Start again with ${file.name}` });
    const open = button("Open", () => desk.showFile(file.name), { "aria-label": `Open ${file.name}` });
    const trouble = make("p.course-trouble", { hidden: true });
    const element = make("div.course-file", { "data-file": file.name }, make("p", {}, name, about, make("span.space"), file.given ? null : reset, open), trouble);
    const update = () => {
      const now = desk.file(file.name);
      const changed = !file.given && bare(desk.text(file.name)) !== bare(file.starter);
      about.textContent = file.given ? "to read" : changed ? "changed by you" : "to work on";
      reset.hidden = !changed;
      trouble.hidden = !now?.rejected;
      if (now?.rejected) {
        const [line, message] = now.rejected;
        trouble.textContent = `Line ${line}: ${message}. A file whose locked lines were changed gets no points.`;
      }
    };
    return { element, update };
  }

  #handIn() {
    const { desk } = this;
    const { course, record } = desk;
    const fields = course.fields.map((name, at) => {
      const input = make("input", { id: `course-field-${at}`, type: "text", value: own(record.fields, name) ?? "", maxLength: 200, autocomplete: "off", oninput: () => desk.field(name, input.value) });
      return make("p.course-field", {}, make("label", { htmlFor: input.id }, name), input);
    });
    const said = make("p.course-said", { role: "status" });
    const given = (then) => async () => {
      const missing = course.fields.filter((name) => !(own(record.fields, name) ?? "").trim());
      if (missing.length > 0) {
        said.textContent = `Fill in first: ${missing.join(", ")}.`;
        this.element.querySelector(`#course-field-${course.fields.indexOf(missing[0])}`).focus();
        return;
      }
      try {
        await then(await desk.handIn());
      } catch (error) {
        said.textContent = `It could not be made: ${error.message}.`;
      }
    };
    const download = given(async ({ text }) => {
      const who = course.fields.map((name) => own(record.fields, name)).join("-").normalize("NFKD").replace(/[^\w.-]+/g, "_").slice(0, 60);
      const name = `${[course.id, who].filter(Boolean).join("-")}.md`;
      save(name, text, "text/markdown");
      said.textContent = `Saved as ${name}. Give this file to your teacher.`;
    });
    const copy = given(async ({ link }) => {
      if (!link) {
        said.textContent = "Your work is too long for a link: hand in the file.";
        return;
      }
      if (await copyLink(link)) said.textContent = "The link is on the clipboard. Give it to your teacher.";
    });
    return make("section.course-part", { id: "course-hand-in" },
      make("h4", {}, "Hand in"),
      make("p", {}, "The page makes a file or a link with your answers. Nothing is sent anywhere: hand it in the way your teacher asked for."),
      ...fields,
      make("p.course-actions", {}, button("Download the file", download), button("Copy a link", copy)),
      said);
  }

  #progress() {
    const { desk } = this;
    const { course, record } = desk;
    const said = make("p.course-said", { role: "status" });
    const share = async () => {
      const link = record.shipped ? `assignment=${record.shipped}` : desk.call("link", record.text);
      if (!link) said.textContent = "This assignment is too long for a link: pass on its file.";
      else if (await copyLink(link)) said.textContent = "A link to the assignment is on the clipboard. It holds nothing of your work.";
    };
    return make("section.course-part", { id: "course-progress" },
      make("h4", {}, "Your progress"),
      this.savedLine,
      make("p.course-actions", {},
        button("Save progress as a file", () => {
          desk.call("keep");
          save(`${record.id}.progress.json`, desk.export(), "application/json");
        }),
        button("Copy a link to this assignment", share),
        course.edition === "author" ? button("Edit this assignment", () => desk.hear("write", record.text)) : null,
        button("Start all again", () => {
          if (confirm("Give up all your answers to this assignment, and begin anew?")) desk.reset();
        }),
        button("Delete from this browser", () => {
          if (confirm("Delete your work on this assignment from this browser? What you did not save as a file is lost.")) desk.forget(record.key);
        })),
      said);
  }

  /** Says whether the work is kept. */
  saved(keeps) {
    this.savedLine.textContent = keeps
      ? "Answers and attempts are kept in this browser, on this device only. A file of them can be opened elsewhere."
      : "This browser does not keep anything for this page: save your progress as a file before you leave.";
  }

  /** Says something about what was asked for. */
  tell(text) {
    this.heard.textContent = text;
  }

  /** What runs: tasks done of so many, states of the present check; without it, nothing. */
  busy(progress) {
    const { going, check } = this;
    going.hidden = !progress;
    check.textContent = progress ? "Cancel" : "Check my work";
    check.className = progress ? "quiet" : "action";
    for (const card of this.cards.values()) card.busy(Boolean(progress));
    if (!progress) return this.update();
    this.heard.textContent = "";
    const states = progress.states > 0 ? `, ${counted(progress.states, "state")} so far` : "";
    going.textContent = progress.of > 1
      ? `Checking task ${Math.min(progress.done + 1, progress.of)} of ${progress.of}${states}`
      : `Checking${states}`;
  }

  /** Shows what has changed. */
  update() {
    const { score, max, graded } = this.desk.score();
    const of = this.desk.course.tasks.length;
    this.points.textContent = graded === 0 ? `${counted(max, "point")} to win` : `${score} of ${counted(max, "point")}${graded < of ? ", not all checked" : ""}`;
    for (const card of [...this.cards.values(), ...this.files.values()]) card.update();
  }
}
