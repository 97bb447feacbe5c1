// Properties of infinite runs as a user meets them: choosing, the list, the formula box, the trace, the automaton.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { choose, expectTitle, newContext, openHelp, openOptions, out, pageTest, ready, showTrace, watch, write } from "./harness.mjs";

const peterson = { path: "#ex=peterson" };
const check = (page) => page.locator(".check");
const place = (page) => showTrace(page).then(() => page.locator(".step-number").innerText()).then((text) => Number(text.split("/")[0].replace(/\D/g, "")));

const status = (page, title) => page.locator(`[data-property="${title}"] .status`).innerText();

async function expectStatus(page, title, wanted) {
  await page.waitForFunction(
    ([title, wanted]) => document.querySelector(`[data-property="${title}"] .status`)?.textContent.trim() === wanted,
    [title, wanted],
  );
}

/** Writes into the formula box and waits until that very formula was read. */
async function formula(page, text) {
  await page.click("#tab-properties");
  await page.fill("#formula", text);
  await page.waitForSelector(".known, .findings .finding");
  await page.waitForTimeout(300);
}

const labels = `byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 -> x = 0
  :: skip; progress_a: skip
  :: accept_b: skip
  od
}
never late { do :: x != 2 -> skip :: x == 2 -> goto accept_all od; accept_all: do :: true od }
ltl first { [] <> (x == 1) }
`;

pageTest("the menu lists the properties of the text and a formula of one's own", async ({ page }) => {
  await write(page, labels);
  await page.locator(".property option", { hasText: "ltl first" }).waitFor({ state: "attached" });
  const names = await page.locator(".property option").allInnerTexts();
  assert.deepEqual(names, [
    "Safety", "Acceptance cycles", "Progress", "Never claim late", "ltl first", "A formula of your own …",
  ]);
  await page.locator(".property select").selectOption({ label: "A formula of your own …" });
  await page.waitForSelector("#formula:focus");
  // The menu shows what a check checks: the formula that is to be written.
  const shown = (label) => page.waitForFunction(
    (wanted) => document.querySelector(".property select").selectedOptions[0]?.label === wanted, label);
  await shown("A formula of your own …");
  await check(page).click();
  await page.waitForSelector("text=Write a formula first");
  await formula(page, "[] (x < 4)");
  await shown("[] (x < 4)");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  for (const [name, verdict] of [
    ["Progress", /^Violated: no progress for ever$/],
    ["Acceptance cycles", /^Violated: an accepted infinite run$/],
    ["ltl first", /^Violated: this run breaks the formula$/],
  ]) {
    await choose(page, name);
    await check(page).click();
    await expectTitle(page, verdict);
    assert.match(await page.locator(".infinite").innerText(), /for ever/);
  }
});

pageTest("fairness and the search for infinite runs are options", peterson, async ({ page }) => {
  await openOptions(page, "cycles");
  assert.equal(await page.locator(".without-effect:visible").count(), 2, "safety depends on neither");
  await page.keyboard.press("Escape");
  await choose(page, "ltl entry");
  await check(page).click();
  await expectTitle(page, /^Violated/);
  await page.locator("[aria-label^=Options]").click();
  assert.equal(await page.locator(".without-effect:visible").count(), 0);
  await page.getByRole("radio", { name: /^Weak/ }).check();
  await page.keyboard.press("Escape");
  await page.waitForSelector("text=out of date");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  assert.match(await page.getAttribute("[aria-label^=Options]", "aria-label"), /1 changed/);
  // The algorithms agree.
  for (const name of [
    "Couvreur Finds", "Couvreur, shy", "Couvreur, without a list", "Generalised nested depth-first search", "Automatic",
  ]) {
    await openOptions(page, "cycles");
    await page.getByRole("radio", { name: new RegExp(`^${name}`) }).check();
    await page.keyboard.press("Escape");
    await check(page).click();
    await expectTitle(page, /^Holds$/);
  }
  await openOptions(page, "cycles");
  await page.getByRole("radio", { name: /^None/ }).check();
  await page.getByRole("radio", { name: /^Nested depth-first search/ }).check();
  await page.keyboard.press("Escape");
  await check(page).click();
  await expectTitle(page, /^Violated/);
});

pageTest("all properties are checked one after the other, and the verdicts stay", peterson, async ({ page }) => {
  await page.click("#tab-properties");
  assert.equal(await status(page, "ltl mutex"), "not checked");
  await page.click(".check-all");
  await expectStatus(page, "Safety", "holds");
  await expectStatus(page, "ltl mutex", "holds");
  await expectStatus(page, "ltl entry", "violated");
  // A row shows its report, without another check.
  await page.click('[data-property="ltl entry"] button.property-title');
  await expectTitle(page, /^Violated: this run breaks the formula$/);
  await page.click('[data-property="ltl mutex"] button.property-title');
  await expectTitle(page, /^Holds$/);
  assert.equal(await page.locator(".property select").evaluate((it) => it.selectedOptions[0].label), "ltl mutex");
  // Other options, another text: the verdicts are old.
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" ");
  await expectStatus(page, "ltl entry", "violated, out of date");
  await page.click("#tab-properties");
  await page.click(".check-all");
  await expectStatus(page, "ltl entry", "violated");
});

pageTest("the check of all is cancelled", async ({ page }) => {
  await write(page, "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\nltl one { <> (a == 1) }\nltl two { [] (a >= 0) }\n");
  await page.click("#tab-properties");
  await page.waitForSelector('[data-property="ltl two"]');
  await page.click(".check-all");
  await expectStatus(page, "Safety", "checking …");
  assert.equal(await status(page, "ltl two"), "waiting");
  await page.waitForSelector(".check.cancel");
  await page.click(".check-all");
  await expectStatus(page, "Safety", "partial");
  assert.equal(await status(page, "ltl two"), "not checked");
  assert.equal(await page.locator(".check-all").innerText(), "Check all");
});

pageTest("a formula is read while typing", peterson, async ({ page }) => {
  await formula(page, "[] (wants[0] -> <> (inside == 1))");
  const known = await page.locator(".known").innerText();
  assert.match(known, /recurrence/);
  assert.match(known, /Repeating a step never changes/);
  assert.ok(known.includes("[] ("), known);
  // An error with its place.
  await formula(page, "[] (wants[0] -> <> inside == 1)");
  assert.match(await page.locator(".finding").first().innerText(), /Column 17/);
  assert.equal(await page.locator(".finding mark").first().innerText(), "<> inside == 1");
  assert.ok(await page.getByRole("button", { name: "Check this formula" }).isDisabled());
  // With next: two words that differ in repetitions only.
  await formula(page, "X (inside == 1)");
  assert.match(await page.locator(".known").innerText(), /can change its truth/);
  assert.equal(await page.locator(".words .word").count(), 2);
  // Advice, and a suggestion that is taken with one press.
  await formula(page, "wants[0] -> <> (inside == 1)");
  await page.locator(".suggestion").first().click();
  await page.waitForFunction(() => document.querySelector("#formula").value.startsWith("[]"));
  await formula(page, "[] p || <> !p");
  assert.match(await page.locator(".known").innerText(), /holds on every run of every model/);
});

pageTest("names are completed and operators are pressed", peterson, async ({ page }) => {
  await page.click("#tab-properties");
  await page.click("#formula");
  await page.keyboard.type("<> (insi");
  await page.waitForSelector(".completion");
  assert.match(await page.locator(".completions").innerText(), /inside/);
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("#formula"), "<> (inside");
  await page.keyboard.type(" == 1) ");
  await page.getByRole("button", { name: /^->/ }).click();
  await page.keyboard.type("Process[0]@cri");
  await page.waitForSelector(".completion");
  await page.keyboard.press("Tab");
  assert.equal(await page.inputValue("#formula"), "<> (inside == 1) -> Process[0]@critical");
  await page.keyboard.type(" && alw");
  await page.waitForSelector(".completion");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".completion", { state: "detached" });
});

pageTest("a formula of one's own is checked, and copied into the text", peterson, async ({ page }) => {
  await formula(page, "[] (inside <= 1)");
  await page.focus("#formula");
  await page.keyboard.press("Enter");
  await expectTitle(page, /^Holds$/);
  await formula(page, "<> (inside == 2)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /^Violated: this run breaks the formula$/);
  await page.click("#tab-properties");
  assert.equal(await status(page, "[] (inside <= 1)"), "holds");
  assert.equal(await status(page, "<> (inside == 2)"), "violated");
  await page.getByRole("button", { name: "Copy as ltl block" }).click();
  await page.waitForSelector('[data-property="ltl f1"]');
  const text = await page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return JSON.parse(sessionStorage.getItem("promenade.document")).experiment.files[0].text;
  });
  assert.match(text, /ltl f1 \{ <> \(inside == 2\) \}\n$/);
});

pageTest("a wrong formula of one's own is marked in its place and hinders nothing else", peterson, async ({ page }) => {
  const row = (name) => page.locator(`.property-row[data-property="${name}"]`);
  await formula(page, "[] (outside == 1)");
  // The names of the model are known while typing.
  await page.waitForFunction(() => /outside.? is not declared/.test(document.querySelector("#formula-about").textContent));
  assert.ok(await page.getByRole("button", { name: "Check this formula" }).isDisabled());
  assert.ok(await page.getByRole("button", { name: "Show its automaton" }).isEnabled());
  await page.locator(".property select").selectOption({ label: "A formula of your own …" });
  await row("[] (outside == 1)").waitFor();
  await page.waitForFunction(() => /cannot be checked/.test(document.querySelector(".property-row.own").textContent));
  assert.match(await row("[] (outside == 1)").innerText(), /outside.? is not declared/i);
  await check(page).click();
  await expectTitle(page, /^The formula has an error$/);
  // What is wrong is said in one place, where it can be mended.
  assert.doesNotMatch(await page.locator("#verdict").innerText(), /Column|declared/);
  assert.match(await page.locator("#formula-about").innerText(), /Column 5/);
  await page.waitForSelector("#formula:focus");
  await page.click("#tab-problems");
  assert.equal(await page.locator(".rows .dot[data-tone=violated]").count(), 0, "the text is fine");
  await page.click("#tab-properties");
  for (const name of ["ltl mutex", "ltl entry"]) {
    assert.doesNotMatch(await row(name).innerText(), /cannot be checked/);
  }
  await row("ltl mutex").locator("button.property-title").click();
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  // It is written anew in its place.
  await page.click("#tab-properties");
  await row("[] (outside == 1)").getByRole("button", { name: "edit" }).click();
  await page.waitForSelector("#formula:focus");
  await formula(page, "[] (inside <= 1)");
  await row("[] (inside <= 1)").waitFor();
  assert.equal(await row("[] (outside == 1)").count(), 0);
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  // A formula that was checked stays when another one is written.
  await formula(page, "[] (inside <= 1");
  await row("[] (inside <= 1").waitFor();
  await page.waitForFunction(() => /cannot be checked/.test(document.querySelector("[data-property='[] (inside <= 1']").textContent));
  assert.equal(await status(page, "[] (inside <= 1)"), "holds");
  // An edit of the model that takes the names away is noticed, too.
  await row("[] (inside <= 1").getByRole("button", { name: "Delete the formula" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".property-row.own").length === 1);
  assert.equal(await page.locator(".property select").evaluate((it) => it.selectedOptions[0].label), "Safety");
  await write(page, "byte other; active proctype P() { other = 1 }");
  await page.waitForFunction(() => /cannot be checked/.test(document.querySelector(".property-row.own").textContent));
});

pageTest("an infinite run goes round and round", {
  ...peterson,
  context: { permissions: ["clipboard-read", "clipboard-write"] },
}, async ({ page, url }) => {
  await choose(page, "ltl entry");
  await check(page).click();
  await expectTitle(page, /^Violated: this run breaks the formula$/);
  assert.match(await page.locator(".infinite").innerText(), /The run is infinite/);
  await showTrace(page);
  await page.waitForSelector("#step-cycle");
  const last = await place(page);
  const again = await page.locator(".step.again").count();
  assert.ok(again > 0 && again < last);
  // No step belongs to the claim; it is shown as a state of the automaton.
  assert.equal(await page.locator(".step .chip", { hasText: /^C$/ }).count(), 0);
  assert.equal(await page.locator(".step .automaton-chip").count(), last);
  assert.equal(await page.locator(".step .automaton-chip.moved").count(), 1);
  await page.focus("#steps");
  await page.keyboard.press("ArrowRight");
  assert.equal(await place(page), last - again + 1, "after the last step comes the first of the cycle");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await place(page), last - again - 1);
  // A link carries the cycle.
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#share-link")?.value.includes("#1"));
  const link = await page.inputValue("#share-link");
  const other = await newContext();
  try {
    const problems = watch(other, new URL(url).origin);
    const opened = await other.newPage();
    await opened.goto(link);
    await ready(opened);
    await expectTitle(opened, /^Violated: this run breaks the formula$/);
    await opened.waitForSelector("#step-cycle");
    assert.equal(await opened.locator(".step.again").count(), again);
    assert.deepEqual(problems, []);
  } finally {
    await other.close();
  }
});

pageTest("a run that ends stands still for ever", async ({ page }) => {
  await write(page, "byte x;\ninit { x = 1; x = 2 }\nltl back { [] <> (x == 1) }\n");
  await choose(page, "ltl back");
  await check(page).click();
  await expectTitle(page, /^Violated: this run breaks the formula$/);
  assert.match(await page.locator(".infinite").innerText(), /no process moves any more/);
  await showTrace(page);
  await page.waitForSelector(".step .still");
});

pageTest("the automaton of a formula is explored", peterson, async ({ page }) => {
  await formula(page, "[] (wants[0] -> <> (inside == 1)) && [] <> wants[1]");
  await page.getByRole("button", { name: "Show its automaton" }).click();
  await page.waitForSelector(".automaton-svg .node");
  assert.match(await page.locator(".legend").innerText(), /Must be seen again and again: the marks 0 and 1/);
  assert.ok((await page.locator(".bead").count()) > 0);
  const generalised = await page.locator(".automaton-svg .node").count();
  await page.getByLabel("Büchi").check();
  await page.waitForSelector(".automaton-svg .ring");
  assert.ok((await page.locator(".automaton-svg .node").count()) >= generalised);
  await page.getByLabel("Büchi").uncheck();
  await page.getByLabel("raw").check();
  await page.waitForFunction(
    (few) => document.querySelectorAll(".automaton-svg .node").length >= few && !document.querySelector(".automaton-svg .ring"),
    generalised,
  );
  await page.getByLabel("raw").uncheck();
  // The answer brings another picture, in which nothing is chosen.
  await page.waitForSelector(".automaton[aria-busy=false]");
  assert.equal(await page.locator(".automaton-svg .node").count(), generalised);
  await page.getByRole("button", { name: "Negation" }).click();
  await page.waitForFunction(() => document.querySelector(".automaton-formula").textContent.startsWith("!"));
  await page.getByLabel("components").check();
  await page.waitForSelector(".automaton-svg .area");
  // Words for what is pointed at, by mouse and by keyboard.
  await page.locator("#automaton-state-0").hover();
  assert.match(await page.locator(".automaton-said").innerText(), /^State 0/);
  await page.mouse.move(5, 5);
  await page.focus("#automaton-canvas");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".automaton-said").innerText(), /^(State \d+ stays|From state)/);
  // Zoom and pan.
  const transform = () => page.locator(".automaton-svg > g").getAttribute("transform");
  // What is pressed is seen with the next frame.
  const until = async (fits) => {
    for (let round = 0; round < 40 && !fits(await transform()); round += 1) await page.waitForTimeout(50);
    const now = await transform();
    assert.ok(fits(now), now);
    return now;
  };
  // An answer about the formula that comes late shows a new picture as a whole, and the keys go on.
  await page.waitForTimeout(700);
  await page.keyboard.press("0");
  const before = await transform();
  await page.keyboard.press("+");
  const larger = await until((now) => now !== before);
  await page.keyboard.press("Shift+ArrowLeft");
  await until((now) => now !== larger);
  await page.keyboard.press("0");
  await until((now) => now === before);
  const area = await page.locator("#automaton-canvas").boundingBox();
  await page.mouse.move(area.x + 20, area.y + 20);
  await page.mouse.down();
  await page.mouse.move(area.x + 80, area.y + 50, { steps: 4 });
  await page.mouse.up();
  const dragged = await until((now) => now !== before);
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((old) => document.querySelector(".automaton-svg > g").getAttribute("transform") !== old, dragged);
});

pageTest("the automaton is exported", {
  ...peterson,
  context: { permissions: ["clipboard-read", "clipboard-write"] },
}, async ({ page }) => {
  await formula(page, "[] <> (inside == 1)");
  await page.getByRole("button", { name: "Show its automaton" }).click();
  await page.waitForSelector(".automaton-svg .node");
  const item = async (name) => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  for (const [name, begins, wanted] of [
    [/DOT/, "digraph", "The automaton for Graphviz was copied."],
    [/HOA/, "HOA: v1", "The automaton in the HOA format was copied."],
    [/never claim/, "never", "The never claim was copied."],
    [/LaTeX/, "", "The formula for LaTeX was copied."],
  ]) {
    await item(name);
    await page.waitForSelector(`.notice:has-text("${wanted}")`);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.trim().length > 0 && copied.includes(begins), `${name}: ${copied.slice(0, 80)}`);
  }
  const saved = async (name, file) => {
    const [download] = await Promise.all([page.waitForEvent("download"), item(name)]);
    assert.equal(download.suggestedFilename(), file);
    const path = join(out, file);
    await download.saveAs(path);
    return readFileSync(path);
  };
  assert.match((await saved(/as SVG/, "automaton.svg")).toString(), /^<svg/);
  const png = await saved(/as PNG/, "automaton.png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 1_000, `${png.length} bytes`);
});

pageTest("the state of a counterexample moves in the picture", peterson, async ({ page }) => {
  await choose(page, "ltl entry");
  await check(page).click();
  await expectTitle(page, /^Violated/);
  await page.click("#tab-automaton");
  await page.waitForSelector(".automaton-svg .node.here");
  const here = () => page.locator(".automaton-svg .node.here").getAttribute("id");
  const end = await here();
  assert.match(await page.locator(".stepping").innerText(), /repeats for ever/);
  await page.focus("#automaton-canvas");
  const seen = new Set([end]);
  for (let i = 0; i < 30 && seen.size < 2; i += 1) {
    await page.keyboard.press("PageUp");
    seen.add(await here());
  }
  assert.equal(seen.size, 2, "stepping back leads to another state");
  await page.keyboard.press("PageDown");
  assert.equal(await here(), end);
  assert.ok((await page.locator(".edge.taken").count()) >= 1);
  // The propositions along the run, with the cycle bracketed; a press shows that step.
  const names = await page.locator(".timeline-names li").allInnerTexts();
  assert.equal(names.length, 2, names.join());
  assert.ok(names.some((it) => /wants\[0\]/.test(it)) && names.some((it) => /Process\[0\]@critical/.test(it)), names.join());
  assert.equal(await page.locator(".timeline-cycle").count(), 1);
  const seenHolding = new Set();
  for (let step = 0; step < 16; step += 1) {
    await page.locator(".timeline svg").click({ position: { x: step * 14 + 7, y: 20 } });
    assert.match(await page.locator(".stepping-place").innerText(), new RegExp(`^step ${step} of`));
    for (const it of await page.locator(".timeline-names li").allInnerTexts()) {
      const [sign, name] = [it.trim()[0], it.replace(/^[●○?]\s*/, "").split("\n")[0]];
      assert.notEqual(sign, "?", it);
      if (sign === "●") seenHolding.add(name.replace(/(holds)$/, "").trim());
    }
  }
  assert.equal(seenHolding.size, 2, "each holds at some step, the label at the critical statement too");
});

pageTest("a gallery model says what its formulas come to, and each can be tried", peterson, async ({ page }) => {
  const lines = await page.locator(".expectations li").allInnerTexts();
  const flat = lines.map((it) => it.replace(/\s+/g, " "));
  assert.ok(flat.some((it) => /ltl entry violated/.test(it)), flat.join("\n"));
  assert.ok(flat.some((it) => /ltl entry, weak fairness holds/.test(it)), flat.join("\n"));
  await page.getByRole("button", { name: "check it: ltl entry, weak fairness" }).click();
  await expectTitle(page, /^Holds$/);
  await page.click("#tab-lesson");
  await page.getByRole("button", { name: "check it: ltl entry", exact: true }).click();
  await expectTitle(page, /^Violated/);
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  assert.match(await page.locator(".model[data-model=peterson]").innerText(), /ltl entry violated/);
});

pageTest("the help teaches infinite runs on an example", peterson, async ({ page }) => {
  await openHelp(page, "infinite-runs");
  const text = await page.locator(".help-body").innerText();
  for (const word of ["Negate", "Translate", "Intersect", "Search", "Lift", "Fairness", "progress", "accept"]) {
    assert.ok(text.includes(word), word);
  }
});

for (const colorScheme of ["light", "dark"]) {
  pageTest(`properties and automata fit on a phone, ${colorScheme}`, {
    ...peterson,
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme },
  }, async ({ page }) => {
    const fits = async (what) => {
      const wide = await page.evaluate(() => Math.max(
        document.documentElement.scrollWidth - innerWidth,
        document.querySelector("#view").scrollWidth - document.querySelector("#view").clientWidth,
      ));
      assert.ok(wide <= 0, `${what} is ${wide} px too wide`);
    };
    await page.getByRole("button", { name: "Result", exact: true }).tap();
    await page.tap("#tab-properties");
    await fits("properties");
    await page.tap(".check-all");
    await expectStatus(page, "ltl entry", "violated");
    await page.fill("#formula", "X (wants[0] -> <> inside)");
    await page.waitForSelector(".known");
    await fits("reading");
    await page.getByRole("button", { name: "Show its automaton" }).tap();
    await page.waitForSelector(".automaton-svg .node");
    await fits("automaton");
    await page.tap("#tab-properties");
    await page.tap('[data-property="ltl entry"] button.property-title');
    await page.tap("#tab-trace");
    await page.waitForSelector("#step-cycle");
    await fits("trace");
  });
}
