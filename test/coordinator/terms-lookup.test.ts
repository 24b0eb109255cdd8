// Terms lookups: at any place of a body, they are read with the rights of the searching key.
import { expect, test } from 'vitest';
import type { GetRequest, Json, JsonObject } from '../../src/backend/index.ts';
import { resolveLookups } from '../../src/coordinator/search/terms-lookup.ts';

const lookup = (index: string): JsonObject => ({
  terms: { k: { index, id: '1', path: 'list' } },
});
const access = {
  owner: 'key',
  allows: (name: string) => name === 'ours',
  refusal: () => new Error('refused'),
  refusalOf: () => new Error('refused'),
} as never;

async function resolved(query: Json): Promise<{ body: JsonObject; read: readonly GetRequest[] }> {
  const read: GetRequest[] = [];
  const { body } = await resolveLookups(
    { index: 'ours', body: { query }, access },
    async (request) => {
      read.push(request);
      const source = Buffer.from('{"list":["a","b"]}');
      return { index: request.index, id: request.id, found: true, source };
    },
  );
  return { body, read };
}

test.each<[string, (one: JsonObject) => Json]>([
  ['alone', (one) => one],
  ['in a list', (one) => ({ bool: { filter: [one] } })],
  ['behind a number', (one) => ({ bool: { filter: [1, one] } })],
  ['behind a text', (one) => ({ bool: { filter: ['x', null, one] } })],
  ['in a list in a list behind numbers', (one) => ({ bool: { filter: [2, [3, [one]]] } })],
])('a lookup %s is read once, with the rights of the search, and replaced', async (_where, place) => {
  const { body, read } = await resolved(place(lookup('theirs')));
  expect(read).toMatchObject([{ index: 'theirs', id: '1', access }]);
  expect(body).toEqual({ query: place({ terms: { k: ['a', 'b'] } }) });
});

test('a body without lookups is the same object', async () => {
  const request = { index: 'ours', body: { query: { terms: { k: [1, 2, 3] } } } };
  expect(await resolveLookups(request, () => Promise.reject(new Error('read')))).toBe(request);
});

test('a few documents are read at once', async () => {
  let reading = 0;
  let most = 0;
  const query = Array.from({ length: 40 }, () => lookup('theirs'));
  await resolveLookups({ index: 'ours', body: { query } }, async (request) => {
    reading += 1;
    most = Math.max(most, reading);
    await new Promise((resolve) => setImmediate(resolve));
    reading -= 1;
    return { index: request.index, id: request.id, found: true, source: Buffer.from('{}') };
  });
  expect(most).toBe(4);
});

test('lookups and the bytes of their documents are limited', async () => {
  const source = Buffer.from(`{"list":["a"],"text":"${'x'.repeat(3_000_000)}"}`);
  const many = (count: number) =>
    resolveLookups(
      { index: 'ours', body: { query: Array.from({ length: count }, () => lookup('theirs')) } },
      async ({ index, id }) => ({ index, id, found: true, source }),
    );
  await expect(many(10)).resolves.toBeDefined();
  await expect(many(30)).rejects.toThrow(
    '[terms] the documents of the lookups have more than [67108864] bytes in all: name the terms, or split the search',
  );
  await expect(many(257)).rejects.toThrow(
    'lookups of [terms] has [257] entries, more than [256]: name the terms, or split the search',
  );
});
