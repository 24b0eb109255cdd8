// Writes with vectors of remote embedders: the engine lists the texts, the services return the
// vectors, and the write includes them. No lock is held meanwhile; the engine rejects the write of
// a document that changed in between. Writes to indexes without such fields are passed on directly.
import type { TextResult } from '../../embed/answer-reader.js';
import { type Hash128, writeVectors } from '../../wire/vectors-writer.js';
import { readWantedTexts, type WantedTexts } from '../../wire/wanted-texts.js';
import type { TaskResult } from '../../worker/tasks.js';
import type { TaskRunner } from '../shards/pools.js';
import type { NameTable } from './bulk-name-table.js';

export interface VectorMaker {
  /**
   * Runs `work` with one result per text; memory for the results is reserved until it has finished.
   */
  whileEmbedded<T>(
    wanted: readonly WantedTexts[],
    work: (results: readonly (readonly TextResult[])[]) => Promise<T>,
  ): Promise<T>;
}

type Bytes = Uint8Array<ArrayBuffer>;

export class EmbeddedWrites {
  readonly #tasks: TaskRunner;
  readonly #maker: VectorMaker;
  readonly #hash128: Hash128;

  constructor(tasks: TaskRunner, maker: VectorMaker, hash128: Hash128) {
    this.#tasks = tasks;
    this.#maker = maker;
    this.#hash128 = hash128;
  }

  /**
   * Runs the `write` task. `embeds`: the index has such fields; if not, `operations` is transferred
   * to the worker.
   */
  async write(operations: Bytes, embeds: boolean): Promise<ArrayBuffer> {
    if (!embeds) return this.#tasks.run('write', { operations }, buffers(operations));
    const run = (vectors?: Bytes): Promise<ArrayBuffer> =>
      this.#tasks.run('write', { operations, ...carried(vectors) }, buffers(vectors));
    const { texts } = await this.#tasks.run('pendingTexts', { request: operations });
    return this.#withVectors(texts, run);
  }

  /**
   * Runs the `bulk` task; `body` is transferred to the worker and returned in the reply. `embeds`:
   * see mayEmbed().
   */
  async bulk(request: Bytes, body: Bytes, embeds: boolean): Promise<TaskResult<'bulk'>> {
    let moved = body;
    const run = (vectors?: Bytes): Promise<TaskResult<'bulk'>> =>
      this.#tasks.run(
        'bulk',
        { request, body: moved, ...carried(vectors) },
        buffers(moved, vectors),
      );
    if (!embeds) return run();
    const listed = await this.#tasks.run('pendingTexts', { request, body }, [body.buffer]);
    moved = listed.body as Bytes;
    return this.#withVectors(listed.texts, run);
  }

  /**
   * A text that a service failed to embed is passed on as a failure, which the engine turns into
   * the error of its document.
   */
  #withVectors<T>(listed: ArrayBuffer, write: (vectors?: Bytes) => Promise<T>): Promise<T> {
    const wanted = readWantedTexts(listed);
    if (wanted.length === 0) return write();
    return this.#maker.whileEmbedded(wanted, (results) => {
      const made = wanted.map((one, i) => ({ ...one, results: results[i] ?? [] }));
      return write(writeVectors(made, this.#hash128));
    });
  }
}

/** True if an NDJSON body may contain documents of an index with remote embedders. */
export function mayEmbed(names: NameTable, body: Uint8Array, defaultIndex?: string): boolean {
  for (const [name, entry] of names.targets()) {
    if (entry.embedders.size === 0) continue;
    if (name === defaultIndex || mayMention(body, name)) return true;
  }
  return false;
}

/** Compares the bytes of names; a body with escaped characters may contain any name. */
function mayMention(body: Uint8Array, name: string): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return !/^[\x20-\x7e]*$/.test(name) || bytes.includes(name) || bytes.includes('\\u00');
}

function carried(vectors: Bytes | undefined): { readonly vectors?: Uint8Array } {
  return vectors === undefined ? {} : { vectors };
}

function buffers(...moved: readonly (Bytes | undefined)[]): ArrayBuffer[] {
  return moved.flatMap((bytes) => (bytes === undefined ? [] : [bytes.buffer]));
}
