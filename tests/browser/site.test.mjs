// The built site as such: it starts, in any folder, under its policy, and without a network.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { writeServiceWorker } from "../../www/js/offline.mjs";
import { dist, isRelease, newContext, openHelp, pageTest, ready, site, startServer, watch } from "./harness.mjs";

const onlyRelease = isRelease ? false : "only the release build is published";

pageTest("the page and its worker start under the security policy", async ({ page, url }) => {
  const response = await page.request.get(url);
  const policy = response.headers()["content-security-policy"];
  assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+'/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|inline-hashes/);
});

pageTest("the policy is at work", { expected: [/Content Security Policy/] }, async ({ page, problems }) => {
  // The element is in the page's own world, unlike code that the driver runs.
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.inlineRan = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.inlineRan), undefined);
  assert.ok(problems.some((problem) => /Content Security Policy/.test(problem)), "no breach was reported");
});

test("the page works in a folder of the host", { timeout: 60_000 }, async () => {
  const server = await startServer({ base: "/some/folder" });
  const context = await newContext();
  try {
    const problems = watch(context, new URL(server.url).origin);
    const page = await context.newPage();
    await page.goto(server.url);
    await ready(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
});

/** Bytes of everything that the first visit loads, with brotli and with gzip, and how long it takes. */
async function firstLoad() {
  const { url } = await site();
  const times = [];
  let all = [];
  for (let round = 0; round < 3; round += 1) {
    const context = await newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    const bodies = [];
    page.on("response", (response) => bodies.push(response.body().catch(() => Buffer.alloc(0))));
    const started = performance.now();
    await page.goto(url);
    await ready(page);
    times.push(performance.now() - started);
    all = await Promise.all(bodies);
    await context.close();
  }
  const sum = (size) => all.reduce((bytes, body) => bytes + size(body).length, 0);
  return { brotli: sum(brotliCompressSync), gzip: sum(gzipSync), fastest: Math.min(...times) };
}

test("the first load is quick and small", { skip: onlyRelease, timeout: 90_000 }, async () => {
  const { brotli, gzip, fastest } = await firstLoad();
  const mb = (bytes) => `${(bytes / 1e6).toFixed(3)} MB`;
  console.log(`first load: ${mb(gzip)} with gzip, ${mb(brotli)} with brotli, ready after ${fastest.toFixed(0)} ms`);
  assert.ok(brotli > 0 && brotli <= 1.5e6, `${brotli} bytes with brotli are more than 1.5 MB`);
  assert.ok(gzip <= 1.5e6, `${gzip} bytes with gzip are more than 1.5 MB`);
  assert.ok(fastest <= 1500, `ready only after ${fastest} ms`);
});

pageTest("workers run the program that the page has compiled, without the editor", {
  context: { serviceWorkers: "block" },
}, async ({ page }) => {
  const [workers, requests] = [[], []];
  page.on("worker", (worker) => workers.push(worker));
  page.on("request", (request) => requests.push(request.url()));
  await page.reload();
  await ready(page);
  const count = (pattern) => requests.filter((url) => pattern.test(url)).length;
  assert.equal(workers.length, 1);
  // The page's and the worker's: what workers load is among the requests.
  assert.equal(count(/\/promenade-site-\w+\.js$/), 2, requests.join("\n"));
  assert.equal(count(/\.wasm$/), 1, requests.join("\n"));
  assert.equal(count(/\/editor-\w+\.js$/), 1, requests.join("\n"));
});

test("after the first visit the page works without a network", {
  skip: onlyRelease,
  timeout: 60_000,
}, async () => {
  const server = await startServer({ base: "/kept" });
  const context = await newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await ready(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await server.stop();
    const problems = watch(context, new URL(server.url).origin);
    await page.goto(`${server.url}?x=1#link`);
    await ready(page);
    // What is loaded only when it is wanted has been kept too.
    await openHelp(page, "privacy");
    await page.evaluate(() => {
      location.hash = "assignment=fairness";
    });
    await page.waitForSelector(".course[data-assignment=fairness]");
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
});

test("a new version waits until it is asked for", { skip: onlyRelease, timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "promenade-site-"));
  cpSync(dist, folder, { recursive: true });
  const server = await startServer({ folder });
  const context = await newContext();
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await ready(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

    const file = join(folder, "index.html");
    writeFileSync(file, readFileSync(file, "utf8").replace("<title>", "<title>New: "));
    writeServiceWorker(folder, true);
    // The old page stays complete while the new version waits.
    await page.reload();
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
    await page.reload();
    await ready(page);
    assert.doesNotMatch(await page.title(), /^New: /);

    // offline.js has heard of the waiting version by now, and switches when the page says so.
    await page.waitForTimeout(200);
    await Promise.all([
      page.waitForEvent("load"),
      page.evaluate(() => dispatchEvent(new Event("promenade:switch"))),
    ]);
    await ready(page);
    assert.match(await page.title(), /^New: /);
  } finally {
    await context.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
