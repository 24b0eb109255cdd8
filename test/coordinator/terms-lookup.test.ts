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
