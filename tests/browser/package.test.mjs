// The npm package, used by a page that is not ours.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { newContext, pkg, startServer, watch } from "./harness.mjs";

const html = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:">
<link rel="icon" href="data:,">
<title>A page that embeds the checker</title>
<script type="module" src="embed.js"></script>`;

const script = `
import { start } from "./node_modules/promenade/index.js";
window.start = start;
document.documentElement.dataset.loaded = "true";
`;

/** Runs a test in a page that has the package installed. */
async function embedded(body, expected = []) {
  const folder = mkdtempSync(join(tmpdir(), "promenade-embed-"));
  mkdirSync(join(folder, "node_modules"));
  cpSync(pkg, join(folder, "node_modules/promenade"), { recursive: true });
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "embed.js"), script);
  writeFileSync(join(folder, "failing.js"), `await Promise.reject(new Error("out of order"));`);
  const server = await startServer({ folder });
  const context = await newContext();
  try {
    const problems = watch(context, new URL(server.url).origin);
    const page = await context.newPage();
    await page.goto(server.url);
    await page.waitForSelector("html[data-loaded]", { state: "attached" });
    await body(page);
    assert.deepEqual(problems.filter((problem) => !expected.some((it) => it.test(problem))), []);
  } finally {
    await context.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

test("the package starts a checker and closes it", { timeout: 60_000 }, () => embedded(async (page) => {
  const reason = await page.evaluate(async () => {
    const checker = await window.start();
    const pending = checker.next(() => false);
    checker.close();
    return pending.catch((error) => error.message);
  });
  assert.equal(reason, "the checker was closed");
}));

test("the package checks, simulates and cancels", { timeout: 60_000 }, () => embedded(async (page) => {
  const found = await page.evaluate(async () => {
    const checker = await window.start();
    const wrong = await checker.check("active proctype P() { byte x; x = 1; assert(x == 2) }");
    const broken = await checker.check("active proctype P() { x = }");
    const { trace, ended } = await checker.simulate("active proctype P() { byte x; x = 1; x = 2 }");
    const { summary } = await checker.parse("byte x; active proctype P() { x = 1 }");
    const formula = await checker.formula("[] (p -> <> q)");
    const live = await checker.check({
      files: [{ name: "a.pml", text: "byte x; active proctype P() { do :: x = 1 - x od }" }],
      property: { kind: "formula", text: "<> [] (x == 1)" },
    });
    const controller = new AbortController();
    const seen = [];
    const big = await checker.check(
      { files: [{ name: "a.pml", text: "int a, b; active [2] proctype P() { do :: a++ :: b++ :: a + b < 0 od }" }] },
      { signal: controller.signal, onProgress: (progress) => { seen.push(progress.states); controller.abort(); } },
    );
    checker.close();
    return { formula, live, wrong, broken, steps: trace.steps.length, ended, summary, big, seen: seen.length };
  });
  assert.equal(found.wrong.verdict.verdict, "violated");
  assert.equal(found.wrong.violations[0].kind, "assertion");
  assert.equal(found.broken.verdict.verdict, "input_error");
  assert.ok(found.broken.diagnostics.length > 0);
  assert.equal(found.formula.class, "recurrence");
  assert.equal(found.live.violations[0].kind, "acceptance_cycle");
  assert.equal(typeof found.live.violations[0].trace.cycle_start, "number");
  assert.ok(found.steps >= 2, `${found.steps} steps`);
  assert.equal(typeof found.ended, "string");
  assert.ok(found.summary.symbols.some((symbol) => symbol.name === "P"));
  assert.deepEqual(found.big.verdict, { verdict: "no_violation_found", why: "cancelled" });
  assert.ok(found.seen > 0);
}));

test("a worker that cannot start is an error", { timeout: 60_000 }, () => embedded(async (page) => {
  for (const file of ["missing.js", "failing.js"]) {
    const message = await page.evaluate((name) => {
      const worker = () => new Worker(`./${name}`, { type: "module" });
      return window.start({ worker }).then(() => "started", (error) => `error: ${error.message}`);
    }, file);
    assert.match(message, /^error: ./, file);
  }
}, [/404/, /out of order/]));
