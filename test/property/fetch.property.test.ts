// Laws of the fetch phase, over random texts: fragments without their tags are pieces of the
// field's text, marks are whole words of the query, html is escaped; collapsed pages are equal to a
// naive reference over all hits, and rescoring is the same for any number of shards.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 40 : 20));
const PATIENCE_MS = 120_000;
const WORDS = ['ant', 'bee', 'Größe', 'naïve', 'dog', '東', '🦊', 'e\u0301clair'];
const BETWEEN = [' ', ' ', ' ', '. ', '! ', ', ', ' "', '\n', ' <b>', ' & ', ".' ", ' 5.3 ', '。'];
const OPEN = '⟦';
const CLOSE = '⟧';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const properties = { k: { type: 'keyword' }, n: { type: 'integer' }, t: { type: 'text' } };
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    await server.call('PUT', `/${index}`, {
      settings: { number_of_shards: shards },
      mappings: { properties },
    });
    const lines = Array.from({ length: 90 }, (_, i) => [
      JSON.stringify({ index: { _id: `d${(i * 37) % 90}` } }),
      JSON.stringify({
        ...(i % 7 === 0 ? {} : { k: `g${(i * i) % 11}` }),
        n: (i * 53) % 31,
        t: WORDS.filter((_, word) => (i >> word) % 2 === 1).join(' '),
      }),
    ]).flat();
    await bulk(server, `/${index}/_bulk?refresh=true`, lines);
  }
  await server.call('PUT', '/texts', { mappings: { properties: { t: { type: 'text' } } } });
}, PATIENCE_MS);
afterAll(async () => {
  await server?.stop();
});

const texts = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...BETWEEN)), {
    minLength: 1,
    maxLength: 25,
  })
  .map((pieces) => pieces.flat().join(''));

const lower = (text: string): string => text.toLowerCase();
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
    .replaceAll('/', '&#x2F;');

async function fragmentsOf(values: readonly string[], word: string, options: object) {
  await server.call('PUT', '/texts/_doc/1?refresh=true', { t: values });
  const reply = await server.call('POST', '/texts/_search', {
    query: { match: { t: word } },
    highlight: { pre_tags: [OPEN], post_tags: [CLOSE], fields: { t: options } },
  });
  const [hit] = (reply.json as { hits: { hits: { highlight?: { t: string[] } }[] } }).hits.hits;
  return { matched: hit !== undefined, fragments: hit?.highlight?.t ?? [] };
}

const options = fc.record({
  fragment_size: fc.integer({ min: 0, max: 80 }),
  number_of_fragments: fc.integer({ min: 0, max: 4 }),
  boundary_scanner: fc.constantFrom('sentence', 'word', 'chars'),
});

describe('highlighted fragments', () => {
  test(
    'are pieces of the text, with whole words of the query between tags',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(texts, { minLength: 1, maxLength: 3 }),
          fc.constantFrom(...WORDS),
          options,
          async (values, word, requested) => {
            const { matched, fragments } = await fragmentsOf(values, word, requested);
            expect(fragments.length > 0).toBe(matched);
            for (const fragment of fragments) {
              const bare = fragment.replaceAll(OPEN, '').replaceAll(CLOSE, '');
              expect(values.some((value) => value.includes(bare))).toBe(true);
              const marks = [...fragment.matchAll(/⟦([^⟧]*)⟧/gu)];
              expect(marks.length).toBeGreaterThan(0);
              for (const [, mark = ''] of marks) expect(lower(mark)).toBe(lower(word));
            }
          },
        ),
        { numRuns: RUNS },
      ),
    PATIENCE_MS,
  );

  test(
    'are escaped but for their tags',
    () =>
      fc.assert(
        fc.asyncProperty(texts, fc.constantFrom(...WORDS), async (value, word) => {
          await server.call('PUT', '/texts/_doc/1?refresh=true', { t: value });
          const reply = await server.call('POST', '/texts/_search', {
            query: { match: { t: word } },
            highlight: { encoder: 'html', number_of_fragments: 0, fields: { t: {} } },
          });
          const { hits } = (reply.json as { hits: { hits: { highlight: { t: string[] } }[] } })
            .hits;
          for (const { highlight } of hits) {
            const bare = highlight.t[0]?.replaceAll('<em>', '').replaceAll('</em>', '');
            expect(bare).toBe(escaped(value).trim());
          }
        }),
        { numRuns: RUNS },
      ),
    PATIENCE_MS,
  );
});

interface Hit {
  readonly _id: string;
  readonly _score: number;
  readonly fields?: { readonly k?: readonly string[] };
}

async function hitsOf(index: string, body: object): Promise<readonly Hit[]> {
  const reply = await server.call('POST', `/${index}/_search`, { _source: false, ...body });
  return (reply.json as { hits: { hits: Hit[] } }).hits.hits;
}

const pages = fc.record({
  from: fc.integer({ min: 0, max: 6 }),
  size: fc.integer({ min: 1, max: 12 }),
});

describe.each(['one', 'three'])('a collapsed search of %s', (index) => {
  test(
    'shows the first of each group of all hits',
    () =>
      fc.assert(
        fc.asyncProperty(
          pages,
          fc.constantFrom<object>({}, { sort: [{ n: 'desc' }] }, { sort: ['n', '_score'] }),
          fc.constantFrom(...WORDS),
          async ({ from, size }, order, word) => {
            const body = { query: { match: { t: word } }, docvalue_fields: ['k'], ...order };
            const seen = new Set<string>();
            const first = (await hitsOf(index, { ...body, size: 90 })).filter(({ fields }) => {
              const group = fields?.k?.[0] ?? '';
              return !seen.has(group) && seen.add(group);
            });
            const collapsed = await hitsOf(index, {
              ...body,
              from,
              size,
              collapse: { field: 'k' },
            });
            expect(collapsed).toEqual(first.slice(from, from + size));
          },
        ),
        { numRuns: RUNS },
      ),
    PATIENCE_MS,
  );
});

test(
  'rescoring does not depend on the number of shards',
  () =>
    fc.assert(
      fc.asyncProperty(
        pages,
        fc.integer({ min: 0, max: 30 }),
        fc.constantFrom('total', 'multiply', 'avg', 'max', 'min'),
        fc.constantFrom(...WORDS),
        async ({ from, size }, window, mode, word) => {
          const rescore = {
            window_size: window,
            query: { rescore_query: { term: { k: 'g4' } }, query_weight: 0.5, score_mode: mode },
          };
          const body = { query: { match: { t: word } }, from, size, rescore };
          const shown = async (index: string) =>
            (await hitsOf(index, body)).map(({ _id, _score }) => [_id, _score]);
          expect(await shown('three')).toEqual(await shown('one'));
        },
      ),
      { numRuns: RUNS },
    ),
  PATIENCE_MS,
);
