// The response of a bulk, printed from rows of the engine's bytes and from objects: the text is the
// same for any ids and numbers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bulkReply } from '../../src/api/documents/bulk-reply.js';
import { ByteText } from '../../src/api/kit/byte-text.js';
import type {
  BulkItemError,
  BulkResult,
  WriteResult,
  WrittenRow,
} from '../../src/backend/index.js';

type Item = WriteResult | BulkItemError;

const written: fc.Arbitrary<WriteResult> = fc.record({
  op: fc.constantFrom('index', 'create', 'update', 'delete'),
  index: fc.constantFrom('logs', 'a"quoted\\name', 'ümlaut'),
  id: fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '\\', '\n', '\u007f'),
  ),
  result: fc.constantFrom('created', 'updated', 'deleted', 'not_found', 'noop'),
  status: fc.constantFrom(200, 201, 404),
  version: fc.bigInt(0n, BigInt(Number.MAX_SAFE_INTEGER)),
  seqNo: fc.bigInt(0n, BigInt(Number.MAX_SAFE_INTEGER)),
  primaryTerm: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  shardsTotal: fc.integer({ min: 1, max: 3 }),
  forcedRefresh: fc.boolean(),
});
const SHARED = [
  { type: 'index_not_found_exception', reason: 'no such index [a]', index: 'a' },
  { type: 'index_not_found_exception', reason: 'no such index ["b"]', index: '"b"' },
];
const failed: fc.Arbitrary<BulkItemError> = fc.record({
  op: fc.constantFrom('index', 'delete'),
  index: fc.string(),
  id: fc.option(fc.string()),
  status: fc.constantFrom(400, 409),
  error: fc.oneof(
    fc.constantFrom(...SHARED),
    fc.record({ type: fc.string(), reason: fc.string() }),
  ),
});

function asRow(item: WriteResult): WrittenRow {
  const id = Buffer.from(item.id);
  const bytes = Buffer.concat([Buffer.from('before'), id, Buffer.from('behind')]);
  const { version, seqNo } = item;
  const numbers = { version: Number(version), seqNo: Number(seqNo) };
  return { ...item, ...numbers, bytes, idAt: 6, idEnd: 6 + id.length };
}

function withRows(items: readonly Item[]): BulkResult {
  let at = -1;
  const rows = {
    count: items.length,
    next: () => ++at < items.length,
    row() {
      const item = items[at];
      return item === undefined || 'error' in item ? undefined : asRow(item);
    },
    item: () => items[at] as Item,
  };
  return { tookMs: 3, errors: items.some((item) => 'error' in item), items, rows };
}

describe('the answer of a bulk', () => {
  test('from rows is the one from objects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(written, failed), { maxLength: 80 }), async (items) => {
        const result = withRows(items);
        const { rows: _, ...objects } = result;
        const text = (await bulkReply(result)).toString();
        expect(text).toBe((await bulkReply(objects)).toString());
        const reported = JSON.parse(text).items as readonly Readonly<Record<string, Item>>[];
        const errorOf = (item: Item | undefined): unknown =>
          item !== undefined && 'error' in item ? item.error : undefined;
        expect(reported.map((one) => errorOf(Object.values(one)[0]))).toEqual(items.map(errorOf));
      }),
    );
  });

  test('says what Elasticsearch says', async () => {
    const item: WriteResult = {
      op: 'index',
      index: 'logs',
      id: 'a',
      result: 'created',
      status: 201,
      version: 1n,
      seqNo: 41n,
      primaryTerm: 1,
      shardsTotal: 2,
      forcedRefresh: true,
    };
    const error = { type: 't', reason: 'r' };
    const refused: BulkItemError = { op: 'create', index: 'logs', id: null, status: 409, error };
    expect((await bulkReply(withRows([item, refused]))).toString()).toBe(
      '{"errors":true,"took":3,"items":[{"index":{"_index":"logs","_id":"a","_version":1,' +
        '"result":"created","forced_refresh":true,"_shards":{"total":2,"successful":1,"failed":0},' +
        '"_seq_no":41,"_primary_term":1,"status":201}},' +
        '{"create":{"_index":"logs","_id":null,"status":409,"error":{"type":"t","reason":"r"}}}]}',
    );
  });
});

describe('text as bytes', () => {
  test('prints every safe integer', () => {
    const edges = Array.from({ length: 16 }, (_, i) => 10 ** i).flatMap((n) => [n - 1, n, n + 1]);
    for (const value of [...edges, Number.MAX_SAFE_INTEGER]) {
      const out = new ByteText(0);
      out.number(value);
      expect(Buffer.concat(out.done()).toString()).toBe(String(value));
    }
  });
});

describe('a text that outgrows what was expected', () => {
  test('goes on in bytes of its own, nothing is copied to make room', () => {
    const out = new ByteText(300);
    const part = 'an id of some letters'.repeat(5);
    const bytes = Buffer.from(part);
    for (let i = 0; i < 10_000; i++) out.quoted(bytes, 0, bytes.length);
    out.quoted(Buffer.from('"'), 0, 1);
    out.text('end');
    const pieces = out.done();
    expect(pieces.length).toBeGreaterThan(3);
    const whole = `${`"${part}"`.repeat(10_000)}"\\""end`;
    expect(Buffer.concat(pieces).toString()).toBe(whole);
  });
});
