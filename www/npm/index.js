// Starts the checker in a web worker and passes messages. The worker keeps nothing that the page
// needs: to cancel whatever it does, close it and start another one.

/** A worker with the checker. Make one with `start`. */
export class Checker {
  #worker;
  #listeners = new Set();
  #failed = null;

  constructor(worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => {
      for (const { event } of [...this.#listeners]) event(data);
    });
    const fail = (event) => this.#fail(new Error(event.message || "the checker's worker failed"));
    worker.addEventListener("error", fail);
    worker.addEventListener("messageerror", fail);
  }

  #fail(error) {
    if (this.#failed) return;
    this.#failed = error;
    this.#worker.terminate();
    for (const { failure } of [...this.#listeners]) failure?.(error);
    this.#listeners.clear();
  }

  /** Sends a request of the protocol. */
  send(request) {
    if (this.#failed) throw this.#failed;
    this.#worker.postMessage(request);
  }

  /** Calls `event` with every message of the worker, and `failure` when it fails or is closed. */
  listen(event, failure) {
    if (this.#failed) {
      failure?.(this.#failed);
      return () => {};
    }
    const listener = { event, failure };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The next message that `wanted` accepts. */
  next(wanted = () => true) {
    return new Promise((resolve, reject) => {
      const stop = this.listen((message) => {
        if (!wanted(message)) return;
        stop();
        resolve(message);
      }, reject);
    });
  }

  #jobs = 0;

  /** Sends a request with a new job number and gives the answer of that kind. */
  async #ask(request, answer, { onProgress, signal } = {}) {
    signal?.throwIfAborted();
    const job = ++this.#jobs;
    const cancel = () => this.send({ t: "cancel", job });
    const pending = this.next((message) => {
      if (message.t === "crashed") return true;
      if (message.job !== job) return false;
      if (message.t === "progress") onProgress?.(message.progress);
      return message.t === answer;
    });
    this.send({ ...request, job });
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const message = await pending;
      if (message.t !== answer) {
        this.#fail(new Error(message.message));
        throw this.#failed;
      }
      return message;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Checks an experiment; a cancelled check gives the report so far. */
  async check(experiment, options) {
    return (await this.#ask({ t: "check", experiment: complete(experiment) }, "report", options)).report;
  }

  /** Reads a text: findings and what is in it. */
  async parse(experiment) {
    const whole = complete(experiment);
    const own = whole.property?.kind === "formula" ? [whole.property.text] : [];
    const request = { t: "parse", experiment: whole, formulas: own };
    const { diagnostics, summary, formulas } = await this.#ask(request, "parsed");
    // What is wrong with the formula of the experiment has places in the formula.
    return { diagnostics: diagnostics.concat(formulas.flatMap((it) => it.diagnostics)), summary };
  }

  /** Everything about a formula. */
  async formula(formula, options = {}) {
    return (await this.#ask({ t: "formula", formula, options }, "formula")).report;
  }

  /** A random run. */
  async simulate(experiment, { seed = 1, steps = 1000 } = {}) {
    const request = { t: "simulate", experiment: complete(experiment), seed, steps };
    const { trace, ended, diagnostics } = await this.#ask(request, "simulated");
    return { trace, ended, diagnostics };
  }

  /** Ends the worker, whatever it is doing. */
  close() {
    this.#fail(new Error("the checker was closed"));
  }
}

/** An experiment with everything that may be left out. */
function complete(experiment) {
  const given = typeof experiment === "string" ? { files: [{ name: "model.pml", text: experiment }] } : experiment;
  return { property: { kind: "safety" }, settings: {}, ...given };
}

/**
 * Starts a checker; it is ready when the promise resolves. `worker` makes the worker, for pages whose
 * bundler needs to see the call.
 */
export async function start({ worker } = {}) {
  const checker = new Checker(
    worker?.() ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "promenade" }),
  );
  // Nothing may be sent before the first message: the worker has no ears yet.
  await checker.next();
  return checker;
}
