// Short names for what the programs import: those of wasm-bindgen end with a hash of 16 digits, in script and module.
import { readFileSync, writeFileSync } from "node:fs";

const LONG = /\b__wbg_\w+_[0-9a-f]{16}\b/g;
const IMPORTS = 2;

/** Reads an unsigned LEB128 number; gives it with the place behind it. */
function number(bytes, at) {
  let [value, shift] = [0, 0];
  for (;;) {
    const byte = bytes[at];
    at += 1;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
    shift += 7;
  }
}

function written(value) {
  const bytes = [];
  do {
    const low = value % 128;
    value = Math.floor(value / 128);
    bytes.push(value > 0 ? low | 0x80 : low);
  } while (value > 0);
  return Buffer.from(bytes);
}

/** The section of imports with other names; kinds and types stay as they are. */
function renamed(section, name) {
  let [count, at] = number(section, 0);
  const parts = [written(count)];
  const text = () => {
    const [length, start] = number(section, at);
    at = start + length;
    return section.toString("utf8", start, at);
  };
  const put = (it) => parts.push(written(Buffer.byteLength(it)), Buffer.from(it));
  for (; count > 0; count -= 1) {
    put(text());
    put(name(text()));
    const kind = at;
    // Functions only: a program of ours brings its memory and table itself.
    if (section[kind] !== 0) throw new Error("an import that is no function");
    at = number(section, kind + 1)[1];
    parts.push(section.subarray(kind, at));
  }
  return Buffer.concat(parts);
}

/** Gives imports short names, in the script and in the module. */
export function shortenImports(script, module) {
  const text = readFileSync(script, "utf8");
  const names = new Map([...new Set(text.match(LONG))].sort().map((name, at) => [name, `__wbg_${at.toString(36)}`]));
  const bytes = readFileSync(module);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [length, start] = number(bytes, at + 1);
    const section = bytes.subarray(start, start + length);
    const own = id === IMPORTS ? renamed(section, (name) => names.get(name) ?? name) : section;
    parts.push(Buffer.from([id]), written(own.length), own);
    at = start + length;
  }
  writeFileSync(module, Buffer.concat(parts));
  writeFileSync(script, text.replace(LONG, (name) => names.get(name)));
}
