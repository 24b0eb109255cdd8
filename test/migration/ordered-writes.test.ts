import { expect, test } from 'vitest';
import { OrderedWrites } from '../../src/migration/ordered-writes.ts';

/** A write that ends when the test says so. */
function write(): { readonly run: () => Promise<void>; end: () => void; fail: () => void } {
  let end = (): void => {};
  let fail = (): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error('no'));
  });
  return { run: () => promise, end: () => end(), fail: () => fail() };
}

test('a write is settled when all before it are', async () => {
  const [first, second] = [write(), write()];
  const settled: number[] = [];
  const writes = new OrderedWrites(3);
  await writes.add(first.run, () => settled.push(1));
  await writes.add(second.run, () => settled.push(2));
  second.end();
  await new Promise((done) => setImmediate(done));
  expect(settled).toEqual([]);
  first.end();
  await writes.end();
  expect(settled).toEqual([1, 2]);
});

test('no write after one that failed is settled, and the failure is reported', async () => {
  const [first, second] = [write(), write()];
  const settled: number[] = [];
  const writes = new OrderedWrites(3);
  await writes.add(first.run, () => settled.push(1));
  await writes.add(second.run, () => settled.push(2));
  second.end();
  first.fail();
  await expect(writes.end()).rejects.toThrow('no');
  expect(settled).toEqual([]);
});
