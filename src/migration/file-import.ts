// Loads files of other products into the service: documents of NDJSON and points of Qdrant into an
// index, memories of mem0 into a namespace. A run that was killed goes on behind what it has stored;
// what is written twice has the same id.
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../backend/index.js';
import { lockRun } from '../base/run-lock.js';
import { OutboundClient } from '../remote/exchange.js';
import { type Peer, PeerError, repeated } from '../remote/peer.js';
import { type BulkDocument, BulkTarget } from './bulk-target.js';
import { servicePeer } from './cluster-import.js';
import { readMem0 } from './files/mem0.js';
import { type FileDocument, type NdjsonOptions, ndjsonDocuments } from './files/ndjson.js';
import { type QdrantPoint, qdrantItems, similarityOf } from './files/qdrant.js';
import { ImportJournal } from './journal.js';
import { OrderedWrites } from './ordered-writes.js';
import { memberOf } from './sequence-reader.js';
import { TargetIndexes } from './target-index.js';
import type { Change } from './translation.js';

export interface FileImportOptions {
  readonly files: readonly string[];
  readonly to: string;
  readonly apiKey: string | undefined;
  readonly stateFolder: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: FileProgress) => void;
}

export interface FileProgress {
  readonly documents: number;
  readonly bytes: number;
  readonly ofBytes: number;
}

export interface FileReport {
  /** Documents that this run has stored. */
  readonly stored: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  readonly changes: readonly Change[];
}

const BATCH_BYTES = 3 * 1024 * 1024;
const BATCH_DOCUMENTS = 2000;
const MEMORIES_AT_ONCE = 500;
const WRITES_AT_ONCE = 3;
const TRIES = 12;
const MOST_SHOWN = 1000;
const PLAIN_HTTP = { objection: () => undefined };

/** Rejects with PeerError if the service cannot be written to, or with an Error about a file. */
export function importNdjson(options: FileImportOptions, form: NdjsonOptions): Promise<FileReport> {
  const more = { index: form.index ?? '', id: form.idField ?? '' };
  return withJournal(options, more, async (run) => {
    const loader = new Loader(run, options);
    for (const file of run.files) {
      let batch: FileDocument[] = [];
      let bytes = 0;
      for await (const document of ndjsonDocuments(file, run.journal.bytesOf(file), form)) {
        batch.push(document);
        bytes += document.source?.length ?? 0;
        if (bytes < BATCH_BYTES && batch.length < BATCH_DOCUMENTS) continue;
        await loader.add(file, batch);
        batch = [];
        bytes = 0;
      }
      await loader.add(file, batch);
    }
    await loader.end();
    return loader.report([]);
  });
}

/** `distance`: how vectors are compared whose collection the files do not describe. */
export function importQdrant(
  options: FileImportOptions,
  index: string,
  distance: string | undefined,
): Promise<FileReport> {
  if (distance !== undefined) similarityOf(distance);
  return withJournal(options, { index }, async (run) => {
    const loader = new Loader(run, options);
    const fields = new QdrantFields(run.peer, index, distance, options.signal);
    for (const file of run.files) {
      const end = statSync(file).size;
      let batch: BulkDocument[] = [];
      let bytes = 0;
      const send = async (position: number): Promise<void> => {
        await loader.add(
          file,
          batch.map((document) => ({ ...document, index, end: position })),
        );
        batch = [];
        bytes = 0;
      };
      for await (const item of qdrantItems(file)) {
        if (run.journal.bytesOf(file) === end) break;
        if ('distances' in item) {
          fields.describe(item.distances);
          continue;
        }
        await fields.prepare(item.point);
        batch.push(item.point.document);
        bytes += item.point.document.source?.length ?? 0;
        // The position stays where it is: a repeated run reads the file from its beginning.
        if (bytes >= BATCH_BYTES || batch.length >= BATCH_DOCUMENTS) await send(0);
      }
      await send(end);
    }
    await loader.end();
    return loader.report(fields.changes);
  });
}

export function importMem0(options: FileImportOptions, namespace: string): Promise<FileReport> {
  return withJournal(options, { namespace }, async (run) => {
    const { peer, files } = run;
    const { signal, onProgress } = options;
    const changes: Change[] = [];
    const refused: { readonly id: string; readonly reason: string }[] = [];
    let stored = 0;
    let bytes = 0;
    const ofBytes = sizeOf(files);
    for (const file of files) {
      const { memories, relations } = await readMem0(file);
      if (relations > 0) {
        changes.push({
          index: namespace,
          what: `${relations} relations of ${file}`,
          now: 'left out',
          reason:
            'they join names, and links here join memories: quarry link and detectors make those',
        });
      }
      for (let from = 0; from < memories.length; from += MEMORIES_AT_ONCE) {
        const some = memories.slice(from, from + MEMORIES_AT_ONCE);
        const failed = await storeMemories(peer, namespace, some, signal);
        refused.push(...failed);
        stored += some.length - failed.length;
        onProgress({ documents: stored, bytes, ofBytes });
      }
      bytes += statSync(file).size;
      onProgress({ documents: stored, bytes, ofBytes });
    }
    return { stored, refused: refused.slice(0, MOST_SHOWN), changes };
  });
}

async function storeMemories(
  peer: Peer,
  namespace: string,
  memories: readonly JsonObject[],
  signal: AbortSignal,
): Promise<readonly { readonly id: string; readonly reason: string }[]> {
  const lines = Buffer.from(memories.map((memory) => `${JSON.stringify(memory)}\n`).join(''));
  const path = `/_memory/${encodeURIComponent(namespace)}/_bulk`;
  const { items } = await repeated(() => peer.json({ method: 'POST', path, lines, signal }), {
    tries: TRIES,
    signal,
  });
  if (!Array.isArray(items) || items.length !== memories.length) {
    throw peer.unusable('a bulk without an item for each memory');
  }
  return (items as readonly Json[]).flatMap((item, i) => {
    const { error } = memberOf(item);
    if (error === undefined) return [];
    return [{ id: String(memories[i]?.['id']), reason: String(memberOf(error)['reason']) }];
  });
}

interface Run {
  readonly peer: Peer;
  readonly journal: ImportJournal;
  readonly files: readonly string[];
}

async function withJournal(
  options: FileImportOptions,
  more: Readonly<Record<string, string>>,
  work: (run: Run) => Promise<FileReport>,
): Promise<FileReport> {
  const { to, stateFolder } = options;
  const files = options.files.map((file) => realpathSync(file));
  const stamps = files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return `${file} ${size} ${mtimeMs}`;
  });
  const identity = { to, files: stamps.join('\n'), ...more };
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24);
  const client = new OutboundClient(PLAIN_HTTP);
  const unlock = lockRun(join(stateFolder, `${name}.lock`), 'import of these files');
  const journal = new ImportJournal(join(stateFolder, `${name}.ndjson`), identity);
  try {
    const peer = servicePeer({ url: to, apiKey: options.apiKey, client });
    if (await isGone(peer, journal, options.signal)) journal.write([{ restart: true }], true);
    return await work({ peer, journal, files });
  } finally {
    journal.close();
    await client.close();
    unlock();
  }
}

/** Whether an index that holds a part of the files was deleted, or created again. */
async function isGone(peer: Peer, journal: ImportJournal, signal: AbortSignal): Promise<boolean> {
  const targets = new TargetIndexes({ peer, signal, onChange: () => {} });
  for (const { target, targetUuid } of journal.indexes.values()) {
    if ((await targets.uuidOf(target)) !== targetUuid) return true;
  }
  return false;
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** Writes batches of documents, and records up to where a file is stored. */
class Loader {
  readonly #run: Run;
  readonly #options: FileImportOptions;
  readonly #target: BulkTarget;
  readonly #writes = new OrderedWrites(WRITES_AT_ONCE);
  /** Ids that are being written. */
  readonly #inFlight = new Set<string>();
  readonly #refused: { readonly id: string; readonly reason: string }[] = [];
  readonly #ofBytes: number;
  #stored = 0;
  #bytes: number;

  constructor(run: Run, options: FileImportOptions) {
    this.#run = run;
    this.#options = options;
    this.#target = new BulkTarget({ peer: run.peer, signal: options.signal });
    this.#ofBytes = sizeOf(run.files);
    this.#bytes = run.files.reduce((sum, file) => sum + run.journal.bytesOf(file), 0);
  }

  async add(file: string, batch: readonly FileDocument[]): Promise<void> {
    this.#options.signal.throwIfAborted();
    const last = batch.at(-1);
    if (last === undefined) return;
    // Of two documents with the same id the later one stays.
    const keys = batch.map(({ index, id }) => `${index}\0${id}`);
    if (keys.some((key) => this.#inFlight.has(key))) await this.#writes.end();
    for (const key of keys) this.#inFlight.add(key);
    await this.#writes.add(
      () => this.#write(batch),
      () => {
        for (const key of keys) this.#inFlight.delete(key);
        this.#settle(file, batch, last.end);
      },
    );
  }

  async end(): Promise<void> {
    await this.#writes.end();
  }

  report(changes: readonly Change[]): FileReport {
    return { stored: this.#stored, refused: this.#refused.slice(0, MOST_SHOWN), changes };
  }

  async #write(batch: readonly FileDocument[]): Promise<void> {
    for (const index of new Set(batch.map((document) => document.index))) {
      const some = batch.filter((document) => document.index === index);
      for (const { document, reason } of await this.#target.write(index, some)) {
        this.#refused.push({ id: document.id, reason });
      }
      await this.#noteIndex(index);
    }
  }

  async #noteIndex(index: string): Promise<void> {
    const { journal, peer } = this.#run;
    if (journal.indexes.has(index)) return;
    const targets = new TargetIndexes({ peer, signal: this.#options.signal, onChange: () => {} });
    const targetUuid = await targets.uuidOf(index);
    if (targetUuid === undefined) return;
    journal.write([{ index: { name: index, uuid: '', target: index, targetUuid } }]);
  }

  #settle(file: string, batch: readonly FileDocument[], end: number): void {
    this.#stored += batch.length;
    if (end > 0) this.#run.journal.write([{ read: [file, end] }]);
    this.#bytes += batch.reduce((sum, { source }) => sum + (source?.length ?? 0), 0);
    const bytes = Math.min(this.#bytes, this.#ofBytes);
    this.#options.onProgress({ documents: this.#stored, bytes, ofBytes: this.#ofBytes });
  }
}

/** The mapping of the vectors of points, which grows as new vectors come. */
class QdrantFields {
  readonly changes: Change[] = [];
  readonly #peer: Peer;
  readonly #index: string;
  readonly #distance: string | undefined;
  readonly #signal: AbortSignal;
  readonly #distances = new Map<string, string>();
  readonly #mapped = new Set<string>();
  #isThere = false;

  constructor(peer: Peer, index: string, distance: string | undefined, signal: AbortSignal) {
    this.#peer = peer;
    this.#index = index;
    this.#distance = distance;
    this.#signal = signal;
  }

  describe(distances: ReadonlyMap<string, string>): void {
    for (const [name, distance] of distances) {
      similarityOf(distance);
      this.#distances.set(name, distance);
    }
  }

  async prepare({ vectors, kept }: QdrantPoint): Promise<void> {
    const properties: Record<string, Json> = {};
    for (const [name, dims] of vectors) {
      if (this.#mapped.has(name)) continue;
      const distance = this.#distances.get(name) ?? this.#distance;
      if (distance === undefined) {
        const reason =
          'the files do not say how vectors are compared: give --distance, or the answer of GET /collections/{name} as the first file';
        this.#change(name, 'compared by [cosine]', reason);
      }
      properties[name] = {
        type: 'dense_vector',
        dims,
        similarity: similarityOf(distance ?? 'Cosine'),
      };
    }
    for (const [name, what] of kept) {
      if (this.#mapped.has(name)) continue;
      properties[name] = { type: 'object', enabled: false };
      this.#change(name, 'kept in the documents, not searched', `it is ${what}`);
    }
    const names = Object.keys(properties);
    if (names.length === 0 && this.#isThere) return;
    await this.#put(properties);
    this.#isThere = true;
    for (const name of names) this.#mapped.add(name);
  }

  async #put(properties: JsonObject): Promise<void> {
    const path = `/${encodeURIComponent(this.#index)}`;
    if (!this.#isThere && (await this.#created(path, properties))) return;
    await this.#call(`${path}/_mapping`, { properties });
  }

  /** False if the index is there already. */
  async #created(path: string, properties: JsonObject): Promise<boolean> {
    try {
      await this.#call(path, { mappings: { properties } });
      return true;
    } catch (error) {
      if (error instanceof PeerError && error.message.includes('already exists')) return false;
      throw error;
    }
  }

  #call(path: string, body: JsonObject): Promise<JsonObject> {
    const signal = this.#signal;
    return repeated(() => this.#peer.json({ method: 'PUT', path, body, signal }), {
      tries: TRIES,
      signal,
    });
  }

  #change(field: string, now: string, reason: string): void {
    this.changes.push({ index: this.#index, what: `field [${field}]`, now, reason });
  }
}
