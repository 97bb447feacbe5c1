// Never claims as automata: those of the text, and those that are pasted in place of a formula.
import assert from "node:assert/strict";
import { join } from "node:path";
import { out, pageTest } from "./harness.mjs";

const model = `byte x;
active proctype A() { do :: x = 1 - x od }
never {
T0_init:
  do
  :: (x == 0) -> goto T0_init
  :: (x == 1) -> goto accept_S1
  od;
accept_S1:
  if
  :: (x == 0) -> goto T0_init
  :: (x == 1) -> goto accept_S1
  fi
}
`;

async function write(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function expectText(page, selector, pattern) {
  await page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""),
    [selector, pattern.source],
  );
}

const marked = (page) => page.locator("#automaton-canvas .node.here text").allTextContents();

pageTest("a never claim of the text is drawn before it is checked, and followed afterwards", async ({ page }) => {
  await write(page, model);
  await page.click("#tab-properties");
  const row = page.locator('.property-row[data-property="Never claim"]');
  await row.getByRole("button", { name: "automaton" }).click();
  await expectText(page, "#automaton-canvas", /T0_init[^]*accept_S1/);
  assert.deepEqual(await page.locator(".segment:visible").allInnerTexts(), ["Claim"]);
  assert.deepEqual(await marked(page), []);
  await page.screenshot({ path: join(out, "claim.png") });
  await page.click("#tab-properties");
  await page.locator('.property-row[data-property="Acceptance cycles"] .property-title').click();
  await page.click("#tab-automaton");
  await expectText(page, "#automaton-canvas", /T0_init/);
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("#steps .step");
  // Steps of the claim stand in the list, with its moves.
  await expectText(page, "#steps", /0 → 1/);
  await page.click("#tab-automaton");
  assert.deepEqual(await page.locator(".segment:visible").allInnerTexts(), ["Counterexample"]);
  await page.waitForSelector("#automaton-canvas .node.here");
  const seen = new Set();
  for (let step = 0; step < 6; step++) {
    seen.add((await marked(page)).join());
    await page.keyboard.press("PageUp");
  }
  assert.deepEqual([...seen].sort(), ["T0_init", "accept_S1"]);
});
