// Quotas of a namespace and of a key: how many memories it holds, how many bytes, and how many stores
// a minute it takes; a key holds what all namespaces hold that it may use. A store beyond one of them
// is 429 and names it. Without a quota a store costs nothing more.
import type { Backend } from '../../backend/index.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { QuarryError } from '../../errors.js';
import { memoryIndex } from '../names.js';
import type { Quota } from '../settings.js';
import { namespaceNames } from './namespaces.js';

export interface QuotaOptions {
  readonly backend: Backend;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
}

/** The key that stores, if it has a quota. */
export interface KeyQuota {
  /** Of the key. */
  readonly id: string;
  readonly quota: Quota;
  /** Whether the key may use the namespace. */
  readonly allows: (namespace: string) => boolean;
}

/** What a quota is for. */
interface Scope {
  /** Unique among all scopes. */
  readonly id: string;
  /** In messages. */
  readonly title: string;
  readonly quota: Quota;
  /** How long a count that leaves no room stands, in milliseconds. */
  readonly recountMs: number;
  readonly count: () => Promise<Size>;
}

interface Size {
  readonly memories: number;
  readonly bytes: number;
}

/** What a store adds. */
export interface StoreSize {
  /** Undefined: the server generates one. */
  readonly id: string | undefined;
  readonly bytes: number;
}

/** What a scope held when it was counted, with what was admitted since. */
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

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Scopes that are remembered. */
const REMEMBERED = 10_000;

export class Quotas {
  readonly #options: QuotaOptions;
  readonly #holdings = new BoundedMap<string, Holding>(REMEMBERED);
  /** Scope -> admitted and not written yet, so that no count has them. */
  readonly #pending = new Map<string, { stores: number; bytes: number }>();
  readonly #allowances = new BoundedMap<string, Allowance>(REMEMBERED);

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  /**
   * Throws es_rejected_execution_exception if the store would go beyond a quota. The returned
   * function must be called when the store has succeeded or failed.
   */
  async admit(
    namespace: string,
    quota: Quota | undefined,
    key: KeyQuota | undefined,
    store: StoreSize,
  ): Promise<() => void> {
    if (quota === undefined && key === undefined) return () => {};
    const scopes = [
      ...(quota === undefined ? [] : [this.#namespaceScope(namespace, quota)]),
      ...(key === undefined ? [] : [this.#keyScope(key)]),
    ];
    const allowances = scopes.map((scope) => this.#allowanceOf(scope));
    const undo: (() => void)[] = [];
    try {
      for (const scope of scopes) undo.push(await this.#admitSize(scope, namespace, store));
    } catch (error) {
      for (const one of undo) one();
      throw error;
    }
    for (const allowance of allowances) {
      if (allowance !== undefined) allowance.stores -= 1;
    }
    const settled = scopes.map(({ id }) => this.#pend(id, store));
    return () => {
      for (const one of settled) one();
    };
  }

  #namespaceScope(namespace: string, quota: Quota): Scope {
    const title = `namespace [${namespace}]`;
    const count = (): Promise<Size> => this.#countNamespace(namespace);
    return { id: `n/${namespace}`, title, quota, recountMs: 0, count };
  }

  #keyScope({ id, quota, allows }: KeyQuota): Scope {
    const count = (): Promise<Size> => this.#countOfKey(allows);
    return { id: `k/${id}`, title: `key [${id}]`, quota, recountMs: SECOND_MS, count };
  }

  /** Counts the store as admitted and not written yet, until the returned function is called. */
  #pend(id: string, { bytes }: StoreSize): () => void {
    const pending = this.#pending.get(id) ?? { stores: 0, bytes: 0 };
    this.#pending.set(id, pending);
    pending.stores += 1;
    pending.bytes += bytes;
    return () => {
      pending.stores -= 1;
      pending.bytes -= bytes;
      if (pending.stores === 0) this.#pending.delete(id);
    };
  }

  #allowanceOf(scope: Scope): Allowance | undefined {
    const { id, quota } = scope;
    const most = quota.stores_per_minute;
    if (most === undefined) return undefined;
    const now = this.#options.nowMs();
    const allowance = this.#allowances.get(id) ?? { stores: most, at: now };
    const grown = (Math.max(0, now - allowance.at) / MINUTE_MS) * most;
    allowance.stores = Math.min(most, allowance.stores + grown);
    allowance.at = now;
    this.#allowances.set(id, allowance);
    if (allowance.stores >= 1) return allowance;
    const seconds = Math.ceil(((1 - allowance.stores) / most) * (MINUTE_MS / 1000));
    throw beyond(scope, 'stores_per_minute', `is [${most}]; store again in ${seconds} s`, seconds);
  }

  /** Returns what takes the store off again. */
  async #admitSize(scope: Scope, namespace: string, store: StoreSize): Promise<() => void> {
    const { id, quota } = scope;
    const { memories, bytes } = quota;
    if (memories === undefined && bytes === undefined) return () => {};
    const fits = (one: Holding): boolean =>
      one.memories < (memories ?? Number.POSITIVE_INFINITY) &&
      one.bytes + store.bytes <= (bytes ?? Number.POSITIVE_INFINITY);
    let holding = this.#holdings.get(id);
    const age = this.#options.nowMs() - (holding?.countedAt ?? 0);
    if (holding === undefined || age > MINUTE_MS || (!fits(holding) && age >= scope.recountMs)) {
      holding = await this.#count(scope);
    }
    if (!fits(holding)) {
      if (bytes !== undefined && holding.bytes + store.bytes > bytes) {
        throw beyond(
          scope,
          'bytes',
          `is [${bytes}], it has [${holding.bytes}] and the memory [${store.bytes}]; forget some, or raise the quota`,
        );
      }
      if (!(await this.#isThere(namespace, store.id))) {
        throw beyond(
          scope,
          'memories',
          `is [${memories}], and it has as many; forget some, or raise the quota`,
        );
      }
    }
    const counted = holding;
    counted.memories += 1;
    counted.bytes += store.bytes;
    return () => {
      counted.memories -= 1;
      counted.bytes -= store.bytes;
    };
  }

  /** A memory that is stored again adds none. */
  async #isThere(namespace: string, id: string | undefined): Promise<boolean> {
    const { backend } = this.#options;
    const index = memoryIndex(namespace);
    if (id === undefined || !backend.exists(index, {})) return false;
    return (await backend.get({ index, id, source: false })).found;
  }

  async #count({ id, count }: Scope): Promise<Holding> {
    const countedAt = this.#options.nowMs();
    const { memories, bytes } = await count();
    const pending = this.#pending.get(id);
    const holding: Holding = {
      memories: memories + (pending?.stores ?? 0),
      bytes: bytes + (pending?.bytes ?? 0),
      countedAt,
    };
    this.#holdings.set(id, holding);
    return holding;
  }

  async #countNamespace(namespace: string): Promise<Size> {
    const { backend } = this.#options;
    const index = memoryIndex(namespace);
    if (!backend.exists(index, {})) return { memories: 0, bytes: 0 };
    await backend.publish(index);
    const [{ count }, { bytes }] = await Promise.all([
      backend.count({ index, body: {} }),
      backend.stats(index),
    ]);
    return { memories: count, bytes };
  }

  /** By the statistics of the indexes, because a key may use very many. */
  async #countOfKey(allows: KeyQuota['allows']): Promise<Size> {
    const { backend } = this.#options;
    const sum = { memories: 0, bytes: 0 };
    for (const namespace of namespaceNames(backend, { allows, check: () => {} })) {
      const index = memoryIndex(namespace);
      await backend.publish(index);
      const { docs, bytes } = await backend.stats(index);
      sum.memories += docs;
      sum.bytes += bytes;
    }
    return sum;
  }
}

function beyond(
  { title }: Scope,
  quota: keyof Quota,
  what: string,
  retryAfter?: number,
): QuarryError {
  return new QuarryError(
    'es_rejected_execution_exception',
    `${title} is at its quota: [quota.${quota}] ${what}`,
    {
      extra: { quota },
      ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
    },
  );
}
