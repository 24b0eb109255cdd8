// The term suggester compared with a naive one that compares a word with every word of every
// document: same suggestions, scores and counts for any number of shards, indexes and segments.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 25 : 12));
const PATIENCE_MS = 120_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, PATIENCE_MS);
afterAll(async () => {
  await server?.stop();
});

/** Words over few letters, so that many are similar. */
const word = fc
  .array(fc.constantFrom('a', 'b', 'c', 'é'), { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(''));
const documents = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 40,
});
const options = fc.record({
  suggest_mode: fc.constantFrom('missing', 'popular', 'always'),
  max_edits: fc.constantFrom(1, 2),
  prefix_length: fc.constantFrom(0, 1, 2),
  min_word_length: fc.constantFrom(1, 3),
  max_term_freq: fc.constantFrom(0.2, 1, 3),
  min_doc_freq: fc.constantFrom(0, 0.1, 2),
  max_inspections: fc.constantFrom(1, 5),
  sort: fc.constantFrom('score', 'frequency'),
  size: fc.constantFrom(1, 3, 6),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;

/** Optimal string alignment, by its definition. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1) ? 0 : 1;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const ways = [edits(x, b) + 1, edits(a, y) + 1, edits(x, y) + same];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    ways.push(edits(x.slice(0, -1), y.slice(0, -1)) + 1);
  }
  return Math.min(...ways);
}

interface Option {
  readonly text: string;
  readonly score: number;
  readonly freq: number;
}

function naive(text: string, docs: readonly (readonly string[])[], given: Options): Option[] {
  const frequency = (term: string): number => docs.filter((doc) => doc.includes(term)).length;
  const own = frequency(text);
  const { max_term_freq: most, min_doc_freq: least, prefix_length: prefix } = given;
  const common = most >= 1 ? own > most : own > Math.ceil(Math.fround(most) * docs.length);
  if (text.length < given.min_word_length || common) return [];
  if (given.suggest_mode === 'missing' && own > 0) return [];
  const floor = Math.max(
    given.suggest_mode === 'popular' ? own : 0,
    least >= 1 ? least : least === 0 ? 0 : Math.trunc(Math.fround(least) * docs.length) - 1,
  );
  const all = [...new Set(docs.flat())]
    .filter((term) => term !== text && term.slice(0, prefix) === text.slice(0, prefix))
    .map((term) => ({ text: term, edits: edits(text, term), freq: frequency(term) }))
    .map((one) => ({
      ...one,
      score: Math.fround(1 - one.edits / Math.min(text.length, one.text.length)),
    }))
    .filter(({ freq, score }) => freq > floor && score >= 0.5);
  // Sizes below five count as five.
  const shard = Math.max(given.size, 5);
  const room = shard * given.max_inspections;
  const first = (list: typeof all): typeof all =>
    list.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1)).slice(0, room);
  const near = first(all.filter((one) => one.edits === 1));
  const far =
    given.max_edits === 2 && near.length < room
      ? first(all.filter((one) => one.edits <= 2 && one.text[0] === text[0]))
      : [];
  const byScore = (a: Option, b: Option): number => b.score - a.score;
  const byCount = (a: Option, b: Option): number => b.freq - a.freq;
  const orders = given.sort === 'score' ? [byScore, byCount] : [byCount, byScore];
  return [...new Set([...near, ...far])]
    .sort((a, b) => orders[0]?.(a, b) || orders[1]?.(a, b) || (a.text < b.text ? -1 : 1))
    .slice(0, Math.min(given.size, shard))
    .map(({ text: found, score, freq }) => ({ text: found, score, freq }));
}

let run = 0;

async function load(docs: readonly (readonly string[])[], shards: number): Promise<string> {
  const names = [`s${run}-a`, `s${run}-b`];
  run += 1;
  for (const name of names) {
    await server.call('PUT', `/${name}`, {
      settings: { number_of_shards: shards },
      mappings: { properties: { t: { type: 'text' } } },
    });
  }
  const half = Math.ceil(docs.length / 2);
  for (const [at, part] of [docs.slice(0, half), docs.slice(half)].entries()) {
    const lines = part.flatMap((doc, i) => [
      JSON.stringify({ index: { _index: names[(i + at) % 2] } }),
      JSON.stringify({ t: doc.join(' ') }),
    ]);
    if (lines.length > 0) await bulk(server, '/_bulk?refresh=true', lines);
  }
  return names.join(',');
}

test(
  'the suggestions of a naive suggester',
  () =>
    fc.assert(
      fc.asyncProperty(
        documents,
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.tuple(word, options), { minLength: 4, maxLength: 8 }),
        async (docs, shards, requested) => {
          const names = await load(docs, shards);
          for (const [text, given] of requested) {
            const reply = await server.call('POST', `/${names}/_search`, {
              suggest: { s: { text, term: { field: 't', ...given } } },
            });
            const [entry] = (reply.json as { suggest: { s: { options: Option[] }[] } }).suggest.s;
            const found = entry?.options.map((one) => ({ ...one, score: Math.fround(one.score) }));
            const expected = naive(text, docs, given);
            expect(found?.map(({ text: term, freq }) => [term, freq])).toEqual(
              expected.map(({ text: term, freq }) => [term, freq]),
            );
            for (const [i, one] of expected.entries()) {
              expect(found?.[i]?.score).toBeCloseTo(one.score, 6);
            }
          }
          await server.call('DELETE', `/${names}`);
        },
      ),
      { numRuns: RUNS },
    ),
  PATIENCE_MS,
);
