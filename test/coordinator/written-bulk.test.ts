// Bulk responses over the engine's bytes: rows and objects are equivalent, the metrics are updated,
// damage is detected.
import { afterAll, describe, expect, test } from 'vitest';
import type { BulkRows } from '../../src/backend/index.js';
import { runToCompletion } from '../../src/base/cooperative-task.js';
import type { IndexEntry } from '../../src/coordinator/catalog/catalog.js';
import {
  type BulkContext,
  countItems,
  WrittenBulk,
} from '../../src/coordinator/write/written-bulk.js';
import { QuarryError } from '../../src/errors.js';
import { Metrics } from '../../src/ops/metrics.js';
import { itemAt, readRows } from '../../src/wire/items-reader.js';

interface GivenItems {
  readonly op?: number;
  readonly result?: number;
  readonly index?: number;
  readonly version?: bigint;
  readonly seqNo?: bigint;
  readonly name?: string;
  readonly id: string;
  readonly error?: string;
  readonly get?: string;
}

function str(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

function itemBytes(given: GivenItems): Buffer {
  const head = Buffer.alloc(32);
  head[0] = given.op ?? 0;
  head[1] = given.result ?? 0;
  head.writeUInt16LE(given.error === undefined ? 201 : 409, 2);
  head.writeUInt32LE(given.index ?? 7, 4);
  head.writeUInt32LE(1, 12);
  head.writeBigUInt64LE(given.version ?? 1n, 16);
  head.writeBigUInt64LE(given.seqNo ?? 5n, 24);
  const type = Buffer.alloc(2);
  type.writeUInt16LE(given.error === undefined ? 0 : 16);
  const error = given.error === undefined ? [] : [str(given.error), str('')];
  return Buffer.concat([
    head,
    str(given.name ?? ''),
    str(given.id),
    type,
    ...error,
    str(given.get ?? ''),
  ]);
}

function replyBytes(items: readonly GivenItems[]): Buffer {
  const head = Buffer.alloc(32);
  head.writeUInt32LE(0x4d544951, 0);
  head.writeUInt16LE(1, 4);
  head.writeUInt32LE(items.length, 20);
  return Buffer.concat([head, ...items.map(itemBytes)]);
}

function rowsOf(bytes: Buffer) {
  const reply = readRows(new Uint8Array(bytes).buffer);
  if (!reply.ok) throw new Error('refused');
  return reply.rows;
}

const ENTRY = { name: 'logs', uuid: 'u', settings: new Map() } as unknown as IndexEntry;
const CONTEXT: BulkContext = {
  toError: (_, reason) => new QuarryError('version_conflict_engine_exception', reason),
  entries: new Map([[7, ENTRY]]),
  refusal: (name) =>
    name === 'no' ? new QuarryError('index_closed_exception', 'closed') : undefined,
  defaultIndex: 'default',
  refreshed: false,
};

const uncounted = new Metrics();
afterAll(() => uncounted.close());

function bulk(items: readonly GivenItems[], metrics = uncounted): WrittenBulk {
  const rows = rowsOf(replyBytes(items));
  return new WrittenBulk(3, rows, CONTEXT, runToCompletion(countItems(rows, metrics)));
}

function kinds(rows: BulkRows): readonly string[] {
  const kinds: string[] = [];
  while (rows.next()) kinds.push(rows.row() === undefined ? 'object' : 'row');
  return kinds;
}

describe('a written bulk', () => {
  test('has rows for what is plain and objects for all', () => {
    const made = bulk([
      { id: 'a' },
      { id: 'b', result: 5, error: 'conflict' },
      { id: 'c', op: 2, result: 1, get: '{"n":1}' },
      { id: 'd', version: 2n ** 60n },
      { id: 'e', index: 9 },
      { id: 'f', index: 0xffffffff, name: 'no', result: 5, error: 'x' },
    ]);
    expect(made.errors).toBe(true);
    expect(kinds(made.rows)).toEqual(['row', 'object', 'object', 'object', 'object', 'object']);
    expect(made.items).toMatchObject([
      { op: 'index', index: 'logs', id: 'a', result: 'created', version: 1n, shardsTotal: 2 },
      { id: 'b', status: 409, error: { type: 'version_conflict_engine_exception', index: 'logs' } },
      { op: 'update', id: 'c', result: 'updated', getSource: '{"n":1}' },
      { id: 'd', version: 2n ** 60n },
      { id: 'e', index: '' },
      { id: 'f', index: 'no', error: { type: 'index_closed_exception' } },
    ]);
  });

  test('has objects that are made once', () => {
    const made = bulk([{ id: 'a' }, { id: 'b' }]);
    expect(made.items).toBe(made.items);
  });

  test('has rows that say what the object says', () => {
    const rows = bulk([{ id: 'ö', version: 3n, seqNo: 2n ** 40n }]).rows;
    expect(rows.next()).toBe(true);
    const row = rows.row();
    expect(row).toMatchObject({ op: 'index', index: 'logs', status: 201, version: 3 });
    expect(row?.seqNo).toBe(2 ** 40);
    const { bytes, idAt, idEnd } = row ?? { bytes: new Uint8Array(), idAt: 0, idEnd: 0 };
    expect(Buffer.from(bytes.subarray(idAt, idEnd)).toString()).toBe('ö');
    expect(rows.next()).toBe(false);
  });

  test('counts operations by kind and outcome', async () => {
    const metrics = new Metrics();
    const made = bulk([{ id: 'a' }, { id: 'b' }, { id: 'c', op: 3, result: 3 }], metrics);
    expect(made.errors).toBe(false);
    const { values } = await metrics.writeOperations.get();
    expect(values).toEqual([
      { value: 2, labels: { op: 'index', outcome: 'created' } },
      { value: 1, labels: { op: 'delete', outcome: 'not_found' } },
    ]);
    metrics.close();
  });

  test('of an unknown outcome is no answer', () => {
    expect(() => bulk([{ id: 'a', result: 6 }])).toThrow('unknown kind or outcome');
    expect(() => bulk([{ id: 'a', op: 4 }])).toThrow('unknown kind or outcome');
  });
});

describe('rows', () => {
  test('cut anywhere are refused, or the same items', () => {
    const whole = replyBytes([{ id: 'a' }, { id: 'b', result: 5, error: 'conflict' }]);
    for (let length = 0; length < whole.length; length++) {
      const read = () => {
        const rows = rowsOf(whole.subarray(0, length));
        while (rows.next()) itemAt(rows);
      };
      expect(read).toThrow('malformed');
    }
  });
});
