// The routing hash: values of Elasticsearch's own tests, and the golden file that the core's tests
// use as well.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shardOfRouting } from '../../src/coordinator/catalog/routing-hash.ts';

interface GoldenRouting {
  readonly routing: string;
  readonly shards: number;
  readonly shard: number;
}

const golden = JSON.parse(
  readFileSync(new URL('../golden/wire/routing.json', import.meta.url), 'utf8'),
) as readonly GoldenRouting[];

test.each([
  ['hell', 0x5a0cb7c3],
  ['hello', 0xd7c31989],
  ['hello w', 0x22ab2984],
  ['hello wo', 0xdf0ca123],
  ['hello wor', 0xe7744d61],
  ['The quick brown fox jumps over the lazy dog', 0xe07db09c],
])('%j lies where Elasticsearch puts it', (routing, hash) => {
  expect(shardOfRouting(routing, 1024)).toBe(((((hash | 0) % 1024) + 1024) % 1024) | 0);
});

test('both sides agree on the golden values', () => {
  expect(golden.length).toBeGreaterThan(40);
  const ours = golden.map(({ routing, shards }) => shardOfRouting(routing, shards));
  expect(ours).toEqual(golden.map(({ shard }) => shard));
});

test('one shard takes everything', () => {
  expect(shardOfRouting('anything', 1)).toBe(0);
});
