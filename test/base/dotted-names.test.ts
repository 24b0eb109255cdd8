import { expect, test } from 'vitest';
import { nestDotted } from '../../src/base/dotted-names.ts';

test('names with dots become objects, in any order', () => {
  expect(
    nestDotted([
      ['a.b.d', 2],
      ['c', '3'],
      ['a.b.c', 1],
    ]),
  ).toEqual({ a: { b: { c: 1, d: 2 } }, c: '3' });
});

test('a name that is leaf and parent keeps both, with its first part dotted', () => {
  expect(
    nestDotted([
      ['i.knn.algo_param.m', '16'],
      ['i.knn.algo_param.ef_search', '100'],
      ['i.knn', 'true'],
      ['i.knn.enabled', ['a']],
    ]),
  ).toEqual({
    i: {
      knn: 'true',
      'knn.algo_param': { ef_search: '100', m: '16' },
      'knn.enabled': ['a'],
    },
  });
});

test('names of members that every object has, and empty parts, are names like others', () => {
  expect(
    nestDotted([
      ['a.constructor.b', 1],
      ['a..b', 2],
    ]),
  ).toEqual({ a: { constructor: { b: 1 }, '': { b: 2 } } });
});
