// A view of the pool for one search: its tasks are cancelled when the client disconnects or the
// deadline passes, and the memory of their results is reserved while the search holds it.
import { threadId } from 'node:worker_threads';
import type { SearchRequest, Waiter } from '../../backend/index.js';
import type { Addon } from '../../native/addon.js';
import type { MemoryReservation } from '../../ops/in-flight.js';
import { parseTimeout } from '../../query/paging.js';
import type { TaskArgs, TaskLimits, TaskName, TaskResult } from '../../worker/tasks.js';
import type { WorkerPool } from './pools.js';

export interface PoolScopesOptions {
  readonly pool: WorkerPool;
  readonly core: Pick<Addon, 'cancel' | 'steadyMicros'>;
  /** Memory of searches for which no client waits. */
  readonly reserve: () => MemoryReservation;
}

/** Number of tokens per thread, which makes tokens unique in the process. */
const TOKENS_PER_THREAD = 2 ** 40;

/** One per thread. */
export class PoolScopes {
  readonly #options: PoolScopesOptions;
  /** Cancellation tokens; the searches of one request share one. */
  readonly #tokens = new WeakMap<Waiter, number>();
  #last = threadId * TOKENS_PER_THREAD;

  constructor(options: PoolScopesOptions) {
    this.#options = options;
  }

  /** Creates the pool of a search that begins now, which is when its time limit starts. */
  open(request: Pick<SearchRequest, 'body' | 'waiter'>): ScopedPool {
    return new ScopedPool(this.#options, request, () => this.#tokenOf(request.waiter));
  }

  /** The token by which the core cancels tasks for `waiter`; 0 if there is no waiter. */
  #tokenOf(waiter: Waiter | undefined): number {
    if (waiter === undefined) return 0;
    const known = this.#tokens.get(waiter);
    if (known !== undefined) return known;
    this.#last += 1;
    const token = this.#last;
    this.#tokens.set(waiter, token);
    const signal = waiter.signal();
    const cancel = (): void => this.#options.core.cancel(token);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return token;
  }
}

export class ScopedPool implements WorkerPool {
  readonly #options: PoolScopesOptions;
  readonly #request: Pick<SearchRequest, 'body' | 'waiter'>;
  readonly #token: () => number;
  readonly #started = performance.now();
  #limits: TaskLimits | undefined;
  #own: MemoryReservation | undefined;

  constructor(
    options: PoolScopesOptions,
    request: Pick<SearchRequest, 'body' | 'waiter'>,
    token: () => number,
  ) {
    this.#options = options;
    this.#request = request;
    this.#token = token;
  }

  get threads(): number {
    return this.#options.pool.threads;
  }
  get queued(): number {
    return this.#options.pool.queued;
  }
  get idle(): number {
    return this.#options.pool.idle;
  }

  /**
   * Rejects if the client has disconnected, and with circuit_breaking_exception if there is no
   * memory for the result.
   */
  async run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<TaskResult<N>> {
    const { waiter } = this.#request;
    waiter?.check();
    const result = await this.#options.pool.run(name, this.#limited(name, args), transfer);
    // The result of a cancelled task is incomplete and must not be used.
    waiter?.check();
    this.reserve(bytesOf(result));
    return result;
  }

  /** Ends the search and releases its own memory reservation. */
  end(): void {
    this.#own?.release();
  }

  /** Does nothing: other searches share the pool. */
  async close(): Promise<void> {}

  #limited<N extends TaskName>(name: N, args: TaskArgs<N>): TaskArgs<N> {
    if (!LIMITED.has(name)) return args;
    this.#limits ??= { token: this.#token(), deadlineUs: this.#deadlineUs() };
    return { ...args, limits: this.#limits };
  }

  #deadlineUs(): number {
    const timeoutUs = parseTimeout(this.#request.body['timeout']);
    if (timeoutUs === 0) return 0;
    const spentUs = (performance.now() - this.#started) * 1000;
    return Math.ceil(this.#options.core.steadyMicros() + timeoutUs - spentUs);
  }

  /**
   * Accounts for memory that the search holds until it ends. Throws circuit_breaking_exception if there
   * is none.
   */
  reserve(bytes: number): void {
    if (bytes === 0) return;
    const { waiter } = this.#request;
    if (waiter !== undefined) {
      waiter.reserve(bytes);
      return;
    }
    this.#own ??= this.#options.reserve();
    this.#own.reserve(bytes);
  }
}

/** Tasks that take limits. */
const LIMITED: ReadonlySet<TaskName> = new Set<TaskName>([
  'search',
  'fetch',
  'suggest',
  'walkLinks',
  'countLinks',
]);

function bytesOf(result: unknown): number {
  if (result instanceof ArrayBuffer) return result.byteLength;
  return Array.isArray(result) ? result.reduce((sum: number, one) => sum + bytesOf(one), 0) : 0;
}
