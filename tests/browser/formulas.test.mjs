// The tools around a formula: words tried on it, formulas from patterns, algorithms compared, why a run is fair.
import assert from "node:assert/strict";
import { join } from "node:path";
import { expectTitle, openHelp, out, pageTest, showTrace, write } from "./harness.mjs";

const model = `byte x;
bool wants;
active proctype A() { do :: x = 1 - x od }
active proctype B() { do :: x == 5 -> wants = true od }
ltl never_three { <> (x == 3) }
`;

async function open(page, id) {
  await page.click("#tab-properties");
  await page.locator(`#${id} > summary`).click();
  await page.waitForSelector(`#${id}[open]`);
}

async function expectText(page, selector, pattern) {
  await page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""),
    [selector, pattern.source],
  );
}

async function formula(page, text) {
  await page.click("#tab-properties");
  await page.fill("#formula", text);
}

const answer = "#words .word-answer";
const letter = (page, name, position) => page.getByRole("button", { name: `${name} at position ${position}`, exact: true });
const values = async (page, part) => {
  const row = page.locator("#words .parts tr").filter({ has: page.locator(`th code:text-is("${part}")`) });
  return (await row.locator("td .unseen").allInnerTexts()).map((it) => it === "true");
};

pageTest("a word is clicked together and judged at once", async ({ page }) => {
  await open(page, "words");
  assert.match(await page.locator("#words").innerText(), /Write a formula/);
  await formula(page, "[] (p -> <> q)");
  await letter(page, "p", 1).waitFor();
  // Nothing holds anywhere at first.
  await expectText(page, answer, /✓ The word satisfies the formula/);
  await letter(page, "p", 2).click();
  await expectText(page, answer, /✗ The word does not satisfy the formula/);
  assert.equal(await page.inputValue("#word-text"), "-; cycle{p}");
  await expectText(page, "#words .word-run", /none of them takes a marked edge|Every run ends/);
  await page.getByRole("button", { name: "Add a repeated position" }).click();
  await letter(page, "p", 3).click();
  await letter(page, "q", 3).click();
  await expectText(page, answer, /✓/);
  assert.equal(await page.inputValue("#word-text"), "-; cycle{p; q}");
  await expectText(page, "#words .chain", /→.*↻/);
  assert.deepEqual(await values(page, "<>q"), [true, true, true]);
  // Positions come and go; one that repeats always stays.
  await page.getByRole("button", { name: "Remove the last position that comes once" }).click();
  await letter(page, "p", 3).waitFor({ state: "detached" });
  assert.equal(await page.inputValue("#word-text"), "cycle{p; q}");
  assert.ok(await page.getByRole("button", { name: "Remove the last position that comes once" }).isDisabled());
  await page.getByRole("button", { name: "Remove the last repeated position" }).click();
  assert.ok(await page.getByRole("button", { name: "Remove the last repeated position" }).isDisabled());
  await expectText(page, answer, /✗/);
});

pageTest("the word's table by keyboard, and the word as text", async ({ page }) => {
  await formula(page, "p U q");
  await open(page, "words");
  await letter(page, "p", 1).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expectText(page, answer, /✓/);
  assert.equal(await page.inputValue("#word-text"), "p; cycle{q}");
  assert.equal(await letter(page, "q", 2).getAttribute("aria-pressed"), "true");
  // The focus stays where it is while the table changes.
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "q at position 2");
  await page.fill("#word-text", "p & !q; p; cycle{p; }");
  await expectText(page, answer, /✗/);
  assert.deepEqual(await values(page, "p U q"), [false, false, false]);
  await page.fill("#word-text", "p; r; cycle{q}");
  await expectText(page, "#word-text-about", /“r” is not a proposition of the formula; these are: “p”, “q”/);
  assert.equal(await page.getAttribute("#word-text", "aria-invalid"), "true");
  await page.fill("#word-text", "-; cycle{q}");
  await expectText(page, "#words .word-run", /Every run ends, because no edge can be taken: at position 1/);
  assert.equal(await page.getAttribute("#word-text", "aria-invalid"), null);
  // A new formula keeps what the word says about propositions that are still there.
  await formula(page, "<> q");
  await letter(page, "q", 2).waitFor();
  await letter(page, "p", 1).waitFor({ state: "detached" });
  await expectText(page, answer, /✓/);
});

pageTest("the words that show that repetition matters can be tried", async ({ page }) => {
  await formula(page, "X p");
  await page.waitForSelector(".words .try");
  await page.locator(".words .try").nth(0).click();
  await expectText(page, answer, /✓/);
  await page.locator(".words .try").nth(1).click();
  await expectText(page, answer, /✗/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Try a word");
});

pageTest("a formula from a pattern", async ({ page }) => {
  await write(page, model);
  await open(page, "patterns");
  await page.waitForFunction(() => document.querySelectorAll("#pattern-choice option").length >= 10);
  assert.match(await page.locator("#patterns").innerText(), /Write what P and S stands? for/);
  await page.fill("#event-p", "wants");
  // Names of the model are offered.
  await page.focus("#event-s");
  await page.keyboard.type("want");
  await page.waitForSelector("#event-s-completions .completion");
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("#event-s"), "wants");
  await page.fill("#event-s", "x == 1");
  await expectText(page, "#patterns .pattern-formula", /\[\] ?\(.*wants.*->.*<>.*x == 1/);
  await expectText(page, "#patterns .pattern-sentence", /followed by/);
  // Another scope asks for another event, and keeps those that are there.
  await page.selectOption("#scope-choice", "after q");
  await page.waitForSelector("#event-q");
  assert.equal(await page.inputValue("#event-p"), "wants");
  await page.fill("#event-q", "x == (");
  await expectText(page, "#patterns .wrong", /^Q: /);
  await page.fill("#event-q", "x == 0");
  await expectText(page, "#patterns .pattern-sentence", /^From/);
  const made = await page.locator("#patterns .pattern-formula").innerText();
  await page.getByRole("button", { name: "Use this formula" }).click();
  assert.equal(await page.inputValue("#formula"), made);
  // The way back: the formula is recognised.
  await page.waitForSelector(".known");
  await expectText(page, ".known", /in words/);
  await page.selectOption("#pattern-choice", "absence");
  await page.selectOption("#scope-choice", "globally");
  await page.waitForSelector("#event-s", { state: "detached" });
  await expectText(page, "#patterns .pattern-formula", /^\[\] ?!/);
});

pageTest("algorithms are compared on the chosen property", async ({ page }) => {
  await write(page, model);
  await open(page, "race");
  const row = (name) => page.locator(`#race [data-algorithm="${name}"]`);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await row("breadth-first").locator('[data-status="holds"]').waitFor();
  await row("depth-first").locator('[data-status="holds"]').waitFor();
  const states = await row("depth-first").locator("td").nth(1).innerText();
  assert.equal(await row("breadth-first").locator("td").nth(1).innerText(), states);
  // The result of an earlier check is left alone, and the text is not checked by this.
  assert.match(await page.locator("#verdict .card-title").innerText(), /Not checked yet/);
  await page.locator(".property-title", { hasText: "never_three" }).click();
  await expectText(page, "#race", /out of date/);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await row("nested depth-first").locator('[data-status="violated"]').waitFor();
  await row("Couvreur").locator('[data-status="violated"]').waitFor();
  await row("Couvreur, shy").locator('[data-status="violated"]').waitFor();
  await row("Couvreur, without a list").locator('[data-status="violated"]').waitFor();
  await row("generalised nested depth-first").locator('[data-status="violated"]').waitFor();
  assert.equal(await row("breadth-first").count(), 0);
  assert.ok((await page.locator("#race .best").count()) >= 1);
  const weight = await page.locator("#race .best").first().evaluate((it) => getComputedStyle(it).fontWeight);
  assert.ok(Number(weight) >= 600);
});

pageTest("a comparison is cancelled, and can be made again", async ({ page }) => {
  await write(page, "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n");
  await open(page, "race");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expectText(page, "#race [role=status]", /1 of 2: depth-first, .*\d{4}|1 of 2: depth-first, \d+.\d{3}/);
  await page.locator("#race").getByRole("button", { name: "Cancel", exact: true }).click();
  await expectText(page, "#race [role=status]", /ended early/);
  await page.locator('#race [data-algorithm="depth-first"] [data-status="partial"]').waitFor();
  await page.locator('#race [data-algorithm="breadth-first"] [data-status="not checked"]').waitFor();
  await page.waitForSelector("html[data-worker=ready]", { state: "attached" });
  await write(page, model);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.locator('#race [data-algorithm="breadth-first"] [data-status="holds"]').waitFor();
});

async function fair(page) {
  await page.locator("[aria-label^=Options]").click();
  await page.locator("#dialog-options").getByLabel(/^Weak/).check();
  await page.keyboard.press("Escape");
}

pageTest("a fair counterexample says for each process why it is fair", async ({ page }) => {
  await write(page, model);
  await page.click("#tab-properties");
  await page.locator(".property-title", { hasText: "never_three" }).click();
  await fair(page);
  await page.locator(".check").click();
  await expectTitle(page, /^Violated/);
  await showTrace(page);
  await page.waitForSelector(".fairness li");
  const lines = await page.locator(".fairness li").allInnerTexts();
  assert.equal(lines.length, 2);
  assert.match(lines.find((it) => it.includes("A(0)")), /A\(0\) is enabled in .*, moves again and again, at step \d+/);
  assert.match(lines.find((it) => it.includes("B(1)")), /B\(1\) is never enabled on the cycle/);
  // The link leads to a step of that process.
  const link = page.locator(".fairness li", { hasText: "A(0)" }).getByRole("button");
  const number = Number(/\d+/.exec(await link.innerText())[0]);
  await link.click();
  await page.waitForSelector(`#step-${number}[aria-selected=true]`);
  assert.match(await page.locator(`#step-${number}`).innerText(), /A0/);
  // Plain nested depth-first search cannot take fairness.
  await open(page, "race");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.locator('#race [data-algorithm="Couvreur"] [data-status="violated"]').waitFor();
  assert.equal(await page.locator('#race [data-algorithm="nested depth-first"]').count(), 0);
  await expectText(page, "#race", /Searches for one acceptance set do not take part/);
  // The comparison comes to its end, and all agree.
  await page.getByRole("button", { name: "Compare", exact: true }).waitFor();
  const said = await page.locator("#race tbody .status").allInnerTexts();
  assert.deepEqual([...new Set(said.map((it) => it.trim()))], ["violated"]);
});

for (const [device, viewport] of [["wide", { width: 1440, height: 900 }], ["phone", { width: 390, height: 844 }]]) {
  for (const colorScheme of ["light", "dark"]) {
    pageTest(`pictures of the tools, ${device}, ${colorScheme}`, {
      context: { viewport, colorScheme },
    }, async ({ page }) => {
      const picture = (name) => page.screenshot({ path: join(out, `formulas-${name}-${device}-${colorScheme}.png`) });
      const show = async (selector) => {
        await page.locator(selector).evaluate((it) => it.scrollIntoView({ block: "start" }));
        await page.waitForTimeout(200);
      };
      await write(page, model);
      if (device === "phone") await page.locator(".switch button", { hasText: "Result" }).click();
      await formula(page, "[] (wants -> <> (x == 1)) && X wants");
      await page.waitForSelector(".words .try");
      await open(page, "words");
      await page.fill("#word-text", "wants; wants; x == 1; cycle{wants; x == 1; -}");
      await expectText(page, answer, /✓/);
      await show("#words");
      await picture("word");
      await page.fill("#word-text", "wants; cycle{x == 1}");
      await expectText(page, answer, /✗/);
      await picture("word-not");
      await page.locator("#words > summary").click();
      await open(page, "patterns");
      await page.fill("#event-p", "wants");
      await page.fill("#event-s", "x == 1");
      await page.selectOption("#scope-choice", "after q until r");
      await page.fill("#event-q", "x == 2");
      await page.fill("#event-r", "x == 3");
      await page.waitForSelector("#patterns .pattern-formula");
      await show("#patterns");
      await picture("pattern");
      await page.locator("#patterns > summary").click();
      await page.locator(".property-title", { hasText: "never_three" }).click();
      await open(page, "race");
      await page.getByRole("button", { name: "Compare", exact: true }).click();
      await page.locator('#race [data-algorithm="Couvreur, without a list"] [data-status="violated"]').waitFor();
      await show("#race");
      await picture("race");
      // Nothing makes the page wider than the screen.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });
  }
}

pageTest("the help explains the tools", async ({ page }) => {
  await openHelp(page, "infinite-runs");
  const text = await page.locator(".help-body").innerText();
  for (const title of ["From a pattern to a formula", "Trying a word", "Comparing algorithms"]) {
    assert.ok(text.includes(title), title);
  }
});
