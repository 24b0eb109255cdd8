// One request to a node over undici, and its answer as a whole. Without the streams and signals of
// undici's request(), which cost a request more.
import type { Dispatcher, Pool } from 'undici';
import type { Waiter } from '../backend/index.js';

export interface ClusterAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter: string | undefined;
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #waiter: Waiter | undefined;
  readonly #pieces: Buffer[] = [];
  #status = 0;
  #retryAfter: string | string[] | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Why it was ended. */
  #reason: Error | undefined;
  #resolve: (answer: ClusterAnswer) => void = () => {};
  #reject: (error: Error) => void = () => {};

  /** The answer is memory that `waiter` holds. */
  constructor(waiter: Waiter | undefined) {
    this.#waiter = waiter;
  }

  /** Rejects with the reason of abort(), or the error of the connection. Must be called once. */
  send(pool: Pool, options: Dispatcher.DispatchOptions): Promise<ClusterAnswer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#reason === undefined) pool.dispatch(options, this);
      else reject(this.#reason);
    });
  }

  abort(reason: Error): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
    this.#reject(this.#reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reason !== undefined) controller.abort(this.#reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#waiter?.reserve(piece.length);
    this.#pieces.push(piece);
  }

  onResponseEnd(): void {
    const [first, second] = this.#pieces;
    const retryAfter = this.#retryAfter;
    this.#resolve({
      status: this.#status,
      body: first !== undefined && second === undefined ? first : Buffer.concat(this.#pieces),
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}
