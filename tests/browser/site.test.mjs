// The built site as such: it starts, in any folder, under its policy, and without a network.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isRelease, newContext, pageTest, ready, startServer, watch } from "./harness.mjs";

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

test("after the first visit the page works without a network", {
  skip: isRelease ? false : "only the release build is kept",
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
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.stop();
  }
});
