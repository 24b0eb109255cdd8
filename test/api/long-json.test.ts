// Large JSON texts are parsed in time slices: the values and errors are the same as for a small
// one, and no slice grows with the text.
import fc from 'fast-check';
import { parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { objectSteps } from '../../src/api/kit/json.ts';
import { MAX_DEPTH, MAX_VALUES, parseSteps } from '../../src/api/kit/long-json.ts';
import { ITEMS_PER_YIELD, runToCompletion } from '../../src/base/cooperative-task.ts';
import { parseNumber } from '../../src/base/exact-json.ts';
import { encode } from './fake-backend.ts';

/** The parsed value, or the error message. */
function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return { says: (error as Error).message };
  }
}

const steps = (text: string): unknown => runToCompletion(parseSteps(text));
const whole = (text: string): unknown => parse(text, undefined, parseNumber);

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.constantFrom('-0', '1e3', '1E-2', '0.5', '9007199254740993', '123456789012345'),
);
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', '__proto__', 'toString', 'é"\\\n'))
  .map((value) => JSON.stringify(value));
const space = fc.constantFrom('', '', ' ', '\n\t', '\r ');
const { value: json } = fc.letrec<{ value: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(number, text, fc.constantFrom('true', 'false', 'null')),
  value: fc.oneof(
    { maxDepth: 5 },
    tie('leaf'),
    fc
      .tuple(space, fc.array(tie('value'), { maxLength: 6 }), space)
      .map(([a, items, b]) => `[${a}${items.join(`${b},${a}`)}${b}]`),
    fc
      .tuple(space, fc.array(fc.tuple(text, tie('value')), { maxLength: 6 }), space)
      .map(
        ([a, members, b]) =>
          `{${a}${members.map(([k, v]) => `${k}${b}:${a}${v}`).join(`${b},${a}`)}${b}}`,
      ),
  ),
}));

describe('a text in steps', () => {
  it('means what it means at once', () => {
    fc.assert(
      fc.property(json, (written) => {
        expect(outcome(() => steps(written))).toEqual(outcome(() => whole(written)));
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('is refused in the same words when it is broken', () => {
    const broken = fc
      .tuple(
        json,
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', '\\', '\\u12', ':', '-', '.', 'e', 'x', '\u0001'),
      )
      .map(([written, at, put]) => {
        const cut = at % (written.length + 1);
        return written.slice(0, cut) + put + written.slice(put === '' ? written.length : cut);
      });
    fc.assert(
      fc.property(broken, (written) => {
        expect(outcome(() => steps(written))).toEqual(outcome(() => whole(written)));
      }),
      { seed: 9, numRuns: 2000 },
    );
  });

  it('is no deeper than any', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => steps(deep(MAX_DEPTH))).not.toThrow();
    expect(() => steps(deep(MAX_DEPTH + 1))).toThrow(`nested deeper than ${MAX_DEPTH} levels`);
  });

  it.each([
    ['of a list', (count: number): string => `[${'0,'.repeat(count - 2)}0]`],
    ['of lists', (count: number): string => `[${'[0],'.repeat(count / 2 - 1)}0]`],
    ['of members', (count: number): string => `[${'{"a":0},'.repeat(count / 2 - 1)}0]`],
  ])('holds a bounded number of values, %s', (_, listOf) => {
    expect(() => steps(listOf(MAX_VALUES))).not.toThrow();
    expect(() => steps(listOf(MAX_VALUES + 2))).toThrow(`more than [${MAX_VALUES}] values`);
  });

  it('may be left after every few values', () => {
    const terms = Array.from({ length: 65_536 }, (_, i) => `c${i}`);
    const body = JSON.stringify({ query: { terms: { code: terms } } });
    expect([...parseSteps(body)].length).toBeGreaterThanOrEqual(terms.length / ITEMS_PER_YIELD);
    expect(runToCompletion(parseSteps(body))).toEqual({ query: { terms: { code: terms } } });
  });
});

describe('a body', () => {
  const filler = `"filler":"${'x'.repeat(70_000)}"`;
  const read = (body: string): unknown => runToCompletion(objectSteps(encode(body)));

  it.each([
    [`{${filler},"a":}`, "request body is not valid JSON: Object value expected after ':'"],
    [`[${filler.slice(9)}]`, 'request body must be a JSON object, not an array'],
    [`{${filler},"a":1,"a":2}`, "Duplicate key 'a'"],
    [`{${filler},"a":${'['.repeat(101)}`, 'nested deeper than 100 levels'],
  ])('that is long is refused as a short one: %#', (body, reason) => {
    expect(() => read(body)).toThrow(reason);
  });

  it('that is long keeps the digits of its numbers', () => {
    const { big } = read(`{${filler},"big":9007199254740993}`) as { big: unknown };
    expect(big).toBe(9007199254740993n);
  });
});
