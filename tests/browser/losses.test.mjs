// Nothing is lost, and nothing passes for what it is not: closed files, links, running checks, names, numbers,
// the tab that is read, the focus.
import assert from "node:assert/strict";
import { accessible, expectTitle, newContext, pageTest, ready, showTrace, watch, write } from "./harness.mjs";

const endless = "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n";
const wrong = "byte x;\nactive proctype P() {\n  x = 2;\n  assert(x == 3)\n}\n";
const files = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("promenade.document")).experiment.files);
const names = (page) => page.locator(".file-name").allInnerTexts();
const focused = (page) => page.evaluate(() => document.activeElement?.className ?? "");
const scrolled = (page) => page.locator(".cm-scroller").evaluate((it) => it.scrollTop);
const file = (page, item) => page.getByRole("button", { name: "File", exact: true }).click()
  .then(() => page.getByRole("menuitem", { name: item }).click());

pageTest("closing a file can be undone", async ({ page }) => {
  await write(page, '#include "include1.h"\n#include "include2.h"\nactive proctype P() { skip }\n');
  for (const text of ["byte first;\n", "byte second;\n"]) {
    await file(page, /Add a file/);
    await page.click(".cm-content");
    await page.keyboard.insertText(text);
  }
  await page.getByRole("button", { name: "Close include1.h" }).click();
  const all = await names(page);
  assert.deepEqual(all.slice(1), ["include2.h"]);
  await page.locator(".notice", { hasText: "include1.h was closed" }).getByRole("button", { name: "Undo" }).click();
  assert.deepEqual((await names(page)).slice(1), ["include1.h", "include2.h"]);
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("promenade.document")).experiment.files[1]?.text === "byte first;\n");
  assert.match(await page.locator(".cm-content").innerText(), /^byte first;\n+$/);
  // Both, and much later, in the menu.
  await page.getByRole("button", { name: "Close include1.h" }).click();
  await page.getByRole("button", { name: "Close include2.h" }).click();
  await page.getByRole("button", { name: "Close the message" }).click();
  for (let i = 0; i < 2; i += 1) await file(page, "Reopen closed file");
  assert.deepEqual((await names(page)).slice(1), ["include1.h", "include2.h"]);
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.waitForSelector(".menu-list:not([hidden])");
  assert.equal(await page.getByRole("menuitem", { name: "Reopen closed file" }).count(), 0);
});

pageTest("a link of a newer version outlives the reload that it asks for", async ({ page, url }) => {
  await page.goto("about:blank");
  await page.goto(`${url}#2abcdefgh`);
  await ready(page);
  await expectTitle(page, /The link cannot be opened/);
  assert.match(await page.locator("#verdict").innerText(), /newer version/);
  assert.equal(new URL(page.url()).hash, "#2abcdefgh");
  await page.reload();
  await ready(page);
  await expectTitle(page, /The link cannot be opened/);
  assert.equal(new URL(page.url()).hash, "#2abcdefgh");
  // An edit is no longer about the link.
  await write(page, wrong);
  await page.waitForFunction(() => location.hash === "");
});

pageTest("a check that a reload interrupts is offered again", async ({ page }) => {
  await write(page, endless);
  await page.locator(".check").click();
  await page.waitForSelector(".check.cancel");
  await page.reload();
  await ready(page);
  await expectTitle(page, /^The check was interrupted$/);
  await accessible(page, "interrupted");
  await page.locator("#verdict").getByRole("button", { name: "Check again" }).click();
  await page.waitForSelector(".check.cancel");
  await page.keyboard.press("Escape");
  await expectTitle(page, /No violation found/);
  // One that came to its end is not.
  await page.reload();
  await ready(page);
  await expectTitle(page, /^Not checked yet$/);
});

pageTest("a model of the gallery begins at its first line", { path: "#ex=leader-election" }, async ({ page }) => {
  await page.locator(".cm-scroller").evaluate((it) => { it.scrollTop = it.scrollHeight; });
  assert.ok(await scrolled(page) > 50);
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click(".model[data-model=leader-election]");
  await page.waitForSelector(".dialog[open]", { state: "detached" });
  await page.waitForTimeout(300);
  assert.equal(await scrolled(page), 0);
});

pageTest("a pasted model gets a name of its own", { path: "#ex=peterson" }, async ({ page }) => {
  assert.deepEqual(await names(page), ["peterson.pml"]);
  await write(page, `/* Token ring, two stations */\n${wrong}`);
  await page.waitForFunction(() => document.querySelector(".file-name").textContent === "token-ring-two-stations.pml");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".file-name").textContent === "peterson.pml");
  await write(page, wrong.replaceAll("P()", "Sender()"));
  await page.waitForFunction(() => document.querySelector(".file-name").textContent === "sender.pml");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// more");
  await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("promenade.document")).experiment.files[0].text.endsWith("// more"));
  assert.equal((await files(page))[0].name, "sender.pml");
});

pageTest("numbers of the run before are marked while the next one runs", async ({ page }) => {
  await write(page, wrong);
  await page.locator(".check").click();
  await expectTitle(page, /^Violated/);
  await page.click("#tab-statistics");
  assert.equal(await page.locator(".former-run").count(), 0);
  await write(page, endless);
  await page.waitForSelector(".former-run");
  await page.locator(".check").click();
  await page.waitForSelector(".check.cancel");
  assert.equal(await page.locator("#view .former-run").innerText(), "From the previous run");
  await page.keyboard.press("Escape");
  await expectTitle(page, /No violation found/);
  await page.waitForSelector(".former-run", { state: "detached" });
});

pageTest("a check leaves the reader and the focus where they are", async ({ page }) => {
  await write(page, wrong);
  await page.click("#tab-outline");
  await page.locator(".check").click();
  await expectTitle(page, /^Violated/);
  assert.equal(await page.getAttribute("#tab-outline", "aria-selected"), "true");
  assert.match(await focused(page), /check/);
  await page.waitForSelector("#tab-trace .tab-new");
  await page.getByRole("tab", { name: /Trace.*new result/ }).waitFor();
  await page.click("#tab-trace");
  assert.equal(await page.locator(".tab-new").count(), 0);
  // The button of the card goes there as well, and takes the focus along.
  await page.click("#tab-outline");
  await page.click("#show-run");
  await page.waitForFunction(() => document.activeElement?.id === "steps");
  // Buttons that a check takes away or switches off.
  await page.click("#tab-properties");
  await page.fill("#formula", "[] (x < 3)");
  const own = page.getByRole("button", { name: "Check this formula" });
  await page.waitForFunction(() => document.querySelector(".formula-actions .action:enabled"));
  await own.focus();
  await page.keyboard.press("Enter");
  await expectTitle(page, /^Violated|^Holds/);
  await page.waitForFunction(() => document.activeElement?.textContent === "Check this formula");
  assert.equal(await page.getAttribute("#tab-properties", "aria-selected"), "true");
  await write(page, wrong.replace("x == 3", "x == 2"));
  const again = page.locator("#verdict").getByRole("button", { name: /Check (again|this one)/ });
  await again.focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".card:not(.stale)");
  await page.waitForFunction(() => document.activeElement?.matches(".check"));
});

pageTest("a link to a counterexample shows it", async ({ page, url }) => {
  await write(page, wrong);
  await page.locator(".check").click();
  await expectTitle(page, /^Violated/);
  await showTrace(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#share-link")?.value.includes("#1"));
  const link = await page.inputValue("#share-link");
  const other = await newContext();
  try {
    const problems = watch(other, new URL(url).origin);
    const opened = await other.newPage();
    await opened.goto(link);
    await ready(opened);
    await opened.waitForSelector("#steps .step");
    assert.deepEqual(problems, []);
  } finally {
    await other.close();
  }
});
