// The text editor: CodeMirror 6 in a shadow root, one document per file of the model.
//
// All offsets here are UTF-16 units; the caller converts. Styles are adopted style sheets of the
// shadow root, so the page's policy needs no exception for them. Colours are the page's variables.
import {
  autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, currentCompletions,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import {
  bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, linter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  crosshairCursor, Decoration, drawSelection, EditorView, gutter, gutterLineClass, GutterMarker, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, rectangularSelection,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { promela } from "./promela.js";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: [tags.atom, tags.number], color: "var(--code-constant)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--code-comment)" },
  { tag: tags.meta, color: "var(--code-directive)" },
  { tag: tags.function(tags.variableName), color: "var(--code-function)" },
  { tag: tags.special(tags.variableName), color: "var(--code-constant)" },
  { tag: tags.definition(tags.variableName), color: "var(--code-definition)", fontWeight: "600" },
  { tag: tags.labelName, color: "var(--code-label)" },
  { tag: [tags.operator, tags.punctuation], color: "var(--code-operator)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--code-size, 13px)", color: "var(--text)", backgroundColor: "var(--editor)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { padding: "8px 0 40px", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-gutters": { backgroundColor: "var(--editor)", color: "var(--faint)", border: "none" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 0", minWidth: "28px" },
  ".cm-gutter-lint": { width: "16px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "2px 0 0 2px" },
  ".cm-lint-marker": { width: "12px", height: "16px" },
  ".cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info": { content: "normal" },
  ".cm-lint-marker::before": {
    content: "''", display: "block", width: "10px", height: "10px", margin: "3px 0 0 1px", borderRadius: "5px",
    background: "var(--red)",
  },
  ".cm-lint-marker-warning::before": { background: "var(--amber)", borderRadius: "2px" },
  ".cm-lint-marker-info::before": { background: "var(--faint)" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--red) 1.5px", textUnderlineOffset: "4px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--amber) 1.5px", textUnderlineOffset: "4px" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--faint)", textUnderlineOffset: "4px" },
  ".cm-processes": { width: "42px" },
  ".cm-processes .cm-gutterElement": { display: "flex", gap: "2px", padding: "2px 2px", justifyContent: "flex-start" },
  ".cm-process": {
    font: "600 11px/16px var(--mono)", minWidth: "15px", height: "16px", padding: "0 2px", borderRadius: "4px",
    textAlign: "center", color: "var(--on-process)", boxSizing: "border-box",
  },
  ...Object.fromEntries(Array.from({ length: 8 }, (_, colour) => [
    `.cm-at-${colour}`, { boxShadow: `inset 0 -2px 0 0 var(--process-${colour})` },
  ])),
  ".cm-moved": { backgroundColor: "var(--moved)", borderRadius: "2px" },
  ".cm-fault": { backgroundColor: "var(--red-soft)", borderRadius: "2px" },
  ".cm-lineNumbers .cm-unreached-line": { boxShadow: "inset -3px 0 0 0 var(--unreached)" },
  ".cm-locked": { backgroundColor: "var(--bg)" },
  "&.cm-focused .cm-activeLine.cm-locked": { backgroundColor: "var(--border)" },
  ".cm-unreached, .cm-unreached *": { color: "var(--faint) !important", fontWeight: "400 !important" },
  ".cm-tooltip": {
    background: "var(--raised)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "6px",
    boxShadow: "var(--shadow)", font: "13px/20px var(--sans)", maxWidth: "440px",
  },
  ".cm-tooltip-hover, .cm-tooltip-lint": { padding: "0" },
  ".cm-diagnostic": { padding: "8px 12px", borderLeft: "3px solid var(--red)", margin: "0" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--amber)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--faint)" },
  ".cm-hint": { color: "var(--muted)", marginTop: "4px" },
  ".cm-definition": { padding: "4px 12px", font: "13px/20px var(--mono)" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "13px", maxHeight: "232px" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "2px 8px", lineHeight: "20px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", marginLeft: "12px" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-matchingBracket": { backgroundColor: "var(--moved) !important", outline: "none" },
  ".cm-nonmatchingBracket": { backgroundColor: "var(--red-soft) !important" },
  ".cm-selectionMatch": { backgroundColor: "var(--line)" },
  ".cm-searchMatch": { backgroundColor: "var(--amber-soft)", outline: "1px solid var(--amber)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--selection)" },
  ".cm-panels": { background: "var(--surface)", color: "var(--text)", font: "13px/20px var(--sans)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--border)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 12px" },
  ".cm-panel.cm-search input[type=text], .cm-panel .cm-textfield": {
    background: "var(--editor)", color: "var(--text)", border: "1px solid var(--border-strong)", borderRadius: "4px",
    padding: "4px 8px", font: "13px/20px var(--mono)",
  },
  ".cm-panel .cm-button": {
    background: "var(--raised)", color: "var(--text)", border: "1px solid var(--border-strong)", borderRadius: "4px",
    padding: "4px 8px", font: "13px/20px var(--sans)",
  },
  ".cm-panel.cm-search label": { font: "13px/20px var(--sans)" },
  ".cm-panel [name=close]": { color: "var(--text)", fontSize: "16px", right: "8px", top: "8px" },
  ":focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-content:focus-visible": { outline: "none" },
});

/** Decorations that come from outside and move with the text until they are set anew. */
function outside(effect, provide) {
  return StateField.define({
    create: () => RangeSet.empty,
    update(value, transaction) {
      let ranges = value.map(transaction.changes);
      for (const it of transaction.effects) if (it.is(effect)) ranges = it.value(transaction.state);
      return ranges;
    },
    provide,
  });
}

class ProcessMarker extends GutterMarker {
  constructor(marks) {
    super();
    this.marks = marks;
  }
  eq(other) {
    return JSON.stringify(other.marks) === JSON.stringify(this.marks);
  }
  toDOM() {
    const box = document.createDocumentFragment();
    const shown = this.marks.length > 2 ? this.marks.slice(0, 1) : this.marks;
    const chip = (text, title, colour) => {
      const it = document.createElement("span");
      it.className = "cm-process";
      it.textContent = text;
      it.title = title;
      it.style.background = colour;
      box.append(it);
    };
    // Two share the room of one: their numbers must do.
    const label = (mark) => (this.marks.length > 1 ? mark.label.replace(/^\D/, "") : mark.label);
    for (const mark of shown) chip(label(mark), mark.title, `var(--process-${mark.colour})`);
    if (shown.length < this.marks.length) {
      chip(`+${this.marks.length - shown.length}`, this.marks.map((mark) => mark.title).join(", "), "var(--muted)");
    }
    const holder = document.createElement("div");
    holder.style.display = "contents";
    holder.append(box);
    return holder;
  }
}

class LineClass extends GutterMarker {
  constructor(name) {
    super();
    this.elementClass = name;
  }
  eq(other) {
    return other.elementClass === this.elementClass;
  }
}

const setAt = StateEffect.define();
const setAtGutter = StateEffect.define();
const setUnreached = StateEffect.define();
const setUnreachedGutter = StateEffect.define();

const atField = outside(setAt, (field) => EditorView.decorations.from(field));
const atGutter = outside(setAtGutter, (field) => gutter({
  class: "cm-processes",
  markers: (view) => view.state.field(field),
}));
const unreachedField = outside(setUnreached, (field) => EditorView.decorations.from(field));
const unreachedGutter = outside(setUnreachedGutter, (field) => gutterLineClass.from(field));

/** The lines that may be changed, as ranges that grow and shrink with the text; null: all. */
const setOpen = StateEffect.define();
const openField = StateField.define({
  create: () => null,
  update(ranges, { changes, effects }) {
    for (const it of effects) if (it.is(setOpen)) return it.value;
    return ranges && ranges.map(({ from, to }) => ({ from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }));
  },
  provide: (field) => [
    EditorState.readOnly.from(field, (ranges) => ranges?.length === 0),
    EditorView.decorations.compute([field, "doc"], (state) => lockedLines(state, state.field(field))),
  ],
});

function lockedLines(state, open) {
  if (!open) return Decoration.none;
  const marks = [];
  const mark = Decoration.line({ class: "cm-locked" });
  let next = 0;
  for (let number = 1; number <= state.doc.lines; number += 1) {
    const { from } = state.doc.line(number);
    while (next < open.length && open[next].to < from) next += 1;
    if (next >= open.length || from < open[next].from) marks.push(mark.range(from));
  }
  return RangeSet.of(marks);
}

/** A change that reaches a locked line is not made, and the page is told. */
const keepLocked = EditorState.changeFilter.of((transaction) => {
  const open = transaction.startState.field(openField);
  if (!open) return true;
  let fits = true;
  transaction.changes.iterChangedRanges((from, to) => {
    fits &&= open.some((it) => it.from <= from && to <= it.to);
  });
  if (!fits) dispatchEvent(new CustomEvent("promenade:locked"));
  return fits;
});

const clamp = (state, { from, to }) => {
  const start = Math.min(Math.max(from, 0), state.doc.length);
  return { from: start, to: Math.min(Math.max(to, start), state.doc.length) };
};

/** Where a mark of a statement is drawn: on one line only, so that a block does not light up. */
const firstLine = (state, range) => {
  const { from, to } = clamp(state, range);
  return { from, to: Math.min(to, state.doc.lineAt(from).to) };
};

/**
 * Typing over a selection: left to itself the browser keeps the look of the old text by inline styles, which the
 * page's policy forbids.
 */
function overSelection(event, view) {
  const { main, ranges } = view.state.selection;
  const text = event.data;
  if (event.inputType !== "insertText" || !text || main.empty || ranges.length > 1 || view.composing) return false;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type" });
  for (const handler of view.state.facet(EditorView.inputHandler)) {
    if (handler(view, main.from, main.to, text, insert)) {
      event.preventDefault();
      return true;
    }
  }
  event.preventDefault();
  view.dispatch(insert());
  return true;
}

/**
 * Escape ends a completion that is still looked for without anything to see, and then does what it does
 * without one: the next Tab leaves the editor.
 */
function giveUpCompletion(view) {
  if (currentCompletions(view.state).length === 0) closeCompletion(view);
  return false;
}

export class Editor {
  /**
   * `calls` has the functions changed(file), complete(file, offset), definition(file, offset), about(file, offset),
   * jump(file, from, to).
   */
  constructor(host, calls) {
    this.calls = calls;
    this.active = 0;
    this.states = [];
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.replaceChildren();
    this.view = new EditorView({ root, parent: root, state: this.#state("") });
    this.view.dom.style.height = "100%";
  }

  #state(text) {
    const calls = this.calls;
    // The text of an assignment is no model.
    const isModel = !/^---\r?\n\s*promenade-assignment:/.test(text);
    return EditorState.create({
      doc: text,
      extensions: [
        openField,
        keepLocked,
        atField,
        lintGutter(),
        lineNumbers(),
        atGutter,
        unreachedField,
        unreachedGutter,
        history(),
        highlightSpecialChars(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        EditorState.tabSize.of(2),
        indentUnit.of("  "),
        rectangularSelection(),
        crosshairCursor(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches({ minSelectionLength: 2 }),
        search({ top: true }),
        linter(null),
        isModel ? promela : EditorView.lineWrapping,
        syntaxHighlighting(colours),
        theme,
        Prec.highest(keymap.of([{ key: "Escape", run: giveUpCompletion }])),
        autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
        hoverTooltip((view, offset) => this.#about(view, offset)),
        Prec.highest(keymap.of([
          // The page's key, not a blank line.
          { key: "Mod-Enter", run: () => true },
          { key: "Shift-Mod-Enter", run: () => true },
          { key: "Alt-Enter", run: () => true },
          { key: "F12", run: (view) => this.#go(view.state.selection.main.head) },
        ])),
        keymap.of([
          { key: "Tab", run: indentMore, shift: indentLess },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap,
          ...completionKeymap, ...lintKeymap,
        ]),
        EditorView.domEventHandlers({
          beforeinput: overSelection,
          mousedown: (event, view) => {
            if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
            const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
            return offset !== null && this.#go(offset);
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) calls.changed(this.active);
        }),
        EditorView.contentAttributes.of({
          "aria-label": "Model text, Promela. Escape, then Tab leaves the editor.",
          // It can be reached by the keyboard, which not every tool knows of editable content.
          tabindex: "0",
          autocapitalize: "off", autocorrect: "off", spellcheck: "false",
        }),
      ],
    });
  }

  #complete(context) {
    const word = context.matchBefore(/\w*/);
    const after = context.matchBefore(/[.#:]\w*/);
    if (!context.explicit && !after && (!word || word.to - word.from < 1)) return null;
    const found = this.calls.complete(this.active, context.pos);
    if (!found || found.options.length === 0) return null;
    return { from: found.from, options: found.options, validFor: /^\w*$/ };
  }

  #about(view, offset) {
    const found = this.calls.about(this.active, offset);
    if (!found) return null;
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-definition";
        dom.textContent = found.text;
        return { dom };
      },
    };
  }

  #go(offset) {
    const found = this.calls.definition(this.active, offset);
    if (!found) return false;
    this.calls.jump(found.file, found.from, found.to);
    return true;
  }

  #dispatch(file, make) {
    if (file === this.active) {
      this.view.dispatch(make(this.view.state));
    } else if (this.states[file]) {
      this.states[file] = this.states[file].update(make(this.states[file])).state;
    }
  }

  /** New documents; their histories begin anew. */
  open(texts) {
    this.states = texts.map((text) => this.#state(text));
    this.active = 0;
    this.view.setState(this.states[0] ?? this.#state(""));
    // The view would stay where the former text was scrolled to.
    this.view.scrollDOM.scrollTo(0, 0);
  }

  /** Another file becomes visible. */
  show(file) {
    if (file === this.active || !this.states[file]) return;
    this.states[this.active] = this.view.state;
    this.active = file;
    this.view.setState(this.states[file]);
  }

  /** One more file at a place; the one that is shown stays. */
  insert(file, text) {
    this.states[this.active] = this.view.state;
    this.states.splice(file, 0, this.#state(text));
    if (this.active >= file) this.active += 1;
  }

  /** One file less. */
  remove(file) {
    this.states[this.active] = this.view.state;
    this.states.splice(file, 1);
    this.active = Math.min(this.active > file ? this.active - 1 : this.active, this.states.length - 1);
    this.view.setState(this.states[this.active]);
  }

  text(file) {
    return (file === this.active ? this.view.state : this.states[file])?.doc.toString() ?? "";
  }

  /** A new text that can be undone; the lines that stay keep their cursor. */
  replace(file, text) {
    this.#dispatch(file, (state) => {
      const old = state.doc.toString();
      let start = 0;
      while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
      let end = 0;
      const most = Math.min(old.length, text.length) - start;
      while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
      return { changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) } };
    });
  }

  /** `list`: { from, to, severity, message, hint, fix }; a fix: { title, edits: { from, to, text } }. */
  diagnostics(file, list) {
    this.#dispatch(file, (state) => setDiagnostics(state, list.map((it) => ({
      ...clamp(state, it),
      severity: it.severity,
      message: it.message,
      actions: it.fix && [{
        name: it.fix.title,
        apply: (view) => view.dispatch({
          changes: it.fix.edits.map(({ from, to, text }) => ({ from, to, insert: text })),
        }),
      }],
      renderMessage: () => {
        const dom = document.createElement("div");
        dom.textContent = it.message;
        if (it.hint) {
          const hint = document.createElement("div");
          hint.className = "cm-hint";
          hint.textContent = it.hint;
          dom.append(hint);
        }
        return dom;
      },
    }))));
  }

  /**
   * Where processes stand: `at` = { from, to, label, title, colour }; what moved last: `moved` = ranges with
   * `fault` if it is the statement at fault.
   */
  processes(file, at, moved) {
    this.#dispatch(file, (state) => {
      const marks = [];
      const lines = new Map();
      for (const it of at) {
        const { from, to } = firstLine(state, it);
        if (from < to) {
          marks.push(Decoration.mark({
            class: `cm-at cm-at-${it.colour}`,
          }).range(from, to));
        }
        const line = state.doc.lineAt(from).from;
        lines.set(line, [...(lines.get(line) ?? []), { label: it.label, title: it.title, colour: it.colour }]);
      }
      for (const it of moved) {
        const { from, to } = clamp(state, it);
        if (from < to) marks.push(Decoration.mark({ class: it.fault ? "cm-fault" : "cm-moved" }).range(from, to));
      }
      const gutterMarks = [...lines].map(([line, list]) => new ProcessMarker(list).range(line));
      return {
        effects: [
          setAt.of(() => RangeSet.of(marks, true)),
          setAtGutter.of(() => RangeSet.of(gutterMarks, true)),
        ],
      };
    });
  }

  /** Only these lines may be changed: pairs of the first, from 0, and one past the last; null: all, undefined: none. */
  lock(file, lines) {
    this.#dispatch(file, (state) => {
      const at = (line) => state.doc.line(Math.min(line, state.doc.lines));
      const ranges = lines === null ? null : (lines ?? []).map(([from, to]) => ({ from: at(from + 1).from, to: at(Math.max(to, 1)).to }));
      return { effects: setOpen.of(ranges) };
    });
  }

  /** Statements that no run executes. */
  unreached(file, list) {
    this.#dispatch(file, (state) => {
      const marks = [];
      const lines = new Set();
      for (const it of list) {
        const { from, to } = clamp(state, it);
        if (from < to) marks.push(Decoration.mark({ class: "cm-unreached" }).range(from, to));
        const first = state.doc.lineAt(from).number;
        const last = state.doc.lineAt(to).number;
        for (let line = first; line <= last; line += 1) lines.add(state.doc.line(line).from);
      }
      const classes = [...lines].map((line) => new LineClass("cm-unreached-line").range(line));
      return {
        effects: [
          setUnreached.of(() => RangeSet.of(marks, true)),
          setUnreachedGutter.of(() => RangeSet.of(classes, true)),
        ],
      };
    });
  }

  /** Brings a range into view; `select` puts the cursor there. */
  reveal(file, from, to, select) {
    this.show(file);
    const range = clamp(this.view.state, { from, to });
    this.view.dispatch({
      ...(select ? { selection: { anchor: range.from, head: range.to } } : {}),
      effects: EditorView.scrollIntoView(range.from, { y: "nearest", yMargin: 60 }),
    });
    if (select) this.view.focus();
  }

  focus() {
    this.view.focus();
  }

  /** Whether the text has the focus. */
  focused() {
    return this.view.hasFocus;
  }
}
