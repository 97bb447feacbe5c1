// Every state of the page as axe sees it, wide and narrow, light and dark, and what a screen reader hears.
import assert from "node:assert/strict";
import { accessible, choose, expectTitle, openHelp, pageTest, ready, showTrace, write } from "./harness.mjs";

const endless = "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n";
const wrong = "byte x;\nactive proctype P() {\n  x = 2;\n  assert(x == 3)\n}\n";
const check = (page) => page.locator(".check").click();

/** A test in light and dark, on a wide screen and on a phone. */
function everywhere(name, path, body) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of [["wide", { width: 1440, height: 900 }], ["phone", { width: 390, height: 844 }]]) {
      const context = { viewport, colorScheme, reducedMotion: "reduce", ...(size === "phone" ? { hasTouch: true, isMobile: true } : {}) };
      pageTest(`axe: ${name}, ${size}, ${colorScheme}`, { path, context }, (it) => body({ ...it, phone: size === "phone" }));
    }
  }
}

const half = (page, phone, name) => (phone ? page.locator(".switch").getByText(name, { exact: true }).click() : null);

everywhere("start, errors, a run", "", async ({ page, phone }) => {
  await accessible(page, "start");
  await half(page, phone, "Result");
  await accessible(page, "the lesson");
  for (const tab of ["properties", "trace", "automaton", "statistics", "unreached", "problems", "outline"]) {
    await page.click(`#tab-${tab}`);
    await accessible(page, `${tab} before a check`);
  }
  await check(page);
  await expectTitle(page, /^Holds$/);
  await accessible(page, "holds");
  for (const tab of ["statistics", "unreached"]) {
    await page.click(`#tab-${tab}`);
    await accessible(page, `${tab} of a check`);
  }
  await page.locator(".simulate").click();
  await page.waitForSelector("#steps .step");
  await accessible(page, "a random run");
  await half(page, phone, "Edit");
  await write(page, "active proctype P() { x = y }\n");
  await page.waitForSelector(".cm-lintRange-error");
  await accessible(page, "a text with errors");
  await check(page);
  await expectTitle(page, /The text has errors/);
  await page.click("#tab-problems");
  await accessible(page, "problems");
});

everywhere("running, violated", "", async ({ page, phone }) => {
  await write(page, endless);
  await check(page);
  await page.waitForSelector(".check.cancel");
  await accessible(page, "running");
  await page.keyboard.press("Escape");
  await expectTitle(page, /No violation found/);
  await accessible(page, "cancelled");
  await half(page, phone, "Edit");
  await write(page, wrong);
  await check(page);
  await expectTitle(page, /^Violated/);
  await accessible(page, "violated");
  await showTrace(page);
  await accessible(page, "a counterexample");
  await half(page, phone, "Edit");
  await write(page, wrong.replace("x == 3", "x == 4"));
  await half(page, phone, "Result");
  await page.waitForSelector(".card.stale");
  await accessible(page, "out of date");
});

everywhere("an infinite run", "#ex=peterson", async ({ page, phone }) => {
  await half(page, phone, "Result");
  await page.click("#tab-properties");
  await page.fill("#formula", "[] <> (inside == 7)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /^Violated/);
  await accessible(page, "the formula and its result");
  await showTrace(page);
  await accessible(page, "an infinite run");
  await page.click("#tab-automaton");
  await page.waitForSelector(".automaton-svg");
  await accessible(page, "the automaton");
});

everywhere("the state graph", "#ex=peterson", async ({ page, phone }) => {
  await half(page, phone, "Result");
  await page.click("#tab-graph");
  await page.waitForSelector("#graph-canvas .node");
  await page.focus("#graph-canvas");
  await page.keyboard.press("ArrowDown");
  await accessible(page, "the state graph");
});

everywhere("dialogs", "", async ({ page }) => {
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.waitForSelector(".model");
  await accessible(page, "gallery");
  await page.keyboard.press("Escape");
  await page.locator("[aria-label^=Options]").click();
  await page.waitForSelector(".form");
  await page.evaluate(() => document.querySelectorAll(".form details").forEach((it) => { it.open = true; }));
  await accessible(page, "options");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#share-link")?.value.includes("#1"));
  await accessible(page, "share");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.waitForSelector(".menu-list:not([hidden])");
  await accessible(page, "the menu of files");
  await page.keyboard.press("Escape");
});

everywhere("an assignment", "#assignment=mutual-exclusion", async ({ page, phone }) => {
  await page.waitForSelector(".course");
  await accessible(page, "an assignment");
  await page.locator(".course-task[data-task=flags]").getByLabel("It is violated").check();
  await page.getByRole("button", { name: "Check my work" }).click();
  await page.locator(".course-status", { hasText: "Not solved" }).first().waitFor();
  await accessible(page, "an assignment that was checked");
  await page.getByRole("button", { name: "Download the file" }).click();
  await page.locator("#course-hand-in", { hasText: "Fill in first" }).waitFor();
  await accessible(page, "an assignment, handing in");
  await half(page, phone, "Edit");
  await accessible(page, "locked lines");
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.waitForSelector("[data-course]");
  await accessible(page, "the gallery with an assignment that was begun");
});

everywhere("help", "", async ({ page }) => {
  await openHelp(page, "getting-started");
  for (const name of await page.locator(".help-choice option").evaluateAll((all) => all.map((it) => it.value))) {
    await page.selectOption(".help-choice", name);
    await accessible(page, `help: ${name}`);
  }
});

/** Waits for a text that matches. */
async function expect(locator, pattern) {
  await locator.filter({ hasText: pattern }).waitFor({ state: "attached" });
}

pageTest("going through the state graph is heard", { path: "#ex=peterson" }, async ({ page }) => {
  await page.click("#tab-graph");
  await page.waitForSelector("#graph-canvas .node");
  await page.focus("#graph-canvas");
  const heard = page.locator("#graph-heard");
  assert.equal(await heard.getAttribute("role"), "status");
  assert.equal(await heard.innerText(), "");
  const state = /^State \d+: .*leads? on\.$/s;
  await page.keyboard.press("ArrowDown");
  await expect(heard, state);
  const before = await heard.innerText();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction((text) => document.querySelector("#graph-heard").innerText !== text, before);
  await expect(heard, state);
  // There is an end in every direction.
  for (let i = 0; i < 40 && await heard.innerText() !== "No state in this direction."; i += 1) {
    await page.keyboard.press("ArrowLeft");
    await page.waitForTimeout(50);
  }
  assert.equal(await heard.innerText(), "No state in this direction.");
});

pageTest("the property is chosen by a label, and the page is ready again after a reload", async ({ page }) => {
  await choose(page, "Safety");
  await page.reload();
  await ready(page);
  await page.getByRole("combobox", { name: "Property" }).waitFor();
});
