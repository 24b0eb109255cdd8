// Random documents with nested documents up to three levels deep: single objects, lists, empty
// lists, nulls in lists. Some are updated in part, written again or deleted before anything is asked.
import { must } from '../documents.ts';
import type { Capability, Send } from '../request.ts';
import { Chance } from './random.ts';

/** Indexes of the same documents, and their numbers of shards. */
export const NESTED_INDEXES: Readonly<Record<string, number>> = { nested1: 1, nested5: 5 };
const DOCS = 150;
const CHANGES = 60;
const MERGED_WITHIN_MS = 90_000;

interface DocsStats {
  readonly _all: { readonly primaries: { readonly docs: { readonly deleted: number } } };
}

export const WORDS = [
  'river',
  'stone',
  'winter',
  'garden',
  'window',
  'letter',
  'silver',
  'harbour',
];
export const NAMES = ['ann', 'bob', 'cid', 'dan', 'eve'];
export const TAGS = ['red', 'green', 'blue'];
export const DIMS = 4;

const TEXT = { type: 'text' };
const KEYWORD = { type: 'keyword' };
const INTEGER = { type: 'integer' };

function mappings(has: ReadonlySet<Capability>): object {
  const vector = {
    type: 'dense_vector',
    dims: DIMS,
    similarity: 'cosine',
    index: true,
    index_options: { type: 'hnsw' },
  };
  return {
    dynamic: false,
    properties: {
      tag: KEYWORD,
      n: INTEGER,
      title: TEXT,
      c: {
        type: 'nested',
        properties: {
          who: KEYWORD,
          n: INTEGER,
          text: TEXT,
          when: { type: 'date' },
          price: { type: 'double' },
          good: { type: 'boolean' },
          r: {
            type: 'nested',
            properties: {
              who: KEYWORD,
              n: INTEGER,
              text: TEXT,
              x: { type: 'nested', properties: { who: KEYWORD, n: { type: 'long' } } },
            },
          },
        },
      },
      o: {
        properties: { p: { type: 'nested', properties: { who: KEYWORD, n: { type: 'float' } } } },
      },
      i: {
        type: 'nested',
        include_in_root: true,
        properties: { who: KEYWORD, n: INTEGER, text: TEXT },
      },
      ...(has.has('vectors')
        ? { v: { type: 'nested', properties: { at: INTEGER, e: vector } } }
        : {}),
    },
  };
}

/** One object, null, or a list with nulls in it. */
function some(chance: Chance, make: () => object): unknown {
  const kind = chance.below(8);
  if (kind === 0) return null;
  if (kind < 3) return make();
  return chance.list(chance.below(5), () => (chance.oneIn(9) ? null : make()));
}

const words = (chance: Chance): string =>
  chance.list(1 + chance.below(5), () => chance.pick(WORDS)).join(' ');

/** A member that is there in `share` of 8 cases. */
const perhaps = (chance: Chance, share: number, name: string, value: () => unknown): object =>
  chance.below(8) < share ? { [name]: value() } : {};

const who = (chance: Chance): unknown =>
  chance.oneIn(6) ? [chance.pick(NAMES), chance.pick(NAMES)] : chance.pick(NAMES);
const number = (chance: Chance): unknown =>
  chance.oneIn(6) ? [chance.below(10), chance.below(10)] : chance.below(10);

function nameAndNumber(chance: Chance): object {
  return {
    ...perhaps(chance, 7, 'who', () => who(chance)),
    ...perhaps(chance, 7, 'n', () => number(chance)),
  };
}

function reply(chance: Chance): object {
  return {
    ...nameAndNumber(chance),
    ...perhaps(chance, 6, 'text', () => words(chance)),
    ...perhaps(chance, 4, 'x', () => some(chance, () => nameAndNumber(chance))),
  };
}

function comment(chance: Chance): object {
  return {
    ...nameAndNumber(chance),
    ...perhaps(chance, 7, 'text', () => words(chance)),
    ...perhaps(chance, 6, 'when', () => Date.UTC(2024, chance.below(12), 1 + chance.below(28))),
    ...perhaps(chance, 6, 'price', () => chance.below(4000) / 100),
    ...perhaps(chance, 6, 'good', () => chance.oneIn(2)),
    ...perhaps(chance, 4, 'r', () => some(chance, () => reply(chance))),
  };
}

export const vectorOf = (chance: Chance): number[] =>
  chance.list(DIMS, () => Math.round((chance.next() * 2 - 1) * 10_000) / 1000);

function document(chance: Chance, has: ReadonlySet<Capability>): object {
  return {
    tag: chance.pick(TAGS),
    n: chance.below(10),
    title: words(chance),
    ...perhaps(chance, 7, 'c', () => some(chance, () => comment(chance))),
    ...perhaps(chance, 4, 'o', () => ({ p: some(chance, () => nameAndNumber(chance)) })),
    ...perhaps(chance, 4, 'i', () =>
      some(chance, () => ({
        ...nameAndNumber(chance),
        ...perhaps(chance, 4, 'text', () => words(chance)),
      })),
    ),
    ...(has.has('vectors')
      ? perhaps(chance, 6, 'v', () =>
          chance.list(chance.below(6), () => ({ at: chance.below(10), e: vectorOf(chance) })),
        )
      : {}),
  };
}

/** The lines of `_bulk`: all documents, and then the changes. */
function lines(chance: Chance, has: ReadonlySet<Capability>): readonly (readonly object[])[] {
  const all: object[] = [];
  for (let i = 0; i < DOCS; i++) {
    all.push({ index: { _id: `d${i}` } }, document(chance, has));
  }
  const changes: object[] = [];
  const deleted = new Set<string>();
  for (let i = 0; i < CHANGES; i++) {
    const id = `d${chance.below(DOCS)}`;
    if (deleted.has(id)) continue;
    if (i % 3 === 0) {
      deleted.add(id);
      changes.push({ delete: { _id: id } });
    } else if (i % 3 === 1) {
      const c = chance.list(chance.below(4), () => comment(chance));
      changes.push({ update: { _id: id } }, { doc: { c, n: chance.below(10) } });
    } else {
      changes.push({ index: { _id: id } }, document(chance, has));
    }
  }
  return [all, changes];
}

/**
 * Merges all deleted documents away, which count in scores until then. Elasticsearch keeps them for
 * replicas, and notices every 30 s that nobody needs them any more.
 */
async function mergeDeleted(send: Send, index: string): Promise<void> {
  for (const until = Date.now() + MERGED_WITHIN_MS; Date.now() < until; ) {
    await must(send, 'POST', `/${index}/_flush?force=true`);
    await must(send, 'POST', `/${index}/_forcemerge?max_num_segments=1`);
    await must(send, 'POST', `/${index}/_refresh`);
    const { json } = await send('GET', `/${index}/_stats/docs`);
    if ((json as DocsStats)._all.primaries.docs.deleted === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error(`deleted documents of ${index} were not merged away`);
}

/** Makes the indexes on a server anew. */
export async function loadNested(
  send: Send,
  has: ReadonlySet<Capability>,
  seed: number,
): Promise<void> {
  const bodies = lines(new Chance(seed), has).map(
    (rows) => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`,
  );
  for (const [index, shards] of Object.entries(NESTED_INDEXES)) {
    await send('DELETE', `/${index}?ignore_unavailable=true`);
    await must(send, 'PUT', `/${index}`, {
      settings: { number_of_shards: shards, number_of_replicas: 0 },
      mappings: mappings(has),
    });
    for (const body of bodies) await must(send, 'POST', `/${index}/_bulk?refresh=true`, body);
  }
  for (const index of Object.keys(NESTED_INDEXES)) await mergeDeleted(send, index);
}
