// How often each memory was recalled, where the configuration wants it counted. Counts are kept in
// memory and written once a minute, so that no recall waits for them and a process that dies loses
// the last minute. A memory that has no entry was never recalled since counting began.
import type { Backend, JsonObject } from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import { RECALLS_INDEX } from '../../base/state-indexes.js';
import { ensureIndex } from '../../graph/edges-index.js';
import { readDocument } from '../memory-entry.js';
import { memoryIndex } from '../names.js';

export interface RecallCountsOptions {
  readonly backend: Backend;
  readonly hash128: (bytes: Uint8Array) => Uint8Array;
  /** Wall clock, epoch milliseconds. */
  readonly nowMs: () => number;
  /** Whether recalls are counted now. */
  readonly isOn: () => boolean;
  /** Runs the work once after `ms` milliseconds; the returned function cancels it. */
  readonly later: (work: () => void, ms: number) => () => void;
  /** Called when counts could not be written; they are written with the next ones. */
  readonly onError: (error: unknown) => void;
}

export interface RecallCount {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly last: number;
}

const BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: { dynamic: false, properties: { namespace: { type: 'keyword' } } },
};
const PAUSE_MS = 60_000;
/** Memories whose counts wait to be written; further ones are not counted until then. */
const MAX_WAITING = 100_000;
/** Entries of one bulk. */
const BATCH = 1000;
/** Document of a namespace with the time since which its recalls are counted. */
const BEGINNING = 'since';

export class RecallCounts {
  readonly #options: RecallCountsOptions;
  /** Namespace -> id -> count. */
  #waiting = new Map<string, Map<string, RecallCount>>();
  #size = 0;
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: RecallCountsOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#options.isOn();
  }

  /** Counts the memories that a recall returned. */
  note(hits: readonly { readonly namespace: string; readonly id: string }[]): void {
    if (this.#closed || !this.isOn) return;
    const last = this.#options.nowMs();
    for (const { namespace, id } of hits) {
      const counts = this.#waiting.get(namespace) ?? new Map<string, RecallCount>();
      this.#waiting.set(namespace, counts);
      const before = counts.get(id);
      if (before === undefined && this.#size >= MAX_WAITING) continue;
      if (before === undefined) this.#size += 1;
      counts.set(id, { count: (before?.count ?? 0) + 1, last });
    }
    this.#cancel ??= this.#options.later(() => {
      this.#cancel = undefined;
      this.write().catch(this.#options.onError);
    }, PAUSE_MS);
  }

  /** Writes what waits. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#writeAll());
    return this.#writing;
  }

  /** Writes what waits, and counts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.write().catch(this.#options.onError);
  }

  /** When counting began in the namespace; undefined: nothing was recalled yet. */
  async since(namespace: string): Promise<number | undefined> {
    const [found] = await this.#read(namespace, [BEGINNING]);
    return typeof found?.['since'] === 'number' ? found['since'] : undefined;
  }

  /** The counts of the memories, in order; undefined: never recalled. */
  async of(
    namespace: string,
    ids: readonly string[],
  ): Promise<readonly (RecallCount | undefined)[]> {
    return (await this.#read(namespace, ids.map(memoryKey))).map((document) => {
      const { count, last } = document ?? {};
      return typeof count === 'number' && typeof last === 'number' ? { count, last } : undefined;
    });
  }

  /** Removes the counts of memories that are forgotten. */
  async forget(namespace: string, ids: readonly string[]): Promise<void> {
    const counts = this.#waiting.get(namespace);
    for (const id of ids) if (counts?.delete(id) === true) this.#size -= 1;
    if (ids.length === 0 || !this.#options.backend.exists(RECALLS_INDEX, {})) return;
    await this.#writing.catch(() => {});
    await this.#remove(ids.map((id) => this.#documentId(namespace, memoryKey(id))));
  }

  /** Removes the counts of a namespace that is dropped. */
  async drop(namespace: string): Promise<void> {
    this.#size -= this.#waiting.get(namespace)?.size ?? 0;
    this.#waiting.delete(namespace);
    const { backend } = this.#options;
    if (!backend.exists(RECALLS_INDEX, {})) return;
    await this.#writing.catch(() => {});
    const query = { term: { namespace } };
    const body = { query, size: BATCH, sort: ['_doc'], _source: false, track_total_hits: false };
    for (;;) {
      await backend.publish(RECALLS_INDEX);
      const { hits } = await backend.search({ index: RECALLS_INDEX, body });
      if (hits.length === 0) return;
      await this.#remove(hits.map(({ id }) => id));
    }
  }

  async #remove(ids: readonly string[]): Promise<void> {
    const lines = ids.map((_id) => `${plainJson({ delete: { _index: RECALLS_INDEX, _id } })}\n`);
    await this.#options.backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
  }

  async #writeAll(): Promise<void> {
    if (this.#size === 0) return;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#size = 0;
    try {
      await ensureIndex(this.#options.backend, RECALLS_INDEX, BODY);
      for (const [namespace, counts] of waiting) {
        if (!this.#options.backend.exists(memoryIndex(namespace), {})) counts.clear();
        for (let all = [...counts]; all.length > 0; all = [...counts]) {
          const some = all.slice(0, BATCH);
          await this.#add(namespace, some);
          for (const [id] of some) counts.delete(id);
        }
      }
    } catch (error) {
      for (const [namespace, counts] of waiting) this.#keep(namespace, counts);
      throw error;
    }
  }

  /** Adds counts that were not written to those that wait. */
  #keep(namespace: string, counts: ReadonlyMap<string, RecallCount>): void {
    const all = this.#waiting.get(namespace) ?? new Map<string, RecallCount>();
    this.#waiting.set(namespace, all);
    for (const [id, { count, last }] of counts) {
      const later = all.get(id);
      if (later === undefined) this.#size += 1;
      all.set(id, { count: count + (later?.count ?? 0), last: Math.max(last, later?.last ?? 0) });
    }
  }

  /** Adds to the counts that are there. Only this process writes, one write at a time. */
  async #add(namespace: string, some: readonly (readonly [string, RecallCount])[]): Promise<void> {
    const ids = some.map(([id]) => id);
    const [before, since] = [await this.of(namespace, ids), await this.since(namespace)];
    const entries = some.map(([id, { count, last }], i): readonly [string, JsonObject] => [
      memoryKey(id),
      { namespace, count: count + (before[i]?.count ?? 0), last },
    ]);
    const first = some.reduce((least, [, { last }]) => Math.min(least, last), Infinity);
    if (since === undefined) entries.push([BEGINNING, { namespace, since: first }]);
    const lines = entries.map(([key, document]) => {
      const _id = this.#documentId(namespace, key);
      return `${plainJson({ index: { _index: RECALLS_INDEX, _id } })}\n${plainJson(document)}\n`;
    });
    await this.#options.backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
  }

  async #read(
    namespace: string,
    keys: readonly string[],
  ): Promise<readonly (JsonObject | undefined)[]> {
    const { backend } = this.#options;
    if (keys.length === 0 || !backend.exists(RECALLS_INDEX, {})) return keys.map(() => undefined);
    const found = await backend.mget(
      keys.map((key) => ({
        index: RECALLS_INDEX,
        id: this.#documentId(namespace, key),
        source: true,
      })),
    );
    return found.map((one) =>
      'source' in one && one.source !== undefined ? readDocument(one.source) : undefined,
    );
  }

  /**
   * A hash, because an id of a memory may be as long as an id of a document. It has the uuid of the
   * index of the memories, so that another one of the same name begins without counts.
   */
  #documentId(namespace: string, key: string): string {
    const { backend, hash128 } = this.#options;
    const index = memoryIndex(namespace);
    const uuid = backend.exists(index, {}) ? backend.resolve(index, {})[0]?.uuid : undefined;
    return Buffer.from(hash128(Buffer.from(`${uuid}\0${key}`))).toString('hex');
  }
}

/** No memory has the key of the beginning. */
function memoryKey(id: string): string {
  return `m/${id}`;
}
