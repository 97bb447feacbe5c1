// Generated code in the worker: the numbers of a check are those of the interpreter.
import assert from "node:assert/strict";
import { pageTest } from "./harness.mjs";

/** Channels of all kinds, atomic sequences, a d_step, processes that are created and end. */
const mixed = `
mtype = { ask, answer, done }
chan hand = [0] of { mtype, byte };
chan box = [2] of { byte, short };
byte turns; short sum; byte seen[4];

proctype client(byte me) {
  byte n; short v;
  do
  :: n < 2 ->
     atomic { hand!ask(me); hand?answer,eval(me) };
     n++;
     if
     :: box!me,n * 7
     :: box!!me,-n
     :: nfull(box) -> d_step { seen[me] = seen[me] + n; sum = sum + seen[me] }
     fi
  :: n >= 2 -> break
  od;
  atomic { turns++; hand!done(me) }
}
init {
  byte who; short v; byte ended;
  atomic { run client(1); run client(2) };
  do
  :: hand?ask(who) -> hand!answer(who)
  :: hand?done(who) -> ended++
  :: box?who,v -> sum = (sum + v) % 5
  :: box??[2,7] -> box??2,7
  :: ended == 2 && empty(box) -> break
  od;
  assert(turns == 2)
}`;

/** Many states, and a property of infinite runs that holds. */
const tickets = `
byte next, serving; byte critical; bool flip;
active [2] proctype user() {
  byte mine;
  do
  :: flip = !flip
  :: atomic { next < 200 -> mine = next; next = (next + 1) % 6 };
     do :: mine == serving -> break :: mine != serving -> skip od;
     critical++; assert(critical == 1); critical--;
     serving = (serving + 1) % 6
  od
}
ltl exclusion { [] (critical < 2) }`;

/** An index runs out of bounds after a while. */
const broken = `
byte a[40]; byte i, j;
active proctype P() { do :: i < 90 -> i++ :: i >= 90 -> i = 0 od }
active proctype Q() { do :: j < 60 -> a[j % 41] = 1; j++ :: else -> j = 0 od }`;

const cases = [
  { name: "safety of mixed statements", text: mixed, property: { kind: "safety" }, settings: { all_errors: true } },
  { name: "breadth first", text: mixed, property: { kind: "safety" }, settings: { search: "breadth_first" } },
  { name: "an automaton alongside", text: tickets, property: { kind: "ltl" } },
  { name: "weak fairness", text: tickets, property: { kind: "ltl" }, settings: { fairness: "weak" } },
  { name: "a fault", text: broken, property: { kind: "safety" }, settings: { all_errors: true } },
];

/** Runs all cases in one worker, started by the script at this address, which loads the program by itself. */
const run = (page, script) =>
  page.evaluate(async ([script, cases]) => {
    const worker = new Worker(script, { type: "module" });
    const answers = [];
    const next = (wanted) => new Promise((resolve, reject) => {
      const notes = [];
      worker.onmessage = ({ data }) => {
        if (data.t === "planned") notes.push(...data.notes);
        if (data.t === wanted) resolve({ ...data, notes });
        if (data.t === "crashed") reject(new Error(data.message));
      };
      worker.onerror = (event) => reject(new Error(event.message ?? "the worker did not start"));
    });
    worker.postMessage(null);
    await next("ready");
    for (const [job, { text, property, settings }] of cases.entries()) {
      const experiment = { files: [{ name: "model.pml", text }], property, settings: settings ?? {} };
      const pending = next("report");
      worker.postMessage({ t: "check", job, experiment });
      const { report, notes } = await pending;
      // Buffers of successors grow in other steps, so that their memory may differ.
      const { seconds, compile_seconds, stack_bytes, memory_bytes, ...numbers } = report.statistics;
      const violations = report.violations.map(({ kind, message, trace }) => [kind, message, trace.choices]);
      const engine = notes.filter((note) => note.topic === "engine").map((note) => note.text);
      answers.push({ verdict: report.verdict, numbers, violations, unreached: report.unreached, engine });
    }
    worker.terminate();
    return answers;
  }, [script, cases]);

pageTest("generated code gives the numbers and counterexamples of the interpreter", { context: { serviceWorkers: "block" } }, async ({ page, url }) => {
  const script = await page.evaluate(() => globalThis.promenade.worker);
  // A browser that takes no code made at run time: the worker starts all the same.
  const scripts = {
    "refuse.js": `WebAssembly.Module = function () { throw new Error("no code today"); };`,
    "without-code.js": `import "./refuse.js"; import "${script}";`,
  };
  for (const [name, body] of Object.entries(scripts)) {
    await page.route(`**/${name}`, (route) => route.fulfill({ contentType: "text/javascript", body }));
  }
  const compiled = await run(page, new URL(script, url).href);
  const interpreted = await run(page, new URL("without-code.js", url).href);
  for (const [index, { name }] of cases.entries()) {
    const [ours, theirs] = [compiled[index], interpreted[index]];
    assert.match(ours.engine.join(), /^Compiled to WebAssembly/, name);
    assert.match(theirs.engine.join(), /^Interpreted: .*no code today/, name);
    assert.ok(ours.numbers.states_stored > 100, `${name}: ${ours.numbers.states_stored} states`);
    assert.deepEqual({ ...ours, engine: [] }, { ...theirs, engine: [] }, name);
  }
});
