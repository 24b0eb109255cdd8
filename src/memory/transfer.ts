// Exports a namespace as lines of JSON and imports them: memories, links with their history,
// proposals, settings. An import merges the existing and the imported documents; it is commutative
// and idempotent.
import type {
  Backend,
  BulkItemError,
  FoundDocument,
  JsonObject,
  WriteResult,
} from '../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../base/cooperative-task.js';
import { plainJson } from '../base/json-text.js';
import { ERROR_STATUS, type ErrorType, QuarryError } from '../errors.js';
import { EDGES_BODY, ensureIndex, SUGGESTIONS_BODY } from '../graph/edges-index.js';
import { type MetadataNames, saidFields } from './context/said.js';
import { checkNamespace } from './names.js';
import { readStored } from './settings.js';
import { exportLines, INDEX, readItem } from './transfer-export.js';
import { type Item, KINDS, type Kind, readLines } from './transfer-lines.js';
import {
  canonical,
  isObject,
  mergeLinks,
  mergeMemories,
  mergeSuggestions,
  withBigInts,
} from './transfer-merge.js';
import { dimsOf, writeMemory, wrongDims } from './write-memory.js';

export interface TransferOptions {
  readonly backend: Backend;
  readonly names: MetadataNames;
  /** Sets up a namespace; throws for settings that would change how memories are stored. */
  readonly put: (namespace: string, settings: JsonObject) => Promise<unknown>;
  /**
   * Must be called before memories that expire are written, the first of them at `at`; the returned
   * function is called when they are written.
   */
  readonly note: (namespace: string, at: number) => Promise<() => void>;
}

interface ImportCounts {
  created: number;
  /** Existing documents that the import changed. */
  merged: number;
  unchanged: number;
}

export interface ImportAnswer {
  readonly namespace: string;
  readonly memories: ImportCounts;
  readonly links: ImportCounts;
  readonly suggestions: ImportCounts;
  readonly took: number;
}

/** Items per bulk. */
const BATCH = 200;
/** Attempts at a document that concurrent writers keep changing. */
const ATTEMPTS = 10;

const MERGE: Readonly<Record<Kind, (a: JsonObject, b: JsonObject) => JsonObject>> = {
  memory: mergeMemories,
  link: mergeLinks,
  suggestion: mergeSuggestions,
};

interface Planned {
  readonly item: Item;
  readonly created: boolean;
  /** Bulk lines. */
  readonly lines: string;
}

export class Transfer {
  readonly #options: TransferOptions;

  constructor(options: TransferOptions) {
    this.#options = options;
  }

  /** Throws 404 for a namespace that does not exist, before the first line. */
  async export(namespace: string): Promise<AsyncIterable<string>> {
    checkNamespace(namespace);
    const { backend } = this.#options;
    const settings = await readStored(backend, namespace);
    const there = KINDS.some((kind) => backend.exists(INDEX[kind](namespace), {}));
    if (there || settings !== undefined) return exportLines(backend, namespace, { ...settings });
    throw new QuarryError('resource_not_found_exception', `no such namespace [${namespace}]`, {
      extra: { 'resource.type': 'namespace', 'resource.id': namespace },
    });
  }

  /**
   * Nothing is written when a line is invalid. `mayPut`: the client may change the settings of the
   * namespace, provided that `check` accepts the changed ones.
   */
  async import(
    namespace: string,
    body: Uint8Array,
    mayPut: boolean,
    check?: (settings: JsonObject) => void,
  ): Promise<ImportAnswer> {
    checkNamespace(namespace);
    const started = performance.now();
    const { settings, items } = await runCooperatively(readLines(body));
    checkDims(this.#options.backend, namespace, items);
    if (settings !== undefined) await this.#put(namespace, settings, mayPut, check);
    const merged: Record<Kind, ImportCounts> = { memory: none(), link: none(), suggestion: none() };
    for (const kind of KINDS) {
      const mine = await runCooperatively(distinct(items.filter((item) => item.kind === kind)));
      if (mine.length > 0) await this.#prepare(namespace, kind);
      const first = kind === 'memory' ? firstExpiry(mine) : undefined;
      const done = first === undefined ? undefined : await this.#options.note(namespace, first);
      try {
        for (let at = 0; at < mine.length; at += BATCH)
          await this.#merge(namespace, kind, mine.slice(at, at + BATCH), merged[kind]);
      } finally {
        done?.();
      }
    }
    const took = Math.round(performance.now() - started);
    const { memory: memories, link: links, suggestion: suggestions } = merged;
    return { namespace, memories, links, suggestions, took };
  }

  /** Settings that are equal to the existing ones need no privilege. */
  async #put(
    namespace: string,
    settings: JsonObject,
    mayPut: boolean,
    check: ((settings: JsonObject) => void) | undefined,
  ): Promise<void> {
    if (Object.keys(settings).length === 0) return;
    const { backend, put } = this.#options;
    if (!mayPut || check !== undefined) {
      const there = (await readStored(backend, namespace)) ?? {};
      if (canonical({ ...there, ...settings }) === canonical(there)) return;
    }
    if (!mayPut) {
      throw new QuarryError(
        'security_exception',
        `the import chooses settings [${Object.keys(settings).join(', ')}] for namespace [${namespace}], which needs the privilege [manage]; send the lines without the first and the last`,
      );
    }
    check?.(settings);
    await put(namespace, settings);
  }

  /** An index of memories is created by the first write. */
  async #prepare(namespace: string, kind: Kind): Promise<void> {
    if (kind === 'memory') return;
    const body = kind === 'link' ? EDGES_BODY : SUGGESTIONS_BODY;
    await ensureIndex(this.#options.backend, INDEX[kind](namespace), body);
  }

  /** Writes are conditional: an item that a concurrent writer changed is read and merged again. */
  async #merge(
    namespace: string,
    kind: Kind,
    items: readonly Item[],
    counts: ImportCounts,
  ): Promise<void> {
    const { backend, names } = this.#options;
    const index = INDEX[kind](namespace);
    let left = items;
    for (let attempt = 1; left.length > 0; attempt++) {
      const there = backend.exists(index, {})
        ? await backend.mget(left.map(({ id }) => ({ index, id, source: true })))
        : [];
      const planned = await runCooperatively(plan(index, left, there, names));
      if (attempt === 1) counts.unchanged += left.length - planned.length;
      if (planned.length === 0) return;
      const body = Buffer.from(planned.map(({ lines }) => lines).join(''));
      const { items: answers } = await backend.bulk({ refresh: 'false', body });
      const again: Item[] = [];
      for (const [i, { item, created }] of planned.entries()) {
        const answer = answers[i];
        if (answer !== undefined && isConflict(answer)) again.push(item);
        else {
          if (answer !== undefined && 'error' in answer)
            await repair(this.#options, namespace, index, item, answer);
          counts[created ? 'created' : 'merged']++;
        }
      }
      if (attempt === ATTEMPTS && again.length > 0) throw busy(again[0]);
      left = again;
    }
  }
}

/**
 * The writes that merge the items into the existing documents; none for an item that changes
 * nothing.
 */
function* plan(
  index: string,
  items: readonly Item[],
  found: readonly (FoundDocument | BulkItemError)[],
  names: MetadataNames,
): CooperativeTask<readonly Planned[]> {
  const planned: Planned[] = [];
  for (const [i, item] of items.entries()) {
    const one = planOne(index, item, found[i], names);
    if (one !== undefined) planned.push(one);
    yield;
  }
  return planned;
}

/** Undefined: there is nothing to do. */
function planOne(
  index: string,
  item: Item,
  there: FoundDocument | BulkItemError | undefined,
  names: MetadataNames,
): Planned | undefined {
  const place = { _index: index, _id: item.id };
  if (there === undefined || !('source' in there) || there.source === undefined)
    return { item, created: true, lines: linesOf({ create: place }, indexed(item, names)) };
  const before = readItem(item.kind, there.source);
  const after = MERGE[item.kind](before, item.document);
  if (canonical(after) === canonical(before)) return undefined;
  const { seqNo, primaryTerm = 1 } = there;
  const guard = { if_seq_no: Number(seqNo), if_primary_term: primaryTerm };
  const merged = { ...item, document: after };
  const lines = linesOf({ index: { ...place, ...guard } }, indexed(merged, names));
  return { item: merged, created: false, lines };
}

/** All imported vectors must have the same length as the existing ones. */
function checkDims(backend: Backend, namespace: string, items: readonly Item[]): void {
  const index = INDEX.memory(namespace);
  let dims = backend.exists(index, {}) ? dimsOf(backend, index) : undefined;
  for (const { kind, document } of items) {
    const vector = kind === 'memory' ? document['vector'] : undefined;
    if (!Array.isArray(vector)) continue;
    dims ??= vector.length;
    if (vector.length !== dims) throw wrongDims(namespace, vector.length, dims);
  }
}

/** Undefined: none of them expires. */
function firstExpiry(items: readonly Item[]): number | undefined {
  const times = items.flatMap(({ document }) => {
    const at = document['expires_at'];
    return typeof at === 'number' ? [at] : [];
  });
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}

/** One item per id, merged in their order. */
function* distinct(items: readonly Item[]): CooperativeTask<readonly Item[]> {
  const byId = new Map<string, Item>();
  for (const item of items) {
    yield;
    const there = byId.get(item.id);
    const document =
      there === undefined ? item.document : MERGE[item.kind](there.document, item.document);
    byId.set(item.id, { ...item, document });
  }
  return [...byId.values()];
}

/** The document of a memory with the fields that are made from its metadata. */
function indexed({ kind, document }: Item, names: MetadataNames): JsonObject {
  if (kind !== 'memory') return document;
  const { text, metadata } = document;
  const said = saidFields(
    typeof text === 'string' ? text : undefined,
    isObject(metadata) ? metadata : undefined,
    names,
  );
  return { ...document, ...said };
}

function linesOf(action: JsonObject, document: JsonObject): string {
  return `${plainJson(action)}\n${canonical(document)}\n`;
}

function isConflict(answer: WriteResult | BulkItemError): boolean {
  return 'error' in answer && answer.status === 409;
}

/**
 * Stores a memory whose metadata contradicts the mapping the same way as a store does: with the
 * metadata unindexed.
 */
async function repair(
  { backend, names }: Pick<TransferOptions, 'backend' | 'names'>,
  namespace: string,
  index: string,
  item: Item,
  { error, status }: BulkItemError,
): Promise<void> {
  const { kind, id } = item;
  const { metadata, ...rest } = withBigInts(indexed(item, names));
  if (kind !== 'memory' || status !== 400 || !isObject(metadata)) {
    const known = error.type in ERROR_STATUS ? (error.type as ErrorType) : undefined;
    const type = known ?? 'illegal_argument_exception';
    throw new QuarryError(type, `${kind} [${id}]: ${error.reason}`);
  }
  const { vector } = rest;
  const vectorDims = Array.isArray(vector) ? vector.length : undefined;
  const parts = { namespace, index, id, document: rest, metadata, vectorDims };
  await writeMemory(backend, { ...parts, retired: [], links: '' });
}

function none(): ImportCounts {
  return { created: 0, merged: 0, unchanged: 0 };
}

function busy(item: Item | undefined): QuarryError {
  return new QuarryError(
    'version_conflict_engine_exception',
    `${item?.kind} [${item?.id}] is changed by others all the time, import again`,
  );
}
