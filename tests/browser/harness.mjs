// What every browser test needs: the built site on a server, a browser, and a page that is watched.
//
// `cargo xtask test` sets PROMENADE_XTASK (the server's program), PROMENADE_COMMAND (the command line), PROMENADE_CHROMIUM (the browser)
// and PROMENADE_BUILD (release or quick). By hand: `cargo xtask test --only browser [FILTER]`.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
/** The checkout. */
export const root = join(here, "../..");
const tools = createRequire(join(root, "www/js/package.json"));
const { chromium } = tools("playwright-core");
const axe = readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");

/** True when dist/ holds the release build: only that one works offline. */
export const isRelease = process.env.PROMENADE_BUILD === "release";

/** Where pictures and other results go. */
export const out = join(root, "tests/out");
mkdirSync(out, { recursive: true });

/** The built site. */
export const dist = join(root, "dist");

/** The built npm package. */
export const pkg = join(root, "pkg");

/** Serves a folder on a free port, under a path; gives its address and a way to end it. */
export async function startServer({ base = "/", folder = dist } = {}) {
  const xtask = process.env.PROMENADE_XTASK;
  const [program, ...rest] = xtask ? [xtask] : ["cargo", "xtask"];
  const child = spawn(program, [...rest, "serve", "--folder", folder, "--port", "0", "--base", base], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () => new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill();
  });
  return { url, stop };
}

/** Runs the command line; gives its exit code and what it printed. */
export function promenade(args) {
  const command = process.env.PROMENADE_COMMAND ?? join(root, "target/quick/promenade");
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 << 20 });
  if (error) throw error;
  return { status, stdout, stderr };
}

let launched;

/** The browser, one for a test file. */
export function browser() {
  launched ??= chromium.launch({
    executablePath: process.env.PROMENADE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
  return launched;
}

let served;

/** The site under /, one server for a test file. */
export function site() {
  served ??= startServer();
  return served;
}

after(async () => {
  if (launched) await (await launched).close();
  if (served) await (await served).stop();
});

/**
 * Watches a browser context: every error or warning, every breach of the security policy and every
 * request to another host is a problem. `expected` names problems that the test provokes.
 */
export function watch(context, origin) {
  const problems = [];
  context.on("weberror", (error) => problems.push(`error: ${error.error()}`));
  context.on("console", (message) => {
    // A context without service workers says so.
    const own = /blocked by Playwright/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !own) problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && url.origin !== origin) {
      problems.push(`request to another host: ${url}`);
    }
  });
  return problems;
}

/** A new context, as another machine would be: nothing stored, nothing cached. */
export async function newContext(options = {}) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(20_000);
  return context;
}

/** Waits until the page has started and its worker has said that it is ready. */
export async function ready(page) {
  await page.waitForSelector("html[data-worker=ready]", { state: "attached" });
}

/** Replaces the text in the editor. */
export async function write(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Waits for a result whose title matches. */
export async function expectTitle(page, pattern, timeout = 20_000) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector("#verdict .card-title")?.textContent ?? ""),
    pattern.source,
    { timeout },
  );
}

/** Chooses a property by its label, once the menu has it. */
export async function choose(page, label) {
  await page.locator(".property option", { hasText: label }).first().waitFor({ state: "attached" });
  await page.locator(".property select").selectOption({ label });
}

/** Goes to the tab with the run, which a check alone does not do. */
export async function showTrace(page) {
  const tab = page.locator("#tab-trace");
  if (await tab.getAttribute("aria-selected") !== "true") await tab.click();
  await page.waitForSelector("#steps");
}

/**
 * Asserts that axe finds nothing wrong with the page as it is now; `state` says in a word or two how that is.
 * `within`: a part of the page, where the rest cannot be reached.
 */
export async function accessible(page, state, within = "html") {
  // Colours that fade in are not those that are read.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter((it) => it.effect?.getComputedTiming().endTime !== Infinity).map((it) => it.finished)));
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const found = await page.evaluate(async (selector) => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const rules = { "target-size": { enabled: true }, "label-content-name-mismatch": { enabled: true } };
    const { violations } = await window.axe.run(selector, { runOnly: tags, rules, resultTypes: ["violations"] });
    return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html, any, all, none }) => (
      `${id} (${impact}) ${target.join(" ")}: ${[...any, ...all, ...none][0]?.message ?? ""} ${html.slice(0, 120)}`
    )));
  }, within);
  assert.deepEqual(found, [], `axe: ${state}`);
}

/** Opens the options with one of their parts, which are closed at first. */
export async function openOptions(page, part) {
  await page.locator("[aria-label^=Options]").click();
  const group = page.locator(`#part-${part}`);
  await group.waitFor();
  if (await group.getAttribute("open") === null) await group.locator("summary").click();
  return group;
}

/** Opens a page of the help and waits for its text, which is loaded when the help is first opened. */
export async function openHelp(page, name) {
  await page.getByRole("button", { name: "Help", exact: true }).click();
  await page.selectOption(".help-choice", name);
  await page.waitForSelector(".help-body h1");
}

/**
 * A test with a page: `pageTest("name", async ({ page, context, url, problems }) => ...)`. Options:
 * `path` (what follows the site's address), `context` (options for the context), `wait: false`
 * (do not wait for the worker), `expected` (patterns of problems that the test provokes).
 */
export function pageTest(name, ...rest) {
  const body = rest.pop();
  const { path = "", context: contextOptions, wait = true, expected = [], ...options } = rest.pop() ?? {};
  test(name, { timeout: 120_000, ...options }, async (t) => {
    const { url } = await site();
    const context = await newContext(contextOptions);
    const problems = watch(context, new URL(url).origin);
    try {
      const page = await context.newPage();
      await page.goto(url + path);
      if (wait) await ready(page);
      await body({ t, page, context, url, problems });
      const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
      assert.deepEqual(unexpected, []);
    } catch (error) {
      const picture = join(out, `failed-${name.replace(/\W+/g, "-")}.png`);
      await context.pages().at(-1)?.screenshot({ path: picture }).catch(() => {});
      if (problems.length > 0) console.error("problems:", problems);
      throw error;
    } finally {
      await context.close();
    }
  });
}
