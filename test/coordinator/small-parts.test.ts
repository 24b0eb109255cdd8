// Small parts of the coordinator: ids, buffers, names of a bulk body, the gate, the recovery loop.
import { describe, expect, test } from 'vitest';
import { runToCompletion } from '../../src/base/cooperative-task.ts';
import { forEachLimited } from '../../src/coordinator/node/lifecycle.ts';
import { Gate } from '../../src/coordinator/shards/gate.ts';
import { ownedBytes } from '../../src/coordinator/shards/owned-bytes.ts';
import { Serial } from '../../src/coordinator/shards/serial.ts';
import { writtenNames } from '../../src/coordinator/write/bulk-names.ts';
import { makeDocumentId } from '../../src/coordinator/write/document-ids.ts';

const UUID_7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('ids are UUIDs of version 7, in order of time', () => {
  const ids = [1, 2, 3].map((ms) => makeDocumentId(1_700_000_000_000 + ms));
  for (const id of ids) expect(id).toMatch(UUID_7);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]?.slice(0, 13)).toBe('018bcfe5-6801');
  expect(new Set(ids).size).toBe(3);
  expect(makeDocumentId(5)).not.toBe(makeDocumentId(5));
});

describe('bytes to be moved', () => {
  test('a slice of a slab is copied', () => {
    const slab = new Uint8Array([1, 2, 3, 4]);
    const owned = ownedBytes(slab.subarray(1, 3));
    expect([...owned]).toEqual([2, 3]);
    expect(owned.buffer.byteLength).toBe(2);
    expect(owned.buffer).not.toBe(slab.buffer);
  });

  test('a whole buffer is not', () => {
    const whole = new Uint8Array([1, 2]);
    expect(ownedBytes(whole).buffer).toBe(whole.buffer);
  });

  test('shared memory is copied', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(2));
    expect(ownedBytes(shared).buffer).toBeInstanceOf(ArrayBuffer);
  });
});

test('names that a bulk body writes documents to', () => {
  const body = [
    '{"index":{"_index":"a"}}',
    '{"delete":{"_index":"inside a source"}}',
    '{"delete":{"_index":"b","_id":"1"}}',
    '',
    '{"update":{"_index":"c","_id":"1"}}',
    '{}',
    '{"create":{}}',
    '{}',
    '{"delete":{"_id":"1"}}',
    '',
  ].join('\n');
  expect([...runToCompletion(writtenNames(Buffer.from(body), 'default'))]).toEqual([
    'a',
    'c',
    'default',
  ]);
});

test('the gate lets in as many as the limit says now', async () => {
  let limit = 1;
  let refused = 0;
  const gate = new Gate({
    what: 'searches',
    setting: 'limits.max_concurrent_searches',
    limit: () => limit,
    onRefusal: () => {
      refused += 1;
    },
  });
  let finish = (): void => {};
  const first = gate.pass(() => new Promise<void>((resolve) => (finish = resolve)));
  await expect(async () => gate.pass(async () => {})).rejects.toThrow(
    'rejected execution: 1 searches are in flight, as many as [limits.max_concurrent_searches] allows',
  );
  expect(() => gate.check()).toThrow('rejected execution: 1 searches are in flight');
  limit = 2;
  gate.check();
  await gate.pass(async () => {});
  finish();
  await first;
  expect([refused, gate.inside]).toEqual([2, 0]);
});

test('the gate counts bytes, but lets a lone request pass', async () => {
  const gate = new Gate({
    what: 'writes',
    setting: 'limits.write_queue',
    limit: () => 10,
    bytes: { setting: 'limits.write_bytes', limit: () => 100 },
    onRefusal: () => {},
  });
  await gate.pass(async () => {
    await gate.pass(async () => {}, 40);
    await expect(async () => gate.pass(async () => {}, 41)).rejects.toMatchObject({
      status: 429,
      message:
        'rejected execution: 60 bytes of writes are in flight, 41 more would exceed [limits.write_bytes]; retry later',
    });
  }, 60);
  await gate.pass(async () => {}, 1000);
});

test('a failed item ends the loop after the running ones', async () => {
  const done: number[] = [];
  await expect(
    forEachLimited([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('no');
      done.push(item);
    }),
  ).rejects.toThrow('no');
  expect(done).toEqual([2]);
});

test('serial work runs in order and survives failures', async () => {
  const serial = new Serial();
  const order: string[] = [];
  const failing = serial.run(async () => {
    await Promise.resolve();
    order.push('first');
    throw new Error('no');
  });
  const second = serial.run(async () => order.push('second'));
  await expect(failing).rejects.toThrow('no');
  await second;
  expect(order).toEqual(['first', 'second']);
});
