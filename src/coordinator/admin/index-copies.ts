// Copies of whole indexes as files, for snapshots: pins of the engine that are read in pieces, and
// folders that become indexes. The background pool does the work, or a write thread while the
// background pool is busy with a merge.
import type {
  FilledCopy,
  IndexCopies,
  IndexRestore,
  JsonObject,
  PinnedFile,
  PinnedIndex,
  RestoreFolder,
} from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import type { ShardRef } from '../../worker/tasks.js';
import type { Catalog, IndexEntry } from '../catalog/catalog.js';
import { shardsOf } from '../catalog/index-shards.js';
import { parseJson } from '../catalog/json-text.js';
import type { TaskRunner, WorkerPools } from '../shards/pools.js';
import type { IndexAdmin } from './index-admin.js';

export interface LocalCopiesOptions {
  readonly catalog: Catalog;
  readonly admin: Pick<IndexAdmin, 'adopt' | 'checkAdoption'>;
  readonly pools: Pick<WorkerPools, 'background' | 'write'>;
  readonly flush: (shard: ShardRef) => Promise<void>;
  /** Throws QuarryErrors. */
  readonly rename: IndexCopies['rename'];
}

interface EnginePin {
  readonly pin: number;
  readonly documents: number;
  readonly description: JsonObject;
  readonly files: readonly PinnedFile[];
}

export class LocalCopies implements IndexCopies {
  readonly #options: LocalCopiesOptions;

  constructor(options: LocalCopiesOptions) {
    this.#options = options;
  }

  async pin(index: string): Promise<PinnedIndex> {
    const [target] = this.#options.catalog.resolve(index, { ignoreAliases: true });
    const entry = target?.index as IndexEntry;
    // A copy contains only segments on disk: a segment in memory would become a different file with
    // each copy.
    for (const shard of shardsOf(entry)) await this.#options.flush(shard);
    const json = await this.#tasks.run('pinIndex', { index: entry.number });
    const { pin, documents, description, files } = parseJson(json) as unknown as EnginePin;
    return { pin, uuid: entry.uuid, shards: entry.shards, documents, description, files };
  }

  async read(pin: number, file: number, offset: number, length: number): Promise<Uint8Array> {
    const task = { pin, file, offset: BigInt(offset), length };
    return new Uint8Array(await this.#tasks.run('readPinned', task));
  }

  async release(pin: number): Promise<void> {
    await this.#tasks.run('unpin', { pin });
  }

  readonly rename: IndexCopies['rename'] = (...requested) => this.#options.rename(...requested);

  checkRestore(restore: IndexRestore): void {
    this.#options.admin.checkAdoption(restore);
  }

  async prepare(shards: number, bytes: number): Promise<RestoreFolder> {
    const request = plainJson({ number_of_shards: shards, bytes });
    const json = await this.#tasks.run('prepareRestore', { request });
    return JSON.parse(json) as RestoreFolder;
  }

  async verify(target: RestoreFolder, shards: number, files: readonly PinnedFile[]): Promise<void> {
    const listed = files.filter(({ key }) => key !== '');
    const request = plainJson({ number_of_shards: shards, files: listed });
    await this.#tasks.run('checkRestore', { restore: target.number, request });
  }

  async finish(copies: readonly FilledCopy[]): Promise<void> {
    await this.#options.admin.adopt(copies);
  }

  async abort(target: RestoreFolder): Promise<void> {
    await this.#tasks.run('abortRestore', { restore: target.number });
  }

  get #tasks(): TaskRunner {
    const { background, write } = this.#options.pools;
    return background.idle > 0 ? background : write;
  }
}
