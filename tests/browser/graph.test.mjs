// The state graph as a user meets it: numbers, reasons, the run in it, keys, limits, export.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { out, pageTest, ready, site, write } from "./harness.mjs";

const local = `byte g;
active [2] proctype P() {
  byte x = g;
  x = 1;
  x = 2;
  g = x
}
`;

const wrong = `byte x, done;
active [2] proctype P() {
  byte t;
  t = x;
  x = t + 1;
  done++;
  if :: done == 2 -> assert(x == 2) :: else fi
}
`;

/** Opens the tab and waits for the graph of what was written. */
async function open(page, text) {
  await write(page, text);
  await page.click("#tab-graph");
  await page.waitForSelector("#graph-canvas [data-node='0']");
}

const plain = (text) => text.replace(/\s+/g, " ").trim();
const numbers = (page) => page.locator(".graph-numbers strong").innerText().then(plain);
const head = (page) => page.locator(".graph-state-head").innerText().then(plain);

pageTest("the graph shows what the reduction leaves out, and why", async ({ page }) => {
  await open(page, local);
  assert.match(await numbers(page), /^\d+ of \d+ states and \d+ of \d+ transitions would be left out by a reduction\.$/);
  const [left, all] = (await numbers(page)).match(/\d+/g).map(Number);
  assert.equal(await page.locator("#graph-canvas .node.state").count(), all);
  assert.equal(await page.locator("#graph-canvas .node.state.left").count(), left);
  assert.match(await head(page), /^State 0 initial/);
  assert.match(await page.locator(".graph-why").innerText(), /Reduced here: only P:1 moves\.\s+P:1: all it can do here is x = 1\./);
  // Point at a step that is left out.
  const step = page.locator("#graph-canvas .edge.left .reach").first();
  await step.dispatchEvent("pointerover");
  assert.match(await page.locator("#graph-said").innerText(), /Left out: in state \d+ only P:1 moves\./);
  // A state where everything is taken.
  await page.getByLabel("texts").check();
  const full = page.locator("#graph-canvas .node.kept:has-text('P0:6 P1:6')").first();
  // Texts can be read from the first; everything is seen when asked for.
  const size = () => page.locator("#graph-canvas .node text").first().evaluate((it) => it.getBoundingClientRect().height);
  assert.ok(await size() > 8, `${await size()} pixels`);
  await page.locator("#graph-canvas").press("0");
  await full.click();
  assert.match(await page.locator(".graph-why").innerText(), /Not reduced here[^]*g = x uses the global g, as process \d may/);
  // Without what is left out.
  await page.getByLabel("left out").uncheck();
  assert.equal(await page.locator("#graph-canvas .node.left:visible").count(), 0);
});

pageTest("the run of the report lies in the graph, and a click moves the trace", async ({ page }) => {
  await write(page, wrong);
  await page.click(".check");
  await page.waitForFunction(() => /^Violated/.test(document.querySelector("#verdict .card-title")?.textContent ?? ""));
  const place = () => page.locator(".stepping-place").innerText();
  await page.click("#tab-graph");
  await page.waitForSelector("#graph-canvas .edge.path");
  const last = Number((await place()).match(/of (\d+)/)[1]);
  assert.match(await place(), new RegExp(`^step ${last} of ${last}`));
  assert.ok(await page.locator("#graph-canvas .edge.wrong").count() > 0, "failing assertions are marked");
  await page.locator("#graph-canvas [data-node='0']").click();
  assert.match(await place(), /^step 0 of/);
  assert.match(await head(page), /^State 0/);
  // Forward, in the run: the state that is looked at moves along.
  await page.getByRole("button", { name: /^Step forward/ }).click();
  assert.match(await place(), /^step 1 of/);
  assert.doesNotMatch(await head(page), /^State 0\b/);
  assert.equal(await page.locator("#graph-canvas .node.chosen").count(), 1);
  // The values are those of the trace.
  const cells = (selector) => page.locator(`${selector} .cells tr`).evaluateAll((rows) =>
    rows.map((row) => `${row.querySelector("th").textContent}=${row.querySelector(".value").textContent}`));
  const here = await cells(".graph-state");
  await page.click("#tab-trace");
  await page.waitForSelector(".values-body .cells");
  assert.deepEqual(here, await cells(".values-body"));
});

pageTest("arrow keys go along steps", async ({ page }) => {
  await open(page, local);
  await page.focus("#graph-canvas");
  await page.keyboard.press("ArrowDown");
  const first = await head(page);
  assert.match(first, /1 step from the start/);
  await page.keyboard.press("ArrowDown");
  assert.match(await head(page), /2 steps from the start/);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.match(await head(page), /^State 0 initial/);
  // The list of steps leads on, too.
  await page.locator(".graph-step").first().click();
  assert.match(await head(page), /1 step from the start/);
});

pageTest("a graph that is too large is partial and says what to do", async ({ page }) => {
  await open(page, "byte a, b;\nactive proctype P() { do :: a < 9 -> a++ :: b < 9 -> b++ :: else -> break od }\n");
  const partial = page.locator(".graph-partial");
  await page.getByRole("button", { name: "50", exact: true }).click();
  await page.locator(".graph-partial", { hasText: "first 50" }).waitFor();
  assert.match(plain(await partial.innerText()), /^The model has [\d,]+ states; the first 50, breadth first, are shown\. With the limit 500 all are shown\.$/);
  assert.equal(await page.locator("#graph-canvas .node.state").count(), 50);
  await page.getByRole("button", { name: "500", exact: true }).click();
  await partial.waitFor({ state: "detached" });
  assert.ok(await page.locator("#graph-canvas .node.dot").count() > 60);
  // Numbers appear when one zooms in, once the whole is seen.
  await page.waitForTimeout(300);
  const visible = () => page.locator("#graph-canvas .dot text").first().evaluate((it) => getComputedStyle(it).visibility);
  assert.equal(await visible(), "hidden");
  for (let i = 0; i < 12; i++) await page.getByRole("button", { name: "Larger (+)" }).click();
  assert.equal(await visible(), "visible");
});

pageTest("a text with errors has no graph, and gets one when it is mended", async ({ page }) => {
  await write(page, "active proctype P() { x = 1 }");
  await page.click("#tab-graph");
  await page.waitForSelector("text=There is no graph of a text with errors");
  await open(page, "byte x;\nactive proctype P() { x = 1 }");
  await page.waitForSelector("#graph-canvas .valid-end");
});

pageTest("the graph is exported as SVG and for Graphviz", async ({ page }) => {
  await open(page, local);
  const save = async (name) => {
    await page.locator(".graph").getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name }).click()]);
    const file = join(out, download.suggestedFilename());
    await download.saveAs(file);
    return readFileSync(file, "utf8");
  };
  const picture = await save("Save as SVG");
  assert.match(picture, /^<svg xmlns/);
  assert.match(picture, /class="node state kept/);
  const text = await save("Save for Graphviz (DOT)");
  assert.match(text, /^digraph states \{/);
  assert.match(text, /style=dashed/);
});

for (const scheme of ["light", "dark"]) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    pageTest(`nothing is cut off: ${scheme}, ${width} pixels wide`, { context: { viewport: { width, height }, colorScheme: scheme } }, async ({ page }) => {
      await page.goto((await site()).url + "#ex=peterson");
      await ready(page);
      if (width < 500) await page.getByRole("button", { name: "Result" }).click();
      await page.click("#tab-graph");
      await page.waitForSelector("#graph-canvas [data-node='0']");
      await page.waitForTimeout(200);
      await page.screenshot({ path: join(out, `graph-${scheme}-${width}.png`) });
      const wide = await page.evaluate(() => document.querySelector("#view").scrollWidth - document.querySelector("#view").clientWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      const frame = await page.locator("#graph-canvas").boundingBox();
      assert.ok(frame.width > 250 && frame.height > 200, JSON.stringify(frame));
    });
  }
}
