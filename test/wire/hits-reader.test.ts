// Search responses: header, columns, sort values, errors, and the detection of truncated responses.
import { describe, expect, test } from 'vitest';
import { readSearchReply, type ShardHits } from '../../src/wire/hits-reader.ts';
import { SortColumn } from '../../src/wire/sort-column.ts';
import { expectGolden } from './golden.ts';
import { fetched, searchReply, shardError, shardHits } from './reply-samples.ts';

const reply = searchReply([shardHits(), shardError()], fetched());
const read = readSearchReply(reply.buffer);
const hits = read.shards[0] as ShardHits;
const leg = hits.legs[0];

describe('a search reply', () => {
  test('has golden bytes', async () => {
    await expectGolden(
      'search_reply',
      'index 4 shard 2: a leg of 3 hits with all 7 kinds of sort columns, an empty leg; a failed shard (type 11); an inline fetch of 3 documents',
      reply,
    );
  });

  test('gives the header of a shard', () => {
    const { legs, ...header } = hits;
    expect(legs).toHaveLength(2);
    expect(header).toEqual({
      ok: true,
      index: 4,
      shard: 2,
      generation: 7n,
      mappingVersion: 3n,
      total: 12345,
      totalRelation: 'gte',
      timedOut: false,
      terminatedEarly: true,
      blocksDecoded: 99,
      docsScored: 1000,
      positionsRead: 321,
      postingsBytes: 65_536,
      termsVisited: 12,
      docsSorted: 77,
      vectors: {
        sketchDistances: 5000,
        codeDistances: 800,
        exactDistances: 40,
        hops: 77,
        bytesRead: 2 ** 40,
      },
    });
  });

  test('gives columns as views into the reply', () => {
    expect(leg?.maxScore).toBe(2.5);
    expect([...(leg?.scores ?? [])]).toEqual([2.5, 1.25, Number.NaN]);
    expect([...(leg?.docs ?? [])]).toEqual([10, 5, 4_000_000_000]);
    expect([...(leg?.seqNos ?? [])]).toEqual([100n, 50n, 1n << 60n]);
    expect(leg?.scores.buffer).toBe(reply.buffer);
  });

  test('prints sort values of every kind as JSON', () => {
    const printed = leg?.sort.map((column) => [0, 1, 2].map((hit) => column.json(hit)));
    expect(printed).toEqual([
      ['-5', '9007199254740993', 'null'],
      ['1.0', '0.1', '"Infinity"'],
      ['18446744073709551615', '0', '1'],
      ['"kölsch"', '"a\\"b"', 'null'],
      ['1.3862944', '1.0', '0.5'],
      ['0', '1', '1'],
      ['"2024-01-01"', '"2024-01-02"', 'null'],
    ]);
  });

  test('gives sort values of every kind, null where the document has none', () => {
    const given = leg?.sort.map((column) => [0, 1, 2].map(column.reader()));
    expect(given).toEqual([
      [-5, 9007199254740992, null],
      [1, 0.1, null],
      [null, 0, 1],
      ['kölsch', 'a"b', null],
      [1.3862943649291992, 1, 0.5],
      [false, true, true],
      ['2024-01-01', '2024-01-02', null],
    ]);
  });

  test.each([
    [0, -1],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [5, -1],
    [6, -1],
  ])('orders the first two values of column %i', (key, order) => {
    const column = leg?.sort[key] as SortColumn;
    expect(Math.sign(SortColumn.compare(column, 0, column, 1))).toBe(order);
    expect(SortColumn.compare(column, 1, column, 1)).toBe(0);
  });

  test('tells which columns can be merged', () => {
    expect(leg?.sort.map((column) => column.family)).toEqual([
      'number',
      'number',
      'number',
      'string',
      'number',
      'number',
      'formatted',
    ]);
  });

  test('has an empty leg without a best score', () => {
    expect(hits.legs[1]?.hits).toBe(0);
    expect(hits.legs[1]?.maxScore).toBeNull();
    expect(hits.legs[1]?.sort).toHaveLength(7);
  });

  test('gives the error of a failed shard', () => {
    expect(read.shards[1]).toEqual({
      ok: false,
      index: 4,
      shard: 2,
      errorType: 11,
      reason: 'failed to create query: [f]',
      cause: 'number_format_exception: x',
    });
  });

  test('hands on the inline fetch', () => {
    expect(Buffer.from(read.fetch ?? []).equals(fetched())).toBe(true);
    expect(readSearchReply(searchReply([shardHits()]).buffer).fetch).toBeUndefined();
  });

  test('cut anywhere in a shard is refused', () => {
    const whole = searchReply([shardHits()]);
    for (let length = 0; length < whole.length - 8; length++) {
      expect(() => readSearchReply(whole.slice(0, length).buffer)).toThrow('malformed');
    }
  });
});
