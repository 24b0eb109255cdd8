// Merging of states is commutative, associative and idempotent. Equal states have equal canonical
// text, which is lossless.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import {
  canonical,
  mergeLinks,
  mergeMemories,
  mergeSuggestions,
  readJson,
} from '../../src/memory/transfer-merge.ts';

const instant = fc.integer({ min: 0, max: 3 });
const few = fc.constantFrom('x', 'y');

function partly(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const KINDS = [
  [
    'memories',
    mergeMemories,
    partly({ stored_at: instant, text: few, invalid_at: instant, superseded_at: instant }),
  ],
  [
    'links',
    mergeLinks,
    partly({ created_at: instant, confidence: few, invalid_at: instant, expired_at: instant }),
  ],
  ['suggestions', mergeSuggestions, partly({ decided_at: instant, state: few })],
] as const;

describe.each(KINDS)('merging %s', (_name, merge, states) => {
  test('does not depend on the order', () =>
    fc.assert(
      fc.property(states, states, states, (a, b, c) => {
        const text = canonical(merge(merge(a, b), c));
        expect(canonical(merge(b, merge(c, a)))).toBe(text);
        expect(canonical(merge(c, merge(b, a)))).toBe(text);
        expect(canonical(merge(merge(a, b), merge(b, c)))).toBe(text);
      }),
      { numRuns: 2000 },
    ));

  test('changes nothing when it is done again', () =>
    fc.assert(
      fc.property(states, states, (a, b) => {
        const once = merge(a, b);
        expect(canonical(merge(a, a))).toBe(canonical(a));
        expect(canonical(merge(once, b))).toBe(canonical(once));
      }),
    ));
});

describe('canonical text', () => {
  test('does not depend on the order of keys, and reads back', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (any) => {
        const value = JSON.parse(JSON.stringify(any)) as JsonObject;
        const text = canonical(value);
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(canonical(turned as JsonObject)).toBe(text);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonical(readJson(text) as JsonObject)).toBe(text);
      }),
    ));

  test('keeps the digits of numbers', () => {
    const text = '{"a":123456789012345678901234567890,"b":[0.1,1e-7],"c":{"d":-1.5e300}}';
    expect(canonical(readJson(text) as JsonObject)).toBe(text);
  });
});
