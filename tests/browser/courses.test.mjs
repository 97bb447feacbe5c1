// Assignments on the page: a student works on one, comes back, hands in, and the command line grades the same.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectTitle, out, pageTest, promenade, ready, root } from "./harness.mjs";

const folder = mkdtempSync(join(tmpdir(), "promenade-courses-"));
const shipped = (name) => join(root, "tests/suite/assignments", `${name}.md`);
const opened = (page, id) => page.waitForSelector(`.course[data-assignment="${id}"]`);
const task = (page, id) => page.locator(`.course-task[data-task="${id}"]`);
const line = (page, text) => page.locator(".cm-line", { hasText: text }).first();
const pickFile = (page, files) => page.setInputFiles("#file-input", files);

/** Waits until nothing is checked any more. */
async function checked(page) {
  await page.waitForFunction(() => document.querySelector(".course-going")?.hidden !== false);
}

/** The text in the editor, line by line. */
const text = (page) => page.locator(".cm-line").allInnerTexts().then((lines) => lines.map((it) => it.replace(/\n$/, "")));

/** Writes into the region after its marker; what was there goes. */
async function fill(page, marker, lines) {
  await line(page, `BEGIN EDIT ${marker}`).click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  for (;;) {
    const all = await text(page);
    const at = all.findIndex((it) => it.includes(`BEGIN EDIT ${marker}`));
    if (all[at + 1].trim() === "" && all[at + 2].includes("END EDIT")) break;
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("Delete");
    if ((await text(page))[at + 2].includes("END EDIT")) break;
    await page.keyboard.press("Delete");
  }
  await page.keyboard.insertText(lines);
}

/** Downloads something; gives its name and text. */
async function downloaded(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  const name = download.suggestedFilename();
  const path = join(folder, name);
  await download.saveAs(path);
  return { name, path, text: readFileSync(path, "utf8") };
}

/** The command line's grade of a submission. */
function graded(assignment, submission) {
  const { stdout, status } = promenade(["grade", assignment, submission, "--json"]);
  assert.ok([0, 1, 2].includes(status), `${status}: ${stdout}`);
  const { grades } = JSON.parse(stdout);
  assert.equal(grades.length, 1);
  return grades[0];
}

pageTest("a student solves, comes back and hands in, and the command line grades the same", { path: "#assignment=mutual-exclusion" }, async ({ page }) => {
  await opened(page, "mutual-exclusion");
  await page.locator(".course").getByText("Two processes share a resource").waitFor();
  // A locked line stays as it is, and the student is told.
  const before = await text(page);
  await line(page, "assert(inside == 1)").click();
  await page.keyboard.press("End");
  await page.keyboard.type("x");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("byte all;");
  assert.deepEqual(await text(page), before);
  await page.locator(".notice", { hasText: "This line is locked" }).waitFor();
  assert.ok(await page.locator(".cm-locked").count() > 5);

  // A wrong answer is told with its run; the hint opens after enough of them.
  const first = task(page, "exclusion");
  assert.match(await first.locator(".course-hints").innerText(), /hint opens after \d+ more failed attempt/);
  for (const guess of ["!wants[other]; wants[me] = true;", "wants[me] = true;", "turn = other;"]) {
    await fill(page, "entry", guess);
    await first.getByRole("button", { name: "Check this task" }).click();
    await checked(page);
    await first.locator(".course-status", { hasText: "Not solved" }).waitFor();
  }
  await first.locator(".course-hint", { hasText: "Hint 1" }).waitFor();
  await first.getByRole("button", { name: /^Show the run/ }).first().click();
  await expectTitle(page, /^Violated/);
  await page.waitForSelector("#steps .step");
  assert.ok((await text(page)).some((it) => it.includes("turn = other")), "the run is that of the student's text");
  await page.click("#tab-assignment");

  // The right answer, and the other tasks.
  await fill(page, "entry", "wants[me] = true; turn = other; !wants[other] || turn == me;");
  await first.locator(".course-status", { hasText: "Changed since" }).waitFor();
  await fill(page, "exit", "wants[me] = false;");
  await task(page, "flags").getByLabel("It is violated").check();
  await page.getByRole("button", { name: "Check my work" }).click();
  await checked(page);
  await first.locator(".course-status", { hasText: /^Solved/ }).waitFor();
  const points = await page.locator(".course-points").innerText();
  assert.match(points, /^8 of 10 points, not all checked$|^8 of 10 points$/);
  // The ordinary check works on the same text.
  await page.locator(".check").click();
  await expectTitle(page, /^(Holds|Violated)/);

  // Everything is there after a reload.
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  await opened(page, "mutual-exclusion");
  assert.equal(await page.locator(".course-points").innerText(), points);
  assert.ok((await text(page)).some((it) => it.includes("turn == me")));
  assert.ok(await task(page, "flags").getByLabel("It is violated").isChecked());
  await line(page, "assert(inside == 1)").click();
  const again = await text(page);
  await page.keyboard.type("x");
  assert.deepEqual(await text(page), again, "locked after a reload too");

  // Handing in asks for the fields first.
  const hand = page.locator("#course-hand-in");
  await hand.getByRole("button", { name: "Download the file" }).click();
  await hand.getByText("Fill in first: name, id.").waitFor();
  await hand.getByLabel("name").fill("Ada Lovelace");
  await hand.getByLabel("id").fill("4711");
  const file = await downloaded(page, () => hand.getByRole("button", { name: "Download the file" }).click());
  assert.equal(file.name, "mutual-exclusion-Ada_Lovelace-4711.md");
  const told = graded(shipped("mutual-exclusion"), file.path);
  assert.deepEqual([told.score, told.max, told.problems], [8, 10, []]);
  assert.deepEqual(told.fields, [["name", "Ada Lovelace"], ["id", "4711"]]);
  // The page shows per task what the command says.
  for (const { id, score, max } of told.tasks) {
    const shown = await task(page, id).locator(".course-status").innerText();
    assert.ok(shown.endsWith(`, ${score} of ${max}`), `${id}: ${shown}`);
  }
  // A link holds the same.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await hand.getByRole("button", { name: "Copy a link" }).click();
  await hand.getByText("on the clipboard").waitFor();
  const link = join(folder, "link.txt");
  writeFileSync(link, await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual({ ...graded(shipped("mutual-exclusion"), link), submission: told.submission }, told);
});

pageTest("a counterexample is an answer", { path: "#assignment=find-the-attack" }, async ({ page }) => {
  await opened(page, "find-the-attack");
  const attack = task(page, "attack");
  await attack.getByRole("button", { name: "Use the run that is shown" }).click();
  await page.locator(".notice", { hasText: "There is no counterexample yet" }).waitFor();
  await attack.getByRole("button", { name: /^Try it/ }).click();
  await expectTitle(page, /^Violated/);
  await attack.getByRole("button", { name: "Use the run that is shown" }).click();
  await attack.getByText("A run is your answer.").waitFor();
  await attack.getByRole("button", { name: /^Check this task/ }).click();
  await checked(page);
  await attack.locator(".course-status", { hasText: /Solved|Not solved/ }).waitFor();
  await task(page, "secrecy").getByLabel("It holds").check();
  await page.getByRole("button", { name: "Check my work" }).click();
  await checked(page);
  await task(page, "secrecy").locator(".course-status", { hasText: /^Solved/ }).waitFor();
  // The given file cannot be changed.
  const before = await text(page);
  await page.locator(".cm-content").click();
  await page.keyboard.type("x");
  assert.deepEqual(await text(page), before);
});

pageTest("several assignments side by side, saved, deleted and opened again", {}, async ({ page }) => {
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.locator("[data-model=assignment-ltl-patterns]").click();
  await opened(page, "ltl-patterns");
  await task(page, "exclusive").getByLabel("Formula").fill("[] !(drink && back)");
  await page.evaluate(() => {
    location.hash = "assignment=fairness";
  });
  await opened(page, "fairness");
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.locator("[data-course]").nth(1).waitFor();
  assert.equal(await page.locator("[data-course]").count(), 2);
  await page.locator("[data-course^=ltl-patterns]").click();
  await opened(page, "ltl-patterns");
  const field = task(page, "exclusive").getByLabel("Formula");
  assert.equal(await field.inputValue(), "[] !(drink && back)");
  const saved = await downloaded(page, () => page.getByRole("button", { name: "Save progress as a file" }).click());
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Delete from this browser" }).click();
  await page.getByText("was deleted from this browser").waitFor();
  await pickFile(page, saved.path);
  await opened(page, "ltl-patterns");
  assert.equal(await field.inputValue(), "[] !(drink && back)");
  await task(page, "exclusive").getByRole("button", { name: /^Check this task/ }).click();
  await checked(page);
  await task(page, "exclusive").locator(".course-status", { hasText: /^Solved/ }).waitFor();
});

/** The tasks of an assignment with the author's answers, and its solutions of files. */
function solutions(text) {
  const block = (word) => [...text.matchAll(new RegExp(`^\`\`\`${word}\\n(.*?)^\`\`\`$`, "gms"))];
  const tasks = block("task").map(([, body]) => {
    const lines = /^solution: \|\n((?: .*\n|\n)+)/m.exec(body)?.[1].replace(/^ {2}/gm, "");
    return { id: /^id: (.+)$/m.exec(body)[1], kind: /^kind: (.+)$/m.exec(body)[1], answer: lines ?? /^solution: (.+)$/m.exec(body)?.[1] };
  });
  const files = Object.fromEntries(block("promela solution=\"([\\w.-]+)\"").map(([, name, body]) => [name, body]));
  return { tasks, files };
}

for (const name of ["fairness", "find-the-attack", "lossy-channel", "ltl-patterns", "mutual-exclusion"]) {
  pageTest(`the author's answers to ${name} have full points on the page and by the command`, {}, async ({ page }) => {
    const source = readFileSync(shipped(name), "utf8");
    const { tasks, files } = solutions(source);
    assert.ok(tasks.length > 2 && Object.keys(files).length + tasks.filter((it) => it.answer).length >= 2);
    // Files come as saved progress, answers are given as students give them.
    const path = join(folder, `${name}.progress.json`);
    writeFileSync(path, JSON.stringify({ "promenade-progress": 1, key: `${name}-solved`, id: name, title: name, text: source, files, answers: {}, fields: {} }));
    await pickFile(page, path);
    await opened(page, name);
    for (const { id, kind, answer } of tasks) {
      const own = task(page, id);
      if (kind === "find-bug") {
        await own.getByRole("button", { name: /^Try it/ }).click();
        await expectTitle(page, /^Violated/);
        // Some tasks limit its length.
        const shorter = page.getByRole("button", { name: "Find a shortest run" });
        if (await shorter.isVisible()) {
          await shorter.click();
          await shorter.waitFor({ state: "hidden" });
          await expectTitle(page, /^Violated/);
        }
        await page.click("#tab-assignment");
        await own.getByRole("button", { name: "Use the run that is shown" }).click();
        await own.getByText("A run is your answer.").waitFor();
      } else if (await own.locator("fieldset").count() > 0) {
        for (const choice of answer.split(", ")) await own.locator(`input[value="${choice}"]`).check();
      } else if (answer) {
        await own.locator("input[type=text], textarea").fill(answer);
      }
    }
    await page.getByRole("button", { name: "Check my work" }).click();
    await checked(page);
    for (const { id } of tasks) await task(page, id).locator(".course-status", { hasText: /^Solved/ }).waitFor();
    const points = await page.locator(".course-points").innerText();
    const [, score, max] = /^(\d+) of (\d+) points$/.exec(points);
    assert.equal(score, max);
    const hand = page.locator("#course-hand-in");
    for (const field of ["name", "id"]) await hand.getByLabel(field).fill("x");
    const file = await downloaded(page, () => hand.getByRole("button", { name: "Download the file" }).click());
    const told = graded(shipped(name), file.path);
    assert.deepEqual([told.score, told.max, told.problems], [Number(score), Number(max), []]);
  });
}

const hostile = `---
promenade-assignment: 1
id: hostile
title: <img src=x onerror=alert(1)>
fields: <b>name</b>
states: 50000000
memory: 4096
---
# <script>alert(1)</script>

[press](javascript:alert(1)) <iframe src="https://example.org"></iframe> ![x](https://example.org/x.png)

$<img src=x onerror=alert(1)>$

\`\`\`promela given="endless.pml"
int a, b, c;
active proctype P() { do :: a++ :: b++ :: c++ od }
\`\`\`

\`\`\`task
id: endless
kind: predict
title: <svg onload=alert(1)>
points: 1
file: endless.pml
question: states
hints:
  - <img src=x onerror=alert(1)>
solution: 1
\`\`\`
`;

pageTest("a hostile assignment does no harm", {}, async ({ page }) => {
  page.on("dialog", (dialog) => assert.fail(`a dialog: ${dialog.message()}`));
  const path = join(folder, "hostile.md");
  writeFileSync(path, hostile);
  await pickFile(page, path);
  await opened(page, "hostile");
  const count = await page.locator(".course :is(img, svg, iframe, script, b, [onload], [onerror], a:not([href^='https:']))").count();
  assert.equal(count, 0);
  // Its model has no end; the page can be used and the check be stopped.
  const own = task(page, "endless");
  await own.getByLabel("Number of states").fill("12");
  await page.getByRole("button", { name: "Check my work" }).click();
  await page.waitForFunction(() => /states so far/.test(document.querySelector(".course-going").textContent));
  await own.getByLabel("Number of states").fill("13");
  await page.locator(".course-head").getByRole("button", { name: "Cancel" }).click();
  await checked(page);
  await page.locator(".course-said", { hasText: "Cancelled." }).waitFor();
  // Too large, broken, and not an assignment at all.
  for (const [name, content, told] of [
    ["large.md", `${hostile}${"x".repeat(3 << 20)}`, /not longer than 2 MiB/],
    ["handed-in.md", "---\npromenade-submission: 1\nassignment: x\n---\n", /what somebody handed in/],
    ["progress.json", "{\"promenade-progress\": 1, \"key\": 5}", /no progress on an assignment/],
  ]) {
    writeFileSync(join(folder, name), content);
    await pickFile(page, join(folder, name));
    await page.locator(".notice", { hasText: told }).waitFor();
  }
  await opened(page, "hostile");
  // One with errors is shown to its author, with the errors marked.
  writeFileSync(path, hostile.replace("kind: predict", "kind: guess"));
  await pickFile(page, path);
  await page.locator(".notice", { hasText: /has errors\. Line \d+/ }).waitFor();
  await page.waitForSelector(".course[data-author]");
  await page.waitForSelector(".cm-lintRange-error");
});

pageTest("a teacher writes an assignment and sees what students see", {}, async ({ page }) => {
  await page.getByRole("button", { name: "Gallery", exact: true }).click();
  await page.locator("[data-model=assignment-new]").click();
  await page.waitForSelector(".course[data-author] .course[data-assignment=my-assignment]");
  const state = page.locator(".course-author-state");
  await page.getByRole("button", { name: "Dry run" }).click();
  await state.filter({ hasText: "the sample solution passes" }).waitFor();
  await page.getByRole("button", { name: "Mutants" }).click();
  await state.filter({ hasText: /\d+ mutants?, / }).waitFor();
  assert.ok(await page.locator(".course-table tbody tr").count() > 1);
  // What is typed is seen at once, and a mistake is marked where it is.
  await line(page, "title: My assignment").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" for two");
  await page.locator(".course[data-assignment] h3", { hasText: "My assignment for two" }).waitFor();
  await line(page, "kind: hold").click();
  await page.keyboard.press("End");
  await page.keyboard.type("s");
  await page.waitForSelector(".cm-lintRange-error");
  await state.filter({ hasText: "1 error" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Dry run" }).isDisabled());
  await page.keyboard.press("Backspace");
  await state.filter({ hasText: "1 task, 2 points" }).waitFor();
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);

  // The text survives a reload, and becomes an edition that students solve.
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  await page.locator(".course[data-assignment] h3", { hasText: "My assignment for two" }).waitFor();
  const author = await downloaded(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
  assert.match(author.text, /solution="counter.pml"/);
  const students = await downloaded(page, () => page.getByRole("button", { name: "Save sealed edition" }).click());
  assert.ok(!students.text.includes("solution="));
  await pickFile(page, students.path);
  await page.waitForSelector(".course[data-assignment=my-assignment]:not([data-author] *)");
  await fill(page, "body", "atomic { t = x; x = t + 1 };");
  await page.getByRole("button", { name: "Check my work" }).click();
  await checked(page);
  await page.locator(".course-points", { hasText: "2 of 2 points" }).waitFor();
  const hand = page.locator("#course-hand-in");
  await hand.getByLabel("name").fill("Grace");
  await hand.getByLabel("id").fill("1");
  const file = await downloaded(page, () => hand.getByRole("button", { name: "Download the file" }).click());
  assert.equal(graded(author.path, file.path).score, 2);
});

pageTest("the program for assignments is loaded when it is needed, with a number, and again if that failed", {
  context: { serviceWorkers: "block" },
  expected: [/ERR_FAILED/],
}, async ({ page }) => {
  const requests = [];
  let way = (route) => route.abort();
  await page.route(/promenade-courses-\w+_bg\.wasm$/, (route) => way(route));
  page.on("request", (request) => requests.push(request.url()));
  await page.reload();
  await ready(page);
  assert.deepEqual(requests.filter((url) => /courses|assignments/.test(url)), []);
  const open = async () => {
    await page.getByRole("button", { name: "Gallery", exact: true }).click();
    await page.locator("[data-model=assignment-fairness]").click();
  };
  await open();
  await page.locator(".notice", { hasText: "could not be opened" }).waitFor();
  let go;
  const held = new Promise((resolve) => {
    go = resolve;
  });
  way = async (route) => {
    await held;
    await route.continue();
  };
  await open();
  await page.locator(".course-loading", { hasText: /\d\.\d of [1-9]\d*\.\d MB/ }).waitFor();
  go();
  await opened(page, "fairness");
  assert.equal(await page.locator(".course-loading").count(), 0);
});

pageTest("two tabs with one assignment do not overwrite each other", { path: "#assignment=ltl-patterns" }, async ({ page, context, url }) => {
  await opened(page, "ltl-patterns");
  const other = await context.newPage();
  await other.goto(`${url}#assignment=ltl-patterns`);
  await opened(other, "ltl-patterns");
  // Having it open there is no hindrance.
  await task(page, "precedence").getByLabel("Formula").fill("false");
  await page.waitForTimeout(700);
  assert.equal(await page.locator(".notice", { hasText: "another tab" }).count(), 0);
  await other.reload();
  await opened(other, "ltl-patterns");
  assert.equal(await task(other, "precedence").getByLabel("Formula").inputValue(), "false");
  await task(other, "exclusive").getByLabel("Formula").fill("[] !(drink && back)");
  await other.waitForTimeout(700);
  await task(page, "exclusive").getByLabel("Formula").fill("true");
  await page.locator(".notice", { hasText: "changed in another tab" }).waitFor();
  await page.reload();
  await opened(page, "ltl-patterns");
  assert.equal(await task(page, "exclusive").getByLabel("Formula").inputValue(), "[] !(drink && back)");
});

pageTest("pictures of an assignment", { path: "#assignment=mutual-exclusion" }, async ({ page }) => {
  await opened(page, "mutual-exclusion");
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [[1440, 900], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(out, `assignment-${width}-${colorScheme}.png`) });
    }
  }
  assert.ok(await page.locator(".course").isVisible());
});

pageTest("work is copied from another edition, and begun anew", { path: "#assignment=mutual-exclusion" }, async ({ page }) => {
  await opened(page, "mutual-exclusion");
  await fill(page, "entry", "wants[me] = true; skip;");
  await page.waitForTimeout(700);
  const edition = join(folder, "edition.md");
  writeFileSync(edition, readFileSync(shipped("mutual-exclusion"), "utf8").replace("title: Mutual exclusion", "title: Another edition"));
  await pickFile(page, edition);
  await page.locator(".course h3", { hasText: "Another edition" }).waitFor();
  const has = async () => (await text(page)).some((it) => it.includes("wants[me] = true; skip;"));
  assert.ok(!await has());
  await page.getByRole("button", { name: "Copy it here" }).click();
  await line(page, "wants[me] = true; skip;").waitFor();
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  await opened(page, "mutual-exclusion");
  await line(page, "wants[me] = true; skip;").waitFor();

  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Start again with mutex.pml" }).click();
  await line(page, "wants[me] = true; skip;").waitFor({ state: "detached" });
  await page.waitForTimeout(700);
  await page.reload();
  await ready(page);
  await opened(page, "mutual-exclusion");
  await line(page, "BEGIN EDIT entry").waitFor();
  assert.ok(!await has());
});

pageTest("trying a property names the options that it changes", { path: "#assignment=mutual-exclusion" }, async ({ page }) => {
  await opened(page, "mutual-exclusion");
  const notice = page.locator(".notice", { hasText: "Options changed" });
  const tries = page.locator(".course-task").filter({ hasText: "Process[0]@critical" }).getByRole("button", { name: /^Try/ });
  const before = await page.locator("[aria-label^=Options]").getAttribute("aria-label");
  await tries.last().click();
  await notice.filter({ hasText: "weak fairness" }).waitFor();
  await expectTitle(page, /^(Holds|Violated)/);
  await notice.getByRole("button", { name: "Undo" }).click();
  await notice.waitFor({ state: "detached" });
  assert.equal(await page.locator("[aria-label^=Options]").getAttribute("aria-label"), before);
});
