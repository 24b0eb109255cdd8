// Query strings: Lucene's grammar in a short notation of the clauses, and strings that do not
// parse.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';
import type { Clause } from '../../src/query/clauses/index.ts';
import { Tokens } from '../../src/query/query-string/lexer.ts';
import { parseQueryString, parseTokens } from '../../src/query/query-string/parser.ts';
import { compile, parseClause, refusal } from './compile.ts';

/** `f:word`, `f:"phrase"~slop`, `prefix(f:x)`, `+must should -must_not`, `^boost`. */
function show(clause: Clause): string {
  const boost = clause.boost === 1 ? '' : `^${clause.boost}`;
  return `${showBody(clause)}${boost}`;
}

function showBody(clause: Clause): string {
  switch (clause.kind) {
    case 'match':
      return `${clause.field}:${clause.text.text}${clause.options.operator === 'and' ? '&' : ''}${atLeast(clause.options.minimumShouldMatch)}`;
    case 'multi_match': {
      const fields = clause.fields.map(({ field, boost }) =>
        boost === 1 ? field : `${field}^${boost}`,
      );
      return `${clause.type}(${fields.join(',')}:${clause.text.text}${clause.slop === 0 ? '' : `~${clause.slop}`})`;
    }
    case 'each_field': {
      const { kind, boost: _boost, name: _name, field: _field, ...rest } = clause.clause;
      const values = Object.values(rest).map((value) => showValue(value));
      return `${kind}(${clause.fields.map(({ field }) => field).join(',')}: ${values.join(' ')})`;
    }
    case 'exists':
      return `exists(${clause.field})`;
    case 'bool': {
      const parts = [
        ...clause.must.map((child) => `+${show(child)}`),
        ...clause.should.map(show),
        ...clause.mustNot.map((child) => `-${show(child)}`),
      ];
      return `(${parts.join(' ')})${atLeast(clause.minimumShouldMatch)}`;
    }
    case 'with_time_zone':
      return `${clause.timeZone}(${show(clause.query)})`;
    case 'dis_max':
      return `max(${clause.queries.map(show).join(' ')})`;
    default:
      return clause.kind;
  }
}

function atLeast(minimumShouldMatch: string): string {
  return minimumShouldMatch === '' ? '' : `~${minimumShouldMatch}`;
}

function showValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('inclusive' in value && 'value' in value) {
    return `${value.inclusive ? '=' : ''}${showValue(value.value)}`;
  }
  return 'text' in value ? String(value.text) : '';
}

function shown(query: string, options: JsonObject = { default_field: 'f' }): string {
  return show(parseClause({ query_string: { query, ...options } }));
}

describe('a query string', () => {
  test.each([
    ['fox', 'f:fox'],
    ['quick fox', 'f:quick fox'],
    ['quick AND fox', '(+f:quick +f:fox)'],
    ['quick && fox', '(+f:quick +f:fox)'],
    ['quick OR fox', '(f:quick f:fox)'],
    ['quick || fox', '(f:quick f:fox)'],
    ['a OR b AND c', '(+f:b +f:c f:a)'],
    ['a AND b OR c', '(+f:a +f:b f:c)'],
    ['a AND NOT b', '(+f:a -f:b)'],
    ['a !b', '(f:a -f:b)'],
    ['+a -b c', '(+f:a f:c -f:b)'],
    ['quick brown +fox -news', '(+f:fox f:quick brown -f:news)'],
    ['-a', '(-f:a)'],
    ['a OR (-b)', '(f:a (-f:b))'],
    ['and or not', 'f:and or not'],
    ['ANDY', 'f:ANDY'],
    ['title:fox', 'title:fox'],
    ['title:(quick fox)', 'title:quick fox'],
    ['title:(quick OR author:bob)^2', '(title:quick author:bob)^2'],
    ['title:fox body', '(title:fox f:body)'],
    ['a.b\\:c:x', 'a.b:c:x'],
    ['fox^2', 'f:fox^2'],
    ['(a b)^0.5', 'f:a b^0.5'],
    ['"quick fox"', 'phrase(f:quick fox)'],
    ['"quick fox"~3^2', 'phrase(f:quick fox~3)^2'],
    ['"a \\"b\\""', 'phrase(f:a "b")'],
    ['fo*', 'prefix(f: fo false)'],
    ['f\\*o', 'f:f*o'],
    ['fo\\**', 'prefix(f: fo* false)'],
    ['f?o*', 'wildcard(f: f?o* false)'],
    ['*ox', 'wildcard(f: *ox false)'],
    ['/fo+x/', 'regexp(f: fo+x false 10000 ALL)'],
    ['/a\\/b/', 'regexp(f: a\\/b false 10000 ALL)'],
    ['fxo~', 'fuzzy(f: fxo AUTO 0 50 true)'],
    ['fxo~1', 'fuzzy(f: fxo 1 0 50 true)'],
    ['fxo~1^2', 'fuzzy(f: fxo 1 0 50 true)^2'],
    ['fxo~AUTO', 'fuzzy(f: fxo AUTO 0 50 true)'],
    ['"a b"~x', 'phrase(f:a b)'],
    ['fxo^2~1', 'fuzzy(f: fxo 1 0 50 true)^2'],
    ['age:[1 TO 5]', 'range(age: =1 =5  )'],
    ['age:{1 TO 5}', 'range(age: 1 5  )'],
    ['age:[1 TO 5}', 'range(age: =1 5  )'],
    ['age:[* TO 5]', 'range(age: undefined =5  )'],
    ['day:["2020-01-01" TO 2021-01-01]', 'range(day: =2020-01-01 =2021-01-01  )'],
    ['age:[* TO *]', 'exists(age)'],
    ['age:>=10', 'range(age: =10 undefined  )'],
    ['age:>10', 'range(age: 10 undefined  )'],
    ['age:<=10', 'range(age: undefined =10  )'],
    ['age:(>=10 AND <20)', '(+range(age: =10 undefined  ) +range(age: undefined 20  ))'],
    ['*', 'exists(f)'],
    ['*:*', 'match_all'],
    ['title:*', 'exists(title)'],
    ['_exists_:title', 'exists(title)'],
    ['ti\\*:fox', 'best_fields(ti*:fox)'],
    ['', 'match_none'],
    ['   ', 'match_none'],
    ['a - b', 'f:a - b'],
    ['foo-bar', 'f:foo-bar'],
    ['a\u3000b', 'f:a b'],
    ['\\u0041', 'f:A'],
  ])('%s', (query, expected) => {
    expect(shown(query)).toBe(expected);
  });

  test.each([
    ['quick fox', 'f:quick fox&'],
    ['a OR b', '(f:a& f:b&)'],
    ['a -b', '(+f:a& -f:b&)'],
    ['"x y" a OR b', '(+phrase(f:x y) f:a& f:b&)'],
  ])('with AND as its default: %s', (query, expected) => {
    expect(shown(query, { default_field: 'f', default_operator: 'AND' })).toBe(expected);
  });

  test.each([
    ['quick fox', 'best_fields(*:quick fox)'],
    ['*', 'match_all'],
    ['qu*', 'prefix(*: qu false)'],
    ['"a b"', 'phrase(*:a b)'],
  ])('over every field: %s', (query, expected) => {
    expect(shown(query, {})).toBe(expected);
  });

  test.each([
    ['quick fox', 'most_fields(a^2,b:quick fox)'],
    ['*', 'max(exists(a)^2 exists(b))'],
    ['qu*', 'prefix(a,b: qu false)'],
  ])('over some fields: %s', (query, expected) => {
    expect(shown(query, { fields: ['a^2', 'b'], type: 'most_fields' })).toBe(expected);
  });

  test.each([
    [{ minimum_should_match: 2 }, 'a b c', 'f:a b c~2'],
    [{ minimum_should_match: 2 }, 'a b +c', '(+f:c f:a f:b)~2'],
    [{ phrase_slop: 4 }, '"a b"', 'phrase(f:a b~4)'],
    [{ escape: true }, 'a:b (c', 'f:a:b (c'],
    [{ fuzziness: 1, fuzzy_prefix_length: 2 }, 'abc~', 'fuzzy(f: abc 1 2 50 true)'],
    [{ analyze_wildcard: true }, 'ab*', 'bool_prefix(f:ab)'],
    [{ boost: 3 }, 'a^2', 'f:a^6'],
    [{ time_zone: '+01:00' }, '[a TO b]', '+01:00(range(f: =a =b  +01:00))'],
    [{ time_zone: '+01:00', boost: 2 }, 'd:2024', '+01:00(d:2024)^2'],
  ])('%j: %s', (options, query, expected) => {
    expect(shown(query, { default_field: 'f', ...options })).toBe(expected);
  });

  test('passes analyzers and lenience on', () => {
    const clause = parseClause({
      query_string: {
        query: 'a "b"',
        fields: ['f'],
        analyzer: 'english',
        quote_analyzer: 'simple',
        lenient: true,
        _name: 'q',
      },
    });
    expect(clause).toMatchObject({
      kind: 'with_analyzers',
      clause: 'query_string',
      analyzers: [
        ['analyzer', 'english'],
        ['quote_analyzer', 'simple'],
      ],
      query: {
        name: 'q',
        should: [
          { options: { analyzer: 'english', lenient: true } },
          { options: { analyzer: 'simple', lenient: true } },
        ],
      },
    });
  });

  test.each([
    ['fo*', { analyzesKeywords: false }],
    ['f?o', { analyzesKeywords: false }],
    ['/fo+/', { analyzesKeywords: true }],
    ['fo~', { analyzesKeywords: true }],
    ['[a TO b]', { analyzesKeywords: true }],
  ])('analyses keywords of a pattern as Elasticsearch does: %s', (query, expected) => {
    const options = { query, default_field: 'f', analyzer: 'english' };
    expect(parseClause({ query_string: options })).toMatchObject({
      query: { kind: 'each_field', analyzer: 'english', ...expected },
    });
  });

  test.each([
    [undefined, 0],
    ['best_fields', 0],
    ['most_fields', 1],
    ['cross_fields', 0],
    ['phrase', 0],
    ['bool_prefix', 1],
  ])('adds up the fields of every part as its type does: %s', (type, tieBreaker) => {
    for (const query of ['a', '"a b"', 'a*', 'a~', '/a/']) {
      const options = { query, fields: ['f', 'g'], ...(type === undefined ? {} : { type }) };
      expect(parseClause({ query_string: options }), query).toMatchObject({ tieBreaker });
    }
  });

  test('asks one field as its type says', () => {
    const shownAs = (type: string) => shown('f:(a b)', { fields: ['g'], type });
    expect(shownAs('best_fields')).toBe('f:a b');
    expect(shownAs('phrase')).toBe('phrase(f:a b)');
    expect(shownAs('bool_prefix')).toBe('bool_prefix(f:a b)');
  });

  test('compiles', () => {
    const query = '+title:(quick OR fo*) -/x+/ "a b"~2 n:[1 TO 5] fxo~ f?o';
    expect(compile({ query: { query_string: { query } } }).plan.length).toBeGreaterThan(64);
  });
});

describe('a query string that is refused', () => {
  test.each([
    ['"open', 'Lexical error: no closing " at column 0'],
    ['a/b', 'Lexical error: no closing / at column 1'],
    ['a AND', 'Encountered "<EOF>" at column 5'],
    ['AND a', 'Encountered "and" at column 0'],
    ['(a', 'Encountered "<EOF>" at column 2'],
    ['a)', 'Encountered "close" at column 1'],
    ['()', 'Encountered "close" at column 1'],
    ['a^', 'Expected a number after "^" at column 1'],
    ['f:', 'Encountered "<EOF>" at column 2'],
    ['a b:', 'Encountered "<EOF>" at column 4'],
    ['[1 5]', 'Expected "TO" between the ends of a range at column 3'],
    ['[1 TO 5', 'Expected "]" or "}" at the end of a range at column 7'],
    ['[1 TO ]', 'Expected a value in a range at column 6'],
    ['a]', 'Lexical error: unexpected "]" at column 1'],
    ['a\\', 'Term can not end with escape character. at column 1'],
    ['\\u12', 'Truncated unicode escape sequence. at column 0'],
    [`${'('.repeat(33)}a${')'.repeat(33)}`, 'Groups are nested deeper than 32'],
  ])('%s', (query, words) => {
    try {
      parseClause({ query_string: { query } });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(QuarryError);
      const { type, message, causedBy } = error as QuarryError;
      expect(`${type}: ${message}`).toBe(`query_shard_exception: Failed to parse query [${query}]`);
      expect(causedBy?.reason).toContain(words);
    }
  });

  test.each([
    [{}, 'parsing_exception: [query_string] must be provided with a [query]'],
    [{ query: 'a', foo: 1 }, 'parsing_exception: [query_string] query does not support [foo]'],
    [{ query: ['a'] }, '[query_string] unknown token [START_ARRAY] after [query]'],
    [{ query: 'a', default_field: 'f', fields: ['g'] }, 'in conjunction with [default_field]'],
    [{ query: 'a', default_operator: 'xor' }, 'unknown value [xor] of [default_operator]'],
    [{ query: 'a', type: 'x' }, 'failed to parse [query_string] query type [x]'],
    [{ query: 'a', phrase_slop: -1 }, '[phrase_slop] to be at least 0'],
    [{ query: 'abcde~0.8' }, 'fuzziness needs to be one of 0.0, 1.0 or 2.0 but was 0.8'],
    [{ query: 'abcde~3' }, 'Valid edit distances are [0, 1, 2] but was [3]'],
    [{ query: 'a', rewrite: 'top_terms' }, 'Failed to parse [rewrite] [top_terms]'],
    [
      { query: 'a*', rewrite: 'scoring_boolean', analyze_wildcard: true },
      'is not supported with [analyze_wildcard]',
    ],
    [{ query: `/${'a'.repeat(1001)}/` }, 'The length of regex [1001]'],
    [{ query: `${'a'.repeat(1000)}?b` }, 'The length of pattern [1002]'],
  ])('%j', (options, words) => {
    expect(refusal(() => parseClause({ query_string: options }))).toContain(words);
  });

  test('forbids a leading wildcard when asked to', () => {
    const options = { query: '*a', allow_leading_wildcard: false };
    expect(refusal(() => parseClause({ query_string: options }))).toContain(
      'Failed to parse query [*a]',
    );
  });

  test('counts its clauses', () => {
    const query = '+a '.repeat(2049);
    expect(refusal(() => parseClause({ query_string: { query } }))).toContain(
      'too_many_nested_clauses: the query strings of a query have more than [2048] words',
    );
  });
});

test('a text of nothing but words is what its tokens say', () => {
  const parts = ['a', 'bcd', 'AND', 'ANDy', 'OR', 'xOR', 'NOT', '&&', '&', '||', '|', 'ü', "l'eau"];
  const signs = [
    '+',
    '-',
    '!',
    '(',
    ')',
    ':',
    '^2',
    '"',
    '~',
    '*',
    '?',
    '\\',
    '/',
    '[',
    ']',
    '{',
    '}',
  ];
  const spaces = [' ', '  ', '\t', '\n', '\r', '\u3000', '\u00a0'];
  const piece = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...parts) },
    { weight: 12, arbitrary: fc.constantFrom(...spaces) },
    { weight: 1, arbitrary: fc.constantFrom(...signs) },
  );
  const outcome = (parse: () => unknown): unknown => {
    try {
      return parse();
    } catch (error) {
      return (error as Error).message;
    }
  };
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      for (const defaultOperator of ['and', 'or'] as const) {
        const options = { defaultOperator, joinWords: true, maxDepth: 5, countLeaf: () => {} };
        expect(outcome(() => parseQueryString(text, options))).toEqual(
          outcome(() => parseTokens(new Tokens(text), options)),
        );
      }
    }),
    { numRuns: 2000 },
  );
});

describe('what a query string may hold', () => {
  const counted = (query: string) => refusal(() => parseClause({ query_string: { query } }));

  test('is counted as it is read: a text of too many clauses is refused, whatever comes behind', () => {
    expect(counted(`${'+a '.repeat(2049)}(`)).toContain('too_many_nested_clauses');
  });

  test('is limited in characters, with the limit and what to do', () => {
    expect(counted(' '.repeat(262_145))).toBe(
      'illegal_argument_exception: [query_string] query has [262145] characters, more than [262144]: split it into several queries',
    );
  });

  test.each([
    '!',
    '(',
    '"a',
    '[a TO b] ',
    'a:',
    '/a',
    '\\',
    '~1',
    '^',
    'a OR ',
  ])('takes time in proportion to its length: %s', (piece) => {
    // A parser with quadratic time would exceed the test's timeout.
    const text = piece.repeat(Math.floor(262_144 / piece.length));
    counted(text);
  });
});
