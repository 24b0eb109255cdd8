// Scripts of pipelines compared with JavaScript arithmetic, which has the same operators and
// precedences.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/query/script/evaluate.ts';
import { refusal } from '../compile.ts';

const NAMES = ['a', 'b', 'c'];
const leaf = fc.oneof(
  fc.integer({ min: 0, max: 1000 }).map(String),
  fc.constantFrom('0.5', '2.25', '1e3'),
  fc.constantFrom(...NAMES.map((name) => `params.${name}`)),
);
const { number } = fc.letrec<{ number: string; condition: string }>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    tie('number').map((inner) => `(${inner})`),
    tie('number').map((inner) => `-(${inner})`),
    fc
      .tuple(fc.constantFrom('abs', 'floor', 'ceil', 'sqrt'), tie('number'))
      .map(([name, inner]) => `Math.${name}(${inner})`),
    fc
      .tuple(tie('condition'), tie('number'), tie('number'))
      .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
  ),
  condition: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(leaf, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), leaf)
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    fc
      .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    tie('condition').map((inner) => `!(${inner})`),
  ),
}));

test('expressions have the value that JavaScript gives them', () => {
  const values = fc.record({ a: fc.double(), b: fc.double(), c: fc.integer() });
  fc.assert(
    fc.property(number, values, (source, params) => {
      const expected: unknown = new Function('params', `return ${source}`)(params);
      expect(compile(source, { language: 'painless', names: NAMES }).run(params)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['return a + 1;', 3],
  ['a * 2L - 1.5f', 2.5],
  ['a > 1 && !(a == 3)', true],
  ['Math.max(a, 7) % 4', 3],
])('%s', (source, value) => {
  expect(compile(source, { language: 'painless', names: ['a'] }).run({ a: 2 })).toBe(value);
});

test.each([
  ['int x = 1; x', '[int]: statements'],
  ['a; a', 'unexpected [a], only one expression is allowed'],
  ['while (true) a', '[while]: statements are not supported'],
  ['process.exit()', 'unknown variable [process]'],
  ['params.constructor', 'unknown variable [constructor]'],
  ['Math.constructor', 'unknown method [Math.constructor]'],
  ['(a', 'expected [)] but found [the end]'],
  ['', 'unexpected end'],
  ["'a'", "unexpected [']"],
  [`${'('.repeat(200)}a${')'.repeat(200)}`, 'it is nested too deeply'],
  [`${'-'.repeat(200)}a`, 'it is nested too deeply'],
  ['a'.repeat(20_000), 'it is too long'],
])('%s is refused', (source, why) => {
  const reason = refusal(() => compile(source, { language: 'painless', names: ['a'] }));
  expect(reason).toContain('illegal_argument_exception: compile error in script');
  expect(reason).toContain(why);
});

test('a script of more than a thousand operations is refused, not run', () => {
  const script = (terms: number) => `a${'+a'.repeat(terms - 1)}`;
  expect(compile(script(500), { language: 'painless', names: ['a'] }).run({ a: 1 })).toBe(500);
  expect(refusal(() => compile(script(501), { language: 'painless', names: ['a'] }))).toContain(
    'a script of a pipeline has [1001] operations, more than [1000]: write a shorter one',
  );
});

describe('null', () => {
  test.each<[string, unknown]>([
    ['params.a > 1 ? params.a : null', 2],
    ['params.a > 2 ? params.a : null', null],
    ['null', null],
    ['params.a == null ? 1 : 2', 2],
    ['params.b == null ? 1 : 2', 1],
    ['params.b != null', false],
    ['null == null', true],
    ['params.a ?: 7', 2],
    ['(params.a > 2 ? 1 : null) ?: 7', 7],
  ])('%s', (source, value) => {
    expect(compile(source, { language: 'painless', names: ['a'] }).run({ a: 2 })).toBe(value);
  });

  test.each([
    'null + 1',
    '-(null)',
    'null && true',
    'Math.abs(null)',
    '!null',
    'null < 1',
  ])('%s is refused where it is run', (source) => {
    const { run } = compile(source, { language: 'painless', names: ['a'] });
    expect(refusal(() => run({ a: 1 }))).toContain('[null] is no number');
  });

  test('is no word of the language [expression]', () => {
    const setting = { language: 'expression', names: ['a'] } as const;
    expect(refusal(() => compile('null', setting))).toContain('unknown variable [null]');
  });
});

describe('the language [expression]', () => {
  test.each<[string, number]>([
    ['ln(a)', Math.LN2],
    ['logn(2, 8)', 3],
    ['max(a, 7) + min(a, 1)', 8],
    ['pow(a, 3) + sqrt(16)', 12],
    ['abs(-a) + ceil(0.5) + floor(1.5)', 4],
    ['sin(0) + cos(0) + tan(0)', 1],
    ['acosh(1) + asinh(0) + atanh(0)', 0],
    ['log10(100) + exp(0)', 3],
    ['round(haversin(0, 0, 0, 90))', 10_008],
  ])('%s', (source, value) => {
    const text = source.replace(/^round\((.*)\)$/, 'floor($1 + 0.5)');
    const script = compile(text, { language: 'expression', names: ['a'] });
    expect(script.run({ a: 2 })).toBeCloseTo(value, 12);
  });

  test('has the functions of no other language', () => {
    const reason = (source: string, language: 'painless' | 'expression') =>
      refusal(() => compile(source, { language, names: ['a'] }));
    expect(reason('ln(a)', 'painless')).toContain('unknown variable [ln]');
    expect(reason('pow(a)', 'expression')).toContain('[pow] takes [2] arguments, got [1]');
  });
});

test.each([
  ['12 & 10', 8],
  ['12.9 | 3', 15],
  ['12 ^ 10', 6],
  ['~5', -6],
  ['1 << 40', 2 ** 40],
  ['3 << 64', 3],
  ['-7 >> 1', -4],
  ['-7 >>> 63', 1],
  ['0x1F & 017', 15],
  ['1 + 2 << 3', 24],
  ['1 | 2 == 2', 1],
  ['1 | 6 & 3 ^ 1', 3],
  ['3 > 2 == 1', true],
  ['a / 0 << 1', -2],
  ['a & 1 ? 10 : 20', 10],
])('%s as an expression', (source, value) => {
  expect(compile(source, { language: 'expression', names: ['a'] }).run({ a: 5 })).toBe(value);
});

test.each(['1 & 2', '1 << 2', '1 ^ 2'])('%s is not of Painless here', (source) => {
  const reason = refusal(() => compile(source, { language: 'painless', names: [] }));
  expect(reason).toContain('only one expression is allowed');
});
