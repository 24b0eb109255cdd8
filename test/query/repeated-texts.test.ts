// Texts of a request that its answer repeats for every hit or bucket: a long one is refused, since ten
// thousand hits with a text of a megabyte each are an answer of ten gigabytes.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { MOST_REPEATED } from '../../src/query/list-limits.ts';
import { compile, refusal } from './compile.ts';

const inside = (body: JsonObject): JsonObject => ({
  aggs: { a: { terms: { field: 'k' }, aggs: { b: body } } },
});
const named = (query: JsonObject): JsonObject => ({ query });
const highlighted = (tags: JsonObject): JsonObject => ({
  query: { match_all: {} },
  highlight: { ...tags, fields: { t: {} } },
});

test.each<[string, (text: string) => JsonObject]>([
  ['the name of an aggregation', (text) => ({ aggs: { [text]: { max: { field: 'n' } } } })],
  [
    'the name of an aggregation inside',
    (text) => ({
      aggs: { a: { terms: { field: 'k' }, aggs: { [text]: { max: { field: 'n' } } } } },
    }),
  ],
  [
    'the name of a pipeline aggregation',
    (text) => ({
      aggs: {
        a: {
          histogram: { field: 'n', interval: 1 },
          aggs: { m: { max: { field: 'n' } }, [text]: { derivative: { buckets_path: 'm' } } },
        },
      },
    }),
  ],
  [
    'a format',
    (text) => inside({ date_histogram: { field: 'd', fixed_interval: '1d', format: text } }),
  ],
  ['a substitute for missing values', (text) => inside({ terms: { field: 'k', missing: text } })],
  [
    'the key of a filter',
    (text) => inside({ filters: { filters: { [text]: { match_all: {} } } } }),
  ],
  [
    'the key of other documents',
    (text) => inside({ filters: { filters: { f: { match_all: {} } }, other_bucket_key: text } }),
  ],
  [
    'the key of a range',
    (text) => inside({ range: { field: 'n', ranges: [{ key: text, from: 1 }] } }),
  ],
  [
    'the name of a source',
    (text) => ({
      aggs: { a: { composite: { sources: [{ [text]: { terms: { field: 'k' } } }] } } },
    }),
  ],
  ['the name of a match', (text) => named({ match: { t: { query: 'x', _name: text } } })],
  ['the name of a range', (text) => named({ range: { n: { gte: 1 }, _name: text } })],
  ['the name of a bool', (text) => named({ bool: { must: [], _name: text } })],
  ['the name of terms', (text) => named({ terms: { k: ['x'], _name: text } })],
  ['the name of a query string', (text) => named({ query_string: { query: 'x', _name: text } })],
  [
    'the name of inner hits',
    (text) => ({ size: 1, collapse: { field: 'k', inner_hits: { name: text } } }),
  ],
  ['a tag before words', (text) => highlighted({ pre_tags: [text], post_tags: ['x'] })],
  ['a tag behind words', (text) => highlighted({ pre_tags: ['x'], post_tags: [text] })],
  [
    'a tag of one field',
    (text) => ({
      query: { match_all: {} },
      highlight: { fields: { t: { pre_tags: [text], post_tags: ['x'] } } },
    }),
  ],
  ['the format of a field', (text) => ({ fields: [{ field: 'd', format: text }] })],
  ['the format of a sort', (text) => ({ sort: [{ d: { order: 'asc', format: text } }] })],
  ['a substitute in a sort', (text) => ({ sort: [{ k: { missing: text } }] })],
  [
    'substitutes of several sort keys',
    (text) => ({
      sort: [
        { k: { missing: text.slice(0, text.length / 2) } },
        { k: { missing: text.slice(text.length / 2) } },
      ],
    }),
  ],
])('%s', (_what, make) => {
  const longest = 'x'.repeat(MOST_REPEATED);
  expect(refusal(() => compile(make(longest)))).toBe('nothing was refused');
  expect(refusal(() => compile(make(`${longest}y`)))).toMatch(
    /^illegal_argument_exception: .*\[x{1000}…\] has \[1025\] characters, more than \[1024\]: give a shorter one/,
  );
});

test('meta is limited inside an aggregation, where every bucket shows it, not at the top', () => {
  const meta = { x: 'y'.repeat(MOST_REPEATED) };
  expect(refusal(() => compile({ aggs: { a: { meta, max: { field: 'n' } } } }))).toBe(
    'nothing was refused',
  );
  expect(refusal(() => compile(inside({ meta, max: { field: 'n' } })))).toMatch(
    /^illegal_argument_exception: \[meta\] of \[b\] /,
  );
});

test('eight sort keys may be texts of scripts', () => {
  const script = {
    _script: { type: 'string', order: 'asc', script: { source: "doc['k'].value" } },
  };
  const sorted = (count: number): JsonObject => ({
    sort: Array.from({ length: count }, () => script),
  });
  expect(refusal(() => compile(sorted(8)))).toBe('nothing was refused');
  expect(refusal(() => compile(sorted(9)))).toMatch(
    'illegal_argument_exception: [_script] keys of [sort] of type [string] has [9] entries, more than [8]: ',
  );
});
