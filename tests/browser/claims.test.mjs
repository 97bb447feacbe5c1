// Never claims as automata: those of the text, and those that are pasted in place of a formula.
import assert from "node:assert/strict";
import { join } from "node:path";
import { out, pageTest, showTrace, write } from "./harness.mjs";

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
  await showTrace(page);
  await page.waitForSelector("#steps .step");
  // Steps of the claim stand in the list, with its moves.
  await expectText(page, "#steps", /0 → 1/);
  await page.click("#tab-automaton");
  assert.deepEqual(await page.locator(".segment:visible").allInnerTexts(), ["Counterexample"]);
  await page.waitForSelector("#automaton-canvas .node.here");
  const seen = new Set();
  for (let step = 0; step < 6; step++) {
    seen.add((await marked(page)).join());
    await page.getByRole("button", { name: "Step back (Page Up)" }).click();
  }
  assert.deepEqual([...seen].sort(), ["T0_init", "accept_S1"]);
});

const claim = `never { /* <>[] (x == 1) */
T0_init:
  do // guess
  :: (1) -> goto T0_init
  :: (x == 1) -> goto accept_S1
  od;
accept_S1:
  do
  :: (x == 1) -> goto accept_S1
  od;
}
`;

async function paste(page, text) {
  await page.click("#tab-properties");
  await page.fill("#formula", "");
  await page.locator("#formula").evaluate((input, text) => {
    input.focus();
    const data = new DataTransfer();
    data.setData("text/plain", text);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

pageTest("a never claim is pasted in place of a formula", async ({ page }) => {
  await write(page, "byte x;\nactive proctype A() { x = 1 }\n");
  await paste(page, claim);
  assert.match(await page.inputValue("#formula"), /^never \{ .*do \/\* guess \*\/ :: .*\}$/);
  await expectText(page, ".formula-box .known", /never claim \(<>\[\] \(x == 1\)\)[^]*runs that must not exist[^]*2\sstates/);
  await expectText(page, ".formula-box .known", /property.*recurrence/);
  assert.equal(await page.getByRole("button", { name: "Check this automaton" }).count(), 1);
  await page.getByRole("button", { name: "Show its automaton" }).click();
  await expectText(page, "#automaton-canvas", /T0_init[^]*accept_S1/);
  assert.deepEqual(await page.locator(".segment:visible").allInnerTexts(), ["Given"]);
  // The word tester takes it, too.
  await page.click("#tab-properties");
  await page.locator("#words > summary").click();
  await page.fill("#word-text", "-; cycle{x == 1}");
  await expectText(page, "#words .word-answer", /✓ The automaton accepts the word: such a run must not exist/);
  await page.fill("#word-text", "-; cycle{x == 1; -}");
  await expectText(page, "#words .word-answer", /✗ The automaton does not accept/);
  await page.screenshot({ path: join(out, "given-claim.png"), fullPage: true });
  // It is checked as what must not happen.
  await page.getByRole("button", { name: "Check this automaton" }).click();
  await expectText(page, "#card, .card, main", /Violated: an accepted infinite run/);
  await page.click("#tab-automaton");
  await page.waitForSelector("#automaton-canvas .node.here");
  assert.deepEqual(await marked(page), ["accept_S1"]);
  await page.click("#tab-properties");
  await page.getByRole("button", { name: "Copy as never claim into the text" }).click();
  await page.locator(".cm-content", { hasText: "never f1 {" }).waitFor();
  assert.match(await page.locator(".cm-content").innerText(), /never f1[^]*accept_S1:[^]*goto accept_S1/);
});

pageTest("mistakes in a claim are shown, automata in the Hanoi format are read", async ({ page }) => {
  await paste(page, "never { T0: do :: p -> goto S od }");
  await page.fill("#formula", "never { T0: do :: p -> goto S od }");
  await expectText(page, ".formula-box .findings", /Column 24: there is no label S/);
  await paste(page, 'HOA: v1\nStates: 1\nStart: 0\nAP: 1 "x == 1"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {0}\n--END--\n');
  await expectText(page, ".formula-box .known", /an automaton[^]*runs that must not exist[^]*1\sstate/);
});

pageTest("a formula that holds without saying anything", async ({ page }) => {
  await write(page, "byte x;\nactive proctype A() { do :: x = 1 - x od }\n");
  await page.click("#tab-properties");
  await page.fill("#formula", "[] (x == 7 -> <> (x == 1))");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await page.getByText("But x == 7 is never true: the property says nothing about this model.").waitFor();
  // A formula of one's own is no part of the text.
  await page.click("#tab-properties");
  assert.deepEqual(await page.locator(".property-row").evaluateAll((all) => all.map((it) => it.dataset.property)), [
    "Safety",
    "[] (x == 7 -> <> (x == 1))",
  ]);
});

pageTest("the alternating automaton of a formula", async ({ page }) => {
  await page.click("#tab-properties");
  await page.fill("#formula", "[] (p -> <> q)");
  await page.getByRole("button", { name: "Show its automaton" }).click();
  await page.getByRole("button", { name: "Alternating", exact: true }).click();
  await expectText(page, "#automaton-canvas", /∧/);
  await expectText(page, ".legend", /A run is a tree, and no branch of it may stay for ever/);
  await page.locator("#automaton-canvas .node").first().hover();
  await expectText(page, "#automaton-said", /From here on this has to hold/);
  await page.screenshot({ path: join(out, "alternating.png") });
  await page.getByRole("button", { name: "Formula", exact: true }).click();
  await page.getByLabel("by alternation").check();
  await page.getByLabel("raw").check();
  await expectText(page, ".legend", /2\sstates/);
});
