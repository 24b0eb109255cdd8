// Quotas of a namespace: how many memories it holds, how many bytes, and how many stores a minute it
// takes. A store beyond one of them is 429 and names it. A namespace without a quota costs nothing.
import type { Backend } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { QuarryError } from '../../errors.js';
import { memoryIndex } from '../names.js';
import type { Quota } from '../settings.js';

export interface QuotaOptions {
  readonly backend: Backend;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
}

/** What a store adds. */
export interface StoreSize {
  /** Undefined: the server generates one. */
  readonly id: string | undefined;
  readonly bytes: number;
}

/** What a namespace held when it was counted, with what was admitted since. */
interface Holding {
  memories: number;
  bytes: number;
  readonly countedAt: number;
}

/** Stores that are left, which grow with time up to the quota. */
interface Allowance {
  stores: number;
  at: number;
}

const MINUTE_MS = 60_000;
/** Namespaces that are remembered. */
const REMEMBERED = 10_000;

export class Quotas {
  readonly #options: QuotaOptions;
  readonly #holdings = new BoundedMap<string, Holding>(REMEMBERED);
  /** Admitted and not written yet, so that no count has them. */
  readonly #pending = new Map<string, { stores: number; bytes: number }>();
  readonly #allowances = new BoundedMap<string, Allowance>(REMEMBERED);

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /**
   * Throws es_rejected_execution_exception if the store would go beyond the quota. The returned
   * function must be called when the store has succeeded or failed.
   */
  async admit(namespace: string, quota: Quota | undefined, store: StoreSize): Promise<() => void> {
    if (quota === undefined) return () => {};
    const allowance = this.#allowanceOf(namespace, quota.stores_per_minute);
    await this.#admitSize(namespace, quota, store);
    if (allowance !== undefined) allowance.stores -= 1;
    const pending = this.#pending.get(namespace) ?? { stores: 0, bytes: 0 };
    this.#pending.set(namespace, pending);
    pending.stores += 1;
    pending.bytes += store.bytes;
    return () => {
      pending.stores -= 1;
      pending.bytes -= store.bytes;
      if (pending.stores === 0) this.#pending.delete(namespace);
    };
  }

  #allowanceOf(namespace: string, most: number | undefined): Allowance | undefined {
    if (most === undefined) return undefined;
    const now = this.#options.nowMs();
    const allowance = this.#allowances.get(namespace) ?? { stores: most, at: now };
    const grown = (Math.max(0, now - allowance.at) / MINUTE_MS) * most;
    allowance.stores = Math.min(most, allowance.stores + grown);
    allowance.at = now;
    this.#allowances.set(namespace, allowance);
    if (allowance.stores >= 1) return allowance;
    const seconds = Math.ceil(((1 - allowance.stores) / most) * (MINUTE_MS / 1000));
    throw beyond(
      namespace,
      `stores_per_minute] is [${most}]; store again in ${seconds} s`,
      seconds,
    );
  }

  async #admitSize(namespace: string, { memories, bytes }: Quota, store: StoreSize): Promise<void> {
    if (memories === undefined && bytes === undefined) return;
    const fits = (one: Holding): boolean =>
      one.memories < (memories ?? Number.POSITIVE_INFINITY) &&
      one.bytes + store.bytes <= (bytes ?? Number.POSITIVE_INFINITY);
    let holding = this.#holdings.get(namespace);
    const isOld = holding === undefined || this.#options.nowMs() - holding.countedAt > MINUTE_MS;
    if (holding === undefined || isOld || !fits(holding)) holding = await this.#count(namespace);
    if (!fits(holding)) {
      if (bytes !== undefined && holding.bytes + store.bytes > bytes) {
        throw beyond(
          namespace,
          `bytes] is [${bytes}], it has [${holding.bytes}] and the memory [${store.bytes}]; forget some, or raise the quota`,
        );
      }
      if (!(await this.#isThere(namespace, store.id))) {
        throw beyond(
          namespace,
          `memories] is [${memories}], and it has as many; forget some, or raise the quota`,
        );
      }
    }
    holding.memories += 1;
    holding.bytes += store.bytes;
  }

  /** A memory that is stored again adds none. */
  async #isThere(namespace: string, id: string | undefined): Promise<boolean> {
    const { backend } = this.#options;
    const index = memoryIndex(namespace);
    if (id === undefined || !backend.exists(index, {})) return false;
    return (await backend.get({ index, id, source: false })).found;
  }

  async #count(namespace: string): Promise<Holding> {
    const { backend, nowMs } = this.#options;
    const index = memoryIndex(namespace);
    const holding: Holding = { memories: 0, bytes: 0, countedAt: nowMs() };
    if (backend.exists(index, {})) {
      await backend.publish(index);
      const [{ count }, { bytes }] = await Promise.all([
        backend.count({ index, body: {} }),
        backend.stats(index),
      ]);
      holding.memories = count;
      holding.bytes = bytes;
    }
    const pending = this.#pending.get(namespace);
    holding.memories += pending?.stores ?? 0;
    holding.bytes += pending?.bytes ?? 0;
    this.#holdings.set(namespace, holding);
    return holding;
  }
}

function beyond(namespace: string, what: string, retryAfter?: number): QuarryError {
  return new QuarryError(
    'es_rejected_execution_exception',
    `namespace [${namespace}] is at its quota: [quota.${what}`,
    retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } },
  );
}
