// The clauses `script` and `terms_set`, and `script_fields`: what they accept and refuse.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { compile, label, parseClause, refusal } from './compile.ts';

const P = 'parsing_exception';
const I = 'illegal_argument_exception';
type Row = readonly [Json, string, string];

const script = (value: Json, more: JsonObject = {}): Json => ({
  script: { script: value, ...more },
});
const scripts: readonly Row[] = [
  [{ script: [] }, P, '[script] query malformed, no start_object after query name'],
  [{ script: {} }, P, 'script must be provided with a [script] filter'],
  [script(['true']), P, 'does not support an array of scripts. Use a bool query'],
  [script(null), P, '[script] unknown token [VALUE_NULL] after [script]'],
  [script('true', { foo: 1 }), P, '[script] query does not support [foo]'],
  [script({ source: 'true', lang: 'x' }), I, 'script_lang not supported [x]'],
  [script('_score > 1'), I, 'unknown variable [_score]'],
  [script({ source: '_score', lang: 'expression' }), I, 'unknown variable [_score]'],
  [script('true', { boost: -1 }), I, 'negative [boost] are not allowed in [script]'],
];

const terms = (body: Json): Json => ({ terms_set: { k: body } });
const ab = { terms: ['a', 'b'] };
const sets: readonly Row[] = [
  [{ terms_set: {} }, I, '[terms_set] field name is null or empty'],
  [{ terms_set: { a: ab, b: ab } }, P, "[terms_set] query doesn't support multiple fields"],
  [terms(['a']), P, '[terms_set] unknown token [START_ARRAY]'],
  [terms({ terms: 'a' }), P, '[terms_set] query does not support [terms]'],
  [terms({ ...ab, foo: 1 }), P, '[terms_set] query does not support [foo]'],
  [terms(ab), I, 'No minimum should match has been specified'],
  [
    terms({ ...ab, minimum_should_match_field: 'n', minimum_should_match_script: '1' }),
    I,
    'Cannot specify both a field and script',
  ],
  [
    terms({ ...ab, minimum_should_match_field: 'n', minimum_should_match: 1 }),
    I,
    'takes one of [minimum_should_match_field]',
  ],
  [terms({ terms: [null], minimum_should_match: 1 }), P, 'No value specified for terms query'],
  [terms({ terms: [{}], minimum_should_match: 1 }), P, '[terms_set] values of [k] must be scalars'],
  [terms({ ...ab, minimum_should_match_script: 'params.x' }), I, 'unknown parameter [params.x]'],
  [
    terms({ ...ab, minimum_should_match_script: { source: '1', params: [] } }),
    P,
    '[params] must be an object',
  ],
  [
    terms({ terms: Array.from({ length: 65_537 }, String), minimum_should_match: 1 }),
    I,
    'used in the Terms Set Query request has exceeded the allowed maximum of [65536]',
  ],
];

const shown = (fields: Json): JsonObject => ({ script_fields: fields });
const fields: readonly (readonly [JsonObject, string, string])[] = [
  [shown([]), P, 'Unknown key for a START_ARRAY in [script_fields].'],
  [shown({ a: '1' }), P, 'Expected [START_OBJECT] in [a] but found [VALUE_STRING]'],
  [shown({ a: {} }), P, '[script_fields] requires [script]'],
  [shown({ a: { script: '1', foo: 2 } }), P, 'Unknown key for a VALUE_NUMBER in [foo].'],
  [shown({ a: { script: '1', ignore_failure: 2 } }), I, '[ignore_failure] of [a]'],
  [shown({ a: { script: '_score' } }), I, 'unknown variable [_score]'],
  [shown({ ['a'.repeat(1025)]: { script: '1' } }), I, '[1025] characters, more than [1024]'],
  [
    shown(Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`f${i}`, { script: '1' }]))),
    I,
    'too many script_fields. Must be less than or equal to: [32] but was [33]',
  ],
  [
    shown({ a: { script: { source: 'params.t', params: { t: 'x'.repeat(1_048_577) } } } }),
    I,
    'the texts of the script have [1048577] characters, more than [1048576]',
  ],
];

describe('scripts of queries and fields', () => {
  test.each(
    [...scripts, ...sets].map((row) => [label(row[0]), ...row] as const),
  )('%s', (_, query, type, words) => {
    const message = refusal(() => parseClause(query));
    expect(message).toContain(words);
    expect(message).toContain(`${type}: `);
  });
  test.each(fields.map((row) => [label(row[0]), ...row] as const))('%s', (_, body, type, words) => {
    const message = refusal(() => compile(body));
    expect(message).toContain(words);
    expect(message).toContain(`${type}: `);
  });

  test('a number of the language [expression] is true unless it is 0', () => {
    const clause = parseClause(script({ source: "doc['n']", lang: 'expression' }));
    expect(clause).toMatchObject({
      script: {
        expression: {
          kind: 'choice',
          test: { sign: '!=', left: { kind: 'doc', field: 'n' }, right: { value: 0 } },
        },
      },
    });
  });

  test('the script of a terms_set knows the number of terms', () => {
    const least = { source: 'params.num_terms - params.less', params: { less: 1 } };
    expect(parseClause(terms({ ...ab, minimum_should_match_script: least }))).toMatchObject({
      minimumScript: { expression: { left: { value: 2 }, right: { value: 1 } } },
    });
  });

  test('script fields leave the source out unless it is asked for', () => {
    const computed = { a: { script: '1' } };
    expect(compile(shown(computed)).source).toBe(false);
    expect(compile({ ...shown(computed), _source: true }).source).toBe(true);
    expect(compile(shown({})).source).toBe(true);
  });

  test('index.max_script_fields limits their number', () => {
    const limits = { ...DEFAULT_LIMITS, scriptFields: 1 };
    const two = shown({ a: { script: '1' }, b: { script: '1' } });
    expect(refusal(() => compile(two, [], { limits }))).toContain('[index.max_script_fields]');
  });
});
