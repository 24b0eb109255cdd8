// Write-ahead intents for requests that change several indexes, kept while the request runs. In a
// superseding store, the memory and the ends of the superseded ones are one record of the log, and
// its links are another. A process that dies between the two, or between a failure and its
// rollback, leaves the intent behind. The next start completes what was stored and undoes what was
// not. A deletion is completed; so is a drop, once the indexes are gone.
import type { Backend, JsonObject } from '../backend/index.js';
import { plainJson } from '../base/json-text.js';
import type { Turns } from '../base/keyed-queue.js';
import { INTENTS_INDEX } from '../base/state-indexes.js';
import { ensureIndex } from '../graph/edges-index.js';
import { readState } from '../graph/state-document.js';
import { type Intent, readIntent, type StoreIntent } from './intent.js';
import { readEntry, supersededSource, withoutEnd } from './memory-entry.js';
import { memoryIndex } from './names.js';
import { namespaceIndexes, type RemovalDeps, removeMemories, removeSettings } from './removals.js';

const BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: { dynamic: false, properties: {} },
};
/** Far more than the number of concurrent stores of one process. */
const MAX_LEFT = 10_000;

export class Intents {
  readonly #backend: Backend;
  readonly #turns: Turns;
  readonly #removal: () => RemovalDeps;

  /** `removal` is called lazily, when an intent is settled. */
  constructor(backend: Backend, turns: Turns, removal: () => RemovalDeps) {
    this.#backend = backend;
    this.#turns = turns;
    this.#removal = removal;
  }

  /**
   * Completes or undoes what an earlier process left; must run before anything else is stored. An
   * intent that cannot be settled is kept and reported to `onUnsettled`, because a client with
   * write access to all indexes may have written it and nothing else may depend on it.
   */
  async recover(onUnsettled: (error: unknown) => void): Promise<void> {
    const backend = this.#backend;
    if (!backend.exists(INTENTS_INDEX, {})) return;
    try {
      await backend.publish(INTENTS_INDEX);
      const body = { query: { match_all: {} }, size: MAX_LEFT, _source: true };
      const { hits } = await backend.search({ index: INTENTS_INDEX, body });
      for (const { id, source = new Uint8Array() } of hits) {
        await this.#recoverOne(id, source).catch(onUnsettled);
      }
    } catch (error) {
      onUnsettled(error);
    }
  }

  async #recoverOne(id: string, source: Uint8Array): Promise<void> {
    const document = { index: INTENTS_INDEX, id, source, remedy: 'delete it' };
    const intent = readState(document, (body) => readIntent(id, body));
    await this.#turns.take(intent.namespace, async () => {
      // A request of another process may have been at work until now.
      const left = await this.#backend.get({ index: INTENTS_INDEX, id, source: true });
      if (left.source === undefined || Buffer.compare(left.source, source) !== 0) return;
      await this.#settle(intent);
      await this.#forget(id);
    });
  }

  /**
   * Must be called while holding the namespace's turn. `work` writes what the intent describes, or
   * throws after it has undone its writes.
   */
  async during<T>(intent: Intent, work: () => Promise<T>): Promise<T> {
    const backend = this.#backend;
    await ensureIndex(backend, INTENTS_INDEX, BODY);
    // Turns serialize requests, so that a namespace has at most one intent.
    const id = intent.namespace;
    const source = Buffer.from(plainJson(intent));
    await backend.write({ op: 'index', index: INTENTS_INDEX, id, source }, { refresh: 'false' });
    let result: T;
    try {
      result = await work();
    } catch (error) {
      // If this fails as well, the next start settles the intent.
      await this.#settle(intent);
      await this.#forget(id);
      throw error;
    }
    await this.#forget(id);
    return result;
  }

  async #forget(id: string): Promise<void> {
    await this.#backend.write({ op: 'delete', index: INTENTS_INDEX, id }, { refresh: 'false' });
  }

  async #settle(intent: Intent): Promise<void> {
    if ('forgotten' in intent) await removeMemories(this.#removal(), intent);
    else if ('dropped' in intent) await this.#settleDrop(intent.namespace);
    else await this.#settleStore(intent);
  }

  /** All indexes are dropped by one record of the log: if one of them exists, none was dropped. */
  async #settleDrop(namespace: string): Promise<void> {
    const removal = this.#removal();
    const isThere = (index: string): boolean => this.#backend.exists(index, {});
    if (namespaceIndexes(removal.graph, namespace).some(isThere)) return;
    await removeSettings(removal, namespace);
  }

  async #settleStore(intent: StoreIntent): Promise<void> {
    const backend = this.#backend;
    const index = memoryIndex(intent.namespace);
    if (!backend.exists(index, {})) return;
    const ids = [intent.id, ...intent.retired.map(({ id }) => id)];
    const found = await backend.mget(ids.map((id) => ({ index, id, source: true })));
    const [stored, ...others] = found.map((one) => ('source' in one ? one.source : undefined));
    const isStored = stored !== undefined && readEntry(stored).stored_at === intent.stored_at;
    const lines = intent.retired.flatMap(({ id, invalid_at, superseded_at }, i) => {
      const source = others[i];
      if (source === undefined) return [];
      const after = isStored
        ? withEnd(source, invalid_at, superseded_at)
        : withoutEnd(source, invalid_at, superseded_at);
      if (after === undefined) return [];
      return [`${plainJson({ index: { _index: index, _id: id } })}\n${after}\n`];
    });
    if (isStored) lines.push(intent.links);
    else lines.push(...(await this.#removals(intent.links)));
    if (lines.length === 0) return;
    await backend.bulk({ refresh: 'false', body: Buffer.from(lines.join('')) });
  }

  /**
   * Deletions of links that were asserted for a memory that was not stored; links that existed
   * before are kept.
   */
  async #removals(links: string): Promise<readonly string[]> {
    const lines = links.split('\n').filter((line) => line !== '');
    const asserted = Array.from({ length: lines.length / 2 }, (_, i) => {
      const { create } = JSON.parse(lines[2 * i] ?? '') as { readonly create: JsonObject };
      return { place: create, source: lines[2 * i + 1] };
    });
    const found = await this.#backend.mget(
      asserted.map(({ place: { _index, _id } }) => {
        return { index: String(_index), id: String(_id), source: true };
      }),
    );
    return asserted.flatMap(({ place, source }, i) => {
      const one = found[i];
      const there = one !== undefined && 'source' in one ? one.source : undefined;
      if (there === undefined || Buffer.from(there).toString('utf8') !== source) return [];
      return [`${plainJson({ delete: place })}\n`];
    });
  }
}

/** Undefined: it has an end already. */
function withEnd(source: Uint8Array, invalidAt: number, supersededAt: number): string | undefined {
  if (readEntry(source).invalid_at !== null) return undefined;
  return supersededSource(source, invalidAt, supersededAt);
}
