// Bodies of assertions: valid ones, and invalid ones with their messages.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { readAssertion } from '../../src/graph/link-body.ts';
import { checkBrain } from '../../src/graph/names.ts';

const LINK = { src: 'a', dst: 'b', type: 't' };

test('what may be left out has its default', () => {
  const read = { ...LINK, confidence: 1, weight: 1, evidence: null, validAt: undefined };
  expect(readAssertion(LINK)).toEqual(read);
  const nulls = { confidence: null, weight: null, evidence: null, valid_at: null };
  expect(readAssertion({ ...LINK, ...nulls })).toEqual(read);
});

test('the bounds are inside', () => {
  const evidence = { quote: 'q', source: 's', offset: 0 };
  expect(
    readAssertion({
      ...LINK,
      confidence: 0,
      weight: 1,
      evidence,
      valid_at: '1970-01-01T00:00:00Z',
    }),
  ).toMatchObject({ confidence: 0, weight: 1, evidence, validAt: 0 });
});

test.each<[JsonObject, string]>([
  [{}, '[src] is missing'],
  [{ src: 'a', dst: 'b' }, '[type] is missing'],
  [{ ...LINK, src: null }, '[src] is missing'],
  [{ ...LINK, src: 7 }, '[src] must be a string, got [7]'],
  [{ ...LINK, dst: ['b'] }, '[dst] must be a string'],
  [{ ...LINK, type: '' }, '[type] must not be empty'],
  [{ ...LINK, src: 'a\0b' }, '[src] must not contain the character NUL'],
  [{ ...LINK, type: 't\0' }, '[type] must not contain the character NUL'],
  [{ ...LINK, dst: '\ud800' }, '[dst] must be valid Unicode'],
  [{ ...LINK, dst: 'x'.repeat(513) }, '[dst] has 513 bytes, at most 512'],
  [{ ...LINK, dst: 'a' }, 'two different nodes'],
  [{ ...LINK, confidence: 1.01 }, '[confidence] must be a number from 0 to 1, got [1.01]'],
  [{ ...LINK, confidence: -0.1 }, '[confidence]'],
  [{ ...LINK, confidence: '1' }, '[confidence]'],
  [{ ...LINK, weight: 2 }, '[weight]'],
  [{ ...LINK, weight: true }, '[weight]'],
  [{ ...LINK, evidence: 'q' }, '[evidence] must be an object'],
  [{ ...LINK, evidence: [] }, '[evidence] must be an object'],
  [{ ...LINK, evidence: {} }, '[evidence.quote] must be the quoted text, got nothing'],
  [{ ...LINK, evidence: { quote: 3 } }, '[evidence.quote]'],
  [{ ...LINK, evidence: { quote: 'q', source: 1 } }, '[evidence.source] must be a string'],
  [{ ...LINK, evidence: { quote: 'q', offset: -1 } }, '[evidence.offset]'],
  [{ ...LINK, evidence: { quote: 'q', offset: 1.5 } }, '[evidence.offset]'],
  [
    { ...LINK, evidence: { quote: 'q'.repeat(16_385) } },
    '[evidence.quote] has [16385] characters, more than [16384]',
  ],
  [
    { ...LINK, evidence: { quote: 'q', field: 'f'.repeat(16_385) } },
    '[evidence.field] has [16385]',
  ],
  [{ ...LINK, evidence: { quote: 'q', page: 1 } }, 'unknown key [page] in [evidence]'],
  [{ ...LINK, valid_at: 'soon' }, '[valid_at] must be epoch milliseconds or an RFC 3339 time'],
  [{ ...LINK, invalid_at: 5 }, 'unknown key [invalid_at] in a link, retire'],
  [{ ...LINK, from: 'a' }, 'unknown key [from] in a link, expected some of'],
])('%j is refused', (body, reason) => {
  expect(() => readAssertion(body)).toThrow(reason);
});

describe('a brain', () => {
  test.each([
    'a',
    '0',
    'my.brain_1-x',
    'edges',
    'a-edges-2',
    'x'.repeat(200),
  ])('may be %s', (name) => {
    expect(() => checkBrain(name)).not.toThrow();
  });
  test.each([
    '',
    'A',
    '_a',
    '-a',
    '.a',
    'a b',
    'ä',
    'a..b',
    'a-edges',
    'a/b',
    'x'.repeat(201),
    'a\n',
  ])('may not be %j', (name) => {
    expect(() => checkBrain(name)).toThrow(/brain name/);
  });
});
