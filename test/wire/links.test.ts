// Written requests about links and parsed responses, compared with bytes that the native tests read
// and write.
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import {
  readLinkCounts,
  readLinkWalk,
  writeLinkCount,
  writeLinkWalk,
} from '../../src/wire/links.ts';
import { expectGolden } from './golden.ts';

const MAGIC = 0x4b4e4c51;
const NONE = 0xffff_ffff;

/** The link `ab` from a to b of type t, with confidence 0.5, valid since 10, walked from a. */
function walkReply(): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(MAGIC).u16(2).u16(0).u64(0n).u64(0n).u8(1);
  writer.list(['ab', 'a', 'b', 't'], (text) => writer.str(text));
  writer.u32(1).u32(0).u32(1).u32(2).u32(3).u32(NONE);
  writer
    .u8(1 | 8)
    .f64(0.5)
    .f64(1)
    .f64(10)
    .f64(0)
    .f64(0)
    .f64(0);
  writer.u32(0).u32(0).u32(0);
  return writer.u32(2).u32(1).u32(0).u32(1).u32(2).u32(1).u32(0).take();
}

function countsReply(): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter().u32(MAGIC).u16(2).u16(0);
  for (const number of [1, 0, 0, 0, Number.POSITIVE_INFINITY, 0, 2, 2, 1]) writer.f64(number);
  writer.u32(1).str('a').u32(0).u32(1);
  writer.u32(1).str('t').u32(1).u32(0).u32(0);
  return writer.u32(1).f64(0).u32(1).u32(0).take();
}

describe('requests about links', () => {
  test('have golden bytes, which the native tests read', async () => {
    const walk = writeLinkWalk({
      index: 'not sent',
      seeds: ['a', 'ü'],
      direction: 'in',
      hops: 2,
      types: ['t'],
      includeExpired: true,
      moment: { world: 1700000000000, system: -5 },
      limit: 100,
      frontier: 1000,
      degrees: true,
    });
    const text = 'walk in from a and ü, 2 hops, type t, retired too, at 1700000000000 known at -5';
    await expectGolden('links_walk_request', text, walk);
    const moment = { world: 7, system: null };
    const count = writeLinkCount({ index: 'not sent', nodes: undefined, moment, top: 50 });
    await expectGolden('links_count_request', 'counts at 7, 50 hubs', count);
  });
});

describe('replies about links', () => {
  test('have golden bytes, which the native tests write', async () => {
    await expectGolden('links_walk_reply', 'ab: a -> b, from a, counters zeroed', walkReply());
    await expectGolden('links_count_reply', 'the same link as a whole', countsReply());
  });

  test('of a walk are read', () => {
    expect(readLinkWalk(walkReply().buffer, 1)).toEqual({
      links: [
        {
          edge_id: 'ab',
          src: 'a',
          dst: 'b',
          type: 't',
          confidence: 0.5,
          weight: 1,
          detector: null,
          evidenced: false,
          valid_at: 10,
          invalid_at: null,
          created_at: null,
          expired_at: null,
          hop: 1,
          direction: 'out',
        },
      ],
      hops: [{ beyond: new Map(), retired: new Map(), future: new Map() }],
      complete: true,
      degrees: new Map([
        ['a', { in: 0, out: 1 }],
        ['b', { in: 1, out: 0 }],
      ]),
    });
  });

  test('of a count are read', () => {
    expect(readLinkCounts(countsReply().buffer)).toMatchObject({
      live: 1,
      changesAt: Number.POSITIVE_INFINITY,
      nodes: 0,
      linked: 2,
      missing: 2,
      hubs: [{ id: 'a', in: 0, out: 1 }],
      types: new Map([['t', { live: 1, retired: 0 }]]),
      created: new Map([[0, 1]]),
      ended: new Map(),
    });
  });

  test('of a failure say what failed', () => {
    const reply = new ByteWriter().u32(MAGIC).u16(2).u16(9).str('why').str('').take();
    expect(readLinkWalk(reply.buffer, 1)).toEqual({ errorType: 9, reason: 'why', cause: '' });
  });

  test('cut anywhere are an error', () => {
    const [walk, counts] = [walkReply(), countsReply()];
    for (let end = 0; end < walk.length; end++)
      expect(() => readLinkWalk(walk.slice(0, end).buffer, 1)).toThrowError('about links');
    for (let end = 0; end < counts.length; end++)
      expect(() => readLinkCounts(counts.slice(0, end).buffer)).toThrowError('about links');
  });
});
