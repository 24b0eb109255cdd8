// Invalid clauses: the type of the error and its message.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { setClauseLimit } from '../../src/query/limits.ts';
import { label, parseClause, refusal } from './compile.ts';

const P = 'parsing_exception';
const I = 'illegal_argument_exception';

const shapes: readonly (readonly [Json, string, string])[] = [
  [{}, P, 'query malformed, empty clause found'],
  [[], P, '[_na] query malformed, must start with start_object'],
  ['match_all', P, '[_na] query malformed, must start with start_object'],
  [null, P, '[_na] query malformed, must start with start_object'],
  [{ match_all: [] }, P, '[match_all] query malformed, no start_object after query name'],
  [{ term: 'x' }, P, '[term] query malformed, no start_object after query name'],
  [{ match: null }, P, '[match] query malformed, no start_object after query name'],
  [
    { term: { f: 'x' }, match_all: {} },
    P,
    '[term] malformed query, expected [END_OBJECT] but found [FIELD_NAME]: [match_all]',
  ],
  [{ foo: {} }, P, 'unknown query [foo]'],
  [{ foo: 1 }, P, 'unknown query [foo]'],
  [{ matc: {} }, P, 'unknown query [matc] did you mean [match]?'],
  [{ Match: {} }, P, 'unknown query [Match] did you mean [match]?'],
  [{ match_al: {} }, P, 'did you mean'],
  [{ constructor: {} }, P, 'unknown query [constructor]'],
  [{ __proto__x: {} }, P, 'unknown query [__proto__x]'],
  [{ hasOwnProperty: {} }, P, 'unknown query [hasOwnProperty]'],
  [{ each_field: {} }, P, 'unknown query [each_field]'],
  [{ with_analyzers: {} }, P, 'unknown query [with_analyzers]'],
  [{ match_all: { _name: '' } }, I, '[_name] of [match_all] is empty'],
  [{ ids: { values: ['a', ''] } }, I, "Ids can't be empty"],
  [
    { match: { f: { query: 'x', analyzer: '' } } },
    'query_shard_exception',
    '[match] analyzer [] not found',
  ],
  [
    { query_string: { query: 'x', quote_analyzer: '' } },
    'query_shard_exception',
    '[query_string] quote_analyzer [] not found',
  ],
  [{ query_string: { query: 'x~y', default_field: 'f' } }, I, 'fuzziness cannot be [y]'],
  [{ simple_query_string: { query: 'x', flags: 1e12 } }, I, 'got [1000000000000]'],
  [{ geo_distance: { p: [1, 2] } }, P, "geo_distance requires 'distance' to be specified"],
  [{ geo_distance: { p: [1, 2], distance: true } }, I, '[distance] must be a number with a unit'],
  [{ geo_distance: { distance: '1km' } }, I, '[geo_distance] names no field'],
  [{ geo_distance: { distance: '1km', p: [1, 2], q: [1, 2] } }, P, 'unexpected field [q]'],
  [{ geo_distance: { distance: '1km', 'p.lat': 1, 'q.lon': 2 } }, P, 'unexpected field [q.lon]'],
  [{ geo_distance: { distance: '1km', p: [1, 2], distance_type: 'x' } }, I, 'one of [arc, plane]'],
  [{ geo_bounding_box: { p: {}, validation_method: 'x' } }, I, 'unknown value [x]'],
  [{ geo_bounding_box: {} }, I, '[geo_bounding_box] names no field'],
  [{ geo_polygon: { p: [[1, 2]] } }, P, '[p] must be an object with a list of [points]'],
  [{ geo_polygon: { p: { points: [], x: 1 } } }, P, 'query does not support [x]'],
  [{ range: { f: { gte: 1, time_zone: '' } } }, I, 'Unknown time-zone ID: []'],
  [
    { function_score: { random_score: { seed: 1, field: '' } } },
    I,
    '[random_score] [field] is empty',
  ],
  [
    { function_score: { gauss: { f: { origin: 1, scale: 2, offset: null } } } },
    P,
    '[gauss] [offset] must be a number, a date or a point, found null',
  ],
  [{ bool: { must: [{}] } }, P, 'query malformed, empty clause found'],
  [{ bool: { must: [{ matc: {} }] } }, P, 'unknown query [matc]'],
];

const unsupported = [
  'has_child',
  'has_parent',
  'parent_id',
  'geo_shape',
  'percolate',
  'span_term',
  'span_near',
  'intervals',
  'pinned',
  'sparse_vector',
  'neural',
];

const oneField: readonly (readonly [Json, string, string])[] = [
  [{ match: {} }, I, '[match] field name is null or empty'],
  [{ match: { '': 'x' } }, I, '[match] field name is null or empty'],
  [
    { match: { a: 'x', b: 'y' } },
    P,
    "[match] query doesn't support multiple fields, found [a] and [b]",
  ],
  [
    { term: { a: 'x', b: 'y' } },
    P,
    "[term] query doesn't support multiple fields, found [a] and [b]",
  ],
  [{ prefix: { a: 'x', b: 'y' } }, P, "[prefix] query doesn't support multiple fields"],
  [{ wildcard: { a: 'x', b: 'y' } }, P, "[wildcard] query doesn't support multiple fields"],
  [{ regexp: { a: 'x', b: 'y' } }, P, "[regexp] query doesn't support multiple fields"],
  [{ fuzzy: { a: 'x', b: 'y' } }, P, "[fuzzy] query doesn't support multiple fields"],
  [{ match_phrase: { a: 'x', b: 'y' } }, P, "[match_phrase] query doesn't support multiple fields"],
  [
    { range: { a: {}, b: {} } },
    P,
    "[range] query doesn't support multiple fields, found [a] and [b]",
  ],
  [{ term: {} }, I, '[term] field name is null or empty'],
  [{ range: {} }, I, '[range] field name is null or empty'],
];

const parameters: readonly (readonly [Json, string, string])[] = [
  [
    { match: { f: { query: 'x', fuzzy_rewrite: 'top_terms_boost_9' } } },
    P,
    '[fuzzy_rewrite] method [top_terms_boost_N] is not supported',
  ],
  [
    { more_like_this: { fields: ['f'], like: 'x' } },
    P,
    '[more_like_this] is not supported in the filter of an alias, in [wrapper] and in cluster mode',
  ],
  [
    { function_score: { weight: 2, random_score: {} } },
    P,
    'already found function [random_score], now encountering [weight]',
  ],
  [{ match: { f: { query: 'x', foo: 1 } } }, P, '[match] query does not support [foo]'],
  [{ match: { f: { qurey: 'x' } } }, P, '[match] query does not support [qurey]'],
  [{ match: { f: {} } }, P, '[match] No text specified'],
  [{ match: { f: null } }, P, '[match] No text specified'],
  [{ match: { f: { query: null } } }, P, '[match] No text specified'],
  [{ match: { f: ['x'] } }, P, '[match] unknown token [START_ARRAY] after [f]'],
  [{ match: { f: { query: ['x'] } } }, P, '[match] unknown token [START_ARRAY] after [query]'],
  [{ match: { f: { query: {} } } }, P, '[match] unknown token [START_OBJECT] after [query]'],
  [
    { match: { f: { query: 'x', operator: 'xor' } } },
    I,
    '[match] unknown value [xor] of [operator], expected one of [or, and]',
  ],
  [
    { match: { f: { query: 'x', operator: null } } },
    P,
    '[match] unknown token [VALUE_NULL] after [operator]',
  ],
  [{ match: { f: { query: 'x', zero_terms_query: 'some' } } }, P, 'zero_terms_query value [some]'],
  [
    { match: { f: { query: 'x', prefix_length: -1 } } },
    I,
    '[prefix_length] to be at least 0, got [-1]',
  ],
  [
    { match: { f: { query: 'x', max_expansions: 0 } } },
    I,
    '[max_expansions] to be at least 1, got [0]',
  ],
  [
    { match: { f: { query: 'x', max_expansions: 'a' } } },
    I,
    '[max_expansions] of [match] with value [a], expected a whole number',
  ],
  [{ match: { f: { query: 'x', max_expansions: 1.5 } } }, I, 'cannot be converted to Integer'],
  [{ match: { f: { query: 'x', max_expansions: 1e10 } } }, I, 'out of range of int'],
  [{ match: { f: { query: 'x', lenient: 'yes' } } }, I, 'as only [true] or [false] are allowed'],
  [{ match: { f: { query: 'x', lenient: 1 } } }, I, 'Failed to parse value [1] of [lenient]'],
  [{ match: { f: { query: 'x', boost: -1 } } }, I, 'negative [boost] are not allowed in [match]'],
  [{ match: { f: { query: 'x', boost: 'big' } } }, I, '[boost] of [match] with value [big]'],
  [{ match: { f: { query: 'x', boost: [] } } }, P, 'unknown token [START_ARRAY] after [boost]'],
  [{ match: { f: { query: 'x', _name: {} } } }, P, 'unknown token [START_OBJECT] after [_name]'],
  [
    { match: { f: { query: 'x', fuzziness: 3 } } },
    I,
    'Valid edit distances are [0, 1, 2] but was [3]',
  ],
  [{ match: { f: { query: 'x', fuzziness: 'many' } } }, I, 'fuzziness cannot be [many].'],
  [{ match: { f: { query: 'x', fuzziness: 0.5 } } }, I, 'one of 0.0, 1.0 or 2.0 but was 0.5'],
  [{ match: { f: { query: 'x', fuzziness: '' } } }, I, 'fuzziness cannot be null or empty.'],
  [{ match: { f: { query: 'x', fuzziness: 'AUTO:3' } } }, I, 'failed to parse [AUTO:3]'],
  [
    { match: { f: { query: 'x', fuzziness: 'AUTO:6,3' } } },
    'parse_exception',
    'Must be 0 < lower value <= higher value.',
  ],
  [
    { match: { f: { query: 'x', fuzziness: [1] } } },
    P,
    'unknown token [START_ARRAY] after [fuzziness]',
  ],
  [
    { match: { f: { query: 'x', fuzzy_rewrite: 'best' } } },
    I,
    'Failed to parse [fuzzy_rewrite] [best]',
  ],
  [
    { match: { f: { query: 'x', cutoff_frequency: 0.1 } } },
    P,
    'does not support [cutoff_frequency]',
  ],
  [
    { match: { f: { query: 'x', minimum_should_match: 'two' } } },
    I,
    '[match] failed to parse [minimum_should_match] with value [two]',
  ],
  [{ match: { f: { query: 'x', minimum_should_match: '2 3' } } }, I, 'with value [2 3]'],
  [{ match: { f: { query: 'x', minimum_should_match: '<2' } } }, I, 'with value [<2]'],
  [{ match: { f: { query: 'x', minimum_should_match: 1.5 } } }, I, 'with value [1.5]'],
  [{ match: { f: { query: 'x', minimum_should_match: {} } } }, P, 'unknown token [START_OBJECT]'],
  [{ match_phrase: { f: { query: 'x', slop: -1 } } }, I, 'No negative slop allowed, got [-1]'],
  [{ match_phrase: { f: { query: 'x', operator: 'and' } } }, P, 'does not support [operator]'],
  [{ match_phrase: { f: {} } }, I, '[match_phrase] requires query value'],
  [{ match_phrase_prefix: { f: { query: 'x', max_expansions: 0 } } }, I, 'at least 1'],
  [{ match_phrase_prefix: { f: { query: 'x', fuzziness: 1 } } }, P, 'does not support [fuzziness]'],
  [{ match_bool_prefix: { f: { query: 'x', slop: 1 } } }, P, 'does not support [slop]'],
  [{ match_bool_prefix: { f: { query: 'x', lenient: true } } }, P, 'does not support [lenient]'],
  [{ combined_fields: { fields: ['a'] } }, I, '[combined_fields] requires query value'],
  [{ combined_fields: { query: 5, fields: ['a'] } }, P, "doesn't support values of type: [number]"],
  [
    { combined_fields: { query: 'x', fields: ['a', '_id'] } },
    I,
    'Field [_id] of type [_id] does not support [combined_fields] queries',
  ],
  [{ combined_fields: { query: 'x', fields: ['_index^2'] } }, I, 'Field [_index] of type [_index]'],
  [{ combined_fields: { query: 'x' } }, I, 'at least one field must be provided'],
  [{ combined_fields: { query: 'x', fields: [] } }, I, 'at least one field must be provided'],
  [
    { combined_fields: { query: 'x', fields: ['a', 'b^0.5'] } },
    I,
    '[combined_fields] requires field boosts to be >= 1.0, got [b^0.5]',
  ],
  [
    { combined_fields: { query: 'x', fields: ['a'], analyzer: 'standard' } },
    P,
    '[combined_fields] query does not support [analyzer]',
  ],
  [
    { combined_fields: { query: 'x', fields: ['a'], zero_terms_query: 'some' } },
    P,
    '[combined_fields] Unsupported zero_terms_query value [some]',
  ],
  [{ multi_match: { fields: ['a'] } }, P, '[multi_match] No text specified'],
  [{ multi_match: { query: 'x', foo: 1 } }, P, '[multi_match] query does not support [foo]'],
  [{ multi_match: { query: 'x', fields: [1] } }, P, 'unknown token [VALUE_NUMBER] after [fields]'],
  [{ multi_match: { query: 'x', fields: [''] } }, I, 'field name is null or empty in [fields]'],
  [{ multi_match: { query: 'x', fields: ['a^'] } }, I, 'the boost of field [a^]'],
  [{ multi_match: { query: 'x', fields: ['a^b'] } }, I, 'the boost of field [a^b]'],
  [
    { multi_match: { query: 'x', type: 'worst_fields' } },
    'parse_exception',
    'failed to parse [multi_match] query type [worst_fields]. unknown type.',
  ],
  [
    { multi_match: { query: 'x', type: 'phrase', fuzziness: 1 } },
    P,
    'Fuzziness not allowed for type [phrase]',
  ],
  [{ multi_match: { query: 'x', type: 'cross_fields', fuzziness: 1 } }, P, 'type [cross_fields]'],
  [
    { multi_match: { query: 'x', type: 'bool_prefix', slop: 1 } },
    P,
    '[slop] not allowed for type [bool_prefix]',
  ],
  [{ term: { f: ['x'] } }, P, '[term] query does not support array of values'],
  [{ term: { f: { value: ['x'] } } }, P, '[term] unknown token [START_ARRAY] after [value]'],
  [{ term: { f: null } }, I, '[term] value of field [f] cannot be null'],
  [{ term: { f: {} } }, I, '[term] value of field [f] cannot be null'],
  [{ term: { f: { value: 'x', foo: 1 } } }, P, '[term] query does not support [foo]'],
  [{ term: { f: Number.POSITIVE_INFINITY } }, I, 'too large for a 64-bit floating point number'],
  [{ terms: {} }, P, '[terms] query requires a field name, followed by array of terms'],
  [{ terms: { f: 'x' } }, P, '[terms] query does not support [f]'],
  [{ terms: { a: [], b: [] } }, P, '[terms] query does not support multiple fields'],
  [{ terms: { f: [null] } }, P, 'No value specified for terms query'],
  [{ terms: { f: [['x']] } }, P, '[terms] values of [f] must be scalars, found [START_ARRAY]'],
  [
    { terms: { f: { index: 'i', id: '1', path: 'p' } } },
    P,
    'terms lookup (object in place of an array',
  ],
  [
    { terms: { f: Array.from({ length: 65_537 }, (_, i) => i) } },
    I,
    'The number of terms [65537] used in the Terms Query request has exceeded the allowed maximum of [65536]',
  ],
  [{ range: { f: 'x' } }, P, '[range] query does not support [f]'],
  [{ range: { f: { gte: 1, foo: 2 } } }, P, '[range] query does not support [foo]'],
  [{ range: { f: { gte: [1] } } }, P, '[range] unknown token [START_ARRAY] after [gte]'],
  [
    { range: { f: { gte: 1, relation: 'disjoint' } } },
    I,
    '[range] query does not support relation [disjoint]',
  ],
  [{ range: { f: { gte: 1, relation: 1 } } }, I, 'does not support relation [1]'],
  [{ range: { f: { gte: 1, include_lower: 'no' } } }, I, 'as only [true] or [false] are allowed'],
  [{ exists: {} }, P, '[exists] must be provided with a [field]'],
  [{ exists: { field: '' } }, I, '[exists] field name is null or empty'],
  [{ exists: { field: 'f', foo: 1 } }, P, '[exists] query does not support [foo]'],
  [{ exists: { field: ['f'] } }, P, '[exists] unknown token [START_ARRAY] after [field]'],
  [{ prefix: { f: ['x'] } }, P, '[prefix] unknown token [START_ARRAY] after [f]'],
  [{ prefix: { f: null } }, I, '[prefix] value of field [f] cannot be null'],
  [{ prefix: { f: { value: 'x', foo: 1 } } }, P, '[prefix] query does not support [foo]'],
  [
    { prefix: { f: { value: 'x', rewrite: 'top_terms_0' } } },
    I,
    '[prefix] Failed to parse [rewrite] [top_terms_0], expected a method such as',
  ],
  [{ wildcard: { f: {} } }, I, '[wildcard] value of field [f] cannot be null'],
  [{ wildcard: { f: 'x'.repeat(1001) } }, I, 'The length of pattern [1001]'],
  [{ wildcard: { f: { value: 'x', foo: 1 } } }, P, '[wildcard] query does not support [foo]'],
  [{ regexp: { f: 'x'.repeat(1001) } }, I, 'The length of regex [1001] used in the Regexp Query'],
  [{ regexp: { f: { value: 'x', flags: 'FOO' } } }, I, 'Unknown regexp flag [FOO]'],
  [{ regexp: { f: { value: 'x', max_determinized_states: -1 } } }, I, 'at least 0, got [-1]'],
  [{ regexp: { f: { value: null } } }, I, '[regexp] value of field [f] cannot be null'],
  [{ fuzzy: { f: ['x'] } }, P, '[fuzzy] unknown token [START_ARRAY] after [f]'],
  [{ fuzzy: { f: { value: 'x', fuzziness: 5 } } }, I, 'Valid edit distances'],
  [{ fuzzy: { f: { value: 'x', max_expansions: 0 } } }, I, 'at least 1'],
  [{ fuzzy: { f: { foo: 1 } } }, P, '[fuzzy] query does not support [foo]'],
  [{ ids: { values: [{}] } }, P, '[ids] values must be strings, found [START_OBJECT]'],
  [{ ids: { values: [true] } }, P, 'found [VALUE_BOOLEAN]'],
  [{ ids: { values: [], type: 'doc' } }, P, '[ids] query does not support [type]'],
  [{ match_all: { foo: 1 } }, P, '[match_all] query does not support [foo]'],
  [{ match_none: { foo: 1 } }, P, '[match_none] query does not support [foo]'],
];

const holders: readonly (readonly [Json, string, string])[] = [
  [{ bool: { shold: [] } }, P, '[bool] query does not support [shold] did you mean [should]?'],
  [
    { bool: { must: 'x' } },
    P,
    '[bool] [must] must be a query or an array of queries, found [VALUE_STRING]',
  ],
  [{ bool: { filter: ['x'] } }, P, '[_na] query malformed, must start with start_object'],
  [{ bool: { must: [[{ match_all: {} }]] } }, P, '[_na] query malformed'],
  [{ bool: { adjust_pure_negative: false } }, P, '[adjust_pure_negative: false] is not supported'],
  [{ bool: { minimum_should_match: 'x' } }, I, '[bool] failed to parse [minimum_should_match]'],
  [{ bool: [] }, P, '[bool] query malformed, no start_object after query name'],
  [{ constant_score: {} }, P, "[constant_score] requires a 'filter' element"],
  [{ constant_score: { query: {} } }, P, '[constant_score] query does not support [query]'],
  [
    { constant_score: { filter: [{ match_all: {} }] } },
    P,
    '[constant_score] unexpected token [START_ARRAY]',
  ],
  [{ dis_max: {} }, P, "[dis_max] requires 'queries' field with at least one clause"],
  [{ dis_max: { queries: [] } }, P, "[dis_max] requires 'queries' field"],
  [{ dis_max: { queries: [{ foo: {} }] } }, P, 'unknown query [foo]'],
  [{ dis_max: { queries: [{ match_all: {} }], tie_breaker: 2 } }, I, 'must be in [0, 1], got [2]'],
  [{ multi_match: { query: 'x', tie_breaker: -1 } }, I, 'must be in [0, 1], got [-1]'],
  [{ dis_max: { queries: [{ match_all: {} }], foo: 1 } }, P, 'does not support [foo]'],
  [{ boosting: { negative: {}, negative_boost: 1 } }, P, "requires 'positive' query to be set"],
  [{ boosting: { positive: {}, negative_boost: 1 } }, P, "requires 'negative' query to be set"],
  [{ boosting: { positive: {}, negative: {} } }, P, "requires 'negative_boost' to be set"],
  [{ boosting: { positive: {}, negative: {}, negative_boost: -1 } }, P, "'negative_boost'"],
  [{ wrapper: {} }, P, '[wrapper] query string should not be empty'],
  [{ wrapper: { query: '?' } }, P, '[wrapper] [query] must be JSON encoded as base64'],
  [{ wrapper: { query: 'e30=' } }, P, 'query malformed, empty clause found'],
  [{ wrapper: { query: 'Zm9v' } }, P, '[wrapper] [query] must be JSON encoded as base64'],
  [{ wrapper: { query: '/w==' } }, P, '[wrapper] [query] must be JSON encoded as base64'],
  [{ wrapper: { query: 'e30=', foo: 1 } }, P, '[wrapper] query does not support [foo]'],
];

function nested(levels: number): Json {
  let query: Json = { match_all: {} };
  for (let level = 1; level < levels; level++) query = { bool: { must: query } };
  return query;
}

function wide(clauses: number): Json {
  return { bool: { should: Array.from({ length: clauses }, (_, i) => ({ term: { f: i } })) } };
}

const named = (cases: typeof shapes) =>
  cases.map(([query, type, words]) => [label(query), type, words, query] as const);

describe('a query', () => {
  test.each(named(shapes))('%s: %s, %s', (_, type, words, query) => {
    const refused = refusal(() => parseClause(query));
    expect(refused).toContain(words);
    expect(refused.startsWith(`${type}: `)).toBe(true);
  });

  test.each(unsupported)('[%s] is known and refused by name', (name) => {
    expect(refusal(() => parseClause({ [name]: {} }))).toBe(
      `parsing_exception: [${name}] query is not supported by this server`,
    );
  });

  test('may have 64 levels and no more', () => {
    expect(parseClause(nested(64)).kind).toBe('bool');
    expect(refusal(() => parseClause(nested(65)))).toContain(
      'illegal_argument_exception: The nested depth of the query exceeds',
    );
  });

  test('may have as many clauses as the limit of the process says', () => {
    expect(parseClause(wide(16_384)).kind).toBe('bool');
    expect(refusal(() => parseClause(wide(16_385)))).toBe(
      'too_many_nested_clauses: Query contains too many nested clauses; maxClauseCount is set to 16384',
    );
    setClauseLimit(16_385);
    expect(parseClause(wide(16_385)).kind).toBe('bool');
    setClauseLimit(16_384);
  });

  test.each([
    ['query_string', 'a* '],
    ['query_string', '"a b" OR '],
    ['query_string', '[a TO b] '],
    ['simple_query_string', 'a~1 '],
    ['simple_query_string', '-"'],
    ['simple_query_string', '"a b" '],
  ])('%s of many [%s] is refused with the limit of words and the remedy', (name, piece) => {
    expect(refusal(() => parseClause({ [name]: { query: `${piece.repeat(2100)}a` } }))).toBe(
      'too_many_nested_clauses: the query strings of a query have more than [2048] words, phrases and patterns with operators: send values as [terms], and plain words as [match]',
    );
  });

  test('counts the words of all its query strings together', () => {
    const one = { query_string: { query: 'a* '.repeat(1025) } };
    expect(parseClause(one).kind).toBe('bool');
    expect(refusal(() => parseClause({ bool: { should: [one, one] } }))).toContain('[2048] words');
  });

  test('takes a query string of any number of plain words', () => {
    const query = Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(' ');
    expect(parseClause({ query_string: { query, default_field: 'body' } }).kind).toBe('match');
  });

  test('refuses a simple query string whose operators alternate without end', () => {
    expect(
      refusal(() => parseClause({ simple_query_string: { query: 'a+b|'.repeat(1000) } })),
    ).toBe(
      'illegal_argument_exception: The nested depth of the query exceeds the maximum nested depth of [64] levels: [+] and [|] alternate too often in [simple_query_string], group the words with parentheses',
    );
  });
});

describe('a clause', () => {
  test.each(
    named([...oneField, ...parameters, ...holders]),
  )('%s: %s, %s', (_, type, words, query) => {
    const refused = refusal(() => parseClause(query));
    expect(refused).toContain(words);
    expect(refused.startsWith(`${type}: `)).toBe(true);
  });
});
