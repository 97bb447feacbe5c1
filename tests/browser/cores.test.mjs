// Several workers on one check.
import assert from "node:assert/strict";
import { expectTitle as expectTitleWithin, pageTest, showTrace, write } from "./harness.mjs";

/** Three counters beside each other: 40 * 41 * 42 states, and one more for the end of each. */
const grid = "byte a, b, c;\nactive proctype A() { do :: a < 39 -> a++ :: a == 39 -> a = 0 od }\n" +
  "active proctype B() { do :: b < 40 -> b++ :: b == 40 -> b = 0 od }\n" +
  "active proctype C() { do :: c < 41 -> c++ :: c == 41 -> c = 0 od }\n";
const wrong = grid.replace("c < 41 -> c++", "c < 41 -> c++; assert(a + b + c < 60)");
const endless = "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n";

const expectTitle = (page, pattern) => expectTitleWithin(page, pattern, 40_000);

const states = async (page) =>
  Number(/^states\n(.+)$/m.exec(await page.locator("#verdict").innerText())[1].replace(/\D/g, ""));

/** Chooses a number of workers as the options dialog does. */
async function choose(page, cores) {
  await page.evaluate((text) => localStorage.setItem("promenade.cores", JSON.stringify(text)), cores);
  await page.reload();
  await page.waitForSelector("html[data-worker=ready]", { state: "attached" });
}

pageTest("workers that share the states come to the numbers of one", async ({ page }) => {
  await write(page, grid);
  await page.locator(".check").click();
  await expectTitle(page, /^Holds$/);
  const alone = await states(page);
  assert.ok(alone > 60_000);
  await choose(page, "share 2");
  await page.locator(".check").click();
  await expectTitle(page, /^Holds$/);
  assert.equal(await states(page), alone);
  assert.doesNotMatch(await page.locator("#verdict").innerText(), /out of date/);
  await write(page, wrong);
  await page.locator(".check").click();
  await expectTitle(page, /^Violated/);
  await showTrace(page);
  assert.ok((await page.locator("#steps [role=option]").count()) > 20);
});

pageTest("sharing is chosen in the options, and can be cancelled", async ({ page }) => {
  await write(page, endless);
  await page.getByRole("button", { name: /options/i }).first().click();
  await page.locator("label", { hasText: "Share the states" }).click();
  await page.keyboard.press("Escape");
  await page.locator(".check").click();
  await page.waitForFunction(() => /states/.test(document.querySelector("#verdict")?.textContent ?? ""));
  // However short the levels are, it says how far it is.
  await page.waitForFunction(() => /\d\ssteps explored/.test(document.querySelector("#verdict .card-text")?.textContent ?? "")
    && !/^0\ssteps/.test(document.querySelector("#verdict .card-text").textContent));
  const begun = Date.now();
  await page.getByRole("button", { name: /cancel/i }).first().click();
  await expectTitle(page, /No violation found|Cancelled|partial/i);
  assert.ok(Date.now() - begun < 2000);
  // The page goes on.
  await write(page, grid);
  await page.locator(".check").click();
  await expectTitle(page, /^Holds$/);
  assert.doesNotMatch(await page.locator("#verdict").innerText(), /out of date/);
});

pageTest("a swarm finds what one finds", async ({ page }) => {
  await write(page, wrong);
  await choose(page, "swarm 3");
  await page.locator(".check").click();
  await expectTitle(page, /^Violated/);
  await write(page, grid);
  await page.locator(".check").click();
  await expectTitle(page, /^Holds$/);
});
