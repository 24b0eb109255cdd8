// Clauses and scripts that compute scores: their errors.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/backend/index.ts';
import { label, parseClause, refusal } from './compile.ts';

const P = 'parsing_exception';
const I = 'illegal_argument_exception';
type Row = readonly [Json, string, string];

const score = (body: Json): Json => ({ function_score: body });
const one = (name: string, body: Json): Json => score({ [name]: body });

const functions: readonly Row[] = [
  [score([]), P, '[function_score] query malformed, no start_object after query name'],
  [score({ foo: 1 }), P, '[function_score] query does not support [foo]'],
  [score({ score_mode: 'most' }), I, 'unknown value [most] of [score_mode]'],
  [score({ boost_mode: 'first' }), I, 'unknown value [first] of [boost_mode]'],
  [score({ max_boost: 'x' }), I, '[max_boost] of [function_score] with value [x]'],
  [score({ min_score: [] }), P, '[function_score] unknown token [START_ARRAY] after [min_score]'],
  [score({ boost: -1 }), I, 'negative [boost] are not allowed in [function_score]'],
  [score({ query: { matc: {} } }), P, 'unknown query [matc]'],
  [score({ functions: {} }), P, '[functions] must be an array, found [START_OBJECT]'],
  [score({ functions: [1] }), P, 'expected an object in [functions] but found [VALUE_NUMBER]'],
  [score({ functions: [{}] }), P, 'an entry in functions list is missing a function'],
  [score({ functions: [{ filter: { match_all: {} } }] }), P, 'is missing a function'],
  [score({ functions: [{ foo: {} }] }), P, 'no function with name [foo] is known'],
  [score({ functions: [{ gauss: {}, exp: {} }] }), P, 'already found function [gauss], now'],
  [score({ functions: [{ weight: -1 }] }), I, '[weight] cannot be negative'],
  [score({ weight: 'heavy' }), I, '[weight] of [function_score] with value [heavy]'],
  [score({ weight: 1, functions: [] }), P, 'now encountering [weight], put it into the array'],
  [score({ gauss: {}, functions: [] }), P, 'now encountering [gauss]'],
  [score({ gauss: {}, exp: {} }), P, 'already found function [gauss], now encountering [exp]'],
  [one('random_score', 1), P, '[random_score] of [function_score] must be an object'],
  [one('random_score', { sed: 1 }), P, '[random_score] query does not support [sed]'],
  [one('random_score', { seed: 1.5 }), I, "seed must be an int, long or string, not '1.5'"],
  [one('field_value_factor', {}), P, "[field_value_factor] required field 'field' missing"],
  [one('field_value_factor', { field: 'n', modifier: 'cube' }), I, 'unknown value [cube]'],
  [one('field_value_factor', { field: 'n', faktor: 2 }), P, 'does not support [faktor]'],
  [one('gauss', {}), P, 'malformed score function [gauss], a field is missing'],
  [one('gauss', { a: {}, b: {} }), P, 'only one field is allowed, found [a] and [b]'],
  [one('gauss', { a: 1 }), P, '[a] must be an object, found [VALUE_NUMBER]'],
  [one('gauss', { a: {} }), P, '[gauss] must set [scale] for field [a]'],
  [one('exp', { a: { scale: 1, sigma: 2 } }), P, '[exp] query does not support [sigma]'],
  [one('linear', { a: { scale: 1, decay: 'x' } }), I, '[decay] of [linear] with value [x]'],
  [one('linear', { a: { scale: 1 }, multi_value_mode: 'any' }), I, 'unknown value [any]'],
  [one('gauss', { p: { origin: null, scale: '2km' } }), P, 'a number, a date or a point'],
];

const scripted = (script: Json): Json => ({
  script_score: { query: { match_all: {} }, script },
});
const scripts: readonly Row[] = [
  [{ script_score: { query: { match_all: {} } } }, P, '[script_score] requires [script]'],
  [{ script_score: { script: '1' } }, P, '[script_score] requires [query]'],
  [{ script_score: { query: {}, script: '1' } }, P, 'query malformed, empty clause found'],
  [scripted(1), P, '[script_score] unknown token [VALUE_NUMBER] after [script]'],
  [scripted({}), I, 'must specify <source> for an inline script'],
  [scripted({ id: 'stored' }), P, 'stored scripts are not supported'],
  [scripted({ source: '1', lang: 'mustache' }), I, 'script_lang not supported [mustache]'],
  [scripted({ source: '1', lang: 'groovy' }), I, 'script_lang not supported [groovy]'],
  [scripted({ source: '1', param: {} }), P, 'does not support [param]'],
  [scripted({ source: '1', params: [] }), P, '[params] must be an object'],
  [scripted({ source: '1', options: { a: 1 } }), P, '[options] are not supported'],
  [scripted(''), I, 'unexpected end'],
  [scripted('def x = 1; return x'), I, '[def]: statements are not supported'],
  [scripted('if (_score > 1) { return 2 }'), I, 'unexpected [{]'],
  [scripted('while (true) 1'), I, '[while]: statements are not supported'],
  [scripted("doc['n'].value = 3"), I, 'unexpected [=], only one expression is allowed'],
  [scripted('params.k'), I, 'unknown parameter [params.k]'],
  [scripted({ source: 'params.k', params: { k: [1] } }), I, '[params.k] must be a number'],
  [scripted('params._source.n'), I, 'unknown parameter [params._source]'],
  [scripted("ctx['x']"), I, 'unknown variable [ctx], there are [_score]'],
  [scripted("doc['n'].values"), I, "unknown [doc['n'].values], there are [value, size()"],
  [scripted("doc['d'].value.getYear()"), I, 'unknown method [getYear] of a value'],
  [scripted('doc[n].value'), I, 'doc[…] needs the name of a field, found [n]'],
  [scripted('Math.cbrt(2)'), I, 'unknown method [Math.cbrt]'],
  [scripted('Math.max(1)'), I, '[Math.max] takes [2] arguments, got [1]'],
  [scripted('saturation(1)'), I, 'expected [,] but found [)]'],
  [scripted('randomScore(1)'), I, 'unknown variable [randomScore]'],
  [scripted("cosineSimilarity([1], 'v')"), I, 'expected a name but found [[]'],
  [scripted("cosineSimilarity(params.v, 'v')"), I, '[params.v] must be a vector'],
  [scripted({ source: "l2norm(params.v, 'v')", params: { v: ['x'] } }), I, 'something else than'],
  [scripted({ source: 'dotProduct(params.v, n)', params: { v: [1] } }), I, 'name of a field'],
];

const features: readonly Row[] = [
  [{ distance_feature: {} }, I, '[distance_feature] Required [field]'],
  [{ distance_feature: { field: 'd' } }, I, '[distance_feature] Required [origin]'],
  [{ distance_feature: { field: 'd', origin: 'now' } }, I, 'Required [pivot]'],
  [{ distance_feature: { field: 'd', origin: null, pivot: '1km' } }, I, 'Required [origin]'],
  [{ distance_feature: { field: 'd', origin: 1, pivot: '1d', x: 1 } }, P, 'not support [x]'],
  [{ rank_feature: {} }, I, '[rank_feature] Required [field]'],
  [{ rank_feature: { field: 'r', log: {} } }, I, '[log] Required [scaling_factor]'],
  [{ rank_feature: { field: 'r', sigmoid: { pivot: 1 } } }, I, '[sigmoid] Required [exponent]'],
  [{ rank_feature: { field: 'r', linear: { pivot: 1 } } }, P, 'not support [pivot]'],
  [{ rank_feature: { field: 'r', linear: {}, log: 3 } }, P, 'no start_object'],
  [{ rank_feature: { field: 'r', linear: {}, saturation: {} } }, I, 'only specify one of [log]'],
  [{ rank_feature: { field: 'r', tanh: {} } }, P, 'not support [tanh]'],
];

const simple = (body: Json): Json => ({ simple_query_string: body });
const strings: readonly Row[] = [
  [simple({}), P, '[simple_query_string] query text missing'],
  [simple({ query: 'a', foo: 1 }), P, '[simple_query_string] query does not support [foo]'],
  [simple({ query: 'a', default_field: 'f' }), P, 'does not support [default_field]'],
  [simple({ query: 'a', flags: 'FOO' }), I, 'Unknown simple_query_string flag [FOO]'],
  [simple({ query: 'a', flags: {} }), I, '[flags] must be a whole number or names'],
  [simple({ query: 'a', fields: [1] }), P, 'unknown token [VALUE_NUMBER] after [fields]'],
  [simple({ query: 'a', default_operator: 'xor' }), I, 'unknown value [xor]'],
  [simple({ query: 'a', fuzziness: 1 }), P, 'does not support [fuzziness]'],
  [simple({ query: 'a', fuzzy_max_expansions: 0 }), I, 'to be at least 1, got [0]'],
  [simple({ query: 'a '.repeat(2049) }), 'too_many_nested_clauses', 'more than [2048] words'],
];

describe('computed scores refuse', () => {
  test.each(
    [...functions, ...scripts, ...features, ...strings].map((row) => [label(row[0]), ...row]),
  )('%s', (_, query, type, words) => {
    const message = refusal(() => parseClause(query as Json));
    expect(message).toContain(words);
    expect(message.startsWith(`${type}: `)).toBe(true);
  });
});
