// Long answers are printed in steps, with the same bytes.
import { expect, test } from 'vitest';
import { toJson } from '../../src/api/kit/json.ts';
import { withLongBody } from '../../src/api/kit/long-answers.ts';
import { beforeTimeSlices } from '../../src/base/cooperative-task.ts';

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

test('a short body is left to be printed at once', () => {
  const answer = { status: 200, body: { a: [1, { b: 2 }], big: 2n ** 70n } };
  expect(withLongBody(answer)).toBe(answer);
  const raw = { status: 200, raw: Buffer.from('{}') };
  expect(withLongBody(raw)).toBe(raw);
});

test.each<[string, unknown]>([
  ['a long list', many(3000, (i) => i)],
  ['a long object', Object.fromEntries(many(3000, (i) => [`"k${i}`, i]))],
  [
    'objects in objects',
    Object.fromEntries(
      many(200, (i) => [`k${i}`, { a: { b: many(i, (k) => ({ k, t: `é"${k}` })) } }]),
    ),
  ],
  ['a long list in a list', [[], {}, many(1000, () => null), { a: many(1000, String) }]],
  ['what JSON has no values for', many(1000, (i) => ({ i, none: undefined, nan: Number.NaN }))],
  ['members that are left out', { none: undefined, list: many(1000, () => undefined) }],
  ['integers beyond doubles', many(1000, (i) => ({ i: 2n ** 64n + BigInt(i) }))],
  ['what prints itself', many(1000, (i) => ({ at: new Date(i * 1e9) }))],
])('%s', async (_what, body) => {
  const { status, raw, ...rest } = await withLongBody({ status: 201, body });
  expect([status, String(raw), rest]).toEqual([201, toJson(body), {}]);
});

test('other work runs while a long body is printed', async () => {
  let slices = 0;
  const stop = beforeTimeSlices(() => {
    slices += 1;
  });
  await withLongBody({ status: 200, body: many(100_000, (i) => ({ name: `index-${i}` })) });
  stop();
  expect(slices).toBeGreaterThan(3);
});
