// Whole search bodies: the values for the coordinator, the plan's header, and the errors.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { NumberFormats } from '../../src/query/number-formats.ts';
import { compileCount } from '../../src/query/search-body.ts';
import { withBoost, withoutInlineFetch } from '../../src/wire/plan-copies.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { compile, label, refusal } from './compile.ts';

function header(plan: Uint8Array<ArrayBuffer>) {
  const view = new DataView(plan.buffer);
  return {
    legs: view.getUint16(6, true),
    flags: view.getUint32(8, true),
    total: view.getUint32(12, true),
    nowMs: view.getBigInt64(16, true),
    timeoutUs: view.getBigUint64(24, true),
    page: [32, 36, 40].map((at) => view.getUint32(at, true)),
    terminateAfter: view.getUint32(44, true),
    minScore: view.getFloat32(48, true),
    frameBytes: view.getUint32(52, true) + 64 - plan.length,
    rootBoost: view.getFloat32(80, true),
  };
}

const plain = {
  from: 0,
  size: 10,
  trackTotalHits: 10_000,
  sort: [],
  scores: true,
  maxScore: true,
  source: true,
  version: false,
  seqNoPrimaryTerm: false,
  ids: true,
  timeoutUs: 0,
  terminateAfter: 0,
  indicesBoost: [],
  innerHits: [],
  rescores: [],
  rescorePlans: [],
  numberFormats: expect.any(NumberFormats),
  vectorClauses: [],
  semantic: [],
  ranked: undefined,
  totalRequested: false,
  explain: false,
  nearest: undefined,
  hitsJson: false,
  profile: false,
};
const key = {
  field: 'f',
  order: 'asc',
  mode: 'default',
  missing: '_last',
  unmappedType: '',
  numericType: '',
  format: '',
};
const sorted = { scores: false, maxScore: false };
const filter = (includes: readonly string[], excludes: readonly string[] = []) => ({
  source: { includes, excludes },
});

const accepted: readonly (readonly [JsonObject, object])[] = [
  [{}, {}],
  [
    { query: { match_all: {} }, from: 5, size: '20' },
    { from: 5, size: 20 },
  ],
  [{ from: 9990 }, { from: 9990 }],
  [{ size: 0 }, { size: 0 }],
  [{ track_total_hits: true }, { trackTotalHits: true, totalRequested: true }],
  [{ track_total_hits: 'false' }, { trackTotalHits: false }],
  [{ track_total_hits: 5 }, { trackTotalHits: 5, totalRequested: true }],
  [{ track_total_hits: -1 }, { trackTotalHits: false }],
  [
    { timeout: '1s', terminate_after: 3 },
    { timeoutUs: 1_000_000, terminateAfter: 3 },
  ],
  [{ timeout: '1.5ms' }, { timeoutUs: 1500 }],
  [{ timeout: -1 }, { timeoutUs: 0 }],
  [
    { version: true, seq_no_primary_term: 'true' },
    { version: true, seqNoPrimaryTerm: true },
  ],
  [{ _source: false }, { source: false }],
  [{ _source: 'a.*' }, filter(['a.*'])],
  [{ _source: ['a', 'b'] }, filter(['a', 'b'])],
  [{ _source: [] }, {}],
  [{ _source: { includes: 'a', excludes: ['b', 'c'] } }, filter(['a'], ['b', 'c'])],
  [{ _source: { include: ['a'], exclude: 'b', exclude_vectors: true } }, filter(['a'], ['b'])],
  [{ _source: {} }, {}],
  [{ stored_fields: '_none_' }, { source: false, ids: false }],
  [{ stored_fields: ['a'] }, { source: false }],
  [{ stored_fields: ['_source'] }, {}],
  [{ stored_fields: [], _source: true }, {}],
  [{ sort: 'f' }, { ...sorted, sort: [key] }],
  [{ sort: 'f:desc' }, { ...sorted, sort: [{ ...key, order: 'desc' }] }],
  [{ sort: 'a:b' }, { ...sorted, sort: [{ ...key, field: 'a:b' }] }],
  [{ sort: { f: 'DESC' } }, { ...sorted, sort: [{ ...key, order: 'desc' }] }],
  [
    { sort: [{ f: { order: 'desc', mode: 'avg', missing: '_first' } }, '_doc'] },
    {
      ...sorted,
      sort: [
        { ...key, order: 'desc', mode: 'avg', missing: '_first' },
        { ...key, field: '_doc' },
      ],
    },
  ],
  [
    {
      sort: [{ f: { missing: 7, unmapped_type: 'long', numeric_type: 'double', format: 'yyyy' } }],
    },
    {
      ...sorted,
      sort: [
        {
          ...key,
          missing: { kind: 'number', text: '7' },
          unmappedType: 'long',
          numericType: 'double',
          format: 'yyyy',
        },
      ],
    },
  ],
  [{ sort: [] }, {}],
  [{ sort: '_score' }, {}],
  [{ sort: [{ _score: 'desc' }] }, {}],
  [{ sort: [{ _score: 'asc' }] }, { maxScore: false, sort: [{ ...key, field: '_score' }] }],
  [
    { sort: ['f', '_score'] },
    { maxScore: false, sort: [key, { ...key, field: '_score', order: 'desc' }] },
  ],
  [{ sort: 'f', track_scores: true }, { sort: [key] }],
  [
    { sort: 'f', search_after: [null] },
    { ...sorted, sort: [key] },
  ],
  [{ sort: '_score', search_after: [1.5] }, { sort: [{ ...key, field: '_score', order: 'desc' }] }],
  [
    { indices_boost: [{ 'a*': 2 }, { b: 0.5 }] },
    {
      indicesBoost: [
        { index: 'a*', boost: 2 },
        { index: 'b', boost: 0.5 },
      ],
    },
  ],
  [
    { docvalue_fields: ['a', { field: 'b', format: 'epoch_millis' }], fields: ['*'] },
    { numberFormats: { isEmpty: false } },
  ],
  [{ fields: [{ field: 'a', format: null, include_unmapped: true }] }, {}],
  [{ explain: true, profile: false, min_score: 0.5 }, { explain: true }],
  [{ profile: true }, { profile: true }],
  [{ highlight: {}, suggest: {}, script_fields: {}, runtime_mappings: {} }, {}],
  [{ ext: {}, stats: ['g'], whatever: [1] }, {}],
];

const P = 'parsing_exception';
const I = 'illegal_argument_exception';

const refused: readonly (readonly [JsonObject, string, string])[] = [
  [{ from: -1 }, I, '[from] parameter cannot be negative but was [-1]'],
  [{ size: -1 }, I, '[size] parameter cannot be negative, found [-1]'],
  [{ size: 'ten' }, I, 'failed to parse [size] with value [ten], expected a whole number'],
  [{ size: 1.5 }, I, '[size]: 1.5 cannot be converted to Integer without data loss'],
  [{ size: true }, I, 'failed to parse [size] with value [true]'],
  [{ size: [1] }, I, 'failed to parse [size] with value [START_ARRAY]'],
  [{ size: 9007199254740993n }, I, 'out of range of int'],
  [
    { from: 1, size: 10_000 },
    I,
    'Result window is too large, from + size must be less than or equal to: [10000] but was [10001]. See the scroll api',
  ],
  [{ query: {} }, P, 'query malformed, empty clause found'],
  [{ query: [] }, P, '[_na] query malformed, must start with start_object'],
  [{ query: null }, P, '[_na] query malformed, must start with start_object'],
  [{ query: { foo: {} } }, P, 'unknown query [foo]'],
  [{ post_filter: { foo: {} } }, P, 'unknown query [foo]'],
  [
    { track_total_hits: -2 },
    I,
    '[track_total_hits] parameter must be positive or equals to -1, got -2',
  ],
  [{ track_total_hits: 'many' }, I, '[track_total_hits] with value [many]'],
  [{ terminate_after: -1 }, I, 'terminateAfter must be > 0'],
  [{ timeout: '1 parsec' }, I, 'failed to parse setting [timeout] with value [1 parsec]'],
  [{ timeout: 1000 }, I, 'unit is missing or unrecognized'],
  [{ min_score: 'high' }, I, 'failed to parse [min_score] with value [high], expected a number'],
  [{ version: 1 }, I, 'Failed to parse value [1] of [version]'],
  [{ explain: 'maybe' }, I, 'as only [true] or [false] are allowed'],
  [{ track_scores: {} }, I, 'Failed to parse value [START_OBJECT] of [track_scores]'],
  [{ profile: 'yes' }, I, 'Failed to parse value [yes] of [profile]'],
  [{ _source: 1 }, P, 'but found [VALUE_NUMBER] in [_source]'],
  [{ _source: { foo: 'a' } }, P, 'Unknown key for a VALUE_STRING in [_source]: [foo].'],
  [{ _source: [1] }, P, 'Unknown key for a VALUE_NUMBER in [_source].'],
  [{ _source: { includes: [{}] } }, P, 'Unknown key for a START_OBJECT in [includes].'],
  [{ stored_fields: ['_none_', 'a'] }, P, 'cannot combine [_none_] with other fields'],
  [{ stored_fields: 1 }, P, 'Unknown key for a VALUE_NUMBER in [stored_fields].'],
  [{ docvalue_fields: 'a' }, P, 'Unknown key for a VALUE_STRING in [docvalue_fields].'],
  [{ docvalue_fields: [1] }, P, '[docvalue_fields] expected a field name or an object'],
  [{ docvalue_fields: [''] }, I, '[docvalue_fields] field name is null or empty'],
  [{ fields: [{ field: 'a', foo: 1 }] }, P, '[fields] unknown field [foo]'],
  [{ fields: [{ format: 'x' }] }, P, '[fields] requires [field]'],
  [{ fields: [{ field: 'a', format: 1 }] }, P, '[format] of [a] must be a string'],
  [
    { docvalue_fields: Array.from({ length: 101 }, (_, i) => `f${i}`) },
    I,
    'Trying to retrieve too many docvalue_fields. Must be less than or equal to: [100] but was [101].',
  ],
  [{ sort: 1 }, I, 'malformed sort format, either start with array, object, or an actual string'],
  [
    { sort: [1] },
    I,
    'malformed sort format, within the sort array, an object, or an actual string',
  ],
  [{ sort: '' }, I, 'sort field name is null or empty'],
  [{ sort: { f: 'up' } }, I, '[sort] unknown order [up] of [f], expected [asc] or [desc]'],
  [{ sort: { f: ['asc'] } }, I, '[f] must be an order or an object of options'],
  [{ sort: { f: { order: 'asc', foo: 1 } } }, P, '[field_sort] unknown field [foo]'],
  [{ sort: { f: { ordre: 'asc' } } }, P, 'did you mean [order]?'],
  [{ sort: { _score: { mode: 'min' } } }, P, '[_score] unknown field [mode]'],
  [{ sort: { f: { mode: 'most' } } }, I, 'Unknown SortMode [most] of [f]'],
  [{ sort: { f: { missing: null } } }, I, '[missing] of [f] must be [_last], [_first] or a value'],
  [
    { sort: { f: { numeric_type: 'int' } } },
    I,
    'invalid value for [numeric_type], must be [long, double',
  ],
  [{ sort: { f: { unmapped_type: {} } } }, I, '[unmapped_type] of [f] must be a string'],
  [{ sort: { f: { nested_path: 'n' } } }, P, '[sort] [nested_path] of [f] is not supported'],
  [{ sort: { f: { nested: {} } } }, P, '[sort] [nested] of [f] requires [path]'],
  [{ sort: { f: { nested: { path: 'n', x: 1 } } } }, P, '[nested_sort] unknown field [x]'],
  [
    { sort: { f: { nested: { path: 'n', max_children: 0 } } } },
    I,
    '[max_children] of [f] must be at least 1, got [0]',
  ],
  [
    { sort: { f: { nested: { path: 'n', nested: { path: 'n.m', max_children: 1 } } } } },
    I,
    'max_children is only supported on top level of nested sort',
  ],
  [{ sort: { _script: {} } }, I, '[_script] sort unsupported type [], must be [number] or'],
  [{ sort: { _script: { type: 'number' } } }, P, '[_script] requires [script]'],
  [{ sort: { _script: { type: 'string', mode: 'avg' } } }, I, "doesn't support mode [avg]"],
  [{ sort: { _script: { typ: 1 } } }, P, '[_script] unknown field [typ] did you mean [type]?'],
  [{ sort: [{ _geo_distance: {} }] }, I, '[_geo_distance] names no field'],
  [{ sort: { _geo_distance: { p: [1, 2], mode: 'sum' } } }, I, "sort_mode [sum] isn't supported"],
  [{ sort: { _geo_distance: { p: [1, 2], mode: 'best' } } }, I, 'Unknown SortMode [best]'],
  [{ sort: { _geo_distance: { p: [1, 2], q: [1, 2] } } }, P, 'unexpected field [q]'],
  [{ sort: { _geo_distance: { p: [1, 2], distance_type: 'x' } } }, I, 'one of [arc, plane]'],
  [{ search_after: [1] }, I, 'Sort must contain at least one field.'],
  [{ sort: 'f', search_after: [] }, I, 'Values must contains at least one value.'],
  [{ sort: 'f', search_after: 1 }, P, 'Unknown key for a VALUE_NUMBER in [search_after].'],
  [{ sort: 'f', search_after: [1, 2] }, I, 'search_after has 2 value(s) but sort has 1.'],
  [{ sort: 'f', search_after: [[]] }, P, 'but found [START_ARRAY] inside search_after.'],
  [
    { sort: 'f', search_after: [1], from: 1 },
    'action_request_validation_exception',
    '[from] parameter must be set to 0 when [search_after] is used',
  ],
  [{ ext: { a: 1 } }, P, '[ext] is not supported by this server'],
  [{ stats: 'a' }, P, '[stats] takes a list of names, found [VALUE_STRING]'],
  [{ stats: ['a', 1] }, P, '[stats] takes a list of names, found [VALUE_NUMBER]'],
  [
    { stored_fields: '_none_', _source: ['a'], version: true },
    'action_request_validation_exception',
    '1: [stored_fields] cannot be disabled if [_source] is requested;',
  ],
  [{ fields: [{ field: 'f', format: '' }] }, I, '[fields] [format] of [f] is empty'],
  [{ docvalue_fields: [{ field: 'f', format: '' }] }, I, '[format] of [f] is empty'],
  [{ sort: { f: { format: '' } } }, I, '[sort] [format] of [f] is empty'],
  [{ sort: { f: { format: 1 } } }, I, '[sort] [format] of [f] must be a string'],
  [{ sort: { f: { numeric_type: '' } } }, I, '[sort] [numeric_type] of [f] is empty'],
  [
    { collapse: { field: 'f', inner_hits: { name: 'x', ignore_unmapped: 'maybe' } } },
    I,
    'Failed to parse value [maybe] of [ignore_unmapped] of [inner_hits]',
  ],
  [{ highlight: { fields: null } }, P, "[highlight] fields doesn't support values of type"],
  [
    { highlight: { require_field_match: false, fields: { f: { matched_fields: ['g'] } } } },
    I,
    'Matched fields are not supported when [require_field_match] is set to [false]',
  ],
  [{ indices_boost: 1 }, P, 'Unknown key for a VALUE_NUMBER in [indices_boost].'],
  [{ indices_boost: { a: 2 } }, P, 'Unknown key for a START_OBJECT in [indices_boost].'],
  [{ indices_boost: ['a'] }, P, '[indices_boost] expected objects with one index name'],
  [{ indices_boost: [{ a: -1 }] }, I, '[indices_boost] boost of [a] cannot be negative'],
  [{ indices_boost: [{ a: 'x' }] }, I, 'the boost of [a] in [indices_boost] with value [x]'],
];

const unsupportedKeys = ['suggest', 'runtime_mappings', 'rank'];

describe('a search body', () => {
  test.each(
    accepted.map(([body, reported]) => [label(body), body, reported] as const),
  )('%s', (_, body, reported) => {
    const { plan, planWith: _with, nearestPlan: _nearest, ...compiled } = compile(body);
    expect(compiled).toEqual({ ...plain, ...reported });
    expect(header(plan).frameBytes).toBe(0);
  });

  test.each(
    refused.map(([body, type, words]) => [label(body), type, words, body] as const),
  )('%s: %s, %s', (_, type, words, body) => {
    const message = refusal(() => compile(body));
    expect(message).toContain(words);
    expect(message.startsWith(`${type}: `)).toBe(true);
  });

  test.each(unsupportedKeys)('with [%s] is refused by name', (name) => {
    expect(refusal(() => compile({ [name]: { a: {} } }))).toBe(
      `parsing_exception: [${name}] is not supported by this server, leave it out`,
    );
  });
});

describe('the header of a plan', () => {
  test('of an empty body asks for ten hits and their documents', () => {
    expect(header(compile({}).plan)).toEqual({
      legs: 1,
      flags: 3,
      total: 10_000,
      nowMs: 1_700_000_000_000n,
      timeoutUs: 0n,
      page: [0, 10, 10],
      terminateAfter: 0,
      minScore: Number.NaN,
      frameBytes: 0,
      rootBoost: 1,
    });
  });

  test('carries limits', () => {
    const { plan } = compile({
      from: 20,
      size: 5,
      timeout: '2ms',
      terminate_after: 9,
      min_score: 0.5,
      track_total_hits: true,
    });
    expect(header(plan)).toMatchObject({
      total: 0xffffffff,
      timeoutUs: 2000n,
      page: [20, 5, 25],
      terminateAfter: 9,
      minScore: 0.5,
    });
  });

  test('wants no hits and no documents for size 0', () => {
    expect(header(compile({ from: 3, size: 0 }).plan)).toMatchObject({ flags: 1, page: [0, 0, 0] });
  });

  test('does not ask for scores that nobody sees', () => {
    expect(header(compile({ sort: 'f' }).plan).flags).toBe(2);
    expect(header(compile({ sort: ['f', '_score'] }).plan).flags).toBe(3);
  });

  test('is changed without encoding again', () => {
    const { plan } = compile({ query: { term: { f: { value: 'x', boost: 2 } } } });
    expect(header(withoutInlineFetch(plan)).flags).toBe(1);
    expect(header(withBoost(plan, 1.5)).rootBoost).toBe(3);
    expect(header(plan)).toMatchObject({ flags: 3, rootBoost: 2 });
  });
});

describe('a count', () => {
  const context = { opcodes: readOpcodes(), nowMs: 5, limits: DEFAULT_LIMITS };

  test('is exact and wants no hits', () => {
    const { plan } = compileCount({ query: { match_all: {} }, min_score: 1 }, context);
    expect(header(plan)).toMatchObject({
      flags: 0,
      total: 0xffffffff,
      page: [0, 0, 0],
      minScore: 1,
    });
  });

  test.each(['size', 'from', 'sort', 'aggs', '_source', 'foo'])('does not take [%s]', (name) => {
    expect(refusal(() => compileCount({ [name]: 1 }, context))).toBe(
      `parsing_exception: request does not support [${name}]`,
    );
  });
});
