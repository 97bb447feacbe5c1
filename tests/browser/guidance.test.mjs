// What the page says where something does not go on: a wrong text or formula, options that a button changed.
import assert from "node:assert/strict";
import { expectTitle, pageTest, showTrace, write } from "./harness.mjs";

const check = (page) => page.locator(".check");
const row = (page, title) => page.locator(`.property-row[data-property="${title}"]`);
const wrong = "byte x;\nactive proctype P() { x = nosuch; x = another }\n";

for (const [device, viewport] of [["phone", { width: 390, height: 844 }], ["desktop", { width: 1440, height: 900 }]]) {
  pageTest(`a check of a wrong text leads to its first error, ${device}`, { context: { viewport } }, async ({ page }) => {
    await write(page, wrong);
    await check(page).click();
    await expectTitle(page, /^The text has errors$/);
    await page.waitForSelector(".first-error");
    assert.match(await page.locator(".first-error").innerText(), /^Line 2: .*nosuch/);
    // The reader stays in the tab, and nothing names a property that the text may have lost.
    assert.equal(await page.getAttribute("#tab-problems", "aria-selected"), "false");
    assert.equal(await page.locator("#verdict .side-title").count(), 0);
    await page.getByRole("button", { name: "Go to the error" }).click();
    await page.waitForSelector(".cm-content:focus");
    assert.equal(await page.evaluate(() => getSelection().toString()), "nosuch");
    if (device === "phone") assert.ok(await page.locator(".cm-content").isVisible());
    // Another text was not found to be wrong.
    await write(page, "byte x;\nactive proctype P() { x = 1 }\n");
    await page.waitForSelector(".cm-lintRange-error", { state: "detached" });
    if (device === "desktop") {
      await page.click("#tab-properties");
      assert.equal(await row(page, "Safety").locator(".status").innerText(), "not checked");
    }
  });
}

pageTest("options that the lesson changes are named, undone, and stand behind the verdict", { path: "#ex=peterson" }, async ({ page }) => {
  await page.getByRole("button", { name: "check it: ltl entry, weak fairness" }).click();
  await expectTitle(page, /^Holds$/);
  assert.match(await page.locator(".notice").innerText(), /Options changed: weak fairness\./);
  assert.match(await page.locator("#verdict .side-title").innerText(), /^ltl entry, weakly fair$/);
  await page.click("#tab-properties");
  assert.equal(await row(page, "ltl entry").locator(".status").innerText(), "holds, weakly fair");
  await page.waitForSelector("[aria-label='Options, 1 changed']");
  await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await page.waitForSelector("[aria-label=Options]");
  assert.equal(await row(page, "ltl entry").locator(".status").innerText(), "holds, weakly fair, out of date");
  assert.equal(await page.locator(".notice").count(), 0);
});

pageTest("a shortest run says so, and its option can be taken back", { path: "#ex=lost-update" }, async ({ page }) => {
  await check(page).click();
  await expectTitle(page, /^Violated/);
  assert.equal(await page.locator(".shortest").count(), 0);
  await page.click("#shortest-run");
  await page.waitForSelector(".shortest");
  await showTrace(page);
  const last = (await page.locator(".step-number").innerText()).split("/")[1].replace(/\D/g, "");
  assert.match(await page.locator(".shortest").innerText(), new RegExp(`^No run to an error is shorter: ${last}\\D`));
  assert.match(await page.locator(".notice").innerText(), /breadth-first search/);
  await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await page.waitForSelector("[aria-label=Options]");
});

pageTest("an ltl block that cannot be checked says why", async ({ page }) => {
  await write(page, "byte x;\nactive proctype P() { x = 1 }\nltl f { [] (cnt <= 3) }\n");
  await page.click("#tab-properties");
  await row(page, "ltl f").locator(".property-obstacle").waitFor();
  assert.match(await row(page, "ltl f").innerText(), /cannot be checked[^]*cnt.* is not declared/i);
});

pageTest("a wrong formula takes the place of an earlier result", async ({ page }) => {
  await write(page, "byte x;\nactive proctype P() { x = 3 }\n");
  await page.click("#tab-properties");
  await page.fill("#formula", "[] (x <= 3)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /^Holds/);
  await page.fill("#formula", "<> x == 3 -> y");
  await page.waitForSelector(".findings .finding");
  await page.press("#formula", "Control+Enter");
  await expectTitle(page, /^The formula has an error$/);
});

pageTest("a formula of another text gives way to safety", async ({ page }) => {
  await write(page, "byte x;\nactive proctype P() { x = 3 }\n");
  await page.click("#tab-properties");
  await page.fill("#formula", "[] (x <= 3)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /^Holds/);
  // An edit keeps it.
  await write(page, "byte x;\nactive proctype P() { x = 2 }\n");
  await page.waitForTimeout(700);
  assert.equal(await page.locator(".property select").evaluate((it) => it.selectedOptions[0].label), "[] (x <= 3)");
  await write(page, "chan queue = [1] of { byte };\nactive proctype Sender() { queue!7 }\nactive proctype Taker() { queue?_ }\n");
  await page.locator(".notice", { hasText: "does not fit this text: Safety is chosen" }).waitFor();
  await check(page).click();
  await expectTitle(page, /^Holds$/);
});

pageTest("a missing file is added under its name, and written at once", async ({ page }) => {
  await write(page, '#include "defs.h"\nactive proctype P() { x = 1 }\n');
  await page.click("#tab-problems");
  await page.getByRole("button", { name: "Add defs.h" }).click();
  await page.waitForSelector(".cm-content:focus");
  await page.keyboard.insertText("byte x;");
  assert.match(await page.locator(".file-tab[data-active=true]").innerText(), /defs\.h/);
  await page.waitForSelector(".cm-lintRange-error", { state: "detached" });
  await check(page).click();
  await expectTitle(page, /^Holds$/);
});

pageTest("a link that names nothing is refused", { path: "#model=nosuch" }, async ({ page }) => {
  await expectTitle(page, /^The link cannot be opened$/);
});
