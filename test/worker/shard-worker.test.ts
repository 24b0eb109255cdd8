// The tasks of a worker, called directly: values and errors are returned as outcomes, response
// buffers are transferred.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valueSymbol } from 'piscina';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readItems } from '../../src/wire/items-reader.ts';
import { writeBulkHeader } from '../../src/wire/ops-writer.ts';
import * as worker from '../../src/worker/shard-worker.ts';
import type { Outcome } from '../../src/worker/tasks.ts';

function value<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value;
  throw new Error(outcome.failure.message);
}

test('without an open engine every task is refused', () => {
  expect(worker.refresh({ index: 0, shard: 0 })).toEqual({
    failure: {
      errorType: expect.any(Number),
      message: expect.stringContaining('not open'),
      causedBy: '',
    },
  });
});

describe('with an open engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-worker-'));
  let index = 0;

  beforeAll(() => {
    value(worker.open({ dataDir, options: '{}' }));
    const spec = JSON.stringify({ name: 'a', number_of_shards: 1, creation_date: 0 });
    index = (JSON.parse(value(worker.createIndex({ spec }))) as { number: number }).number;
  });
  afterAll(() => {
    value(worker.close({ checkpointMs: 10_000 }));
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('a bulk answers items and gives the body back', () => {
    const body = new TextEncoder().encode('{"index":{"_id":"1"}}\n{"a":1}\n');
    const request = writeBulkHeader({ defaultIndex: 'a', names: [{ name: 'a', index }] });
    const moved = worker.bulk({ request, body }) as unknown as { [valueSymbol]: unknown };
    const outcome = moved[valueSymbol] as Outcome<{ reply: ArrayBuffer; body: Uint8Array }>;
    const answer = value(outcome);
    expect(answer.body).toBe(body);
    expect(readItems(answer.reply)).toMatchObject({
      ok: true,
      missingNames: [],
      touched: [{ index, shard: 0 }],
      items: [{ result: 'created', id: '1', status: 201 }],
    });
  });

  test('a refresh says whether there was something to publish', () => {
    expect(worker.refresh({ index, shard: 0 })).toEqual({ value: true });
    expect(worker.refresh({ index, shard: 0 })).toEqual({ value: false });
  });

  test('a mapping that cannot be is a refusal with its type', () => {
    const mappings = JSON.stringify({ properties: { x: { type: 'nope' } } });
    expect(worker.putMapping({ index, mappings })).toMatchObject({
      failure: { message: expect.stringContaining('nope') },
    });
  });

  test.each([
    () => worker.flush({ index: 999, shard: 0 }),
    () => worker.merge({ index, shard: 9, maxSegments: 0 }),
    () => worker.recover({ index: 999, shard: 0 }),
    () => worker.changeIndexes({ changes: '[{"drop":999}]' }),
    () => worker.indexStats({ index: 999 }),
  ])('what does not exist is refused', (task) => {
    expect(task()).toHaveProperty('failure');
  });
});
