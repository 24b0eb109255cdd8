// Aliases: their properties, and the plan of an `_aliases` request.
import { describe, expect, test } from 'vitest';
import type { AliasAction } from '../../src/backend/index.ts';
import { patternMatcher } from '../../src/base/wildcard.ts';
import {
  type AliasTable,
  planAliasActions,
  printAliasTable,
  readAliasProperties,
  readAliasTable,
} from '../../src/coordinator/catalog/aliases.ts';

describe('alias properties', () => {
  test('routing stands for both routings', () => {
    expect(readAliasProperties('a', { routing: 'r', search_routing: 's' })).toEqual({
      index_routing: 'r',
      search_routing: 's',
    });
  });

  test('an empty filter is none', () => {
    expect(readAliasProperties('a', { filter: {} })).toEqual({});
  });

  test.each([
    [{ foo: 1 }, 'unknown field [foo]'],
    [{ is_write_index: 'maybe' }, 'only [true] or [false]'],
    [{ routing: {} }, '[routing] must be a string'],
    [{ filter: [] }, '[filter] must be a query object'],
  ])('%o is refused', (body, reason) => {
    expect(() => readAliasProperties('a', body)).toThrowError(reason);
  });
});

describe('alias actions', () => {
  const existing: Record<string, AliasTable> = {
    one: readAliasTable({ shared: {}, old: {} }),
    two: readAliasTable({ shared: { is_write_index: true } }),
  };
  const plan = (...actions: AliasAction[]): Record<string, unknown> => {
    const changes = planAliasActions(actions, {
      resolve: (expression) =>
        expression.split(',').flatMap((part) => Object.keys(existing).filter(patternMatcher(part))),
      allows: () => true,
      tables: () => new Map(Object.entries(existing)),
    });
    return {
      ...Object.fromEntries(
        [...changes.tables].map(([name, table]) => [name, printAliasTable(table)]),
      ),
      ...(changes.removedIndexes.length > 0 ? { removed: changes.removedIndexes } : {}),
    };
  };

  test('add and remove in order', () => {
    expect(
      plan(
        { add: { index: 'one,two', alias: 'new', properties: { routing: 'r' } } },
        { remove: { index: 'two', alias: 'new' } },
        { remove: { index: 'one', alias: 'old' } },
      ),
    ).toEqual({
      one: { new: { index_routing: 'r', search_routing: 'r' }, shared: {} },
      two: { shared: { is_write_index: true } },
    });
  });

  test('remove takes patterns', () => {
    expect(plan({ remove: { index: '*', alias: 'sh*' } })).toEqual({ one: { old: {} }, two: {} });
  });

  test('an index may be swapped for an alias of its name', () => {
    expect(
      plan(
        { add: { index: 'two', alias: 'one', properties: {} } },
        { removeIndex: { index: 'one' } },
      ),
    ).toEqual({ two: { one: {}, shared: { is_write_index: true } }, removed: ['one'] });
  });

  test.each<[AliasAction, string]>([
    [{ add: { index: 'one', alias: 'two', properties: {} } }, 'an index or data stream exists'],
    [{ add: { index: 'one', alias: 'b*', properties: {} } }, 'Invalid alias name [b*]'],
    [{ add: { index: 'nope', alias: 'b', properties: {} } }, 'no such index [nope]'],
    [{ remove: { index: 'one', alias: 'nope' } }, 'aliases [nope] missing'],
    [
      { add: { index: 'one', alias: 'b', properties: { routing: '1,2' } } },
      'alias [b] has several index routing values',
    ],
    [
      { add: { index: 'one', alias: 'shared', properties: { is_write_index: true } } },
      'alias [shared]: has more than one write index [one,two]',
    ],
  ])('%o is refused', (action, reason) => {
    expect(() => plan(action)).toThrowError(reason);
  });

  test('an absent alias is fine when it need not exist', () => {
    expect(plan({ remove: { index: 'one', alias: 'nope', mustExist: false } })).toEqual({});
  });
});
