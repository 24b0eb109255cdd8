// Which searches wait, in which order, and when one is rejected.
import { expect, test } from 'vitest';
import { isLargePage, LargePages } from '../../src/coordinator/page/large-pages.ts';

function world(mostWaiting = 2) {
  const refused: number[] = [];
  const pages = new LargePages({
    atOnce: 2,
    mostWaiting: () => mostWaiting,
    onRefusal: () => refused.push(1),
  });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const search = (name: string): Promise<string> =>
    Promise.resolve(
      pages.pass(() => {
        began.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
    );
  return { pages, refused, began, ends, search };
}

test.each([
  [{}, false],
  [{ size: 1000 }, false],
  [{ size: 1001 }, true],
  [{ from: 9990, size: 10 }, true],
  [{ size: 10_000n }, true],
  [{ size: '10000' }, false],
  [{ size: null, from: [1] }, false],
])('%o is a large page: %s', (body, isLarge) => {
  expect(isLargePage(body)).toBe(isLarge);
});

test('as many as are allowed run at once, the others begin in the order in which they came', async () => {
  const { pages, began, ends, search } = world();
  const all = ['a', 'b', 'c', 'd'].map(search);
  expect([began, pages.waiting]).toEqual([['a', 'b'], 2]);
  ends.get('b')?.();
  await all[1];
  await new Promise(setImmediate);
  expect(began).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  await all[0];
  await new Promise(setImmediate);
  for (const name of ['c', 'd']) ends.get(name)?.();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(pages.waiting).toBe(0);
});

test('one more than may wait is refused, to be tried again', () => {
  const { pages, refused, search } = world(1);
  for (const name of ['a', 'b', 'c']) void search(name);
  expect(() => pages.pass(() => 1)).toThrow(/1 searches for more than 1000 hits wait/);
  try {
    pages.pass(() => 1);
  } catch (error) {
    expect(error).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
  }
  expect(refused.length).toBe(2);
});

test('one that fails gives its place to the next', async () => {
  const { pages } = world();
  const fail = (): never => {
    throw new Error('no');
  };
  for (let i = 0; i < 5; i++) expect(() => pages.pass(fail)).toThrow('no');
  await expect(
    Promise.resolve(pages.pass(() => Promise.reject(new Error('later')))),
  ).rejects.toThrow('later');
  expect(pages.pass(() => 'in')).toBe('in');
});
