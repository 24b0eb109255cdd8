// Routing through aliases: the value that a document operation uses, and the values that restrict a
// search.
import { describe, expect, test } from 'vitest';
import {
  checkIndexRouting,
  documentRouting,
  searchRouting,
  splitRouting,
} from '../../src/coordinator/catalog/alias-routing.ts';

describe('the values of a search', () => {
  test.each([
    [[{}], undefined, undefined],
    [[{}], '0,1', ['0', '1']],
    [[{ search_routing: '0' }], undefined, ['0']],
    [[{ search_routing: '1,2' }], '2,3', ['2']],
    [[{ search_routing: '0' }], '1', []],
    [[{ search_routing: '0' }, { search_routing: '1' }], undefined, ['0', '1']],
    [[{ search_routing: '0' }, {}], undefined, undefined],
    [[{ search_routing: '0' }, {}], '1', ['1']],
    [[{ search_routing: ' a ' }], 'a, a ', [' a ']],
  ])('through %j asked for %j', (aliases, requested, values) => {
    expect(searchRouting(aliases, splitRouting(requested))).toEqual(values);
  });

  test('empty ones are none', () => {
    expect([undefined, '', ',', 'a,,b'].map(splitRouting)).toEqual([
      undefined,
      undefined,
      undefined,
      ['a', 'b'],
    ]);
  });
});

describe('the value of a document', () => {
  test.each([
    [{}, undefined, undefined],
    [{}, 'r', 'r'],
    [{ index_routing: '1' }, undefined, '1'],
    [{ index_routing: '1' }, '1', '1'],
    [{ search_routing: '1' }, 'r', 'r'],
  ])('through %j asked for %j', (properties, requested, value) => {
    expect(documentRouting('a', properties, requested)).toBe(value);
  });

  test('may not contradict the alias', () => {
    expect(() => documentRouting('a', { index_routing: '1' }, '2')).toThrow(
      'Alias [a] has index routing associated with it [1], and was provided with routing value [2], rejecting operation',
    );
  });

  test('is one value', () => {
    expect(() => documentRouting('a', { index_routing: '1,2' }, undefined)).toThrow(
      'resolved to several routing values',
    );
    expect(() => checkIndexRouting('a', { index_routing: '1,2' })).toThrow(
      'alias [a] has several index routing values associated with it',
    );
    expect(() => checkIndexRouting('a', { search_routing: '1,2' })).not.toThrow();
  });
});
