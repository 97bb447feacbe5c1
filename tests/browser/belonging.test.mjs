// What is shown belongs to what is chosen: results to properties, lessons to texts, options to what they act on.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { choose, expectTitle, newContext, openOptions, pageTest, ready, watch, write } from "./harness.mjs";

const peterson = { path: "#ex=peterson" };
const swapped = new URL("../suite/gallery/peterson-swapped.pml", import.meta.url);
const check = (page) => page.locator(".check");
const card = (page) => page.locator("#verdict");
const row = (page, name) => page.locator(`.property-row[data-property="${name}"]`);

async function formula(page, text) {
  await page.click("#tab-properties");
  await page.fill("#formula", text);
  await page.waitForSelector(".known, .findings .finding");
  await page.waitForTimeout(300);
}

pageTest("a result belongs to the property that is chosen", peterson, async ({ page }) => {
  await choose(page, "ltl entry");
  await check(page).click();
  await expectTitle(page, /^Violated/);
  await choose(page, "ltl mutex");
  await expectTitle(page, /^Not checked yet$/);
  assert.match(await card(page).innerText(), /To be checked: every run satisfies/);
  assert.equal(await page.locator("#tab-trace .tab-count").count(), 0, "the trace was that of another property");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  // Results are kept until the text changes.
  await choose(page, "ltl entry");
  await expectTitle(page, /^Violated/);
  assert.equal(await card(page).locator(".stale-mark").count(), 0);
  assert.match(await card(page).innerText(), /The run is infinite/);
  await choose(page, "A formula of your own …");
  await expectTitle(page, /^Not checked yet$/);
  // While a formula is written anew the earlier result says whose it is.
  await formula(page, "[] (inside <= 1)");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  await formula(page, "[] (inside <= 2)");
  assert.match(await card(page).innerText(), /out of date[^]*This is the result for \[\] \(inside <= 1\)/);
  await formula(page, "[] (inside <= 1)");
  await expectTitle(page, /^Holds$/);
  assert.equal(await card(page).locator(".stale-mark").count(), 0);
  await page.fill("#formula", "");
  await expectTitle(page, /^Not checked yet$/);
  // After an edit what is kept is out of date.
  await write(page, "byte x; active proctype P() { x = 1 }\nltl one { <> (x == 1) }\n");
  await choose(page, "ltl one");
  await expectTitle(page, /^Not checked yet$/);
});

pageTest("a formula that is empty or wrong is not checked: its box says why", peterson, async ({ page }) => {
  await choose(page, "A formula of your own …");
  await check(page).click();
  await page.waitForSelector("#formula:focus");
  await page.waitForSelector(".formula-wanted");
  assert.equal(await page.locator(".notice").count(), 0, "nothing is covered");
  await formula(page, "[] (inside <= 1");
  assert.equal(await page.locator(".formula-wanted").count(), 0);
  await page.locator("#tab-lesson").click();
  await check(page).click();
  await expectTitle(page, /^The formula has an error$/);
  await page.waitForSelector("#formula:focus");
  const said = (await page.locator("#formula-about .finding-text").innerText()).trim();
  assert.match(said, /^Column 4: the parenthesis is not closed$/);
  assert.ok(await page.locator("#formula-about .finding").isVisible());
  // The list uses the same words, and the card none.
  assert.match(await row(page, "[] (inside <= 1").innerText(), /The parenthesis is not closed/);
  assert.doesNotMatch(await card(page).innerText(), /parenthesis/);
  // Enter does not check it either.
  await page.keyboard.press("Enter");
  await page.waitForTimeout(300);
  await expectTitle(page, /^The formula has an error$/);
  await formula(page, "[] (inside <= 1)");
  await expectTitle(page, /^Not checked yet$/);
  await check(page).click();
  await expectTitle(page, /^Holds$/);
});

pageTest("what changes nothing cannot be chosen, also when a link brings it", {
  ...peterson,
  context: { permissions: ["clipboard-read", "clipboard-write"] },
}, async ({ page, url }) => {
  const radio = (on, name) => on.getByRole("radio", { name: new RegExp(`^${name}`) });
  // Safety: nothing about infinite runs.
  await openOptions(page, "cycles");
  for (const name of ["Weak", "Couvreur, shy", "Original nested search"]) assert.ok(await radio(page, name).isDisabled(), name);
  for (const name of ["None Every infinite", "Swarm", "Share the states", "Breadth-first"]) assert.ok(await radio(page, name).isEnabled(), name);
  await radio(page, "Breadth-first").check();
  await radio(page, "Swarm").check();
  await page.keyboard.press("Escape");
  await choose(page, "ltl mutex");
  await openOptions(page, "cycles");
  for (const name of ["Breadth-first", "Share the states"]) assert.ok(await radio(page, name).isDisabled(), name);
  for (const name of ["Weak", "Couvreur, shy", "One", "Swarm", "Depth-first"]) assert.ok(await radio(page, name).isEnabled(), name);
  assert.equal(await page.locator(".refused:visible", { hasText: /Without effect|has no effect/ }).count(), 2);
  assert.equal(await page.locator(".refused.wrong").count(), 0, "it is no conflict");
  await page.keyboard.press("Escape");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#share-link")?.value.includes("#1"));
  const link = await page.inputValue("#share-link");
  const other = await newContext();
  try {
    const problems = watch(other, new URL(url).origin);
    const opened = await other.newPage();
    await opened.goto(link);
    await ready(opened);
    await check(opened).click();
    await expectTitle(opened, /^Holds$/);
    await openOptions(opened, "cycles");
    assert.ok(await radio(opened, "Breadth-first").isChecked());
    await radio(opened, "Depth-first").check();
    assert.ok(await radio(opened, "Breadth-first").isDisabled());
    assert.deepEqual(problems, []);
  } finally {
    await other.close();
  }
});

pageTest("another error on the way to a formula leaves it undecided", { path: "#ex=peterson-swapped" }, async ({ page }) => {
  await formula(page, "[] (inside <= 2)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /an assertion fails/);
  assert.match(await card(page).innerText(), /The property itself is not decided by that/);
  await page.click("#tab-properties");
  const own = page.locator(".property-row", { hasText: "[] (inside <= 2)" });
  assert.match(await own.innerText(), /not decided: another error/);
});

pageTest("an error of the text is not the formula's", peterson, async ({ page }) => {
  await formula(page, "[] (inside <= 1)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /^Holds/);
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\nactive proctype Z() { skip\n");
  await page.waitForSelector("#tab-problems .tab-count");
  await check(page).click();
  await expectTitle(page, /^The text has errors/);
});

pageTest("a property that the text does not state any more gives way to safety", peterson, async ({ page }) => {
  const chosen = () => page.locator(".property select option:checked").innerText();
  const becomes = (name) =>
    page.waitForFunction((name) => document.querySelector(".property select").selectedOptions[0].label === name, name);
  await choose(page, "ltl entry");
  // A text with an error may be on its way to something.
  await write(page, "byte x; ltl ent");
  await page.waitForSelector("#tab-problems .tab-count");
  await page.waitForTimeout(300);
  assert.equal(await chosen(), "ltl entry");
  await write(page, "byte x;\nactive proctype Counter() { do :: x++ od }\n");
  await becomes("Safety");
  assert.match(await page.locator(".notice").innerText(), /does not state ltl entry: Safety is chosen/);
  await check(page).click();
  await expectTitle(page, /^Holds/);
  // Undone, it is there again.
  await write(page, "byte x;\nactive proctype Counter() { do :: x++ od }\nltl entry { [] (x >= 0) }\n");
  await becomes("ltl entry");
});

pageTest("a lesson goes with the text that it is about", peterson, async ({ page }) => {
  await page.waitForSelector(".lesson[data-model=peterson]");
  // An edit leaves it.
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\n/* my own remark */\nbyte mine;\n");
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".lesson").count(), 1);
  await write(page, "byte x;\nactive proctype Counter() {\n  do :: x++ od\n}\n");
  await page.locator(".lesson").waitFor({ state: "detached" });
  assert.match(await page.locator("#view").innerText(), /This text is your own/);
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".lesson[data-model=peterson]");
  // Another model of the same problem, of which most lines are the same.
  await write(page, await readFile(swapped, "utf8"));
  await page.waitForSelector(".lesson[data-model=peterson-swapped]");
  await page.keyboard.press("Control+z");
  await page.waitForSelector(".lesson[data-model=peterson]");
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "New model" }).click();
  await page.locator(".lesson").waitFor({ state: "detached" });
  await page.click("#tab-lesson");
  assert.match(await page.locator("#view").innerText(), /This text is your own/);
});

pageTest("formulas of one's own survive a reload, chosen or not", peterson, async ({ page }) => {
  await formula(page, "[] (inside <= 1)");
  await page.getByRole("button", { name: "Check this formula" }).click();
  await expectTitle(page, /^Holds$/);
  await choose(page, "ltl entry");
  await formula(page, "<> (inside == 1)");
  await page.reload();
  await ready(page);
  await page.click("#tab-properties");
  await row(page, "[] (inside <= 1)").waitFor();
  assert.equal(await page.inputValue("#formula"), "<> (inside == 1)", "what was only typed is there, too");
  assert.equal(await page.locator(".property select").evaluate((it) => it.selectedOptions[0].label), "ltl entry");
  await row(page, "[] (inside <= 1)").getByRole("button", { name: "Delete the formula" }).click();
  await page.reload();
  await ready(page);
  await page.click("#tab-properties");
  await row(page, "ltl entry").waitFor();
  assert.equal(await row(page, "[] (inside <= 1)").count(), 0);
});

pageTest("on a phone it can be read where an infinite run repeats", {
  ...peterson,
  context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}, async ({ page }) => {
  await choose(page, "ltl entry");
  await check(page).tap();
  await expectTitle(page, /^Violated/);
  const [inside, outside] = await page.evaluate(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return [box(".infinite").bottom, box("#verdict .card-text").bottom];
  });
  assert.ok(inside <= outside + 0.5, `${inside} lies below ${outside}`);
  // Another view begins at its top.
  await page.tap("#tab-properties");
  await page.evaluate(() => document.querySelector("#view").scrollTo(0, 200));
  await page.tap("#tab-lesson");
  assert.equal(await page.evaluate(() => document.querySelector("#view").scrollTop), 0);
});
