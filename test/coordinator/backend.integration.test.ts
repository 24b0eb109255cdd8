// The backend over the real engine: create, write, refresh, search, get, administration, restart.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BulkItemError, JsonObject, WriteOperation } from '../../src/backend/index.ts';
import {
  json,
  ndjson,
  openBackend,
  parsed,
  type RealBackend,
  removeFolder,
} from './real-backend.ts';

let real: RealBackend;
beforeAll(async () => {
  real = await openBackend();
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

const put = (index: string, id: string, source: unknown): WriteOperation => ({
  op: 'index',
  index,
  id,
  source: json(source),
});
const ids = async (index: string, body: JsonObject): Promise<string[]> =>
  (await real.backend.search({ index, body })).hits.map((hit) => hit.id);

describe('documents', () => {
  test('are created, updated, got and deleted', async () => {
    const { backend } = real;
    const created = await backend.write(put('docs', '1', { a: 1 }), { refresh: 'false' });
    expect(created).toMatchObject({ result: 'created', status: 201, version: 1n, index: 'docs' });
    const updated = await backend.write(put('docs', '1', { a: 2 }), { refresh: 'false' });
    expect(updated).toMatchObject({ result: 'updated', status: 200, version: 2n });

    const found = await backend.get({ index: 'docs', id: '1', source: true });
    expect(found).toMatchObject({ found: true, version: 2n, id: '1', index: 'docs' });
    expect(parsed(found.source)).toEqual({ a: 2 });

    const gone = await backend.write(
      { op: 'delete', index: 'docs', id: '1' },
      { refresh: 'false' },
    );
    expect(gone).toMatchObject({ result: 'deleted', status: 200, version: 3n });
    expect(await backend.get({ index: 'docs', id: '1', source: true })).toEqual({
      index: 'docs',
      id: '1',
      found: false,
    });
  });

  test('without an id get one', async () => {
    const operation: WriteOperation = { op: 'index', index: 'docs', source: json({ a: 1 }) };
    const result = await real.backend.write(operation, { refresh: 'false' });
    expect(result.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await real.backend.get({ index: 'docs', id: result.id, source: false })).toMatchObject({
      found: true,
    });
  });

  test('keep the bytes of their source', async () => {
    const source = new TextEncoder().encode('{ "n":1234567890123456789 , "b":1.0,"a":null}');
    await real.backend.write(
      { op: 'index', index: 'docs', id: 'raw', source },
      { refresh: 'false' },
    );
    const found = await real.backend.get({ index: 'docs', id: 'raw', source: true });
    expect(Buffer.from(found.source ?? []).toString()).toBe(
      '{ "n":1234567890123456789 , "b":1.0,"a":null}',
    );
  });

  test('a second create is a conflict', async () => {
    const create = { ...put('docs', 'once', {}), op: 'create' as const };
    await real.backend.write(create, { refresh: 'false' });
    await expect(real.backend.write(create, { refresh: 'false' })).rejects.toMatchObject({
      type: 'version_conflict_engine_exception',
      status: 409,
      message: '[once]: version conflict, document already exists (current version [1])',
      extra: { index: 'docs' },
    });
  });

  test('are read together, each with its own failure', async () => {
    await real.backend.write(put('docs', 'm', { m: 1 }), { refresh: 'false' });
    const answers = await real.backend.mget([
      { index: 'docs', id: 'm', source: true },
      { index: 'nope', id: 'm', source: true },
      { index: 'docs', id: 'absent', source: true },
    ]);
    expect(answers[0]).toMatchObject({ found: true, id: 'm' });
    expect((answers[1] as BulkItemError).error.type).toBe('index_not_found_exception');
    expect(answers[2]).toMatchObject({ found: false });
  });
});

describe('a bulk', () => {
  test('creates indexes, applies in order and reports each item', async () => {
    const result = await real.backend.bulk({
      refresh: 'true',
      body: ndjson(
        { index: { _index: 'bulk-a', _id: '1' } },
        { t: 'one fox' },
        { index: { _index: 'bulk-b', _id: '1' } },
        { t: 'two foxes' },
        { create: { _index: 'bulk-a', _id: '1' } },
        { t: 'again' },
        { update: { _index: 'bulk-a', _id: '1' } },
        { doc: { t: 'red fox' } },
        { delete: { _index: 'bulk-a', _id: 'absent' } },
        { delete: { _index: 'bulk-none', _id: '1' } },
        { index: { _index: 'Bad', _id: '1' } },
        { t: 1 },
      ),
    });
    expect(result.errors).toBe(true);
    expect(result.items.map((item) => [item.op, item.index, item.status])).toEqual([
      ['index', 'bulk-a', 201],
      ['index', 'bulk-b', 201],
      ['create', 'bulk-a', 409],
      ['update', 'bulk-a', 200],
      ['delete', 'bulk-a', 404],
      ['delete', 'bulk-none', 404],
      ['index', 'Bad', 400],
    ]);
    expect(real.backend.exists('bulk-none', {})).toBe(false);
    expect(await ids('bulk-a,bulk-b', { query: { match: { t: 'fox' } } })).toEqual(['1']);
  });

  test('that is malformed changes nothing', async () => {
    const body = new TextEncoder().encode('{"index":{"_index":"bulk-c"}}\n{}\n{"what":{}}\n{}\n');
    await expect(real.backend.bulk({ refresh: 'false', body })).rejects.toMatchObject({
      status: 400,
    });
    expect(real.backend.exists('bulk-c', {})).toBe(false);
  });
});

describe('a search', () => {
  const titles = ['a quick fox', 'a lazy dog', 'quick dogs and a quick fox', 'nothing'];

  beforeAll(async () => {
    await real.backend.createIndex('find', {
      settings: { number_of_shards: 3 },
      mappings: { properties: { title: { type: 'text' }, n: { type: 'integer' } } },
    });
    const lines = titles.flatMap((title, n) => [{ index: { _id: String(n) } }, { title, n }]);
    await real.backend.bulk({ defaultIndex: 'find', refresh: 'true', body: ndjson(...lines) });
  });

  test('ranks over several shards', async () => {
    const result = await real.backend.search({
      index: 'find',
      body: { query: { match: { title: 'quick' } } },
    });
    expect(result).toMatchObject({
      shards: { total: 3, successful: 3, failed: 0 },
      total: { value: 2, relation: 'eq' },
    });
    expect(result.hits.map((hit) => hit.id)).toEqual(['2', '0']);
    expect(result.maxScore).toBe(result.hits[0]?.score);
    expect(parsed(result.hits[0]?.source)).toEqual({ title: titles[2], n: 2 });
  });

  test('scores do not depend on the number of shards', async () => {
    await real.backend.createIndex('find-one', {});
    const lines = titles.flatMap((title, n) => [{ index: { _id: String(n) } }, { title, n }]);
    await real.backend.bulk({ defaultIndex: 'find-one', refresh: 'true', body: ndjson(...lines) });
    const body = { query: { match: { title: 'quick fox' } } };
    const scores = async (index: string) =>
      (await real.backend.search({ index, body })).hits.map(({ id, score }) => [id, score]);
    expect(await scores('find')).toEqual(await scores('find-one'));
  });

  test('sorts by a field over shards', async () => {
    const result = await real.backend.search({ index: 'find', body: { sort: [{ n: 'desc' }] } });
    expect(result.hits.map(({ id, score, sort }) => [id, score, sort])).toEqual([
      ['3', null, ['3']],
      ['2', null, ['2']],
      ['1', null, ['1']],
      ['0', null, ['0']],
    ]);
  });

  test('pages are cuts of one order', async () => {
    const all = await ids('find', { query: { match_all: {} }, size: 10 });
    expect(all).toEqual(['0', '1', '2', '3']);
    const cut = await ids('find', { query: { match_all: {} }, from: 1, size: 2 });
    expect(cut).toEqual(all.slice(1, 3));
  });

  test('counts', async () => {
    const body = { query: { range: { n: { gte: 1 } } } };
    expect(await real.backend.count({ index: 'find', body })).toMatchObject({ count: 3 });
  });

  test('of a bad sort is an error of every shard', async () => {
    await expect(
      real.backend.search({ index: 'find', body: { sort: 'title' } }),
    ).rejects.toMatchObject({ type: 'search_phase_execution_exception', status: 400 });
  });

  test('sees a write only after a refresh', async () => {
    const { backend } = real;
    await backend.createIndex('late', { settings: { refresh_interval: '-1' } });
    await backend.write(put('late', '1', { a: 1 }), { refresh: 'false' });
    expect(await ids('late', {})).toEqual([]);
    expect(await backend.refresh('late', {})).toEqual({ total: 2, successful: 1, failed: 0 });
    expect(await ids('late', {})).toEqual(['1']);
    await backend.write(put('late', '2', { a: 1 }), { refresh: 'wait_for' });
    expect(await ids('late', {})).toEqual(['1', '2']);
  });

  test('through a filtering alias sees its part', async () => {
    const { backend } = real;
    const properties = { filter: { range: { n: { lt: 2 } } } };
    await backend.updateAliases([{ add: { index: 'find', alias: 'low', properties } }]);
    expect(await ids('low', {})).toEqual(['0', '1']);
    expect(await ids('low,find', { size: 4 })).toHaveLength(4);
  });
});

describe('administration', () => {
  test('describes an index with its grown mapping', async () => {
    const { backend } = real;
    await backend.createIndex('shown', { settings: { number_of_replicas: 0 } });
    await backend.write(put('shown', '1', { when: '2024-01-01', n: 1 }), { refresh: 'true' });
    const [shown] = backend.resolve('shown', {});
    expect(shown?.settings).toMatchObject({
      index: { number_of_shards: '1', number_of_replicas: '0', provided_name: 'shown' },
    });
    expect(shown?.mappings).toMatchObject({
      properties: { when: { type: 'date' }, n: { type: 'long' } },
    });
    expect(await backend.stats('shown')).toMatchObject({ docs: 1, deleted: 0 });
    expect(await backend.flush('shown', {})).toEqual({ total: 1, successful: 1, failed: 0 });
    expect(await backend.forceMerge('shown', 1, {})).toMatchObject({ failed: 0 });
    await backend.putSettings('shown', { 'blocks.read_only': true }, {});
    await expect(backend.forceMerge('shown', 1, {})).rejects.toThrow('FORBIDDEN/5');
    await backend.putSettings('shown', { 'blocks.read_only': null }, {});
    expect(Object.keys(backend.nodeStats()).length).toBeGreaterThan(0);
  });

  test('adds to a mapping and refuses a change of type', async () => {
    const { backend } = real;
    await backend.createIndex('mapped', { mappings: { properties: { a: { type: 'long' } } } });
    await backend.putMapping('mapped', { properties: { b: { type: 'keyword' } } }, {});
    expect(backend.resolve('mapped', {})[0]?.mappings).toMatchObject({
      properties: { a: { type: 'long' }, b: { type: 'keyword' } },
    });
    await expect(
      backend.putMapping('mapped', { properties: { a: { type: 'text' } } }, {}),
    ).rejects.toMatchObject({ type: 'illegal_argument_exception', status: 400 });
  });

  test('refuses a mapping without leaving an index behind', async () => {
    await expect(
      real.backend.createIndex('broken', { mappings: { properties: { a: { type: 'nope' } } } }),
    ).rejects.toMatchObject({ type: 'mapper_parsing_exception', status: 400 });
    expect(real.backend.exists('broken', {})).toBe(false);
  });

  test('closes, opens and drops', async () => {
    const { backend } = real;
    await backend.createIndex('door', {});
    expect(await backend.setState('door', 'close', {})).toEqual(['door']);
    await expect(backend.search({ index: 'door', body: {} })).rejects.toMatchObject({
      type: 'index_closed_exception',
    });
    await backend.setState('door', 'open', {});
    expect(await ids('door', {})).toEqual([]);
    expect(await backend.deleteIndices('door', {})).toEqual(['door']);
    await expect(backend.search({ index: 'door', body: {} })).rejects.toMatchObject({
      type: 'index_not_found_exception',
      status: 404,
    });
  });

  test('analyzes', async () => {
    const answer = await real.backend.analyze(undefined, { text: 'Quick Fox' });
    expect(JSON.parse(answer)).toMatchObject({ tokens: [{ token: 'quick' }, { token: 'fox' }] });
  });
});

test('a thousand small writes at once are all there', async () => {
  const writes = Array.from({ length: 500 }, (_, i) =>
    real.backend.write(put(`many-${i % 5}`, String(i), { i }), { refresh: 'false' }),
  );
  await Promise.all(writes);
  await real.backend.refresh('many-*', {});
  expect(await real.backend.count({ index: 'many-*', body: {} })).toMatchObject({ count: 500 });
});
