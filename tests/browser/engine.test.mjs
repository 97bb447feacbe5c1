// Stores, reduction and confidence as a user meets them: options, the box, the table of techniques, links.
import assert from "node:assert/strict";
import { expectTitle, newContext, openOptions, pageTest, ready, watch, write } from "./harness.mjs";

const peterson = { path: "#ex=peterson" };
/** Four counters that wrap: more than four thousand million states. */
const endless = "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n";
/** Three processes with private loops: a reduction has something to leave out. */
const local = `byte done;
active [3] proctype P() {
  byte i = done;
  do
  :: i < 12 -> i++
  :: i == 12 -> break
  od;
  done++
}
`;

const check = (page) => page.locator(".check");
const plain = (text) => text.replace(/\u00a0/g, " ");

/** The group of the engine in the open options. */
const engine = (page) => openOptions(page, "engine");

async function choose(page, name) {
  const group = await engine(page);
  await group.getByRole("radio", { name: new RegExp(`^${name}`) }).check();
  await page.keyboard.press("Escape");
}

async function openTechniques(page) {
  await page.click("#tab-statistics");
  const tool = page.locator("#techniques");
  if (await tool.getAttribute("open") === null) await tool.locator("summary").click();
  await tool.locator(".technique").first().waitFor();
  return tool;
}

pageTest("a lossy check says how sure it is, and leads to a proof", peterson, async ({ page }) => {
  assert.equal(await page.locator("#confidence").count(), 0);
  await choose(page, "Bitstate");
  assert.match(await page.getAttribute("[aria-label^=Options]", "aria-label"), /1 changed/);
  await check(page).click();
  await expectTitle(page, /^No violation found/);
  assert.equal(await page.getAttribute("#verdict", "data-tone"), "partial");
  const box = page.locator("#confidence");
  const text = plain(await box.innerText());
  assert.match(text, /3 bits of an array/);
  assert.match(text, /of [\d,]+ bits used/);
  assert.match(text, /of the states met, kept\s+more than 99\.9\d* %/);
  assert.match(text, /more than 99\.9\d* % of the states that the search met were kept/i);
  assert.match(text, /store Exact instead of Bitstate/);
  await page.click("#as-recommended");
  await expectTitle(page, /^Holds$/);
  assert.equal(await box.count(), 0);
  await page.locator("[aria-label^=Options]").click();
  const group = page.locator("#part-engine");
  assert.equal(await group.getAttribute("open"), null, "nothing differs from the defaults any more");
  assert.match(await group.innerText(), /Exact\s*$/);
});

pageTest("runs with other seeds make it surer", peterson, async ({ page }) => {
  await choose(page, "Bitstate");
  await check(page).click();
  for (const runs of [2, 3]) {
    await page.locator("#another-seed:enabled").click();
    await page.waitForFunction((runs) => document.querySelector("#trials")?.textContent.startsWith(`${runs} independent`), runs);
  }
  await expectTitle(page, /^No violation found/);
  const group = await engine(page);
  assert.equal(await group.locator("#engine-seed").inputValue(), "2");
  // Other settings are another experiment.
  await group.locator("#engine-hashes").fill("999");
  await group.locator("#engine-hashes").press("Tab");
  assert.equal(await group.locator("#engine-hashes").inputValue(), "64");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#another-seed:disabled");
  await check(page).click();
  await page.waitForSelector("#another-seed:enabled");
  assert.equal(await page.locator("#trials").count(), 0);
  assert.match(await page.locator("#confidence").innerText(), /64 bits of an array/);
});

pageTest("the automatic store says that it was exact to the end", peterson, async ({ page }) => {
  await choose(page, "Automatic Exact");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  assert.match(await page.locator("#confidence").innerText(), /whole states to the end/);
});

pageTest("what does not go together cannot be chosen, and says why", peterson, async ({ page }) => {
  let group = await engine(page);
  const radio = (name) => page.getByRole("radio", { name: new RegExp(`^${name}`) });
  assert.equal(await group.locator("input[type=radio]:disabled").count(), 0);
  assert.equal(await group.locator("#engine-seed").count(), 0, "the exact store has no seed");
  await radio("State cache").check();
  assert.ok(await radio("Breadth-first").isDisabled());
  await radio("Exact").check();
  await radio("Breadth-first").check();
  assert.ok(await radio("State cache").isDisabled());
  assert.match(await group.innerText(), /Not with breadth-first search/);
  await radio("Ample sets").check();
  await page.keyboard.press("Escape");

  await page.locator(".property option", { hasText: "ltl entry" }).waitFor({ state: "attached" });
  await page.locator(".property select").selectOption({ label: "ltl entry" });
  group = await engine(page);
  for (const name of ["Collapse", "Minimised automaton", "Delta", "State cache", "Hash compaction", "Bitstate"]) {
    assert.ok(await radio(name).isDisabled(), name);
  }
  assert.ok(await radio("Automatic As long|Automatic Exact").isEnabled());
  assert.ok(await radio("Tree").isEnabled());
  await page.locator("#part-cycles summary").click();
  // Loops are broken beforehand, which suits every search; the path of a nested one does not do.
  assert.ok(await radio("Nested depth-first").isEnabled());
  await group.locator("#engine-proviso").selectOption("On the stack, in the queue");
  assert.ok(await radio("Nested depth-first").isDisabled());
  await group.locator("#engine-proviso").selectOption("Automatic");
  // Said once, not beside each of them.
  assert.equal((await group.innerText()).match(/their search has to find states again/g).length, 1);
  await radio("Weak").check();
  assert.ok(await radio("Ample sets").isDisabled());
  assert.match(await group.innerText(), /Not with weak fairness.*Choose another one/s);
});

pageTest("dead variables are reset only if that is chosen, and the verdict says so", async ({ page }) => {
  await write(page, "byte g;\nactive [2] proctype P() { byte x; do :: x = 1; g = x :: x = 2; g = x od }\n");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  const said = async () => plain(await page.locator("#verdict").textContent());
  const states = async () => Number((await said()).match(/([\d,]+) (reachable )?states/)[1].replace(",", ""));
  const kept = await states();
  assert.doesNotMatch(await said(), /Dead variables/);
  const group = await engine(page);
  await group.getByRole("checkbox", { name: /^Reset dead variables/ }).check();
  await page.keyboard.press("Escape");
  assert.match(await page.getAttribute("[aria-label^=Options]", "aria-label"), /1 changed/);
  await check(page).click();
  await page.waitForFunction(() => /Dead variables were reset/.test(document.querySelector("#verdict").textContent));
  assert.match(await said(), /which stand for all reachable ones/);
  assert.ok(await states() < kept, `${await states()} of ${kept}`);
});

pageTest("what each technique buys is a table", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await write(page, local);
  await page.waitForTimeout(500);
  const tool = await openTechniques(page);
  assert.equal(await tool.locator(".technique input:checked").count(), 7);
  await tool.getByRole("checkbox", { name: "Collapse, reduction" }).check();
  await tool.getByRole("button", { name: "Run all" }).click();
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll(".technique-table tbody tr")];
    return rows.length === 8 && rows.every((row) => /holds|partial/.test(row.querySelector(".status").textContent));
  }, undefined, { timeout: 60_000 });
  const row = async (name) => plain(await tool.locator(`[data-technique="${name}"]`).innerText());
  const states = async (name) => {
    const text = await tool.locator(`[data-technique="${name}"] td.number`).first().innerText();
    return Number(text.split("\n")[0].replace(/\D/g, ""));
  };
  const all = await states("Depth-first, exact");
  assert.ok(all > 2000, `${all} states`);
  assert.equal(await states("Breadth-first, exact"), all);
  assert.equal(await states("Collapse"), all);
  assert.ok(await states("Reduction") < all);
  assert.ok(await states("Dead variables reset") <= all);
  assert.equal(await states("Collapse, reduction"), await states("Reduction"));
  assert.match(await row("Bitstate"), /partial[^]*lossy, .*of the states met/);
  assert.match(await row("Collapse"), /\d×/);
  // A bar that has no room for more than the first row's cost says so.
  const bars = await tool.locator(".ratio").evaluateAll((all) => all.map((it) => ({
    over: it.querySelector(".ratio-bar").classList.contains("over"),
    ratio: Number.parseFloat(it.querySelector(".ratio-text").textContent.replace(/[^\d.]/g, "")),
  })));
  for (const { over, ratio } of bars.filter((it) => it.ratio < 1 || it.ratio > 1.01)) assert.equal(over, ratio > 1, `${ratio}`);
  assert.match(await tool.innerText(), /where it is more, the bar ends in an arrow/);
  // The verdict of the last check is not touched.
  await expectTitle(page, /^Not checked yet$/);
  await tool.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.waitForSelector("text=copied as Markdown");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(text.trim().split("\n").length, 10);
  assert.match(text, new RegExp(`Depth-first, exact \\| holds \\|  \\| ${all} \\|`));
});

pageTest("options that do not go with another property are said there, with a way out", peterson, async ({ page }) => {
  await choose(page, "Bitstate");
  await page.locator(".property option", { hasText: "ltl mutex" }).waitFor({ state: "attached" });
  await page.locator(".property select").selectOption({ label: "ltl mutex" });
  const button = page.locator("[aria-label^=Options]");
  assert.match(await button.getAttribute("aria-label"), /they do not go together/);
  await check(page).click();
  await expectTitle(page, /^The options do not go together$/);
  assert.match(await page.locator("#verdict").innerText(), /Bitstate does not go with a property of infinite runs/);
  // Nothing is wrong with the text.
  await page.click("#tab-problems");
  assert.equal(await page.locator(".rows .dot[data-tone=violated]").count(), 0);
  await page.locator("#verdict").getByRole("button", { name: "Options" }).click();
  await page.locator(".refused.wrong").waitFor();
  assert.ok(await page.locator(".refused.wrong").isVisible());
  await page.keyboard.press("Escape");
  await page.locator("#verdict").getByRole("button", { name: "Check with the store Exact" }).click();
  await expectTitle(page, /^Holds$/);
  assert.doesNotMatch(await button.getAttribute("aria-label"), /go together/);
});

pageTest("a table that belongs to another text says so", async ({ page }) => {
  await write(page, local);
  await page.waitForTimeout(500);
  const tool = await openTechniques(page);
  await tool.getByRole("button", { name: "Run all" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".technique-table .ratio-part").length > 0);
  await tool.getByRole("button", { name: "Run all" }).waitFor();
  assert.equal(await tool.locator(".out-of-date").count(), 0);
  await write(page, endless);
  assert.match(await tool.locator(".out-of-date").innerText(), /out of date/);
  assert.ok(await tool.locator(".out-of-date").getByRole("button", { name: "Run again" }).isEnabled());
  // Another document has no table.
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click("[data-model=peterson]");
  await page.click("#tab-statistics");
  await page.waitForFunction(() => !document.querySelector(".technique-table"));
});

pageTest("the table of techniques can be cancelled", async ({ page }) => {
  await write(page, endless);
  await page.waitForTimeout(500);
  const tool = await openTechniques(page);
  await tool.getByRole("button", { name: "Run all" }).click();
  await page.waitForSelector('.technique-table [data-status="checking …"]');
  await tool.getByRole("button", { name: "Cancel" }).click();
  await tool.getByRole("button", { name: "Run all" }).waitFor();
  await page.waitForSelector("#techniques >> text=ended early");
  await page.waitForFunction(() => /cancelled/.test(document.querySelector(".technique-table tbody tr").textContent));
  const rows = await tool.locator(".technique-table tbody tr").count();
  assert.equal(await tool.locator('[data-status="not checked"]').count(), rows - 1);
});

pageTest("a lossy check shows load and coverage while it runs", async ({ page }) => {
  await write(page, endless);
  await choose(page, "Bitstate");
  await check(page).click();
  await page.waitForSelector(".running-store");
  await page.waitForFunction(() => /load .*% of the states met so far kept/.test(document.querySelector(".running-store")?.textContent ?? ""));
  await page.keyboard.press("Escape");
  await expectTitle(page, /^No violation found/);
});

pageTest("the state layout names the variables", async ({ page }) => {
  await write(page, local);
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  await page.click("#tab-statistics");
  await page.click("#layout summary");
  await page.waitForSelector("#layout table");
  const text = plain(await page.locator("#layout").innerText());
  assert.match(text, /done\s+byte: 0 to 255\s+8\s+1/);
  assert.match(text, /each process P/);
});

pageTest("a link carries the engine", peterson, async ({ page, url }) => {
  const group = await engine(page);
  await group.getByRole("radio", { name: /^Bitstate/ }).check();
  await group.locator("#engine-hashes").fill("5");
  await group.locator("#engine-seed").fill("7");
  await group.locator("#engine-seed").press("Tab");
  await group.locator("#engine-probing").selectOption("Independent");
  assert.equal(await group.locator("#engine-proviso").count(), 0);
  await group.getByRole("radio", { name: /^Ample sets/ }).check();
  await group.locator("#engine-proviso").selectOption("Static");
  await page.keyboard.press("Escape");
  await page.locator(".share-button").click();
  await page.waitForFunction(() => document.querySelector("#share-link")?.value.includes("#1"));
  const link = await page.inputValue("#share-link");
  const other = await newContext();
  try {
    const problems = watch(other, new URL(url).origin);
    const opened = await other.newPage();
    await opened.goto(link);
    await ready(opened);
    const there = await engine(opened);
    assert.ok(await there.getByRole("radio", { name: /^Bitstate/ }).isChecked());
    assert.ok(await there.getByRole("radio", { name: /^Ample sets/ }).isChecked());
    assert.equal(await there.locator("#engine-hashes").inputValue(), "5");
    assert.equal(await there.locator("#engine-seed").inputValue(), "7");
    assert.equal(await there.locator("#engine-probing").inputValue(), "Independent");
    assert.equal(await there.locator("#engine-proviso").inputValue(), "Static");
    assert.deepEqual(problems, []);
  } finally {
    await other.close();
  }
});
