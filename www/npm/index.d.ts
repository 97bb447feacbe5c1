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
  /** Ends the worker, whatever it is doing. */
  close(): void;
}

export interface StartOptions {
  /** Makes the worker, for pages whose bundler needs to see the call. */
  worker?: () => Worker;
}

/** Starts a checker; it is ready when the promise resolves. */
export function start(options?: StartOptions): Promise<Checker>;
