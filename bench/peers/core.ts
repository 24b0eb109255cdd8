// This project as a library: the core in this process, with the plan that the service would send,
// reading ids and sources.
import { loadAddon } from '../../src/native/addon.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { compileSearch } from '../../src/query/search-body.ts';
import { readFetchReply } from '../../src/wire/fetch-reader.ts';
import { readSearchReply } from '../../src/wire/hits-reader.ts';
import type { Best } from './contest.ts';

export class Core {
  readonly #addon = loadAddon();
  /** The opcode table of the addon, read once as in the service. */
  readonly #opcodes = this.#addon.opcodes();
  readonly #numbers: ReadonlyMap<string, number>;

  /** Opens a folder that a server has written. */
  constructor(dataDir: string) {
    this.#addon.open(dataDir, '{}');
    const indices = JSON.parse(this.#addon.describeAll()) as { name: string; number: number }[];
    this.#numbers = new Map(indices.map(({ name, number }) => [name, number]));
  }

  plan(body: object): Uint8Array {
    const { plan } = compileSearch(body as Parameters<typeof compileSearch>[0], {
      opcodes: this.#opcodes,
      nowMs: Date.now(),
      limits: DEFAULT_LIMITS,
    });
    return plan;
  }

  /** Returns the response without decoding it. */
  run(index: string, plan: Uint8Array): ArrayBuffer {
    return this.#addon.search(new Uint32Array([this.#numbers.get(index) ?? 0, 0]), plan);
  }

  search(index: string, body: object): Best {
    const { shards, fetch } = readSearchReply(this.run(index, this.plan(body)));
    const [hits] = shards;
    if (hits?.ok !== true) throw new Error(`the core answers ${hits?.reason}`);
    const page = fetch === undefined ? undefined : readFetchReply(fetch);
    if (page?.ok !== true) throw new Error('the core sent no page');
    return page.documents.map(({ id }) => id);
  }

  /** Exact counts of the work of a word search. */
  work(index: string, plan: Uint8Array): Readonly<Record<string, number>> {
    const [hits] = readSearchReply(this.run(index, plan)).shards;
    if (hits?.ok !== true) throw new Error(`the core answers ${hits?.reason}`);
    const { blocksDecoded: blocks, docsScored: scored, positionsRead: positions } = hits;
    return { blocks, scored, positions, terms: hits.termsVisited, bytes: hits.postingsBytes };
  }

  close(): void {
    this.#addon.close(0);
  }
}
