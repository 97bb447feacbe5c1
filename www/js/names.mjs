// Names with a hash of the content for the files that Trunk copies as they are: no cache can then mix two versions.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";

/** The program for courses, which Trunk names without a hash. */
const COURSES = "promenade-courses";

/** Replaces `from` in a text, where it has to be. */
function replaced(text, from, to, where) {
  if (!text.includes(from)) throw new Error(`${where} does not say ${from}`);
  return text.replaceAll(from, to);
}

/** The name of the program's files without their ends. */
export function program(folder) {
  const scripts = readdirSync(folder).filter((name) => /^promenade-site-[0-9a-f]+\.js$/.test(name));
  if (scripts.length !== 1) throw new Error(`not one script of the program: ${scripts.join(", ") || "none"}`);
  return scripts[0].slice(0, -3);
}

/** Scripts of programs, which the build makes smaller. */
export function scripts(folder) {
  return [`${program(folder)}.js`, `${COURSES}.js`];
}

/** Gives a file a name with a hash; `end` is what stays of its name. */
function named(folder, name, end = extname(name)) {
  const file = join(folder, name);
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
  const to = `${name.slice(0, -end.length)}-${hash}${end}`;
  renameSync(file, join(folder, to));
  return to;
}

/** Replaces names in a file. */
function rewrite(folder, name, pairs) {
  const file = join(folder, name);
  let text = readFileSync(file, "utf8");
  for (const [from, to] of pairs) text = replaced(text, from, to, name);
  writeFileSync(file, text);
}

/** Names the files, and says so where they are loaded: first those that load no others. */
export function nameByContent(folder) {
  rewrite(folder, "worker.js", [".js", "_bg.wasm"].map((end) => [`"./promenade-site${end}"`, `"./${program(folder)}${end}"`]));

  const bytes = statSync(join(folder, `${COURSES}_bg.wasm`)).size;
  const wasm = named(folder, `${COURSES}_bg.wasm`, "_bg.wasm");
  rewrite(folder, `${COURSES}.js`, [[`${COURSES}_bg.wasm`, wasm]]);
  const script = named(folder, `${COURSES}.js`);
  const wasmPair = [`"./${COURSES}_bg.wasm"`, `"./${wasm}"`];
  rewrite(folder, "courses-worker.js", [[`"./${COURSES}.js"`, `"./${script}"`], wasmPair]);
  rewrite(folder, "courses.js", [
    wasmPair,
    [`"./courses-worker.js"`, `"./${named(folder, "courses-worker.js")}"`],
    [`"./assignments.json"`, `"./${named(folder, "assignments.json")}"`],
    [`"courses-bytes"`, `"${bytes}"`],
  ]);

  const names = ["editor.js", "worker.js", "help.json", "courses.js"];
  rewrite(folder, "index.html", names.map((name) => [`./${name}`, `./${named(folder, name)}`]));
}
