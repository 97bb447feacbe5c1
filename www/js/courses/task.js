// A task: what it asks for, a place for the answer that suits its kind, what was checked, hints.
import { button, counted, make } from "./dom.js";
import { own } from "./store.js";

const WORDS = {
  passed: ["Solved", "holds"],
  partial: ["Partly solved", "partial"],
  failed: ["Not solved", "violated"],
  missing: ["No answer yet", "plain"],
  rejected: ["Locked lines were changed", "violated"],
  inconclusive: ["Not conclusive", "partial"],
  internal_error: ["The checker made a mistake", "partial"],
};
const CHECKS = {
  passed: ["passed", "holds"],
  failed: ["not passed", "violated"],
  inconclusive: ["not conclusive", "partial"],
  unreadable: ["cannot be read", "violated"],
  internal_error: ["mistake of the checker", "partial"],
};

/** What a check says beside its title and whether it passed: not the same once more. */
function said({ title, message }, word) {
  const rest = message.replace(/^violated: /, "");
  return rest === word || rest === title || rest === "" ? "" : `: ${rest}`;
}

const dot = (tone) => make("span.dot", { "data-tone": tone });

export class TaskCard {
  constructor(desk, task) {
    this.desk = desk;
    this.task = task;
    this.status = make("span.course-status");
    this.result = make("div.course-result");
    this.hints = make("div.course-hints");
    this.checkButton = button("Check this task", () => desk.grade(task), { "aria-label": `Check this task: ${task.title}` });
    const number = desk.course.tasks.indexOf(task) + 1;
    const title = make("h4", { id: `task-${number}` }, make("span.faint", {}, `Task ${number} `), task.title);
    this.element = make("section.course-task", { "data-task": task.id, "aria-labelledby": title.id },
      make("div.course-task-head", {}, title, make("span.faint", {}, counted(task.points, "point"))),
      this.#asks(),
      this.#answer(number),
      make("p.course-actions", {}, task.has_answer ? null : button(`Work on ${task.file}`, () => desk.showFile(task.file)), this.checkButton, this.status),
      this.result,
      this.hints);
  }

  #asks() {
    const { desk, task } = this;
    const asks = task.asks.map(({ what, text, check }) => {
      const [property, settings] = check ?? [];
      const attempt = check && task.file && button("Try it", () => desk.showFile(task.file, { setup: { property, settings }, check: true }), {
        className: "link-button", "aria-label": `Try it in the editor: ${text}`,
      });
      return make("li", {}, `${what} `, make("code", {}, text), attempt ? " " : null, attempt);
    });
    const more = [];
    if (task.steps) more.push(`The run may have at most ${counted(task.steps, "step")}.`);
    if (task.hidden > 0) more.push(`${counted(task.hidden, "more check is", "more checks are")} hidden.`);
    if (task.withheld) more.push("Further checks are only in your teacher's file.");
    if (task.partial) more.push("Each check that passes counts.");
    return [
      asks.length > 0 ? make("ul.course-asks", {}, asks) : null,
      more.length > 0 ? make("p.faint", {}, more.join(" ")) : null,
    ].filter(Boolean);
  }

  /** Where the answer is given. */
  #answer(number) {
    const { task } = this;
    const id = `answer-${number}`;
    if (!task.has_answer) return "";
    if (task.kind === "find-bug") return this.#run();
    if (task.question === "verdict") return this.#choices(id, "radio", [["holds", "It holds"], ["violated", "It is violated"]]);
    if (task.question === "runs") {
      return this.#choices(id, "checkbox", [...task.runs.map(([name, formula]) => [name, name, formula]), ["none", "None of them"]]);
    }
    if (task.question === "states") return this.#text(id, "Number of states", { inputMode: "numeric" });
    if (task.question === "assertions") return this.#text(id, "Lines of the assertions that can fail, or none");
    if (task.kind === "claim") return this.#text(id, "Never claim, or automaton in the Hanoi format", { rows: 8 });
    return this.#text(id, "Formula", { rows: 2 });
  }

  get #given() {
    return own(this.desk.record.answers, this.task.id) ?? "";
  }

  #text(id, label, { rows, inputMode } = {}) {
    const field = make(rows ? "textarea" : "input", {
      id, value: this.#given, autocapitalize: "off", autocomplete: "off",
      oninput: () => this.desk.answer(this.task, field.value),
      ...(rows ? { rows } : { type: "text" }), ...(inputMode ? { inputMode } : {}),
    });
    field.spellcheck = false;
    return make("p.course-field", {}, make("label", { htmlFor: id }, label), field);
  }

  #choices(id, type, choices) {
    const given = this.#given.split(/[\s,;]+/);
    const boxes = choices.map(([value, label, formula], at) => {
      const input = make("input", { type, id: `${id}-${at}`, name: id, value, checked: given.includes(value), onchange: () => {
        // "None" and a run exclude each other.
        if (type === "checkbox" && input.checked) {
          for (const { input: other } of boxes) if ((other.value === "none") !== (value === "none")) other.checked = false;
        }
        this.desk.answer(this.task, boxes.filter((it) => it.input.checked).map((it) => it.input.value).join(", "));
      } });
      return { input, row: make("p", {}, input, make("label", { htmlFor: input.id }, label, formula ? make("code", {}, ` ${formula}`) : null)) };
    });
    return make("fieldset.course-choices", {}, make("legend", {}, type === "radio" ? "Your answer" : "Runs that exist"), boxes.map((it) => it.row));
  }

  /** The answer is a run: the counterexample that the page shows. */
  #run() {
    const { desk, task } = this;
    this.taken = make("span.faint");
    this.remove = button("Remove", () => desk.answer(task, ""), { "aria-label": `Remove the run: ${task.title}` });
    const take = button("Use the run that is shown", () => {
      const link = desk.call("trail");
      if (!link) {
        desk.call("notify", "There is no counterexample yet: open the file, choose the property and press Check.");
        return;
      }
      desk.answer(task, link);
    });
    return make("div", {},
      make("p.faint", {}, `Check ${task.file ?? "the file"} until a counterexample is shown, then take it as your answer.`),
      make("p.course-actions", {}, task.file ? button(`Open ${task.file}`, () => desk.showFile(task.file)) : null, take, this.taken, this.remove));
  }

  busy(running) {
    this.checkButton.disabled = running;
  }

  update() {
    const { desk, task } = this;
    const result = own(desk.record.results, task.id);
    const stale = desk.isStale(task);
    const [word, tone] = WORDS[result?.status] ?? ["Not checked yet", "plain"];
    this.status.replaceChildren(dot(stale ? "plain" : tone), stale ? "Changed since the last check" : word,
      result && !stale && task.points > 0 ? `, ${result.score} of ${result.max}` : "");
    this.result.classList.toggle("former", stale);
    this.result.replaceChildren(...this.#checks(result));
    this.#showHints();
    if (this.taken) {
      this.taken.textContent = this.#given ? "A run is your answer." : "";
      this.remove.hidden = !this.#given;
    }
  }

  #checks(result) {
    if (!result) return [];
    const row = (check) => {
      const [word, tone] = CHECKS[check.status];
      const run = check.link && this.task.file && button("Show the run", () => this.desk.showRun(this.task.file, check.link), {
        className: "link-button", "aria-label": `Show the run: ${check.title}`,
      });
      const message = said(check, word);
      return make("li", {}, dot(tone), make("span", {}, make("code", {}, check.title), ` ${word}${message} `, run || null));
    };
    return [
      result.message && result.status !== "missing" ? make("p", {}, result.message) : null,
      result.checks.length > 0 ? make("ul.course-checks", {}, result.checks.map(row)) : null,
    ].filter(Boolean);
  }

  #showHints() {
    const { task } = this;
    const attempts = own(this.desk.record.attempts, task.id) ?? 0;
    if (task.hints.length === 0) return;
    const each = task.hints_after;
    const open = each === 0 ? task.hints.length : Math.min(Math.floor(attempts / each), task.hints.length);
    if (this.shown === `${open} ${attempts}`) return;
    this.shown = `${open} ${attempts}`;
    const solved = own(this.desk.record.results, task.id)?.status === "passed";
    const left = open < task.hints.length && !solved ? each * (open + 1) - attempts : 0;
    this.hints.replaceChildren(...task.hints.slice(0, open).map((hint, at) => make("p.course-hint", {}, make("strong", {}, `Hint ${at + 1}: `), hint)),
      ...(left > 0 ? [make("p.faint", {}, `${open > 0 ? "The next" : "A"} hint opens after ${counted(left, "more failed attempt")} with a changed answer.`)] : []));
  }
}
