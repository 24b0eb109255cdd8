// A small index in this process, whose replies are the input of the measured codecs and which
// executes compiled plans, so that these are verified by their hits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAddon } from '../../src/native/addon.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { compileSearch } from '../../src/query/search-body.ts';
import { readFetchReply } from '../../src/wire/fetch-reader.ts';
import { readSearchReply } from '../../src/wire/hits-reader.ts';
import { type EncodableOperation, writeOperations } from '../../src/wire/ops-writer.ts';

const DOCS = 1000;
const COLORS = ['green', 'red', 'yellow'] as const;

export interface Fruit {
  readonly title: string;
  readonly kind: string;
  readonly price: number;
  readonly tag: string;
}

const MAPPINGS = {
  properties: {
    title: { type: 'text' },
    kind: { type: 'keyword' },
    price: { type: 'integer' },
    tag: { type: 'keyword' },
  },
};

export class FruitIndex {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'quarry-micro-'));
  readonly #addon = loadAddon();
  readonly number: number;
  /** The opcode table of the addon, read once as in the service. */
  readonly opcodes = this.#addon.opcodes();
  /** By id, which is the position. */
  readonly fruits: readonly Fruit[] = Array.from({ length: DOCS }, (_, i) => ({
    title: `${COLORS[i % COLORS.length]} apples of tree ${i}`,
    kind: i % 4 === 0 ? 'nut' : 'fruit',
    price: i % 12,
    tag: `tag-${i}`,
  }));

  constructor() {
    this.#addon.open(this.#dataDir, '{}');
    const settings = { number_of_shards: 1 };
    const spec = { name: 'fruits', number_of_shards: 1, settings, mappings: MAPPINGS };
    this.number = (JSON.parse(this.#addon.createIndex(JSON.stringify(spec))) as this).number;
    this.write(writeOperations(this.operations()));
    this.#addon.refresh(this.number, 0);
  }

  operations(): readonly EncodableOperation[] {
    return this.fruits.map((fruit, id) => ({
      op: 'index',
      index: this.number,
      id: String(id),
      source: Buffer.from(JSON.stringify(fruit)),
    }));
  }

  /** The item results of operations. */
  write(operations: Uint8Array): ArrayBuffer {
    return this.#addon.write(operations);
  }

  /** `hitsJson`: the core writes the page as the JSON text of its hits. */
  plan(body: object, hitsJson = false): Uint8Array {
    const context = {
      opcodes: this.opcodes,
      nowMs: 0,
      limits: DEFAULT_LIMITS,
      shards: 1,
      hitsJson,
    };
    return compileSearch(body as Parameters<typeof compileSearch>[0], context).plan;
  }

  search(plan: Uint8Array): ArrayBuffer {
    return this.#addon.search(new Uint32Array([this.number, 0]), plan);
  }

  /** The ids of the page that a plan finds, in order. */
  ids(plan: Uint8Array): readonly string[] {
    const { shards, fetch } = readSearchReply(this.search(plan));
    const page = fetch === undefined ? undefined : readFetchReply(fetch);
    if (shards[0]?.ok !== true || page?.ok !== true) throw new Error('the core sent no page');
    return page.documents.map(({ id }) => id);
  }

  close(): void {
    this.#addon.close(0);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}
