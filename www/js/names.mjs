// Names with a hash of the content for the files that Trunk copies as they are: no cache can then mix two versions.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";

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

/** Names the files, says so in index.html, and names the program's files in worker.js. */
export function nameByContent(folder) {
  const worker = join(folder, "worker.js");
  let script = readFileSync(worker, "utf8");
  for (const end of [".js", "_bg.wasm"]) {
    script = replaced(script, `"./promenade-site${end}"`, `"./${program(folder)}${end}"`, "worker.js");
  }
  writeFileSync(worker, script);

  const page = join(folder, "index.html");
  let html = readFileSync(page, "utf8");
  for (const name of ["editor.js", "worker.js", "help.json"]) {
    const file = join(folder, name);
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
    const end = extname(name);
    const named = `${name.slice(0, -end.length)}-${hash}${end}`;
    renameSync(file, join(folder, named));
    html = replaced(html, `./${name}`, `./${named}`, "index.html");
  }
  writeFileSync(page, html);
}
