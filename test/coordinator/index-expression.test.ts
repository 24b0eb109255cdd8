// Index expressions with a small set of indexes: lists, wildcards, exclusions, hidden and closed
// ones, aliases.
import { describe, expect, test } from 'vitest';
import {
  type NamedIndex,
  type NameSpace,
  type ResolveOptions,
  resolveExpression,
} from '../../src/coordinator/catalog/index-expression.ts';

function index(name: string, more: Partial<NamedIndex> = {}): NamedIndex {
  return { name, uuid: `uuid-${name}`, state: 'open', hidden: name.startsWith('.'), ...more };
}

const indexes = [
  index('logs-1'),
  index('logs-2'),
  index('logs-old', { state: 'close' }),
  index('books'),
  index('secret', { hidden: true }),
  index('.svc-memory-a'),
];
const aliases: Record<string, string[]> = {
  'logs-all': ['logs-1', 'logs-2'],
  current: ['logs-2'],
  archive: ['logs-old'],
};
const space: NameSpace<NamedIndex> = {
  index: (name) => indexes.find((one) => one.name === name),
  indexes: () => indexes,
  alias: (name) => aliases[name]?.flatMap((member) => indexes.filter((one) => one.name === member)),
  aliases: () => Object.keys(aliases).map((name) => ({ name, hidden: name === 'current' })),
};

function names(expression: string, options: ResolveOptions = {}): string[] {
  return resolveExpression(space, expression, options).map((target) => target.index.name);
}

describe('an index expression', () => {
  test.each<[string, ResolveOptions, string[]]>([
    ['books', {}, ['books']],
    ['books,', {}, ['books']],
    ['logs-*', { expandWildcards: ['none', 'open'] }, ['logs-1', 'logs-2']],
    ['logs-2,books,logs-2', {}, ['books', 'logs-2']],
    ['', {}, ['books', 'logs-1', 'logs-2']],
    ['_all', {}, ['books', 'logs-1', 'logs-2']],
    ['*', {}, ['books', 'logs-1', 'logs-2']],
    ['logs-*', {}, ['logs-1', 'logs-2']],
    ['l*s-*1', {}, ['logs-1']],
    ['*,-logs-1', {}, ['books', 'logs-2']],
    ['*,-.x*', {}, ['books', 'logs-1', 'logs-2']],
    ['logs-*,-logs-*', {}, []],
    ['.svc-*', {}, ['.svc-memory-a']],
    ['.*', {}, ['.svc-memory-a']],
    ['sec*', {}, []],
    ['secret', {}, ['secret']],
    ['sec*', { expandWildcards: ['open', 'hidden'] }, ['secret']],
    ['logs-*', { expandWildcards: ['closed'] }, ['logs-old']],
    ['logs-*', { expandWildcards: ['open', 'closed'] }, ['logs-1', 'logs-2', 'logs-old']],
    ['_all', { expandWildcards: ['none'] }, []],
    [
      '*',
      { expandWildcards: ['all'] },
      ['.svc-memory-a', 'books', 'logs-1', 'logs-2', 'logs-old', 'secret'],
    ],
    ['logs-all', {}, ['logs-1', 'logs-2']],
    ['*-all', {}, ['logs-1', 'logs-2']],
    ['cur*', {}, []],
    ['cur*', { expandWildcards: ['open', 'hidden'] }, ['logs-2']],
    ['archive', {}, ['logs-old']],
    ['books,nope', { ignoreUnavailable: true }, ['books']],
    ['books,logs-old', { ignoreUnavailable: true, forbidClosed: true }, ['books']],
    ['nope*', {}, []],
    ['*-all', { ignoreAliases: true }, []],
    ['logs-all', { ignoreAliases: true, ignoreUnavailable: true }, []],
  ])('[%s] with %o means %o', (expression, options, expected) => {
    expect(names(expression, options)).toEqual(expected);
  });

  test.each<[string, ResolveOptions, string, string]>([
    ['nope', {}, 'index_not_found_exception', 'no such index [nope]'],
    ['books,nope', {}, 'index_not_found_exception', 'no such index [nope]'],
    ['-books', {}, 'index_not_found_exception', 'no such index [-books]'],
    [',books', {}, 'index_not_found_exception', 'no such index []'],
    [',', {}, 'index_not_found_exception', 'no such index []'],
    ['nope*', { allowNoIndices: false }, 'index_not_found_exception', 'no such index [nope*]'],
    ['books,x*', { allowNoIndices: false }, 'index_not_found_exception', 'no such index [x*]'],
    ['a*', { expandWildcards: ['none'] }, 'index_not_found_exception', 'no such index [a*]'],
    ['_foo', {}, 'invalid_index_name_exception', "must not start with '_'"],
    ['<a-{now/d}>', {}, 'invalid_index_name_exception', 'date math'],
    ['logs-old', { forbidClosed: true }, 'index_closed_exception', 'closed'],
    ['archive', { forbidClosed: true }, 'index_closed_exception', 'closed'],
    ['logs-all', { ignoreAliases: true }, 'illegal_argument_exception', 'matches an alias'],
    ['*', { expandWildcards: ['maybe'] }, 'illegal_argument_exception', 'No valid expand wildcard'],
  ])('[%s] with %o is refused as %s', (expression, options, type, reason) => {
    expect(() => names(expression, options)).toThrowError(
      expect.objectContaining({ type, message: expect.stringContaining(reason) }),
    );
  });

  test('says by which aliases an index was reached', () => {
    const targets = resolveExpression(space, 'logs-all,current', {});
    expect(targets.map(({ index: { name }, aliases: by }) => [name, by])).toEqual([
      ['logs-1', ['logs-all']],
      ['logs-2', ['logs-all', 'current']],
    ]);
  });

  test('an index that is also named outright was not reached by an alias', () => {
    const targets = resolveExpression(space, 'current,logs-2', {});
    expect(targets[0]?.aliases).toBeNull();
  });

  test('an unknown index carries its name in the error', () => {
    expect(() => names('nope')).toThrowError(
      expect.objectContaining({
        extra: {
          'resource.type': 'index_or_alias',
          'resource.id': 'nope',
          index_uuid: '_na_',
          index: 'nope',
        },
      }),
    );
  });
});

describe('an index expression of many parts', () => {
  const list = (count: number, make: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => make(i)).join(',');

  test('has at most 256 patterns and exclusions', () => {
    expect(names(list(256, (i) => `b${i}*`))).toEqual([]);
    expect(names(`b*,${list(255, (i) => `-x${i}*`)}`)).toEqual(['books']);
    const refused = 'an index expression has more than [256] patterns and exclusions';
    expect(() => names(list(257, (i) => `b${i}*`))).toThrow(refused);
    expect(() => names(`b*,${list(256, (i) => `-x${i}*`)}`)).toThrow(refused);
  });

  test('may have any number of names', () => {
    expect(names(list(5000, () => 'books'))).toEqual(['books']);
  });
});
