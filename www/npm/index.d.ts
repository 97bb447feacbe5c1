/** A message of the protocol, as the worker sends and takes it. */
export type Message = unknown;

/** A worker with the checker. Make one with `start`. */
export class Checker {
  private constructor();
  /** Sends a request of the protocol. */
  send(request: Message): void;
  /**
   * Calls `event` with every message of the worker, and `failure` when it fails or is closed.
   * Gives a function that ends this.
   */
  listen(event: (message: Message) => void, failure?: (error: Error) => void): () => void;
  /** The next message that `wanted` accepts; rejects when the worker fails or is closed. */
  next(wanted?: (message: Message) => boolean): Promise<Message>;
  /**
   * Checks an experiment, or just a text. When `signal` aborts, the check ends with the report so far.
   * Rejects when the worker fails or is closed; then start another checker.
   */
  check(experiment: Experiment | string, options?: CheckOptions): Promise<Report>;
  /** Reads a text: findings, and what is in it. */
  parse(experiment: Experiment | string): Promise<{ diagnostics: Diagnostic[]; summary: unknown }>;
  /** Everything about a formula: its reading, class, automata, and more. */
  formula(formula: string, options?: { buchi?: boolean; raw?: boolean }): Promise<unknown>;
  /** A random run; the same seed gives the same run. */
  simulate(
    experiment: Experiment | string,
    options?: { seed?: number; steps?: number },
  ): Promise<{ trace: Trace; ended: string; diagnostics: Diagnostic[] }>;
  /** Ends the worker, whatever it is doing. */
  close(): void;
}

export interface StartOptions {
  /** Makes the worker, for pages whose bundler needs to see the call. */
  worker?: () => Worker;
}

/** Starts a checker; it is ready when the promise resolves. */
export function start(options?: StartOptions): Promise<Checker>;

export interface CheckOptions {
  /** Called at least four times a second while the check runs. */
  onProgress?: (progress: Progress) => void;
  /** Cancels the check. */
  signal?: AbortSignal;
}

/** A model, what to check about it, and how. */
export interface Experiment {
  /** The first is the main file; `#include` finds the others by name. */
  files: { name: string; text: string }[];
  /**
   * Safety if left out. `claim`: safety along a never claim of the text; `ltl`: a formula of the text;
   * `formula`: one that stands in no text; `acceptance`: accept labels; `progress`: progress labels.
   */
  property?:
    | { kind: "safety" }
    | { kind: "claim"; name?: string }
    | { kind: "ltl"; name?: string }
    | { kind: "formula"; text: string }
    | { kind: "acceptance"; claim?: string }
    | { kind: "progress" };
  settings?: Settings;
}

// derived: settings
/** What is left out has the page's default. */
export interface Settings {
  /** Depth-first search follows one run as far as it goes; breadth-first search finds a shortest counterexample. */
  search?: "depth_first" | "breadth_first";
  /** Goes on after the first error and counts all; the first ones are kept with their runs. */
  all_errors?: boolean;
  /** Report every assert whose condition can be false. */
  assertions?: boolean;
  /** Report states without a next step in which a process is not at its end nor at an end label. */
  end_states?: boolean;
  /** A valid end also needs empty channels. */
  empty_channels_at_end?: boolean;
  /** A send to a full channel goes on, and the message is gone. Otherwise it waits for room. */
  lose_messages?: boolean;
  /** Of nested escapes the inner one wins. Otherwise the outer one does. */
  inner_unless_first?: boolean;
  /** Which infinite runs count: all, or only those in which every process that can always move from some point on does move again and again. */
  fairness?: "none" | "weak";
  /** The search for accepting cycles, for properties of infinite runs. */
  emptiness?: "automatic" | "nested_dfs" | "couvreur" | "couvreur_shy" | "couvreur_without_rem" | "generalised_nested_dfs" | "geldenhuys_valmari" | "original_nested_dfs";
  /** How visited states are remembered. */
  store?: "exact" | "tree" | "automatic" | "collapse" | "automaton" | "delta" | "caching" | "hash_compact" | "bitstate";
  /** Bits that each state sets, 1 to 64. 3 suits most models, 6 in one block; more miss fewer states while the array is nearly empty. */
  hashes?: number;
  /** Bits of a signature, 4 to 64. Each further bit halves what is missed, but fewer states fit. */
  cell_bits?: number;
  /** Steps that no other process can observe are made together with the step before. For properties of finite runs without a claim. */
  merge?: boolean;
  /** A local variable is set to 0 where its value is not used any more: states that differ in nothing else become one. The verdict is the same, and runs are shown with the values of your text. */
  dead_variables?: "keep" | "reset";
  /** A global variable that is only assigned, counted and printed is no part of a state. The verdict is the same. */
  write_only?: "leave_out" | "keep";
  /** Steps that a state may be away from one that is kept whole, 0 to 63. Longer chains take less memory and more time. */
  chain?: number;
  /** Chooses the hash functions. The same seed repeats a run; another one is an independent trial that misses other states. */
  seed?: number;
  /** The order in which a depth-first search takes the steps of a state: 0 as in the text, another number another order. */
  shuffle?: number;
  /** Which successors are left out: partial-order reduction with ample sets. */
  reduction?: "automatic" | "none" | "ample_sets";
  /** How a reduced search makes sure that no process is put off for ever. */
  proviso?: "automatic" | "dynamic" | "static";
  /** How the bits of a state are placed in a bitstate search. */
  probing?: "triple" | "double" | "enhanced_double" | "independent" | "blocked";
  /** So many errors are kept with a run, as far as a sixteenth of the memory goes. */
  keep_violations?: number;
  /** In MiB. Never exceeded: when it is used up the check ends with what it found. A sixteenth of it is for the steps from one state. */
  memory_mib?: number;
  /** Stop at this many errors; without it at the first, or at none where all are wanted. */
  stop_at?: number | null;
  /** At most this many steps deep; longer runs are cut off there. */
  depth_limit?: number | null;
  /** At most this many stored states. Workers that share the states finish the level in which they pass it. */
  state_limit?: number | null;
  /** At most this many seconds, reading the text and translating the formula included. */
  time_limit_seconds?: number | null;
  /** Macros, as with `-D`. */
  defines?: { name: string; value?: string | null }[];
}
// end

/** How far a check is. */
export interface Progress {
  states: number;
  transitions: number;
  /** States per second, lately. */
  rate: number;
  depth: number;
  max_depth: number;
  errors: number;
  memory_bytes: number;
  budget_bytes: number;
  seconds: number;
}

/** A place in a file; `start` and `end` are bytes, `line` and `column` count from 1. */
export interface Span {
  file: number;
  start: number;
  end: number;
  line: number;
  column: number;
}

export interface Diagnostic {
  level: "error" | "warning" | "note";
  /** Stable name of the rule. */
  code: string;
  span: Span;
  message: string;
  hint?: string;
  related: [Span, string][];
  /** What is probably meant, if the text can be changed to that. */
  fix?: Fix;
}

/** A change of a text that puts a finding right: places, from left to right, with their new text. */
export interface Fix {
  title: string;
  edits: [Span, string][];
}

export type Verdict =
  | { verdict: "holds" }
  | {
      verdict: "no_violation_found";
      why: "memory" | "states" | "depth" | "time" | "cancelled" | "successors" | "fatal" | "omissions";
    }
  | { verdict: "violated" }
  | { verdict: "input_error" }
  | { verdict: "internal_error"; message: string };

export interface Report {
  /** Version of the checker. */
  version: string;
  experiment: Experiment;
  verdict: Verdict;
  /** The verdict in plain words. */
  summary: string;
  /**
   * A formula that holds without saying anything about the model: conditions in it that are never true,
   * and whether that concerns the whole formula.
   */
  vacuity?: { never: string[]; whole: boolean };
  /** Restrictions and choices that the verdict depends on. */
  notes: string[];
  violations: Violation[];
  statistics: Statistics;
  /** Statements that no run executes; only said when the exploration was complete. */
  unreached: { process: string; text: string; span: Span }[];
  diagnostics: Diagnostic[];
}

export interface Violation {
  /** Stable name: `assertion`, `invalid_end_state`, ... */
  kind: string;
  /** In plain words. */
  message: string;
  span?: Span;
  /** The run that leads there, replayed. */
  trace: Trace;
  /** For an infinite run: whether it is weakly fair to every process, if that is known. */
  fair?: boolean;
  /** For an infinite run: how many states its cycle has, if that was looked at. */
  cycle_states: number;
  /** For an infinite run: in how many states of the cycle each process is enabled, and moves. */
  fairness: { pid: number; process: string; enabled: number; moves: number; moves_at?: number; disabled_at?: number }[];
}

export interface Statistics {
  states_stored: number;
  states_matched: number;
  transitions: number;
  atomic_steps: number;
  depth: number;
  errors: number;
  /** All steps looked at, those of inner searches included. */
  steps: number;
  /** Most states on all stacks or in the queue at once. */
  peak_stack: number;
  /** Steps to new states that were not followed, as the path or the queue had no room for them. */
  not_followed: number;
  /** The least depth of such a state; for breadth-first search its distance. */
  not_followed_depth: number;
  state_bytes: number;
  store_bytes: number;
  stack_bytes: number;
  memory_bytes: number;
  seconds: number;
  compile_seconds: number;
}

/** A run from the initial state. */
export interface Trace {
  /** `calls`: where the inlines are called that a step stems from, from the innermost out. */
  steps: { pid: number; process: string; text: string; span: Span; calls?: Span[]; printed: string; [more: string]: unknown }[];
  /** For an infinite run: the step with which its cycle begins. */
  cycle_start?: number;
  /** Choice numbers that reproduce the run. */
  choices: number[];
  [more: string]: unknown;
}
