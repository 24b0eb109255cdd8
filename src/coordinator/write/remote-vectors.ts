// Writes with vectors from embedders beyond this process: the engine lists the texts, the services give vectors, the write
// carries them. Nothing is locked meanwhile; a document that changes in between is refused by the engine. Writes to indexes
// without such fields go straight through.
import type { TextResult } from '../../embed/answer-reader.js';
import { type Hash128, writeVectors } from '../../wire/vectors-writer.js';
import { readWantedTexts, type WantedTexts } from '../../wire/wanted-texts.js';
import type { TaskResult } from '../../worker/tasks.js';
import type { TaskRunner } from '../shards/pools.js';
import type { NameTable } from './bulk-name-table.js';

export interface VectorMaker {
  /** Runs `work` with one result a text; room for them is kept until it is done. */
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

  /** The `write` task. `embeds`: the index has such fields; `operations` are moved away unless it has. */
  async write(operations: Bytes, embeds: boolean): Promise<ArrayBuffer> {
    if (!embeds) return this.#tasks.run('write', { operations }, buffers(operations));
    const run = (vectors?: Bytes): Promise<ArrayBuffer> =>
      this.#tasks.run('write', { operations, ...carried(vectors) }, buffers(vectors));
    const { texts } = await this.#tasks.run('pendingTexts', { request: operations });
    return this.#withVectors(texts, run);
  }

  /** The `bulk` task; `body` is moved and comes back in the answer. `embeds`: see mayEmbed(). */
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

  /** What a service did not give is in the vectors as a failure, which the engine makes the error of its document. */
  #withVectors<T>(listed: ArrayBuffer, write: (vectors?: Bytes) => Promise<T>): Promise<T> {
    const wanted = readWantedTexts(listed);
    if (wanted.length === 0) return write();
    return this.#maker.whileEmbedded(wanted, (results) => {
      const made = wanted.map((one, i) => ({ ...one, results: results[i] ?? [] }));
      return write(writeVectors(made, this.#hash128));
    });
  }
}

/** Whether an NDJSON body may hold documents of an index with embedders beyond this process. */
export function mayEmbed(names: NameTable, body: Uint8Array, defaultIndex?: string): boolean {
  for (const [name, entry] of names.targets()) {
    if (entry.embedders.size === 0) continue;
    if (name === defaultIndex || mayMention(body, name)) return true;
  }
  return false;
}

/** Names are compared as they are written; a body with escaped letters may name anything. */
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
