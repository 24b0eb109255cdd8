// The client of a request, which may close its connection before the answer is sent.
import type { Socket } from 'node:net';
import type { Waiter } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { HeldBytes } from '../../ops/in-flight.js';
import type { RequestContexts } from '../../ops/request-context.js';

/** An answer as the code that works on it watches it. */
export interface AnswerStream {
  readonly closed: boolean;
  /** The whole answer was sent. */
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** One answer on a connection, which stays open for further answers. */
export class OneAnswer implements AnswerStream {
  readonly #connection: Socket;
  readonly #listeners: (() => void)[] = [];
  writableFinished = false;

  constructor(connection: Socket) {
    this.#connection = connection;
  }

  get closed(): boolean {
    return this.#connection.closed;
  }

  once(event: 'close', listener: () => void): void {
    this.#listeners.push(listener);
    this.#connection.once(event, listener);
  }

  /** The answer was sent: its listeners are removed from the connection. */
  finish(): void {
    this.writableFinished = true;
    for (const listener of this.#listeners) this.#connection.off('close', listener);
  }
}

/**
 * An abort signal is created only when it is requested, because most searches end before a client
 * could disconnect.
 */
export class Client implements Waiter {
  readonly #response: AnswerStream;
  /** The signal of the outer request if this is an inner request of this process. */
  readonly #outer: AbortSignal | undefined;
  readonly #held: Pick<HeldBytes, 'reserve'>;
  #controller: AbortController | undefined;

  constructor(
    { waiting }: Pick<RequestContexts, 'waiting'>,
    response: AnswerStream,
    held: Pick<HeldBytes, 'reserve'>,
  ) {
    this.#response = response;
    this.#held = held;
    this.#outer = waiting;
  }

  check(): void {
    if (this.#outer?.aborted === true || this.#hungUp()) throw gone();
  }

  signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const hangUp = (): void => {
      if (!this.#response.writableFinished) controller.abort(gone());
    };
    this.#response.once('close', hangUp);
    if (this.#outer?.aborted === true || this.#hungUp()) hangUp();
    else this.#outer?.addEventListener('abort', hangUp, { once: true });
    return controller.signal;
  }

  reserve(bytes: number): void {
    this.#held.reserve(bytes);
  }

  #hungUp(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }
}

function gone(): QuarryError {
  const reason = 'the client closed the connection before its answer';
  return new QuarryError('illegal_argument_exception', reason, { status: 499 });
}
