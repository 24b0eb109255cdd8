// A store of LangGraph (`BaseStore` of @langchain/langgraph-checkpoint) on memories of Quarry. It has
// the methods of that class without importing it, so that LangGraph is needed only where it is used.
//
// A namespace of LangGraph is a namespace of Quarry (names.ts), an item a memory: its text is what
// questions find (texts.ts), its metadata has the value as JSON and what filters need (filters.ts).

import type { BulkItem, MemoryInput } from '../src/generated.js';
import { type Quarry, QuarryError } from '../src/index.js';
import type { JsonObject } from '../src/transport.js';
import { clauseOf, type Filter, matches, scalarsOf } from './filters.js';
import { keyOf, labelsOf, memoryId, namespaceName } from './names.js';
import { textOf } from './texts.js';

// biome-ignore lint/suspicious/noExplicitAny: values of LangGraph are of any shape
type Value = Record<string, any>;

export interface Item {
  value: Value;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface SearchItem extends Item {
  score?: number;
}

export interface GetOperation {
  namespace: string[];
  key: string;
}

export interface SearchOperation {
  namespacePrefix: string[];
  filter?: Value;
  limit?: number;
  offset?: number;
  query?: string;
}

export interface PutOperation {
  namespace: string[];
  key: string;
  value: Value | null;
  /** False: no question finds it. Paths: in place of the store's fields. */
  index?: false | string[];
  /** Minutes; in place of the store's. */
  ttl?: number | null;
}

export interface MatchCondition {
  matchType: 'prefix' | 'suffix';
  path: string[];
}

export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

export type Operation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;

export type OperationResults<Tuple extends readonly Operation[]> = {
  [K in keyof Tuple]: Tuple[K] extends PutOperation
    ? undefined
    : Tuple[K] extends SearchOperation
      ? SearchItem[]
      : Tuple[K] extends GetOperation
        ? Item | null
        : Tuple[K] extends ListNamespacesOperation
          ? string[][]
          : never;
};

export interface QuarryStoreOptions {
  readonly client: Quarry;
  /** The first part of the names of its namespaces; `lg` unless given. */
  readonly prefix?: string;
  /** What of a value questions find: paths; all of it unless given. */
  readonly index?: { readonly fields: readonly string[] };
  readonly ttl?: {
    /** Minutes after which an item leaves, unless it is put with others. */
    readonly defaultTtl?: number;
    /** Whether reading an item begins its time again; true unless given. */
    readonly refreshOnRead?: boolean;
  };
}

/** What the metadata of an item holds besides its scalars. */
interface Stored {
  readonly value: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly ttl_ms?: number;
  readonly expires_at?: number;
}

interface Entry {
  readonly id: string;
  readonly metadata: JsonObject | null;
}

/** The longest page of a list, and the most that one recall brings. */
const PAGE = 1000;
const MAX_FOUND = 10_000;
/** Namespaces of one recall. */
const MAX_NAMESPACES = 100;
const MINUTE_MS = 60_000;
/**
 * Scores of words and meaning together are relative to the best of a namespace, so that those of
 * several do not compare; those by meaning do.
 */
const ONE_NAMESPACE = { hybrid: true, context: false } as const;
const SEVERAL = { semantic: true } as const;
type RecallMode = typeof ONE_NAMESPACE | typeof SEVERAL;
/** The share of its time that may have passed before reading an item writes its new end. */
const REFRESH_SHARE = 0.05;
/** A memory needs a text or a vector; without a text no question finds it. */
const NO_TEXT = { vector: [1] };

export class QuarryStore {
  /** LangGraph wraps stores by this name. */
  readonly lg_name = 'QuarryStore';
  readonly #client: Quarry;
  readonly #prefix: string;
  readonly #fields: readonly string[];
  readonly #ttlMs: number | undefined;
  readonly #refreshOnRead: boolean;

  constructor({ client, prefix = 'lg', index, ttl = {} }: QuarryStoreOptions) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(prefix)) {
      throw new RangeError(`[prefix] must be a-z and 0-9, dashes between them, not [${prefix}]`);
    }
    this.#client = client;
    this.#prefix = prefix;
    this.#fields = index?.fields ?? ['$'];
    this.#ttlMs = ttl.defaultTtl === undefined ? undefined : ttl.defaultTtl * MINUTE_MS;
    this.#refreshOnRead = ttl.refreshOnRead ?? true;
  }

  start(): void {}
  stop(): void {}

  /** Reads see what was there before; of several puts of one key the last one counts. */
  batch<const Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  // biome-ignore lint/suspicious/noExplicitAny: LangGraph has its own type of the results
  batch(operations: readonly Operation[]): Promise<any>;
  async batch(operations: readonly Operation[]): Promise<readonly unknown[]> {
    const results: unknown[] = operations.map(() => undefined);
    const gets: { at: number; operation: GetOperation }[] = [];
    const puts = new Map<string, PutOperation>();
    for (const [at, operation] of operations.entries()) {
      if ('namespacePrefix' in operation) results[at] = await this.#search(operation);
      else if ('value' in operation) {
        puts.set(JSON.stringify([operation.namespace, operation.key]), operation);
      } else if ('key' in operation) gets.push({ at, operation });
      else results[at] = await this.#listNamespaces(operation);
    }
    await this.#getAll(gets, results);
    await this.#putAll([...puts.values()]);
    return results;
  }

  async get(namespace: string[], key: string): Promise<Item | null> {
    return (await this.batch([{ namespace, key }]))[0];
  }

  async search(
    namespacePrefix: string[],
    options: Omit<SearchOperation, 'namespacePrefix'> = {},
  ): Promise<SearchItem[]> {
    return (await this.batch([{ namespacePrefix, ...options }]))[0];
  }

  async put(
    namespace: string[],
    key: string,
    value: Value,
    index?: false | string[],
    options: { readonly ttl?: number | null } = {},
  ): Promise<void> {
    const given = index === undefined ? {} : { index };
    await this.batch([{ namespace, key, value, ...given, ...options }]);
  }

  async delete(namespace: string[], key: string): Promise<void> {
    await this.batch([{ namespace, key, value: null }]);
  }

  async listNamespaces(
    options: {
      prefix?: string[];
      suffix?: string[];
      maxDepth?: number;
      limit?: number;
      offset?: number;
    } = {},
  ): Promise<string[][]> {
    const { prefix, suffix, limit = 100, offset = 0, maxDepth } = options;
    const matchConditions: MatchCondition[] = [
      ...(prefix === undefined ? [] : [{ matchType: 'prefix' as const, path: prefix }]),
      ...(suffix === undefined ? [] : [{ matchType: 'suffix' as const, path: suffix }]),
    ];
    const depth = maxDepth === undefined ? {} : { maxDepth };
    return (await this.batch([{ matchConditions, limit, offset, ...depth }]))[0];
  }

  async #getAll(
    gets: readonly { at: number; operation: GetOperation }[],
    results: unknown[],
  ): Promise<void> {
    const byName = groupedBy(gets, ({ operation }) => this.#nameOf(operation.namespace));
    for (const [name, some] of byName) {
      const ids = some.map(({ operation }) => memoryId(operation.key));
      const entries = await this.#entries(name, ids);
      for (const { at, operation } of some) {
        const entry = entries.get(memoryId(operation.key));
        const item = entry === undefined ? undefined : itemOf(operation.namespace, entry);
        results[at] = item ?? null;
        if (entry !== undefined) await this.#refresh(name, entry);
      }
    }
  }

  async #entries(name: string, ids: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    const found = new Map<string, Entry>();
    const distinct = [...new Set(ids)];
    for (let at = 0; at < distinct.length; at += PAGE) {
      const values = distinct.slice(at, at + PAGE);
      const { entries } = await this.#client.memory.list(name, {
        filter: { ids: { values } },
        size: values.length,
      });
      for (const entry of entries) found.set(entry.id, entry);
    }
    return found;
  }

  /** Begins the time of an item again. */
  async #refresh(name: string, { id, metadata }: Entry): Promise<void> {
    const stored = storedOf(metadata);
    if (!this.#refreshOnRead || stored?.ttl_ms === undefined) return;
    const expires_at = Date.now() + stored.ttl_ms;
    if (expires_at - (stored.expires_at ?? 0) < REFRESH_SHARE * stored.ttl_ms) return;
    await this.#client.memory.edit(name, id, { expires_at, metadata: { expires_at } });
  }

  async #putAll(puts: readonly PutOperation[]): Promise<void> {
    for (const [name, some] of groupedBy(puts, ({ namespace }) => this.#nameOf(namespace))) {
      const kept = some.filter(({ value }) => value !== null);
      if (kept.length > 0) await this.#store(name, kept);
      for (const { key, value } of some) {
        if (value === null) await this.#client.memory.forget(name, memoryId(key));
      }
    }
  }

  async #store(name: string, puts: readonly PutOperation[]): Promise<void> {
    const before = await this.#entries(
      name,
      puts.map(({ key }) => memoryId(key)),
    );
    const now = Date.now();
    const bodies = puts.map((put) => {
      const id = memoryId(put.key);
      const created = storedOf(before.get(id)?.metadata ?? null)?.created_at ?? now;
      return this.#bodyOf(put, id, created, now);
    });
    const [only] = bodies;
    if (bodies.length === 1 && only !== undefined) {
      await this.#client.memory.store(name, only);
      return;
    }
    const { items } = await this.#client.memory.bulk(name, bodies);
    const failed = items.find(({ error }) => error !== undefined);
    if (failed !== undefined) throw itemError(failed);
  }

  #bodyOf(put: PutOperation, id: string, created_at: number, now: number): MemoryInput {
    const value = put.value ?? {};
    const ttl_ms =
      put.ttl === undefined ? this.#ttlMs : put.ttl === null ? undefined : put.ttl * MINUTE_MS;
    const expires_at = ttl_ms === undefined ? undefined : Math.round(now + ttl_ms);
    const text = put.index === false ? '' : textOf(value, put.index ?? this.#fields);
    const stored: Stored = {
      value: JSON.stringify(value),
      created_at,
      updated_at: now,
      ...(ttl_ms === undefined ? {} : { ttl_ms }),
      ...(expires_at === undefined ? {} : { expires_at }),
    };
    return {
      id,
      ...(text === '' ? NO_TEXT : { text }),
      metadata: { ...stored, ...scalarsOf(value) },
      ...(expires_at === undefined ? {} : { expires_at }),
    };
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, limit = 10, offset = 0, query } = operation;
    const all = await this.#namespaces([{ matchType: 'prefix', path: namespacePrefix }]);
    const wanted = offset + limit;
    if (wanted > MAX_FOUND) {
      throw new RangeError(`[offset] and [limit] are ${wanted} together, at most ${MAX_FOUND}`);
    }
    if (limit <= 0 || all.length === 0) return [];
    const mode = all.length === 1 ? ONE_NAMESPACE : SEVERAL;
    const found: { readonly name: string; readonly entry: Entry; readonly item: SearchItem }[] = [];
    for (let at = 0; at < all.length; at += MAX_NAMESPACES) {
      const names = all.slice(at, at + MAX_NAMESPACES);
      found.push(...(await this.#recall(names, filter, query, wanted, mode)));
    }
    if (all.length > MAX_NAMESPACES) found.sort((a, b) => comparing(a.item, b.item));
    const page = found.slice(offset, wanted);
    for (const { name, entry } of page) await this.#refresh(name, entry);
    return page.map(({ item }) => item);
  }

  /** At least `wanted` items of the namespaces that match, if there are as many. */
  async #recall(
    namespaces: readonly string[],
    filter: Filter | undefined,
    query: string | undefined,
    wanted: number,
    mode: RecallMode,
  ): Promise<{ name: string; entry: Entry; item: SearchItem }[]> {
    const clause = clauseOf(filter);
    const isQuestion = query !== undefined && query.trim() !== '';
    for (let k = wanted; ; k = Math.min(4 * k, MAX_FOUND)) {
      const { hits, not_shown } = await this.#client.memory.recallMany({
        namespaces,
        k,
        ...(clause === undefined ? {} : { filter: clause }),
        ...(isQuestion ? { query, ...mode } : {}),
      });
      const found = hits.flatMap((entry) => {
        const labels = labelsOf(this.#prefix, entry.namespace);
        const item = labels === undefined ? undefined : itemOf([...labels], entry);
        if (item === undefined || !matches(item.value, filter)) return [];
        const score = entry.score === null ? {} : { score: entry.score };
        return [{ name: entry.namespace, entry, item: { ...item, ...score } }];
      });
      if (found.length >= wanted || k === MAX_FOUND || (not_shown['k'] ?? 0) === 0) return found;
    }
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const names = await this.#namespaces(matchConditions);
    const all = names.flatMap((name) => {
      const labels = labelsOf(this.#prefix, name);
      return labels === undefined ? [] : [labels.slice(0, maxDepth)];
    });
    const distinct = new Map(all.map((labels) => [JSON.stringify(labels), labels]));
    return [...distinct.values()]
      .sort(byLabels)
      .slice(offset, offset + limit)
      .map((labels) => [...labels]);
  }

  /** Names of the namespaces with items that fulfil all conditions. */
  async #namespaces(conditions: readonly MatchCondition[]): Promise<readonly string[]> {
    const names: string[] = [];
    const prefix = `${this.#fixedPrefix(conditions)}`;
    for await (const one of this.#client.memory.namespacesAll({ prefix })) {
      if (one.memories === 0) continue;
      const labels = labelsOf(this.#prefix, one.namespace);
      if (labels === undefined) continue;
      if (conditions.every((condition) => fits(labels, condition))) names.push(one.namespace);
    }
    return names;
  }

  /** What all names begin with: the labels of a prefix up to its first wildcard. */
  #fixedPrefix(conditions: readonly MatchCondition[]): string {
    const path = conditions.find(({ matchType }) => matchType === 'prefix')?.path ?? [];
    const wildcard = path.indexOf('*');
    const fixed = wildcard < 0 ? path : path.slice(0, wildcard);
    return fixed.length === 0 ? `${this.#prefix}.` : namespaceName(this.#prefix, fixed);
  }

  #nameOf(namespace: readonly string[]): string {
    if (namespace.length > 0) return namespaceName(this.#prefix, namespace);
    throw new RangeError('the namespace of an item must not be empty');
  }
}

function groupedBy<T>(all: readonly T[], keyFor: (one: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyFor(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

/** Undefined: another client stored this memory. */
function storedOf(metadata: JsonObject | null): Stored | undefined {
  return typeof metadata?.['value'] === 'string' ? (metadata as unknown as Stored) : undefined;
}

function itemOf(namespace: string[], { id, metadata }: Entry): Item | undefined {
  const stored = storedOf(metadata);
  if (stored === undefined) return undefined;
  return {
    value: JSON.parse(stored.value) as Value,
    key: keyOf(id),
    namespace: [...namespace],
    createdAt: new Date(stored.created_at),
    updatedAt: new Date(stored.updated_at),
  };
}

function itemError({ status, error }: BulkItem): QuarryError {
  const { type = 'http_error', reason = 'a memory was not stored' } = error ?? {};
  return new QuarryError({ status, type, reason });
}

/** The best first; without scores the latest. */
function comparing(a: SearchItem, b: SearchItem): number {
  return (b.score ?? 0) - (a.score ?? 0) || b.updatedAt.getTime() - a.updatedAt.getTime();
}

function fits(labels: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > labels.length) return false;
  const start = matchType === 'prefix' ? 0 : labels.length - path.length;
  return path.every((label, i) => label === '*' || label === labels[start + i]);
}

function byLabels(a: readonly string[], b: readonly string[]): number {
  for (const [i, label] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (label !== other) return label < other ? -1 : 1;
  }
  return a.length - b.length;
}
