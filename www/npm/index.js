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

  /** Ends the worker, whatever it is doing. */
  close() {
    this.#fail(new Error("the checker was closed"));
  }
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
