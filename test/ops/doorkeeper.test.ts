import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Doorkeeper } from '../../src/ops/doorkeeper.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

test('knows what came before, of late, and nothing else', () => {
  const doorkeeper = new Doorkeeper(1024);
  let known = 0;
  for (let n = 0; n < 10_000; n++) {
    if (doorkeeper.knows(bytesOf(`once ${n}`))) known += 1;
    expect(doorkeeper.knows(bytesOf(`once ${n}`))).toBe(true);
  }
  expect(known).toBe(0);
  // Most of the last hundred entries are still known, but hardly any of those a hundred times
  // older.
  const kept = (from: number): number =>
    Array.from({ length: 100 }, (_, n) => from + n).filter((n) =>
      doorkeeper.knows(bytesOf(`once ${n}`)),
    ).length;
  expect(kept(9_900)).toBeGreaterThan(80);
  expect(kept(0)).toBeLessThan(5);
});

test('of any bytes, none among them', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.integer(), (bytes, seed) => {
      const doorkeeper = new Doorkeeper(16);
      expect(doorkeeper.knows(bytes, seed)).toBe(false);
      expect(doorkeeper.knows(bytes, seed)).toBe(true);
      expect(doorkeeper.knows(Uint8Array.of(...bytes, 0), seed)).toBe(false);
    }),
  );
});

test('the same bytes with another seed are others', () => {
  const doorkeeper = new Doorkeeper(64);
  doorkeeper.knows(bytesOf('{}'), 1);
  expect(doorkeeper.knows(bytesOf('{}'), 2)).toBe(false);
});
