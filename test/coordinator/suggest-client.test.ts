// The requests of suggesters to indexes, with an engine with manual responses.
import { expect, test } from 'vitest';
import { readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { SuggestClient } from '../../src/coordinator/suggest/suggest-client.ts';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { description, FakePool, toError } from './fake-pool.ts';

/** A reply with one candidate for each of the words. */
function reply(words: readonly string[]): ArrayBuffer {
  const writer = new ByteWriter().u32(0x47555351).u16(1).u16(0).u32(0);
  for (const word of words) writer.u32(1).str(`${word}!`).u8(1).f64(2).f64(3);
  return writer.u8(1).finish().buffer;
}

function client(replies: readonly (readonly string[])[], timeoutUs = 0) {
  let at = 0;
  const pool = new FakePool({ suggest: () => reply(replies[at++] ?? []) });
  const entries = [readIndex(description('a', 1)).entry];
  return {
    pool,
    client: new SuggestClient(
      { pool, toError, opcodes: readOpcodes(), nowMs: () => 0 },
      { entries, filterOf: () => undefined, pinned: undefined, timeoutUs },
    ),
  };
}

const asks = (words: readonly string[]) =>
  words.map((term) => ({ field: 't', term, edits: 2, prefix: 0, most: 10_000 }));

test('candidates of a few words are in memory at once', async () => {
  const words = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { pool, client: requests } = client([words.slice(0, 4), words.slice(4)]);
  const found: string[] = [];
  await requests.eachCandidates(asks(words), (terms, at) => {
    found.push(`${at} ${terms.map(({ term }) => term).join()} after ${pool.calls.length}`);
  });
  expect(found).toEqual([
    '0 a! after 1',
    '1 b! after 1',
    '2 c! after 1',
    '3 d! after 1',
    '4 e! after 2',
    '5 f! after 2',
  ]);
});

test('no candidates are requested when the timeout has passed', async () => {
  const { pool, client: requests } = client([], 1);
  await requests.eachCandidates(asks(['a']), () => {
    throw new Error('there are no candidates');
  });
  expect(pool.calls).toEqual([]);
  expect(requests.complete).toBe(false);
});

test('options of all suggesters together are limited', () => {
  const { client: requests } = client([]);
  requests.countSuggested(65_536);
  expect(() => requests.countSuggested(1)).toThrow(
    '[options] of [suggest] has [65537] entries, more than [65536]: lower [size] or shorten the texts',
  );
});
