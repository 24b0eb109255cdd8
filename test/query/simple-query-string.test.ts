// simple_query_string: Lucene's SimpleQueryParser in a short notation of the clauses.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { QueryParser } from '../../src/query/parse.ts';
import type { Syntax } from '../../src/query/query-string/parser.ts';
import { Ends, FLAGS, type Flag, parseSimple } from '../../src/query/query-string/simple-parser.ts';
import { parseClause, refusal } from './compile.ts';

const SIGNS = { must: '+', should: '', must_not: '-' };

function show(syntax: Syntax | undefined): string {
  switch (syntax?.type) {
    case undefined:
      return 'nothing';
    case 'text':
      return syntax.words.join(' ');
    case 'phrase':
      return `"${syntax.text}"${syntax.slop === 0 ? '' : `~${syntax.slop}`}`;
    case 'prefix':
      return `${syntax.text}*`;
    case 'fuzzy':
      return `${syntax.text}~${syntax.edits}`;
    case 'any':
      return 'all';
    case 'bool':
      return `(${syntax.clauses.map(({ occur, syntax: inner }) => SIGNS[occur] + show(inner)).join(' ')})`;
    default:
      return syntax?.type ?? '';
  }
}

function shown(text: string, defaultOperator: 'and' | 'or' = 'or', without: readonly Flag[] = []) {
  const names = Object.keys(FLAGS) as Flag[];
  const flags = new Set(names.filter((name) => !without.includes(name)));
  return show(parseSimple(text, { flags, defaultOperator, countLeaf: () => {} }));
}

describe('a simple query string', () => {
  test.each([
    ['', 'nothing'],
    ['  ', 'nothing'],
    ['a', 'a'],
    ['a b c', '(a b c)'],
    ['a + b', '(+a +b)'],
    ['a+b', '(+a +b)'],
    ['a | b', '(a b)'],
    ['a + b c', '((+a +b) c)'],
    ['a b + c', '(+(a b) +c)'],
    ['a + b | c + d', '(+((+a +b) c) +d)'],
    ['+ a', 'a'],
    ['a +| b', '(+a +b)'],
    ['-a', '(-a all)'],
    ['--a', 'a'],
    ['- a', 'a'],
    ['a -b', '(a (-b all))'],
    ['a + -b', '(+a +(-b all))'],
    ['a-b', 'a-b'],
    ['(a b) + c', '(+(a b) +c)'],
    ['a + (b | c)', '(+a +(b c))'],
    ['-(a b)', '(-(a b) all)'],
    ['(a', 'a'],
    ['a)', 'a'],
    ['()', 'nothing'],
    ['a + () b', '(a b)'],
    ['"a b"', '"a b"'],
    ['"a b"~2', '"a b"~2'],
    ['"a b"~x', '"a b"'],
    ['"a b', '(a b)'],
    ['"" a', 'a'],
    ['"a \\" b"', '"a " b"'],
    ['fox*', 'fox*'],
    ['*', 'all'],
    [' * ', 'all'],
    ['f*x', 'f*x'],
    ['fox\\*', 'fox*'],
    ['fox~', 'fox~2'],
    ['fox~1', 'fox~1'],
    ['fox~9', 'fox~2'],
    ['fox~0', 'fox'],
    ['fox~x', 'fox'],
    ['~', '~'],
    ['a\\+b', 'a+b'],
    ['a\\', 'a'],
    ['field:a', 'field:a'],
    ['a AND b', '(a AND b)'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test('its default operator joins what no operator joins', () => {
    expect(shown('a b | c', 'and')).toBe('((+a +b) c)');
  });

  test.each([
    ['a + b', ['AND'], '(a + b)'],
    ['a | b', ['OR'], '(a | b)'],
    ['-a', ['NOT'], '-a'],
    ['a*', ['PREFIX'], 'a*'],
    ['"a b"', ['PHRASE'], '("a b")'],
    ['(a b)', ['PRECEDENCE'], '((a b))'],
    ['a\\+b', ['ESCAPE'], '(+a\\ +b)'],
    ['a b', ['WHITESPACE'], 'a b'],
    ['a~1', ['FUZZY'], 'a~1'],
    ['"a b"~1', ['NEAR'], '("a b" ~1)'],
  ] as const)('%s without %s', (text, without, expected) => {
    expect(shown(text, 'or', without)).toBe(expected);
  });

  test('a prefix that is switched off is a word, and so is a fuzzy one', () => {
    const options = { query: 'fox* fox~', fields: ['f'], flags: 'AND|WHITESPACE' };
    expect(parseClause({ simple_query_string: options })).toMatchObject({
      kind: 'bool',
      should: [
        { kind: 'match', text: { text: 'fox*' } },
        { kind: 'match', text: { text: 'fox~' } },
      ],
    });
  });

  test('groups that are nested too deeply are read as text of the group around them', () => {
    expect(shown(`${'('.repeat(200)}a${')'.repeat(200)}`)).toBe('a');
  });

  test('fields of words add up, those of phrases do not, which ask the field with the suffix', () => {
    const options = { query: '"a b"', fields: ['t^2', 'u'], quote_field_suffix: '.exact' };
    expect(parseClause({ simple_query_string: options })).toMatchObject({
      kind: 'multi_match',
      type: 'phrase',
      tieBreaker: 0,
      quoteFieldSuffix: '.exact',
      fields: [
        { field: 't', boost: 2 },
        { field: 'u', boost: 1 },
      ],
    });
  });
});

describe('settings of the searched indexes', () => {
  const parse = (defaults: readonly { fields: string[]; lenient: boolean }[], body: JsonObject) =>
    new QueryParser({ defaults }).clause({ query_string: { query: 'a', ...body } });

  test('give the fields, unless the query names some', () => {
    const defaults = [{ fields: ['title^2'], lenient: true }];
    expect(parse(defaults, {})).toMatchObject({
      kind: 'match',
      field: 'title',
      boost: 2,
      options: { lenient: true },
    });
    expect(parse(defaults, { default_field: 'f', lenient: false })).toMatchObject({
      field: 'f',
      options: { lenient: false },
    });
  });

  test('are those of multi_match, too', () => {
    const defaults = [{ fields: ['title^2', 'body'], lenient: false }];
    const clause = new QueryParser({ defaults }).clause({ multi_match: { query: 'a' } });
    expect(clause).toMatchObject({ fields: [{ field: 'title', boost: 2 }, { field: 'body' }] });
  });

  test('have to agree, where a query needs them', () => {
    const defaults = [
      { fields: ['a'], lenient: false },
      { fields: ['b'], lenient: false },
    ];
    expect(refusal(() => parse(defaults, {}))).toContain(
      'the searched indexes differ in [index.query.default_field]',
    );
    expect(parse(defaults, { fields: ['a'] })).toMatchObject({ field: 'a' });
  });
});

/** The same by a search from `at` on. */
function searchedEnd(text: string, at: number, escapes: boolean, sign: '"' | ')'): number {
  let open = 1;
  for (let place = at; place < text.length; place++) {
    const char = text.charAt(place);
    if (char === '\\' && escapes) place++;
    else if (char === '(' && sign === ')') open++;
    else if (char === sign && (sign === '"' || --open === 0)) return place;
  }
  return -1;
}

test('tables of ends say what a search from every place says', () => {
  const text = fc.string({ unit: fc.constantFrom('(', ')', '"', '\\', 'a', ' '), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.boolean(), (sample, escapes) => {
      const ends = new Ends(sample, escapes);
      for (let at = 0; at <= sample.length; at++) {
        expect(ends.quote(at)).toBe(searchedEnd(sample, at, escapes, '"'));
        expect(ends.parenthesis(at)).toBe(searchedEnd(sample, at, escapes, ')'));
      }
    }),
  );
});

describe('a simple query string of too much', () => {
  test('is refused at the first clause too many', () => {
    let leaves = 0;
    const grammar = {
      flags: new Set(Object.keys(FLAGS) as Flag[]),
      defaultOperator: 'or',
      countLeaf: () => {
        if (++leaves > 1024) throw new Error('enough');
      },
    } as const;
    expect(() => parseSimple('a~1 '.repeat(15_000), grammar)).toThrow('enough');
    expect(leaves).toBe(1025);
  });

  test('is limited in characters, with the limit and what to do', () => {
    expect(
      refusal(() => parseClause({ simple_query_string: { query: ' '.repeat(262_145) } })),
    ).toBe(
      'illegal_argument_exception: [simple_query_string] query has [262145] characters, more than [262144]: split it into several queries',
    );
  });

  test.each([
    '(',
    '(-"',
    '"',
    '()',
    '-',
    '"a ',
    '\\(',
    '(a)',
  ])('takes time in proportion to its length: %s', (piece) => {
    // A parser with quadratic time would exceed the test's timeout.
    shown(piece.repeat(Math.floor(262_144 / piece.length)));
  });
});
