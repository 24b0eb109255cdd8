// The completion suggester compared with a naive one that examines every input of every document:
// same options in the same order for any number of shards, with deletes and updates, before and
// after merges and a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 15 : 7));
const PATIENCE_MS = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'quarry-completion-'));
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ dataDir: folder });
}, PATIENCE_MS);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const word = fc
  .array(fc.constantFrom('a', 'b', 'É', '東'), { minLength: 1, maxLength: 4 })
  .map((characters) => characters.join(''));
const input = fc.oneof(
  word,
  fc.tuple(word, word).map(([a, b]) => `${a} ${b}`),
);
const entry = fc.record({ input, weight: fc.nat(4) });
const entries = fc.uniqueArray(entry, {
  minLength: 1,
  maxLength: 3,
  selector: ({ input: text }) => text,
});
const write = fc.oneof(
  { weight: 5, arbitrary: fc.record({ id: fc.nat(20), entries }) },
  { weight: 1, arbitrary: fc.record({ id: fc.nat(20) }) },
);
const requested = fc.record({
  prefix: fc.oneof(word, input),
  size: fc.integer({ min: 1, max: 8 }),
  skip_duplicates: fc.boolean(),
});

type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;
type CompletionRequest = typeof requested extends fc.Arbitrary<infer T> ? T : never;

const keyOf = (text: string): string => text.toLowerCase().split(' ').join('\u001f');
const points = (text: string): readonly number[] => [...text].map((one) => one.codePointAt(0) ?? 0);
function compare(a: string, b: string): number {
  const [left, right] = [points(a), points(b)];
  const at = left.findIndex((point, i) => point !== right[i]);
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

interface HeldDocument {
  readonly entries: readonly { readonly input: string; readonly weight: number }[];
}

/**
 * Only texts and scores are compared, because the choice among documents with the same input
 * depends on their location.
 */
function naive(
  docs: ReadonlyMap<number, HeldDocument>,
  { prefix, size, skip_duplicates: skip }: CompletionRequest,
) {
  const order = (a: { input: string; weight: number }, b: { input: string; weight: number }) =>
    b.weight - a.weight || compare(keyOf(a.input), keyOf(b.input)) || compare(a.input, b.input);
  const best = [...docs.values()]
    .flatMap((doc) =>
      doc.entries
        .filter((one) => keyOf(one.input).startsWith(keyOf(prefix)))
        .sort(order)
        .slice(0, 1),
    )
    .sort(order);
  const seen = new Set<string>();
  const chosen = skip ? best.filter((one) => !seen.has(one.input) && seen.add(one.input)) : best;
  return chosen
    .slice(0, size)
    .sort((a, b) => b.weight - a.weight || compare(a.input, b.input))
    .map((one) => [one.input, one.weight]);
}

async function found(index: string, { prefix, ...options }: CompletionRequest) {
  const reply = await server.call('POST', `/${index}/_search`, {
    suggest: { s: { prefix, completion: { field: 'c', ...options } } },
  });
  expect(reply.status).toBe(200);
  const [first] = reply.json.suggest.s;
  for (const option of first.options) {
    const inputs = option._source.c.map((one: { input: string }) => one.input);
    expect(inputs).toContain(option.text);
  }
  return first.options.map((one: { text: string; _score: number }) => [one.text, one._score]);
}

let run = 0;

async function play(index: string, writes: readonly Write[], docs: Map<number, HeldDocument>) {
  for (const [i, one] of writes.entries()) {
    const lines =
      'entries' in one
        ? [JSON.stringify({ index: { _id: `${one.id}` } }), JSON.stringify({ c: one.entries })]
        : [JSON.stringify({ delete: { _id: `${one.id}` } })];
    const refresh = i % 7 === 6 ? '?refresh=true' : '';
    if ('entries' in one) await bulk(server, `/${index}/_bulk${refresh}`, lines);
    else await server.call('DELETE', `/${index}/_doc/${one.id}${refresh}`);
    if ('entries' in one) docs.set(one.id, one);
    else docs.delete(one.id);
  }
  await server.call('POST', `/${index}/_refresh`);
}

/**
 * For a document with several inputs the best one counts, which makes the result of skip_duplicates
 * ambiguous.
 */
const comparable = (docs: ReadonlyMap<number, HeldDocument>, one: CompletionRequest): boolean =>
  !one.skip_duplicates || [...docs.values()].every((doc) => doc.entries.length === 1);

test(
  'the completions of a naive suggester',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 1, maxLength: 30 }),
        fc.array(requested, { minLength: 3, maxLength: 6 }),
        fc.integer({ min: 1, max: 3 }),
        async (writes, questions, shards) => {
          const index = `c${run}`;
          run += 1;
          await server.call('PUT', `/${index}`, {
            settings: { number_of_shards: shards },
            mappings: { properties: { c: { type: 'completion' } } },
          });
          const docs = new Map<number, HeldDocument>();
          await play(index, writes, docs);
          const check = async (): Promise<void> => {
            for (const one of questions) {
              if (comparable(docs, one)) expect(await found(index, one)).toEqual(naive(docs, one));
            }
          };
          await check();
          for (const path of ['_flush', '_forcemerge?max_num_segments=1']) {
            const { status, json } = await server.call('POST', `/${index}/${path}`);
            expect({ status, json }).toMatchObject({
              status: 200,
              json: { _shards: { failed: 0 } },
            });
          }
          await check();
          if (run % 5 === 0) {
            await server.stop();
            server = await startServer({ dataDir: folder });
            await check();
          }
          await server.call('DELETE', `/${index}`);
        },
      ),
      { numRuns: RUNS },
    ),
  PATIENCE_MS,
);
