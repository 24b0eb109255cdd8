// Searches that go on after their request was answered. What each answered is kept in memory until
// it is deleted or expires, which also cancels one that still runs; all end with the service.
import type {
  AsyncAnswer,
  AsyncSearch,
  AsyncSearches,
  AsyncStart,
  AsyncWork,
  MaybePromise,
  Waiter,
} from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { MemoryReservation } from '../../ops/in-flight.js';
import { contextId, SECRET_BYTES } from './context-ids.js';
import type { ContextRoom } from './context-room.js';
import { checkContextId } from './search-contexts.js';

export interface AsyncSearchesOptions {
  /** Its bytes are those of the kept answers. */
  readonly room: ContextRoom;
  /** Memory of a search while it runs. */
  readonly reserve: () => MemoryReservation;
  /** Wall clock. */
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class LocalAsyncSearches implements AsyncSearches {
  readonly #options: AsyncSearchesOptions;
  readonly #searches = new Map<string, RunningSearch>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: AsyncSearchesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#searches.size;
  }

  start(work: AsyncWork, start: AsyncStart): AsyncSearch {
    const { room, reserve, nowMs, randomBytes } = this.#options;
    room.enter('async');
    const id = contextId('async', randomBytes(SECRET_BYTES));
    const search = new RunningSearch(id, start, { work, room, nowMs });
    this.#searches.set(id, search);
    this.#watch(search);
    const ended = search.run(work, reserve()).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return search;
  }

  find(id: string, caller: object | null, keepAliveMs?: number): AsyncSearch | undefined {
    checkContextId('async', id);
    const search = this.#searches.get(id);
    if (search === undefined || search.caller !== caller) return undefined;
    if (search.expirationMs <= this.#options.nowMs()) {
      this.delete(search);
      return undefined;
    }
    if (keepAliveMs !== undefined) {
      search.expirationMs = this.#options.nowMs() + keepAliveMs;
      this.#watch(search);
    }
    return search;
  }

  delete({ id }: AsyncSearch): void {
    const search = this.#searches.get(id);
    this.#searches.delete(id);
    search?.close();
  }

  /** Cancels what runs, and waits for its end. The engine must still be open. */
  async close(): Promise<void> {
    for (const search of [...this.#searches.values()]) this.delete(search);
    await Promise.all(this.#running);
  }

  /** Sets the timer that deletes the search when it expires. */
  #watch(search: RunningSearch): void {
    const leftMs = search.expirationMs - this.#options.nowMs();
    search.onTimer(Math.min(leftMs, MAX_TIMER_MS), () => {
      if (search.expirationMs <= this.#options.nowMs()) this.delete(search);
      else this.#watch(search);
    });
  }
}

interface SearchParts {
  readonly work: AsyncWork;
  readonly room: ContextRoom;
  readonly nowMs: () => number;
}

class RunningSearch implements AsyncSearch {
  readonly id: string;
  readonly caller: object | null;
  readonly typedKeys: boolean;
  readonly startMs: number;
  expirationMs: number;
  outcome: AsyncSearch['outcome'];
  readonly #room: ContextRoom;
  readonly #nowMs: () => number;
  readonly #cancelling = new AbortController();
  /** Undefined from the end of the search on, so that its request is let go. */
  #progress: AsyncWork['progress'] | undefined;
  readonly #waiting = new Set<() => void>();
  #isKept: boolean;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(id: string, start: AsyncStart, { work, room, nowMs }: SearchParts) {
    this.id = id;
    this.caller = start.caller;
    this.typedKeys = work.typedKeys;
    this.startMs = nowMs();
    this.expirationMs = this.startMs + start.keepAliveMs;
    this.#room = room;
    this.#nowMs = nowMs;
    this.#progress = work.progress;
    this.#isKept = start.isKept;
  }

  readonly progress = (): MaybePromise<AsyncAnswer> => {
    if (this.#progress === undefined) throw new Error(`the search [${this.id}] has ended`);
    return this.#progress(this.#nowMs() - this.startMs);
  };

  async run({ run }: AsyncWork, reservation: MemoryReservation): Promise<void> {
    const { signal } = this.#cancelling;
    const waiter: Waiter = {
      check: () => signal.throwIfAborted(),
      signal: () => signal,
      reserve: (bytes) => reservation.reserve(bytes),
    };
    try {
      const answer = await run(waiter);
      signal.throwIfAborted();
      if (this.#isKept) {
        this.#room.grow(answer.json.length);
        this.#bytes = answer.json.length;
      }
      this.outcome = { answer };
    } catch (error) {
      this.outcome = { error };
    } finally {
      reservation.release();
      this.#progress = undefined;
      for (const done of [...this.#waiting]) done();
    }
  }

  keep(): void {
    this.#isKept = true;
  }

  ended(timeoutMs: number, waiter: Waiter): Promise<void> {
    if (this.outcome !== undefined || timeoutMs <= 0) return Promise.resolve();
    const gone = waiter.signal();
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        gone.removeEventListener('abort', done);
        if (gone.aborted) reject(gone.reason as Error);
        else resolve();
      };
      const timer = setTimeout(done, Math.min(timeoutMs, MAX_TIMER_MS));
      this.#waiting.add(done);
      gone.addEventListener('abort', done);
      if (gone.aborted) done();
    });
  }

  onTimer(afterMs: number, call: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(call, Math.max(1, afterMs));
    this.#timer.unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#room.leave(this.#bytes);
    this.#cancelling.abort(new QuarryError('resource_not_found_exception', this.id));
  }
}
