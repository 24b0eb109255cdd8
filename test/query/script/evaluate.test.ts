// Scripts of pipelines against JavaScript's own arithmetic, which has the same signs and precedences.
import fc from 'fast-check';
import { expect, test } from 'vitest';
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
      expect(compile(source, { names: NAMES }).run(params)).toEqual(expected);
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
  expect(compile(source, { names: ['a'] }).run({ a: 2 })).toBe(value);
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
  const reason = refusal(() => compile(source, { names: ['a'] }));
  expect(reason).toContain('illegal_argument_exception: compile error in script');
  expect(reason).toContain(why);
});

test('a script of more than a thousand operations is refused, not run', () => {
  const script = (terms: number) => `a${'+a'.repeat(terms - 1)}`;
  expect(compile(script(500), { names: ['a'] }).run({ a: 1 })).toBe(500);
  expect(refusal(() => compile(script(501), { names: ['a'] }))).toContain(
    'a script of a pipeline has [1001] operations, more than [1000]: write a shorter one',
  );
});
