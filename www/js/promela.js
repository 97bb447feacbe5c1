// Promela for the editor: colours and indentation, line by line.
//
// The checker's own tokenizer decides what a text means; this one only colours while typing.
import { StreamLanguage, LanguageSupport } from "@codemirror/language";

const words = (text) => new Set(text.split(" "));
const keywords = words(
  "active atomic break c_code c_decl c_expr c_state c_track D_proctype do else fi for goto hidden if in init " +
  "inline local ltl never notrace od of priority proctype provided return run d_step select show trace typedef " +
  "unless xr xs",
);
const types = words("bit bool byte chan int mtype pid short unsigned");
const constants = words("true false skip timeout np_");
const functions = words(
  "assert empty enabled eval full get_priority len nempty nfull pc_value printf printm set_priority",
);
const predefined = words("_pid _nr_pr _last _priority _");
const temporal = words(
  "U V W X R always eventually until stronguntil weakuntil release next implies equivalent",
);
const definers = words("proctype D_proctype inline run ltl never trace notrace");

function inComment(stream, state) {
  while (!stream.eol()) {
    if (stream.match("*/")) {
      state.comment = false;
      break;
    }
    stream.next();
  }
  return "comment";
}

function token(stream, state) {
  if (stream.sol()) state.directive = state.continued;
  if (stream.sol() && !state.continued) state.fresh = true;
  state.continued = /\\$/.test(stream.string) && state.directive;
  if (state.comment) return inComment(stream, state);
  if (stream.eatSpace()) return null;
  const fresh = state.fresh;
  state.fresh = false;
  if (fresh && stream.match(/^#\s*\w*/)) {
    state.directive = true;
    state.continued = /\\$/.test(stream.string);
    return "meta";
  }
  if (stream.match("/*")) {
    state.comment = true;
    return inComment(stream, state);
  }
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)'?/)) return "string";
  if (stream.match(/^\d+/)) return "number";
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word) return wordToken(word[0], stream, state);
  if (state.ltl !== null && stream.match(/^(?:\[\]|<>)/)) return "keyword";
  const sign = stream.match(/^(?:-->|->|::|\.\.|\+\+|--|<<|>>|<=|>=|==|!=|!!|\?\?|&&|\|\|)/);
  const text = sign ? sign[0] : stream.next();
  state.before = text;
  if (!state.directive) nest(text, state);
  if (/^[{}()[\];,:.]$/.test(text) || text === "::") return text === "::" ? "operator" : "punctuation";
  return /^[-+*/%&|^~!?<>=@.]/.test(text) ? "operator" : null;
}

/** Keeps the open brackets and choices, for indentation. */
function nest(text, state) {
  if (text === "{" || text === "(" || text === "[" || text === "if" || text === "do") {
    state.open.push(text);
  } else if (text === "}" || text === ")" || text === "]" || text === "fi" || text === "od") {
    state.open.pop();
    if (text === "}" && state.ltl !== null && state.open.length <= state.ltl) state.ltl = null;
  }
}

function wordToken(word, stream, state) {
  const before = state.before;
  state.before = word;
  if (word === "ltl" && !state.directive) state.ltl = state.open.length;
  if (!state.directive) nest(word, state);
  if (constants.has(word)) return "atom";
  if (types.has(word)) return "typeName";
  if (functions.has(word)) return "variableName.function";
  if (keywords.has(word)) return "keyword";
  if (predefined.has(word)) return "variableName.special";
  if (state.ltl !== null && state.open.length > state.ltl && temporal.has(word)) return "keyword";
  if (definers.has(before)) return "variableName.definition";
  if (before === "typedef") return "typeName";
  if (before === "goto" || before === "@") return "labelName";
  if (!state.directive && state.open.length > 0 && /^\s*:(?!:)/.test(stream.string.slice(stream.pos)) &&
      /^(?:|;|->|\{|\}|::|:|fi|od)$/.test(before)) return "labelName";
  return "variableName";
}

const BLOCK = 2;
const OPTION = 3;

/** Columns of a line: two for a block, three for an option behind `::`. */
function indent(state, after, context) {
  const open = state.open;
  let column = 0;
  for (const sign of open) column += sign === "if" || sign === "do" ? OPTION : BLOCK;
  const last = open[open.length - 1];
  if (/^(?:::|fi\b|od\b)/.test(after) && (last === "if" || last === "do")) return column - OPTION;
  if (/^[})\]]/.test(after) && open.length > 0) return column - BLOCK;
  if (/^#/.test(after)) return 0;
  return state.comment ? null : column;
}

const mode = {
  name: "promela",
  startState: () => ({
    comment: false, directive: false, continued: false, fresh: true, before: "", ltl: null, open: [],
  }),
  copyState: (state) => ({ ...state, open: state.open.slice() }),
  blankLine: (state) => { state.continued = false; },
  token,
  indent,
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
    indentOnInput: /^\s*(?:::|fi|od|[})\]])$/,
    wordChars: "_",
  },
};

export const promela = new LanguageSupport(StreamLanguage.define(mode));
