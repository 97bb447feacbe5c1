// The assignments that ship with the page: their texts, and what the gallery says about them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The first paragraph of the instructions, as plain text. */
function about(text) {
  const [, , body] = text.split(/^---$/m);
  const paragraph = body.split(/\n\s*\n/).find((part) => part.trim() !== "" && !/^\s*[#`]/.test(part)) ?? "";
  return paragraph.replace(/[*`$]/g, "").replace(/\s+/g, " ").trim();
}

/** Texts by name, and for each its name, title, first paragraph, number of tasks and points. */
export function shippedAssignments(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3)).sort();
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, `${name}.md`), "utf8")]));
  const list = names.map((name) => {
    const text = texts[name];
    const points = [...text.matchAll(/^points: (\d+)$/gm)].map(([, number]) => Number(number));
    const title = /^title: (.+)$/m.exec(text)?.[1];
    if (!title || points.length === 0) throw new Error(`${name}.md has no title or no points`);
    return { name, title, about: about(text), tasks: points.length, points: points.reduce((a, b) => a + b) };
  });
  return { texts, list };
}
