// What the console reads: JSON with exact integers, mappings, metrics, answers, saved searches.
import { describe, expect, test } from 'vitest';
import { fieldsOf, mergedFields } from '../../src/console/app/data/mapping.ts';
import { path } from '../../src/console/app/kit/api.ts';
import { bytesText, durationText, plural } from '../../src/console/app/kit/format.ts';
import { jsonText, parseJson } from '../../src/console/app/kit/json.ts';
import { objectionToKey } from '../../src/console/app/kit/session.ts';
import {
  percentileOf,
  rateOf,
  readMetrics,
  sumOf,
} from '../../src/console/app/pages/home/metrics.ts';
import {
  difference,
  exampleAt,
  type Hit,
  snippetOf,
  titleOf,
} from '../../src/console/app/pages/search/results.ts';
import { isSavedSearch } from '../../src/console/app/pages/search/saved.ts';
import { MEMORIES, MEMORY_LINKS, NOTES } from '../../src/console/app/sample/corpus.ts';

describe('JSON', () => {
  test('is printed with the indentation of JSON.stringify', () => {
    const value = { a: [1, 'x', null, true, {}], b: {}, c: [], 'd"': { e: [{ f: 1.5 }] } };
    expect(jsonText(value)).toBe(JSON.stringify(value, null, 2));
    expect(jsonText(value, 0)).toBe(JSON.stringify(value));
    expect(jsonText({ a: undefined, b: 1 }, 0)).toBe('{"b":1}');
  });

  test('keeps integers beyond 2^53 where the runtime passes the source text', () => {
    const text = '{"id":9007199254740993,"n":1.0}';
    const printed = jsonText(parseJson(text), 0);
    const hasSource = JSON.parse('[1]', (...args: unknown[]) => args.length > 2);
    expect(printed).toBe(
      hasSource ? '{"id":9007199254740993,"n":1}' : '{"id":9007199254740992,"n":1}',
    );
  });

  test('holds no member of a prototype for one of its own', () => {
    expect(jsonText(parseJson('{"__proto__":{"a":1}}'), 0)).toBe('{"__proto__":{"a":1}}');
  });
});

test('parts of paths are encoded, and folders of browsers are refused', () => {
  expect(path`/${'a/b?c#d'}/_search`).toBe('/a%2Fb%3Fc%23d/_search');
  expect(() => path`/${'..'}/_search`).toThrow('cannot be in an address');
});

test('a key is sent only if a header can hold it', () => {
  expect(objectionToKey('qk_abc-123==')).toBeUndefined();
  for (const key of ['', 'a b', 'a\nb', 'ключ', 'a\u0000']) {
    expect(objectionToKey(key)).toBeTypeOf('string');
  }
});

describe('mappings', () => {
  const mapping = {
    properties: {
      a: { type: 'text', fields: { raw: { type: 'keyword' } } },
      n: { type: 'nested', properties: { b: { properties: { c: { type: 'long' } } } } },
    },
  };

  test('are listed with the paths that queries use', () => {
    expect(fieldsOf(mapping).map((field) => [field.path, field.type, field.nested])).toEqual([
      ['a', 'text', undefined],
      ['a.raw', 'keyword', undefined],
      ['n', 'nested', undefined],
      ['n.b', 'object', 'n'],
      ['n.b.c', 'long', 'n'],
    ]);
  });

  test('of several indexes have each path once', () => {
    const other = { properties: { a: { type: 'keyword' }, z: { type: 'ip' } } };
    const merged = mergedFields({ one: { mappings: mapping }, two: { mappings: other } });
    expect(merged.filter(({ path: name }) => name === 'a')).toMatchObject([{ type: 'text' }]);
    expect(merged.at(-1)).toMatchObject({ path: 'z', type: 'ip' });
    expect(mergedFields('no object')).toEqual([]);
  });
});

describe('metrics', () => {
  const text = (count: number): string => `# HELP a b
a_total{op="x",name="with \\"quotes\\" and \\\\"} ${count}
a_total{op="y"} 5
h_bucket{le="0.1",phase="total"} ${count}
h_bucket{le="1",phase="total"} ${2 * count}
h_bucket{le="+Inf",phase="total"} ${2 * count}
not a sample
`;

  test('are read with their labels', () => {
    const samples = readMetrics(text(3));
    expect(samples.get('a_total')?.[0]).toEqual({
      labels: { op: 'x', name: 'with "quotes" and \\' },
      value: 3,
    });
    expect(sumOf(samples, 'a_total')).toBe(8);
    expect(sumOf(samples, 'a_total', { op: 'y' })).toBe(5);
    expect(sumOf(samples, 'missing')).toBeUndefined();
  });

  test('have rates and percentiles of what happened in between', () => {
    const [before, after] = [readMetrics(text(10)), readMetrics(text(30))];
    expect(rateOf(before, after, 10, 'a_total', { op: 'x' })).toBe(2);
    expect(rateOf(after, before, 10, 'a_total', { op: 'x' })).toBeNull();
    expect(percentileOf(before, after, 0.5, 'h')).toBeCloseTo(0.1);
    expect(percentileOf(before, after, 0.75, 'h')).toBeCloseTo(0.55);
    expect(percentileOf(before, before, 0.5, 'h')).toBeNull();
  });
});

describe('hits', () => {
  const hit = (source: object): Hit => ({
    _index: 'i',
    _id: '7',
    _score: 1,
    _source: source as never,
  });

  test('are named by a title, a short text, or their id', () => {
    expect(titleOf(hit({ n: 1, title: 'A' }))).toBe('A');
    expect(titleOf(hit({ title: { a: 1 }, x: 'short' }))).toBe('short');
    expect(titleOf(hit({ n: 1 }))).toBe('7');
    expect(snippetOf(hit({ title: 'A', b: 'x'.repeat(300) }))).toHaveLength(242);
  });

  test('say where they stand on the other side', () => {
    expect([undefined, 3, 5, 1].map((other) => difference(3, other).text)).toEqual([
      'only here',
      'same place',
      '2 higher here',
      '2 lower here',
    ]);
  });

  test('give their vector or text as an example, and nothing else', () => {
    expect(exampleAt({ a: { v: [1, 2] } }, 'a.v')).toEqual([1, 2]);
    expect(exampleAt({ a: 'text' }, 'a')).toBe('text');
    for (const value of [[], ['x'], {}, 1, null, ' '])
      expect(exampleAt({ a: value }, 'a')).toBeUndefined();
  });
});

test('saved searches of other shapes are not read', () => {
  const good = { name: 'a', index: 'i', text: 't', filters: [], left: 'words', right: 'none' };
  expect(isSavedSearch(good)).toBe(true);
  for (const bad of [
    null,
    [],
    { ...good, left: 'none' },
    { ...good, name: 1 },
    { ...good, filters: [{ field: 1, value: 'x' }] },
    { ...good, request: {} },
  ]) {
    expect(isSavedSearch(bad)).toBe(false);
  }
});

test('numbers are printed as people read them', () => {
  expect([0, 999, 1000, 1536, 3 * 1024 ** 3].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '0.977 KB',
    '1.5 KB',
    '3 GB',
  ]);
  expect([0.5, 12, 1500, 61_000, 3_700_000, 90_000_000].map(durationText)).toEqual([
    '0.5 ms',
    '12 ms',
    '1.5 s',
    '1 min 1 s',
    '1 h 1 min',
    '1 d 1 h',
  ]);
  expect([plural(1, 'index', 'indexes'), plural(2000, 'index', 'indexes')]).toEqual([
    '1 index',
    '2,000 indexes',
  ]);
});

test('the sample data refers only to what is in it', () => {
  const titles = new Set(NOTES.map(({ title }) => title));
  const references = NOTES.flatMap(({ body }) =>
    [...body.matchAll(/\[\[(.+?)\]\]/g)].map((m) => m[1]),
  );
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) expect(titles).toContain(reference);
  const ids = new Set<string>();
  for (const memory of MEMORIES as readonly { id: string; supersedes?: string[] }[]) {
    for (const id of memory.supersedes ?? []) expect(ids).toContain(id);
    ids.add(memory.id);
  }
  for (const link of MEMORY_LINKS as readonly { src: string; dst: string }[]) {
    expect(ids).toContain(link.src);
    expect(ids).toContain(link.dst);
  }
});
