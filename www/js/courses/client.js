// The worker for courses: its program is loaded when it is first needed, with a number for how far that is.
//
// Messages are those of promenade-protocol (CourseRequest, CourseEvent): objects with their kind as `t`.

/** Bytes of the program, unpacked; the build writes them here. */
const BYTES = Number("courses-bytes");
const PROGRAM = new URL("./promenade-courses_bg.wasm", import.meta.url);
const SCRIPT = new URL("./courses-worker.js", import.meta.url);

/** Milliseconds that a worker may take to hear that it should stop; then it is ended. */
const PATIENCE = 3000;

let program;

/** Loads and compiles the program, once; `tell` hears the bytes so far and all of them. */
async function load(tell) {
  tell(0, BYTES);
  const response = await fetch(PROGRAM);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const parts = [];
  let loaded = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.length;
    tell(loaded, BYTES || loaded);
  }
  return WebAssembly.compile(await new Blob(parts).arrayBuffer());
}

/** One worker at a time; `ask` gives a promise of the answer. */
export class Client {
  #worker;
  #ready;
  #jobs = new Map();
  #number = 0;

  /** `loading(bytes, of)` is told while the program is loaded, and `loading()` when that is over. */
  constructor(loading) {
    this.loading = loading;
  }

  async #start() {
    try {
      program ??= load(this.loading);
      const module = await program;
      const worker = new Worker(SCRIPT, { type: "module" });
      this.#worker = worker;
      await new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.t === "ready" ? resolve() : reject(new Error(data.message)));
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(event.message || "its program could not be started"));
        };
        worker.postMessage(module);
      });
      worker.onmessage = ({ data }) => this.#hear(data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#die(event.message || "it ended without a word");
      };
    } catch (error) {
      program = undefined;
      this.end();
      throw error;
    } finally {
      this.loading();
    }
  }

  #hear(event) {
    if (event.t === "crashed") return this.#die(event.message);
    const job = this.#jobs.get(event.job);
    if (!job) return;
    if (event.t === "progress") return job.progress?.(event);
    this.#jobs.delete(event.job);
    job.resolve(event);
  }

  /** The worker is gone: whoever waits is told, and the next request starts another. */
  #die(message) {
    const jobs = [...this.#jobs.values()];
    this.end();
    for (const job of jobs) job.reject(new Error(message));
  }

  /** Ends the worker. */
  end() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = undefined;
    this.#jobs.clear();
  }

  /**
   * Sends a request without its job number. `progress` hears how far it is; `stop`, an AbortSignal, cancels it: the
   * answer is then `{ t: "ended", message: "" }`.
   */
  async ask(request, { progress, stop } = {}) {
    this.#ready ??= this.#start();
    await this.#ready;
    const job = this.#number += 1;
    return new Promise((resolve, reject) => {
      this.#jobs.set(job, { resolve, reject, progress });
      this.#worker.postMessage({ ...request, job });
      stop?.addEventListener("abort", () => {
        if (!this.#jobs.has(job)) return;
        this.#worker.postMessage({ t: "cancel", job });
        setTimeout(() => {
          if (!this.#jobs.has(job)) return;
          this.#jobs.delete(job);
          this.#die("the work was stopped");
          resolve({ t: "ended", job, message: "" });
        }, PATIENCE);
      });
    });
  }
}
