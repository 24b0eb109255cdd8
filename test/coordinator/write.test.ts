// The write path over an engine with manual responses: the targets of operations, their
// acknowledgement, their errors.
import { describe, expect, test } from 'vitest';
import type { BulkItemError, WriteOperation } from '../../src/backend/index.ts';
import { Catalog, readIndex } from '../../src/coordinator/catalog/catalog.ts';
import { GroupCommit } from '../../src/coordinator/node/commit.ts';
import { RefreshScheduler, shardKey } from '../../src/coordinator/shards/refresh.ts';
import { WriteMarks } from '../../src/coordinator/shards/write-marks.ts';
import { EmbeddedWrites, type VectorMaker } from '../../src/coordinator/write/remote-vectors.ts';
import { Writer } from '../../src/coordinator/write/write.ts';
import { QuarryError } from '../../src/errors.ts';
import { Metrics } from '../../src/ops/metrics.ts';
import { writeBulkHeader } from '../../src/wire/ops-writer.ts';
import { description, ERROR_NUMBERS, FakePool, toError } from './fake-pool.ts';
import { type ItemSample, itemsReply } from './replies.ts';

const NO_VECTORS: VectorMaker = { whileEmbedded: async () => expect.unreachable() };

interface World {
  /** Responses of the tasks in order; the last one is repeated. */
  readonly replies: readonly ArrayBuffer[];
  readonly indexes?: readonly string[];
  readonly syncFails?: boolean;
}

function world({ replies, indexes, syncFails = false }: World) {
  const events: string[] = [];
  let next = 0;
  const reply = (): ArrayBuffer => {
    const answer = replies[Math.min(next, replies.length - 1)];
    next += 1;
    if (answer === undefined) throw new Error('no answer');
    return answer;
  };
  const pool = new FakePool({
    write: () => reply(),
    bulk: ({ body }) => ({ reply: reply(), body }),
  });
  const catalog = new Catalog();
  for (const json of indexes ?? [description('a', 1)]) catalog.change([readIndex(json)], []);
  const created: string[] = [];
  const writer = new Writer({
    catalog,
    engine: new EmbeddedWrites(pool, NO_VECTORS, () => new ArrayBuffer(16)),
    commit: new GroupCommit({
      syncWal: async () => {
        events.push('sync');
        if (syncFails) throw new Error('EIO');
        return 100n;
      },
      toError: (thrown) => new QuarryError('store_exception', (thrown as Error).message),
      onFailure: () => {},
      onSync: () => {},
      intervalMs: () => 60_000,
      now: () => 0,
    }),
    refresh: new RefreshScheduler({
      refresh: async (shard) => events.push(`refresh ${shardKey(shard)}`),
      intervalMs: () => -1,
      onError: () => {},
      concurrency: 1,
      now: () => 0,
    }),
    marks: new WriteMarks(),
    autoCreate: async (name) => {
      created.push(name);
      if (name.startsWith('Bad')) throw new QuarryError('invalid_index_name_exception', 'bad name');
      catalog.change([readIndex(description(name, 10 + created.length))], []);
    },
    pressure: { relieved: async () => {}, wrote: (bytes) => events.push(`wrote ${bytes > 0}`) },
    toError,
    refusedType: ERROR_NUMBERS.illegal_argument_exception,
    metrics: new Metrics(),
    nowMs: () => 1000,
  });
  return { writer, pool, events, created, catalog };
}

const item: ItemSample = { index: 1, id: 'x' };
const oneItem = itemsReply({ position: 9n, touched: [[1, 0]], items: [item] });
const index: WriteOperation = { op: 'index', index: 'a', id: 'x', source: Buffer.from('{}') };

describe('a single write', () => {
  test('is acknowledged when it is durable', async () => {
    const { writer, events } = world({ replies: [oneItem] });
    expect(await writer.write(index, 'false')).toEqual({
      op: 'index',
      index: 'a',
      id: 'x',
      result: 'created',
      status: 201,
      version: 1n,
      seqNo: 7n,
      primaryTerm: 1,
      shardsTotal: 2,
      forcedRefresh: false,
    });
    expect(events).toEqual(['wrote true', 'sync']);
  });

  test('with refresh is searchable when it is acknowledged', async () => {
    const { writer, events } = world({ replies: [oneItem] });
    expect(await writer.write(index, 'true')).toMatchObject({ forcedRefresh: true });
    expect(events).toEqual(['wrote true', 'sync', 'refresh 1/0']);
  });

  test('with durability async does not wait for the sync', async () => {
    const settings = { index: { translog: { durability: 'async' } } };
    const { writer, events } = world({
      replies: [oneItem],
      indexes: [description('a', 1, { settings })],
    });
    await writer.write(index, 'false');
    expect(events).toEqual(['wrote true']);
  });

  test('is not acknowledged when the sync fails', async () => {
    const { writer } = world({ replies: [oneItem], syncFails: true });
    await expect(writer.write(index, 'false')).rejects.toMatchObject({
      type: 'store_exception',
      status: 503,
    });
  });

  test('creates the index that it names', async () => {
    const { writer, created } = world({ replies: [oneItem] });
    await writer.write({ ...index, index: 'new' }, 'false');
    expect(created).toEqual(['new']);
  });

  test('a delete creates nothing', async () => {
    const { writer, created } = world({ replies: [oneItem] });
    await expect(
      writer.write({ op: 'delete', index: 'new', id: 'x' }, 'false'),
    ).rejects.toMatchObject({ type: 'index_not_found_exception', status: 404 });
    expect(created).toEqual([]);
  });

  test('an item error names index, shard and uuid', async () => {
    const conflict = itemsReply({
      items: [
        {
          ...item,
          status: 409,
          errorType: ERROR_NUMBERS.version_conflict_engine_exception,
          reason: '[x]: version conflict, document already exists (current version [1])',
        },
      ],
    });
    const { writer } = world({ replies: [conflict] });
    await expect(writer.write({ ...index, op: 'create' }, 'false')).rejects.toMatchObject({
      type: 'version_conflict_engine_exception',
      extra: { index: 'a', shard: '0', index_uuid: 'uuid-a' },
    });
  });

  test.each([
    ['write', 'index', 403],
    ['write', 'delete', 403],
    ['read_only', 'index', 403],
    ['read_only_allow_delete', 'index', 429],
  ] as const)('a block [%s] refuses %s with %i', async (block, op, status) => {
    const settings = { index: { blocks: { [block]: 'true' } } };
    const { writer } = world({ replies: [], indexes: [description('a', 1, { settings })] });
    await expect(writer.write({ ...index, op }, 'false')).rejects.toMatchObject({
      type: 'cluster_block_exception',
      status,
    });
  });

  test.each([
    [['one'], { alias: {} }, undefined],
    [['one', 'two'], { alias: {} }, 'no write index is defined for alias [alias]'],
    [['one'], { alias: { is_write_index: false } }, 'no write index is defined'],
    [['one'], { alias: { index_routing: '1,2' } }, 'resolved to several routing values'],
  ])('through an alias of %o with %o', async (names, aliases, reason) => {
    const { writer } = world({
      replies: [oneItem],
      indexes: names.map((name, i) => description(name, i + 1, { aliases })),
    });
    const writing = writer.write({ ...index, index: 'alias' }, 'false');
    if (reason === undefined) expect(await writing).toMatchObject({ index: 'one' });
    else await expect(writing).rejects.toThrow(reason);
  });

  test('require_alias refuses an index', async () => {
    const { writer } = world({ replies: [] });
    await expect(writer.write({ ...index, requireAlias: true }, 'false')).rejects.toThrow(
      'no such index [a] and [require_alias] request flag is [true] and [a] is not an alias',
    );
  });
});

describe('a bulk', () => {
  const body = (...lines: object[]): Uint8Array =>
    new Uint8Array(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  const two = body(
    { index: { _index: 'new' } },
    { a: 1 },
    { delete: { _index: 'gone', _id: '1' } },
  );

  test('creates the names that documents are written to, and only those', async () => {
    const { writer, pool, created } = world({
      replies: [
        itemsReply({ missing: ['new', 'gone'] }),
        itemsReply({
          touched: [[11, 0]],
          items: [
            { index: 11, id: 'x' },
            { op: 3, name: 'gone', id: '1', status: 400, errorType: 3, reason: 'refused' },
          ],
        }),
      ],
    });
    const result = await writer.bulk({ refresh: 'false', body: two });
    expect(created).toEqual(['new']);
    expect(pool.named('bulk')).toHaveLength(2);
    expect(result.errors).toBe(true);
    expect(result.items[0]).toMatchObject({ index: 'new', status: 201, result: 'created' });
    expect(result.items[1]).toMatchObject({
      op: 'delete',
      index: 'gone',
      id: '1',
      status: 404,
      error: { type: 'index_not_found_exception', reason: 'no such index [gone]' },
    });
  });

  test('a name that cannot be created fails its items alone', async () => {
    const { writer } = world({
      replies: [
        itemsReply({ missing: ['Bad'] }),
        itemsReply({
          items: [{ name: 'Bad', status: 400, errorType: 3, reason: 'bad name' }],
        }),
      ],
    });
    const result = await writer.bulk({
      refresh: 'false',
      body: body({ index: { _index: 'Bad' } }, {}),
    });
    expect((result.items[0] as BulkItemError).error).toEqual({
      type: 'invalid_index_name_exception',
      reason: 'bad name',
    });
  });

  test('remembers the names of the last bodies', async () => {
    const { writer, pool } = world({
      replies: [itemsReply({ missing: ['a'] }), oneItem],
    });
    await writer.bulk({ refresh: 'false', body: body({ index: { _index: 'a' } }, {}) });
    expect(pool.named('bulk')).toHaveLength(2);
    await writer.bulk({ refresh: 'false', body: body({ index: { _index: 'a' } }, {}) });
    expect(pool.named('bulk')).toHaveLength(3);
  });

  test('hands on the routing of the request and of aliases', async () => {
    const { writer, pool } = world({
      replies: [itemsReply({ missing: ['mine'] }), oneItem],
      indexes: [description('a', 1, { aliases: { mine: { index_routing: 'me' } } })],
    });
    const lines = body({ index: { _index: 'mine' } }, {});
    await writer.bulk({ refresh: 'false', defaultRouting: 'r', body: lines });
    const headers = pool.named('bulk').map(({ request }) => Buffer.from(request));
    const names = [{ name: 'mine', index: 1, routing: 'me' }];
    expect(headers[1]).toEqual(Buffer.from(writeBulkHeader({ defaultRouting: 'r', names })));
  });

  test('refreshes what it touched', async () => {
    const { writer, events } = world({ replies: [oneItem] });
    await writer.bulk({ defaultIndex: 'a', refresh: 'wait_for', body: body({ index: {} }, {}) });
    expect(events).toEqual(['wrote true', 'sync', 'refresh 1/0']);
  });

  test('that touched nothing waits for nothing', async () => {
    const { writer, events } = world({ replies: [itemsReply({ items: [] })] });
    const result = await writer.bulk({
      defaultIndex: 'a',
      refresh: 'true',
      body: new Uint8Array(),
    });
    expect(result).toMatchObject({ errors: false, items: [] });
    expect(events).toEqual([]);
  });
});
