// The bytes of the write path: operations and bulk headers written, item results parsed.
import { describe, expect, test } from 'vitest';
import { readItems } from '../../src/wire/items-reader.ts';
import { writeBulkHeader, writeOperations } from '../../src/wire/ops-writer.ts';
import { expectGolden } from './golden.ts';
import { items, itemsError } from './reply-samples.ts';

const encoder = new TextEncoder();

describe('write operations', () => {
  test('have golden bytes', async () => {
    const bytes = writeOperations([
      { op: 'index', index: 3, id: 'auto', autoId: true, source: encoder.encode('{"a":1}') },
      {
        op: 'create',
        index: 3,
        id: 'é',
        routing: 'r',
        source: encoder.encode('{}'),
        version: 9n,
        versionType: 'external_gte',
      },
      {
        op: 'update',
        index: 4,
        id: 'u',
        source: encoder.encode('{"doc":{}}'),
        ifSeqNo: 5n,
        ifPrimaryTerm: 1n,
        detectNoop: false,
        docAsUpsert: true,
        retryOnConflict: 2,
        sourceFilter: '{"includes":["a"]}',
      },
      { op: 'delete', index: 0, id: 'd', versionType: 'external', version: 1n },
    ]);
    await expectGolden('operations', 'index with a made id, create, update, delete', bytes);
  });
});

describe('a bulk header', () => {
  test('has golden bytes', async () => {
    const bytes = writeBulkHeader({
      requireAlias: true,
      defaultIndex: 'logs',
      defaultSource: 'true',
      names: [
        { name: 'logs', index: 7 },
        { name: 'Bad', errorType: 3, reason: 'Invalid index name [Bad], must be lowercase' },
      ],
    });
    await expectGolden('bulk_header', 'default index logs (7), a refused name (type 3)', bytes);
  });

  test('with routing has golden bytes', async () => {
    const bytes = writeBulkHeader({
      defaultRouting: 'r',
      names: [
        { name: 'logs', index: 7 },
        { name: 'mine', index: 7, routing: 'me' },
      ],
    });
    await expectGolden('bulk_header_routing', 'default routing r, an alias mine of logs', bytes);
  });

  test('without defaults is short', () => {
    const hex = Buffer.from(writeBulkHeader({ names: [] })).toString('hex');
    expect(hex).toBe(`51424c4b${'00'.repeat(17)}`);
  });
});

describe('item results', () => {
  test('have golden bytes', async () => {
    await expectGolden(
      'items',
      'created, a refused name with an error, update with source',
      items(),
    );
  });

  test('give position, names, shards and items', () => {
    expect(readItems(items().buffer)).toEqual({
      ok: true,
      walPosition: 4096n,
      missingNames: ['missing'],
      touched: [
        { index: 1, shard: 0 },
        { index: 1, shard: 4 },
      ],
      items: [
        {
          op: 'index',
          result: 'created',
          status: 201,
          index: 1,
          indexName: '',
          shard: 0,
          id: 'a',
          primaryTerm: 1,
          version: 1n,
          seqNo: 41n,
        },
        {
          op: 'create',
          result: 'error',
          status: 409,
          indexName: 'no',
          shard: 0,
          id: 'b',
          primaryTerm: 0,
          version: 0n,
          seqNo: 0n,
          error: { errorType: 16, reason: '[b]: version conflict', cause: '' },
        },
        {
          op: 'update',
          result: 'updated',
          status: 200,
          index: 1,
          indexName: 'x',
          shard: 4,
          id: 'c',
          primaryTerm: 1,
          version: 2n,
          seqNo: 42n,
          get: '{"n":1}',
        },
      ],
    });
  });

  test('give the error of a refused request', () => {
    expect(readItems(itemsError().buffer)).toEqual({
      ok: false,
      errorType: 10,
      reason: 'The bulk request must be terminated by a newline [\\n]',
      cause: '',
    });
  });

  test('cut anywhere are refused', () => {
    const whole = items();
    for (let length = 0; length < whole.length; length++) {
      expect(() => readItems(whole.slice(0, length).buffer)).toThrow('malformed');
    }
  });
});
