// The checker in a browser's worker, for `cargo xtask bench`: one JSON request a line on standard
// input, `{ experiment, claim, limit }` or `{ formula }`; one JSON answer a line on standard output,
// with the seconds from sending the request to having the report, as the page has them.
import { createInterface } from "node:readline";
import { browser, newContext, startServer, pkg } from "./harness.mjs";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "promenade-bench-"));
mkdirSync(join(folder, "promenade"));
cpSync(pkg, join(folder, "promenade"), { recursive: true });
writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>bench</title>
<link rel="icon" href="data:,"><script type="module" src="bench.js"></script>`);
writeFileSync(join(folder, "bench.js"), `
import { start } from "./promenade/index.js";
let checker = await start();
window.check = async (experiment, claim, limit) => {
  if (claim) {
    const { summary } = await checker.parse(experiment);
    if (summary.symbols.some(({ kind }) => kind === "never")) experiment.property = { kind: "claim" };
  }
  const began = performance.now();
  const pending = checker.check(experiment);
  const late = new Promise((resolve) => setTimeout(() => resolve(null), limit * 1000));
  const report = await Promise.race([pending.catch((error) => ({ message: error.message })), late]);
  const seconds = (performance.now() - began) / 1000;
  if (report === null || report.verdict === undefined) {
    checker.close();
    checker = await start();
  }
  return { seconds, report: report ?? { message: "too slow" } };
};
window.read = async (formula) => {
  const began = performance.now();
  const report = await checker.formula(formula);
  const seconds = (performance.now() - began) / 1000;
  const [wrong] = report.diagnostics;
  return wrong ? { message: wrong.message } : { seconds };
};
document.documentElement.dataset.loaded = "true";
`);

const server = await startServer({ folder });
const context = await newContext();
const page = await context.newPage();
await page.goto(server.url);
await page.waitForSelector("html[data-loaded]", { state: "attached" });
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.formula !== undefined) {
    const answer = await page.evaluate((formula) => window.read(formula), request.formula);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
    continue;
  }
  const { seconds, report } = await page.evaluate(
    ({ experiment, claim, limit }) => window.check(experiment, claim, limit),
    request,
  );
  const { verdict, message } = report;
  const statistics = report.statistics ?? {};
  process.stdout.write(`${JSON.stringify({ seconds, verdict, message, statistics })}\n`);
}
await context.close();
await server.stop();
await (await browser()).close();
rmSync(folder, { recursive: true });
