// The playground as a user drives it: edit, check, step, share, cancel, crash, phone, keyboard.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expectTitle, newContext, openHelp, openOptions, out, pageTest, ready, showTrace, watch, write } from "./harness.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Four counters that wrap: more than four thousand million states. */
const endless = "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ :: a + b + c + d < 0 od }\n";
const wrong = "byte x;\nactive proctype P() {\n  x = 2;\n  assert(x == 3)\n}\n";

const title = (page) => page.locator("#verdict .card-title");
const check = (page) => page.locator(".check");
const step = (page) => showTrace(page).then(() => page.locator(".step-number").innerText()).then((text) => Number(text.split("/")[0].replace(/\D/g, "")));

async function text(page) {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem("promenade.document")).experiment.files[0].text);
}

pageTest("the first model is checked and holds", async ({ page }) => {
  assert.equal(await title(page).innerText(), "Not checked yet");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  assert.match(await page.locator("#verdict").innerText(), /states\s+38/);
});

pageTest("an error is shown while typing, and gone when it is repaired", async ({ page }) => {
  await write(page, "byte x;\nactive proctype P() { x = y }\n");
  await page.waitForSelector(".cm-lintRange-error");
  await page.waitForSelector(".cm-lint-marker-error");
  await page.hover(".cm-lintRange-error");
  await page.waitForSelector(".cm-diagnostic");
  assert.match(await page.locator(".cm-diagnostic").innerText(), /y/);
  await page.click("#tab-problems");
  assert.match(await page.locator("#view").innerText(), /line 2/);
  await check(page).click();
  await expectTitle(page, /The text has errors/);
  await write(page, "byte x;\nactive proctype P() { x = 1 }\n");
  await page.waitForSelector(".cm-lintRange-error", { state: "detached" });
  assert.match(await page.locator("#verdict").innerText(), /out of date/);
  await check(page).click();
  await expectTitle(page, /^Holds$/);
});

pageTest("a counterexample is stepped through", { path: "#ex=lost-update" }, async ({ page }) => {
  await check(page).click();
  await expectTitle(page, /^Violated: an assertion fails$/);
  const last = await step(page);
  assert.ok(last > 5);
  await page.focus("#steps");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await step(page), last - 1);
  await page.keyboard.press("Home");
  assert.equal(await step(page), 0);
  await page.keyboard.press("ArrowRight");
  assert.equal(await step(page), 1);
  assert.equal(await page.getAttribute("#step-1", "aria-selected"), "true");
  // Each process has its mark beside its line, and what changed is marked.
  assert.ok((await page.locator(".cm-process").count()) >= 1);
  for (let i = 0; i < last && (await page.locator("tr.changed").count()) === 0; i += 1) {
    await page.keyboard.press("ArrowRight");
  }
  assert.ok((await page.locator("tr.changed").count()) >= 1);
  assert.ok((await page.locator(".cm-moved").count()) >= 1);
  await page.keyboard.press("End");
  assert.equal(await step(page), last);
  await page.waitForSelector("#step-fault");
  // Playing goes on by itself and stops at the end.
  await page.click("#step-" + (last - 1));
  await page.keyboard.press("Space");
  await page.waitForFunction((n) => document.querySelector(".step-number").textContent.startsWith(`${n} `), last);
});

pageTest("a link shows the counterexample on another machine", {
  path: "#ex=lost-update",
  context: { permissions: ["clipboard-read", "clipboard-write"] },
}, async ({ page, url }) => {
  await check(page).click();
  await expectTitle(page, /^Violated/);
  const last = await step(page);
  await page.focus("#steps");
  await page.keyboard.press("ArrowLeft");
  await page.evaluate(() => navigator.clipboard.writeText("something else"));
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#share-link")?.value.includes("#1"));
  // Nothing is copied before it is asked for.
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "something else");
  await page.getByRole("button", { name: "Copy the link" }).click();
  await page.waitForSelector("text=Copied.");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${url}#1`), link);
  assert.ok(link.length < 2_000);
  assert.equal(await page.inputValue("#share-link"), link);

  const other = await newContext();
  try {
    const problems = watch(other, new URL(url).origin);
    const opened = await other.newPage();
    await opened.goto(link);
    await ready(opened);
    await expectTitle(opened, /^Violated: an assertion fails$/);
    assert.match(await opened.locator("#verdict").innerText(), /replayed/);
    assert.equal(await step(opened), last - 1);
    assert.equal(new URL(opened.url()).hash, new URL(link).hash);
    // An edit makes it a text of its own.
    await write(opened, wrong);
    await opened.waitForFunction(() => location.hash === "");
    assert.deepEqual(problems, []);
  } finally {
    await other.close();
  }
});

pageTest("damaged links are explained and lose nothing", async ({ page, url }) => {
  await write(page, wrong);
  await page.waitForTimeout(700);
  for (const hash of ["#1abc", "#9zz", "#1", "#ex=no-such-model", "#hello", `#1${"A".repeat(5000)}`]) {
    await page.evaluate((it) => { location.hash = it; }, hash);
    await expectTitle(page, /The link cannot be opened/);
    assert.equal(await text(page), wrong);
  }
  await page.goto("about:blank");
  await page.goto(`${url}#1broken`);
  await ready(page);
  await expectTitle(page, /The link cannot be opened/);
  assert.equal(await text(page), wrong);
  // Once is enough.
  await page.reload();
  await ready(page);
  await expectTitle(page, /Not checked yet/);
  assert.equal(await text(page), wrong);
});

pageTest("a big run is cancelled at once, with what it had found", async ({ page }) => {
  await write(page, endless);
  await check(page).click();
  await page.waitForSelector(".check.cancel");
  await page.waitForFunction(() => /\d{4}/.test(document.querySelector(".figure dd").textContent.replace(/\D/g, "")));
  const took = await page.evaluate(async () => {
    const started = performance.now();
    document.querySelector(".check").click();
    while (!/No violation found/.test(document.querySelector("#verdict .card-title").textContent)) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return performance.now() - started;
  });
  assert.ok(took < 400, `cancelled after ${took} ms`);
  assert.match(await page.locator("#verdict").innerText(), /cancelled/);
  await write(page, wrong);
  await page.keyboard.press("Control+Enter");
  await expectTitle(page, /^Violated/);
});

pageTest("the page survives a crash of the checker", { expected: [/injected/] }, async ({ page }) => {
  await write(page, endless);
  await check(page).click();
  await page.waitForSelector(".check.cancel");
  await page.workers()[0].evaluate(() => { setTimeout(() => { throw new Error("injected"); }); });
  await expectTitle(page, /The checker failed/);
  assert.match(await page.locator("#verdict").innerText(), /injected/);
  assert.equal(await text(page), endless);
  await ready(page);
  await write(page, wrong);
  await check(page).click();
  await expectTitle(page, /^Violated/);
});

pageTest("a checker that falls silent is noticed and can be cancelled", async ({ page }) => {
  await write(page, wrong);
  await page.waitForTimeout(600);
  await page.workers()[0].evaluate(() => { setTimeout(() => self.close()); });
  await page.waitForTimeout(200);
  await check(page).click();
  await page.waitForSelector("text=No news for");
  await page.keyboard.press("Escape");
  await expectTitle(page, /No violation found/);
  await ready(page);
  await check(page).click();
  await expectTitle(page, /^Violated/);
  assert.equal(await text(page), wrong);
});

pageTest("the text survives a reload, and other texts become drafts", async ({ page, url }) => {
  await write(page, wrong);
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  assert.equal(await text(page), wrong);
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click("[data-model=philosophers]");
  await page.waitForFunction(() => location.hash === "#ex=philosophers");
  assert.match(await text(page), /Philosopher/);
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: /Restore previous draft/ }).click();
  await page.click(".draft-open");
  await page.waitForFunction(
    (wanted) => JSON.parse(sessionStorage.getItem("promenade.document")).experiment.files[0].text === wanted,
    wrong,
  );
  // A new tab begins with the newest draft.
  const tab = await page.context().newPage();
  await tab.goto(url);
  await ready(tab);
  assert.equal(await text(tab), wrong);
});

pageTest("gallery, lesson and parameters", async ({ page }) => {
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.waitForSelector("[aria-label='Find a model']:focus");
  await page.fill("[aria-label='Find a model']", "qqqq");
  await page.waitForSelector("dialog[open] >> text=No model fits.");
  await page.fill("[aria-label='Find a model']", "lost");
  await page.click("[data-model=lost-update]");
  await page.waitForSelector(".lesson[data-model=lost-update]");
  await page.locator(".lesson select").last().selectOption("1");
  assert.match(await page.getAttribute("[aria-label^=Options]", "aria-label"), /1 changed/);
  await check(page).click();
  await expectTitle(page, /^Holds$/);
  await page.click("#tab-unreached");
  assert.ok((await page.locator("#view").innerText()).length > 10);
});

pageTest("a model that nobody edited is no draft", async ({ page }) => {
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click("[data-model=lost-update]");
  await page.waitForSelector(".lesson[data-model=lost-update]");
  // Neither options nor the property are the text.
  await page.locator(".lesson select").last().selectOption("1");
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click("[data-model=peterson]");
  await page.waitForSelector(".lesson[data-model=peterson]");
  assert.equal(await page.locator("text=among the drafts").count(), 0);
  await write(page, wrong);
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click("[data-model=lost-update]");
  await page.waitForSelector("text=among the drafts");
});

pageTest("the defaults come back, one worker among them", async ({ page }) => {
  await page.locator("[aria-label^=Options]").click();
  await page.locator("label", { hasText: "Share the states" }).click();
  await page.getByLabel("Find all").check();
  await page.getByRole("button", { name: "Reset to the defaults" }).click();
  assert.ok(await page.getByRole("radio", { name: /^One/ }).isChecked());
  assert.ok(await page.getByLabel("Stop at the first").isChecked());
});

pageTest("options are explained and count at once", { path: "#ex=philosophers" }, async ({ page }) => {
  await check(page).click();
  await expectTitle(page, /invalid end state/);
  await openOptions(page, "reported");
  await page.getByLabel("Deadlocks").uncheck();
  await page.keyboard.press("Escape");
  await check(page).click();
  await expectTitle(page, /^Holds$/);
});

pageTest("all errors are found and walked through", async ({ page }) => {
  await write(page, "byte x;\nactive proctype P() {\n  if\n  :: assert(x == 1)\n  :: x = 5 / x\n  fi\n}\n");
  await page.locator("[aria-label^=Options]").click();
  await page.getByLabel("Find all").check();
  await page.keyboard.press("Escape");
  await check(page).click();
  await expectTitle(page, /^Violated/);
  const first = await title(page).innerText();
  assert.match(await page.locator(".chooser").innerText(), /1 of 2/);
  await page.click("[aria-label='Next violation']");
  assert.match(await page.locator(".chooser").innerText(), /2 of 2/);
  assert.notEqual(await title(page).innerText(), first);
});

pageTest("a never claim is a property to choose", async ({ page }) => {
  await write(page, "byte x;\nactive proctype P() { x = 1; x = 2 }\nnever bad { do :: x == 2 -> break :: else od }\n");
  await page.locator(".property option", { hasText: "bad" }).waitFor({ state: "attached" });
  await page.locator(".property select").selectOption({ label: "Never claim bad" });
  await check(page).click();
  await expectTitle(page, /never claim matches/);
  // Another model is checked for safety again, and the bar says so.
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.click("[data-model=peterson]");
  await page.waitForFunction(() => document.querySelector(".property select").selectedOptions[0]?.label === "Safety");
});

pageTest("formatting, definitions and completion", async ({ page }) => {
  await write(page, "byte   count;\nactive proctype P() {\ncount=1\n}\n");
  await page.keyboard.press("Shift+Alt+F");
  await page.waitForTimeout(700);
  assert.equal(await text(page), "byte count;\nactive proctype P() {\n  count = 1\n}\n");
  await page.keyboard.press("Control+Home");
  for (let i = 0; i < 2; i += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  for (let i = 0; i < 6; i += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F12");
  await page.keyboard.type("total");
  await page.waitForTimeout(700);
  assert.match(await text(page), /^byte total;/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("init { tot");
  await page.waitForSelector(".cm-tooltip-autocomplete");
  assert.match(await page.locator(".cm-tooltip-autocomplete").innerText(), /total/);
});

pageTest("files are opened by dropping and downloaded", async ({ page }) => {
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], "dropped.pml", { type: "text/plain" }));
    data.items.add(new File(["#define N 3\n"], "lib.h", { type: "text/plain" }));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, wrong);
  await page.waitForSelector(".file-name:text('dropped.pml')");
  await page.waitForSelector(".file-name:text('lib.h')");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Control+Shift+S"),
  ]);
  assert.equal(download.suggestedFilename(), "dropped.pml");
  await check(page).click();
  await expectTitle(page, /^Violated/);
});

pageTest("everything by keyboard", async ({ page }) => {
  // From the start of the page to the editor, in it, and out of it.
  const focused = () => page.evaluate(() => {
    const element = document.activeElement;
    return element?.shadowRoot ? "editor" : element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  });
  const seen = [];
  for (let i = 0; i < 20 && !seen.includes("editor"); i += 1) {
    await page.keyboard.press("Tab");
    seen.push(await focused());
  }
  for (const name of ["Gallery", "File", "Options", "Simulate", "Check", "Share", "Theme", "Help", "editor"]) {
    assert.ok(seen.includes(name), `${name} is not reached by Tab: ${seen}`);
  }
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(wrong);
  await page.keyboard.press("Control+Enter");
  await expectTitle(page, /^Violated/);
  await page.keyboard.press("Alt+Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "tab");
  await showTrace(page);
  await page.focus("#steps");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("?");
  await page.waitForSelector("#help");
  assert.match(await page.locator("#help").innerText(), /Keyboard/);
  await page.keyboard.press("Escape");
  await page.waitForSelector("#help", { state: "detached" });
  await page.keyboard.press("Alt+Enter");
  assert.equal(await focused(), "editor");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await focused(), "editor");
  // Also where completions of a word are looked for and none are shown yet.
  await page.keyboard.press("Alt+Enter");
  assert.equal(await focused(), "editor");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" q");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await focused(), "editor");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Control+z");
  // The splitter moves with the arrow keys and is remembered.
  await page.focus("[role=separator]");
  const before = Number(await page.getAttribute("[role=separator]", "aria-valuenow"));
  await page.keyboard.press("ArrowRight");
  assert.equal(Number(await page.getAttribute("[role=separator]", "aria-valuenow")), before + 2);
  await page.reload();
  await ready(page);
  assert.equal(Number(await page.getAttribute("[role=separator]", "aria-valuenow")), before + 2);
  // A menu with the arrow keys.
  await page.focus("[aria-label=File][aria-haspopup]");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitem");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  assert.equal(await focused(), "File");
});

/** The steps of the run that is shown, as texts. */
const rows = (page) => page.locator(".step .step-text").allInnerTexts();

async function seed(page, number) {
  await page.fill(".seed input", String(number));
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.seed[data-seed="${number}"]`);
}

const random = `byte x;
active proctype P() {
  byte i;
  for (i : 1 .. 6) {
    if
    :: x++; printf("up %d\\n", x)
    :: x = 0
    fi
  }
}
active proctype Q() { do :: x > 9 -> break :: x <= 9 -> x = x + 2 od; assert(x < 200) }
`;

pageTest("a simulation is one run with a seed, and says that it proves nothing", async ({ page }) => {
  await write(page, random);
  await page.keyboard.press("Control+Shift+Enter");
  await expectTitle(page, /^One run/);
  assert.match(await page.locator("#verdict").innerText(), /One run proves nothing/);
  assert.equal(await text(page), random, "the key adds no line");
  await seed(page, 7);
  const first = await rows(page);
  assert.ok(first.length > 5, first.join("\n"));
  assert.equal(await step(page), 0);
  // The same stepping as in a counterexample.
  await page.focus("#steps");
  await page.keyboard.press("ArrowRight");
  assert.equal(await step(page), 1);
  assert.ok((await page.locator(".cm-process").count()) >= 1);
  await page.keyboard.press("End");
  assert.ok((await step(page)) > 5);
  await page.waitForSelector("#step-fault");
  // Another seed is another run, and the same one the same.
  await seed(page, 8);
  assert.notDeepEqual(await rows(page), first);
  await seed(page, 7);
  assert.deepEqual(await rows(page), first);
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await page.waitForSelector('.seed:not([data-seed="7"])');
  // A seed that is none is refused; nothing is lost.
  await page.fill(".seed input", "-1");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".notice:has-text('A seed is a whole number')");
  // An edit makes the run old; a check takes its place.
  await write(page, random.replace("200", "100"));
  await page.waitForSelector("text=out of date");
  await page.getByRole("button", { name: "Run again" }).click();
  await page.waitForFunction(() => !document.querySelector("#verdict.stale"));
  await expectTitle(page, /^One run/);
  await check(page).click();
  await expectTitle(page, /^Holds$/);
});

pageTest("simulations end in different ways", async ({ page }) => {
  const run = async (model, pattern) => {
    await write(page, model);
    await page.getByRole("button", { name: "Simulate", exact: true }).click();
    await expectTitle(page, pattern);
    await page.focus("#steps");
    await page.keyboard.press("End");
    await page.waitForSelector("#step-fault");
    return page.locator("#step-fault").innerText();
  };
  assert.match(await run(wrong, /^One run: goes wrong$/), /assertion violated/);
  assert.match(await run("chan q = [0] of { byte };\ninit { q!1 }\n", /^One run: gets stuck$/), /deadlock/);
  assert.match(await run("byte x;\ninit { do :: x++ od }\n", /^One run: could go on$/), /stopped/);
  assert.match(await page.locator(".step-number").innerText(), /1\D?000$/);
  assert.match(await run("init { printf(\"hello\\n\") }\n", /^One run: comes to an end$/), /ends here/);
  assert.match(await page.locator(".printed").innerText(), /hello/);
  // A run finds no proof: the card has not the colour of one.
  assert.equal(await page.getAttribute("#verdict", "data-tone"), "plain");
  // A claim that cannot follow is no deadlock.
  await write(page, "byte x;\ninit { x = 1; x = 2; x = 3 }\nnever low { do :: x < 2 od }\n");
  await page.locator(".property option", { hasText: "low" }).waitFor({ state: "attached" });
  await page.locator(".property select").selectOption({ label: "Never claim low" });
  await page.getByRole("button", { name: "Simulate", exact: true }).click();
  await expectTitle(page, /^One run: left by the claim$/);
  await page.locator(".property select").selectOption({ label: "Safety" });
  // A text that cannot be run.
  await write(page, "init { y = 1 }\n");
  await page.getByRole("button", { name: "Simulate", exact: true }).click();
  await expectTitle(page, /^The text cannot be run$/);
  assert.match(await page.locator("#view").innerText(), /line 1/);
});

pageTest("the options are those that the help describes", async ({ page }) => {
  await page.locator("[aria-label^=Options]").click();
  await page.locator(".part").evaluateAll((parts) => parts.forEach((part) => { part.open = true; }));
  const form = await page.locator("dialog[open] .form").innerText();
  await page.keyboard.press("Escape");
  await openHelp(page, "options");
  const help = await page.locator(".help-body").innerText();
  const names = await page.locator(".help-body h2").allInnerTexts();
  for (const name of names.filter((name) => !/SPIN/.test(name))) {
    assert.ok(form.includes(name), `the help describes ${name}, the form has no such part`);
  }
  for (const name of ["Stop at the first", "Find all", "Channels must be empty at the end", "Full channels lose messages", "Inner unless first", "Nested depth-first search", "Couvreur, shy", "Couvreur, without a list", "Generalised nested depth-first search"]) {
    assert.ok(form.includes(name), `the form has no ${name}`);
    assert.ok(help.includes(name), `the help does not describe ${name}`);
  }
  assert.ok(!/Counting like SPIN/.test(help));
  // Numbers as SPIN counts them: those of the commands in the help.
  await page.keyboard.press("Escape");
  await write(page, "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: assert(x != 2) :: x == 3 -> break od }\n");
  await page.locator("[aria-label^=Options]").click();
  await page.getByLabel("Find all").check();
  await page.keyboard.press("Escape");
  await check(page).click();
  await expectTitle(page, /^Violated/);
  await page.click("#tab-statistics");
  const shown = await page.$$eval(".numbers tr", (rows) =>
    Object.fromEntries(rows.map((row) => [row.querySelector("th").textContent, row.querySelector("td").textContent])));
  assert.deepEqual(
    [shown["States stored"], shown["States matched"], shown.Transitions, shown.Errors],
    ["9", "4", "13", "1"],
  );
});

for (const colorScheme of ["light", "dark"]) {
  pageTest(`on a phone nothing is wider than the screen, ${colorScheme}`, {
    path: "#ex=philosophers",
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme },
  }, async ({ page }) => {
    const fits = async (what) => {
      const [wide, height] = await page.evaluate(() => [
        Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
      ]);
      assert.ok(wide <= 0, `${what}: the page is ${wide} px wider than the phone`);
      assert.ok(height <= 0, `${what}: the page is ${height} px higher than the phone`);
    };
    const card = () => page.evaluate(() => document.querySelector("#verdict").getBoundingClientRect().height);
    await fits("editor");
    await page.getByRole("button", { name: "Result", exact: true }).tap();
    const height = await card();
    await check(page).tap();
    await expectTitle(page, /^Violated/);
    await fits("verdict");
    assert.equal(await card(), height, "the card keeps its height when the verdict comes");
    await showTrace(page);
    await fits("trace");
    await page.getByRole("button", { name: "Simulate", exact: true }).tap();
    await expectTitle(page, /^One run/);
    await fits("simulation");
    assert.equal(await card(), height, "and for a simulation");
    for (const tab of ["lesson", "properties", "automaton", "statistics", "unreached", "problems", "outline"]) {
      await page.tap(`#tab-${tab}`);
      await fits(tab);
    }
    await page.getByRole("button", { name: "File", exact: true }).tap();
    await fits("menu");
    await page.keyboard.press("Escape");
    for (const name of ["Gallery", "Options", "Share"]) {
      await page.locator(`.bar [aria-label^=${name}]`).tap();
      await page.waitForSelector("dialog[open]");
      await fits(name);
      const inner = await page.$$eval("dialog[open] *", (all) =>
        all.filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5 && it.getClientRects().length > 0).length);
      assert.equal(inner, 0, `${name}: parts are cut off`);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog[open]", { state: "detached" });
    }
    await page.getByRole("button", { name: "Help", exact: true }).tap();
    await page.waitForSelector(".help-body h1");
    for (const name of await page.$$eval(".help-choice option", (all) => all.map((it) => it.value))) {
      await page.selectOption(".help-choice", name);
      assert.equal(await page.locator(".help-body h1").count(), 1, `help ${name} has no text`);
      await fits(`help ${name}`);
      const wide = await page.$eval(".help-body", (it) => it.scrollWidth - it.clientWidth);
      assert.ok(wide <= 0, `help ${name} is ${wide} px too wide`);
    }
  });
}

pageTest("on a phone one half is shown at a time", {
  path: "#ex=lost-update",
  context: { viewport: { width: 390, height: 844 }, hasTouch: true },
}, async ({ page }) => {
  assert.ok(await page.isVisible(".editor-half"));
  assert.ok(!(await page.isVisible(".result-half")));
  await check(page).tap();
  await expectTitle(page, /^Violated/);
  assert.ok(await page.isVisible(".result-half"));
  assert.ok(!(await page.isVisible(".editor-half")));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.ok(!wide, "the page is wider than the phone");
  await page.getByRole("button", { name: "Edit", exact: true }).tap();
  assert.ok(await page.isVisible(".editor-half"));
});

pageTest("the theme is chosen and kept", { context: { colorScheme: "light" } }, async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.click("[aria-label=Theme][aria-haspopup]");
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await ready(page);
  assert.equal(await background(), dark);
});

pageTest("the picture of the README", {
  path: "#ex=lost-update",
  context: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
}, async ({ page }) => {
  await check(page).click();
  await expectTitle(page, /^Violated/);
  await showTrace(page);
  await page.focus("#steps");
  const last = await step(page);
  for (let i = last; i > Math.floor(last / 2); i -= 1) await page.keyboard.press("ArrowLeft");
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(700, 890);
  const taken = join(out, "playground.png");
  await page.screenshot({ path: taken });
  // The picture in the README changes only on purpose.
  const shown = join(root, "docs/playground.png");
  if (!existsSync(shown) || process.env.PROMENADE_UPDATE_PICTURE) {
    mkdirSync(dirname(shown), { recursive: true });
    copyFileSync(taken, shown);
  }
});
