// The language of `filter_path`.
import { expect, test } from 'vitest';
import { filterPath } from '../../src/api/filter-path.ts';

const ANSWER = {
  took: 1,
  hits: { total: 2, hits: [{ _id: 'a', _source: { x: { y: 1 }, z: null } }, { _id: 'b' }] },
  empty: {},
  'a.b': { c: [1, [2]] },
};

test.each([
  ['took', { took: 1 }],
  [' took , empty ', { took: 1, empty: {} }],
  ['t*', { took: 1 }],
  ['hits.hits._id', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  ['hits.*._source.x', { hits: { hits: [{ _source: { x: { y: 1 } } }] } }],
  ['**.y', { hits: { hits: [{ _source: { x: { y: 1 } } }] } }],
  ['hits.**._id', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  ['hits.hits._source.z', { hits: { hits: [{ _source: { z: null } }] } }],
  ['a\\.b.c', { 'a.b': { c: [1, [2]] } }],
  ['a.b', {}],
  ['nobody', {}],
  ['-hits,-a\\.b', { took: 1, empty: {} }],
  ['hits,-hits.hits', { hits: { total: 2 } }],
  ['hits.hits,-**._source', { hits: { hits: [{ _id: 'a' }, { _id: 'b' }] } }],
  [
    '-**._id,-took,-empty,-a*,-hits.total',
    { hits: { hits: [{ _source: ANSWER.hits.hits[0]?._source }] } },
  ],
  ['', ANSWER],
])('%s', (expression, kept) => {
  expect(filterPath(ANSWER, expression)).toEqual(kept);
});

test('many double stars over a deep answer', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 90; i++) deep = { a: deep };
  expect(filterPath(deep, `${'**.a.'.repeat(40)}b`)).toEqual({});
  expect(filterPath(deep, `${'**.'.repeat(40)}a`)).toEqual(deep);
});

test('a key __proto__ stays a key', () => {
  const kept = filterPath(JSON.parse('{"__proto__":{"x":1},"y":2}'), '__proto__.x');
  expect(JSON.stringify(kept)).toBe('{"__proto__":{"x":1}}');
});
