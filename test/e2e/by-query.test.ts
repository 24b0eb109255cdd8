// Operations over many documents over HTTP: their changes, their counts, conflicts, scripts, slices
// and tasks.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
});

const COUNTS = {
  timed_out: false,
  version_conflicts: 0,
  noops: 0,
  retries: { bulk: 0, search: 0 },
  throttled_millis: 0,
  requests_per_second: -1,
  throttled_until_millis: 0,
  failures: [],
};

beforeEach(async () => {
  await server.call('DELETE', '/*');
  await server.call('PUT', '/books', {
    settings: { number_of_shards: 2, refresh_interval: '-1' },
    mappings: { properties: { author: { type: 'keyword' }, n: { type: 'integer' } } },
  });
  const lines = Array.from({ length: 25 }, (_, n) => {
    const action = {
      index: { _index: 'books', _id: `${n}`, ...(n === 3 ? { routing: 'r' } : {}) },
    };
    return `${JSON.stringify(action)}\n${JSON.stringify({ author: `a${n % 3}`, n, price: 1.5 })}\n`;
  });
  await server.call('POST', '/_bulk?refresh=true', lines.join(''), {
    'content-type': 'application/x-ndjson',
  });
});

async function count(index: string, query: object = { match_all: {} }): Promise<number> {
  return (await server.call('POST', `/${index}/_count`, { query })).json.count;
}

describe('_delete_by_query', () => {
  test('removes what a query finds', async () => {
    const reply = await server.call('POST', '/books/_delete_by_query?refresh=true', {
      query: { term: { author: 'a1' } },
    });
    expect(reply.status).toBe(200);
    const { took, ...rest } = reply.json;
    expect(took).toBeGreaterThanOrEqual(0);
    expect(rest).toEqual({ ...COUNTS, total: 8, deleted: 8, batches: 1 });
    expect(await count('books')).toBe(17);
    expect(await count('books', { term: { author: 'a1' } })).toBe(0);
  });

  test('in batches and slices, as many as it may', async () => {
    const batches = await server.call(
      'POST',
      '/books/_delete_by_query?scroll_size=4&max_docs=10&q=*:*&refresh',
    );
    expect(batches.json).toMatchObject({ total: 10, deleted: 10, batches: 3 });
    const few = await server.call(
      'POST',
      '/books/_delete_by_query?slices=3&max_docs=5&refresh=true',
      { query: { match_none: {} } },
    );
    expect(few.json).toMatchObject({ total: 0, deleted: 0 });
    const slices = await server.call('POST', '/books/_delete_by_query?slices=3&refresh=true', {
      query: { match_all: {} },
    });
    expect(slices.json).toMatchObject({ total: 15, deleted: 15 });
    expect(slices.json.slices).toHaveLength(3);
    expect(slices.json.slices[2]).toMatchObject({ slice_id: 2 });
    expect(slices.json.slices[2]).not.toHaveProperty('updated');
    expect(await count('books')).toBe(0);
  });

  test('stops at a document that changed since the last refresh, or counts it', async () => {
    await server.call('PUT', '/books/_doc/7', { author: 'a1', n: 700 });
    const aborted = await server.call('POST', '/books/_delete_by_query', {
      query: { term: { n: 7 } },
    });
    expect(aborted.status).toBe(409);
    expect(aborted.json).toMatchObject({ deleted: 0, version_conflicts: 1 });
    expect(aborted.json.failures[0]).toMatchObject({
      index: 'books',
      id: '7',
      status: 409,
      cause: { type: 'version_conflict_engine_exception' },
    });
    const counted = await server.call('POST', '/books/_delete_by_query?conflicts=proceed', {
      query: { match_all: {} },
    });
    expect(counted.status).toBe(200);
    expect(counted.json).toMatchObject({ total: 25, deleted: 24, version_conflicts: 1 });
    expect((await server.call('GET', '/books/_doc/7')).json._source.n).toBe(700);
  });
});

describe('the search of an operation', () => {
  test('is narrowed by all that narrows a search', async () => {
    const removed = await server.call('POST', '/books/_delete_by_query?refresh=true', {
      query: { match_all: {} },
      post_filter: { range: { n: { lt: 4 } } },
      aggs: { a: { avg: { field: 'n' } } },
      highlight: { fields: { author: {} } },
      version: true,
      max_docs: null,
    });
    expect(removed.json).toMatchObject({ total: 4, deleted: 4 });
    expect(await count('books')).toBe(21);
    const scored = await server.call('POST', '/books/_delete_by_query?refresh=true', {
      query: { match_all: {} },
      min_score: 1.5,
    });
    expect(scored.json).toMatchObject({ total: 0, deleted: 0 });
  });

  test('has batches of its size, and a part of its own by number', async () => {
    const batches = await server.call('POST', '/books/_update_by_query?refresh=true', { size: 10 });
    expect(batches.json).toMatchObject({ total: 25, updated: 25, batches: 3 });
    const few = await server.call('POST', '/books/_update_by_query?scroll_size=20&refresh=true', {
      size: 10,
    });
    expect(few.json.batches).toBe(2);
    const part = await server.call('POST', '/books/_update_by_query', { slice: { id: 1, max: 2 } });
    expect(part.json).toMatchObject({ slice_id: 1 });
    expect(part.json.total).toBeLessThan(25);
  });

  test('says what is left of documents that are written again', async () => {
    await server.call('POST', '/books/_update_by_query?refresh=true&_source=n', { max_docs: 25 });
    expect((await server.call('GET', '/books/_doc/4')).json._source).toEqual({ n: 4 });
    const aliased = await server.call('POST', '/_aliases', {
      actions: [{ add: { index: 'books', alias: 'shelf' } }],
    });
    expect(aliased.status).toBe(200);
    await server.call('PUT', '/copies', {});
    const copied = await server.call('POST', '/_reindex?require_alias=true', {
      source: { index: 'copies' },
      dest: { index: 'shelf' },
    });
    expect(copied.json).toMatchObject({ total: 0, failures: [] });
  });
});

describe('_update_by_query', () => {
  test('writes documents again, so that a new field of the mapping finds them', async () => {
    const reply = await server.call('POST', '/books/_update_by_query?refresh=true');
    expect(reply.json).toMatchObject({ ...COUNTS, total: 25, updated: 25, deleted: 0 });
    expect((await server.call('GET', '/books/_doc/3?routing=r')).json).toMatchObject({
      _version: 2,
      _routing: 'r',
      _source: { author: 'a0', n: 3, price: 1.5 },
    });
  });

  test('runs a script on each of them', async () => {
    const reply = await server.call('POST', '/books/_update_by_query?refresh=true', {
      query: { range: { n: { lt: 9 } } },
      script: {
        source:
          "ctx.op = ctx._source.n < 3 ? 'delete' : ctx._source.n < 6 ? 'noop' : 'index'; ctx._source.n += params.by; ctx._source.remove('author')",
        params: { by: 100 },
      },
    });
    expect(reply.json).toMatchObject({ total: 9, updated: 3, deleted: 3, noops: 3 });
    expect(await count('books')).toBe(22);
    const changed = await server.call('GET', '/books/_source/6');
    expect(changed.text).toBe('{"n":106,"price":1.5}');
    expect((await server.call('GET', '/books/_source/4')).json.n).toBe(4);
  });
});

test('a script that takes its time leaves others theirs', async () => {
  const long = server.call('POST', '/books/_update_by_query?refresh=true', {
    script: 'for (int i = 0; i < 60000; i++) { ctx._source.n += 1 }',
  });
  let answered = 0;
  let ended = false;
  const done = long.finally(() => {
    ended = true;
  });
  while (!ended) {
    await server.call('GET', '/books/_doc/1');
    answered += 1;
  }
  expect((await done).json.updated).toBe(25);
  expect(answered).toBeGreaterThan(5);
  expect((await server.call('GET', '/books/_source/1')).json.n).toBe(60_001);
});

describe('_reindex', () => {
  test('copies what a query finds, with routing, and makes the target', async () => {
    const reply = await server.call('POST', '/_reindex?refresh=true', {
      source: { index: ['books'], query: { range: { n: { lt: 10 } } }, _source: ['n'] },
      dest: { index: 'copies' },
    });
    expect(reply.json).toMatchObject({ ...COUNTS, total: 10, created: 10, updated: 0, batches: 1 });
    expect((await server.call('GET', '/copies/_doc/3?routing=r')).json._source).toEqual({ n: 3 });
    const again = await server.call('POST', '/_reindex', {
      source: { index: 'books', size: 3 },
      max_docs: 4,
      dest: { index: 'copies', routing: 'discard' },
      script: { source: 'ctx._source.n = ctx._id' },
    });
    expect(again.json).toMatchObject({ total: 4, batches: 2 });
  });

  test('is refused if some index cannot be read as requested, and writes nothing', async () => {
    await server.call('PUT', '/other/_doc/1?refresh=true', { k: 'without n' });
    const reply = await server.call('POST', '/_reindex', {
      source: { index: ['books', 'other'], sort: { n: 'asc' } },
      dest: { index: 'never' },
    });
    expect([reply.status, reply.json.error.type]).toEqual([
      400,
      'search_phase_execution_exception',
    ]);
    expect((await server.call('HEAD', '/never')).status).toBe(404);
  });

  test('writes documents where a script says', async () => {
    const reply = await server.call('POST', '/_reindex?refresh=true', {
      source: { index: 'books', query: { range: { n: { lt: 4 } } } },
      dest: { index: 'copies', version_type: 'external' },
      script: {
        source:
          "ctx._id = 'book-' + ctx._id; ctx._version = 7; ctx._routing = ctx._source.n == 3 ? null : 'all'; if (ctx._source.n == 1) { ctx._index = 'others'; ctx._version = null }",
      },
    });
    expect(reply.json).toMatchObject({ total: 4, created: 4 });
    const moved = await server.call('GET', '/copies/_doc/book-2?routing=all');
    expect(moved.json).toMatchObject({ _version: 7, _routing: 'all' });
    expect((await server.call('GET', '/copies/_doc/book-3')).json).not.toHaveProperty('_routing');
    expect((await server.call('GET', '/others/_doc/book-1?routing=all')).json._version).toBe(1);
    const named = await server.call('POST', '/_reindex', {
      source: { index: 'books', query: { term: { n: 5 } } },
      dest: { index: 'unnamed' },
      script: 'ctx._id = null',
    });
    expect(named.json.created).toBe(1);
    expect((await server.call('GET', '/unnamed/_doc/5')).status).toBe(404);
    const internal = await server.call('POST', '/_reindex', {
      source: { index: 'books' },
      dest: { index: 'unnamed' },
      script: 'ctx._version = 9',
    });
    expect(internal.status).toBe(400);
    expect(internal.json.error.reason).toContain('script set [ctx._version] to [9]');
  });

  test('writes to the index that an alias writes to, which is another than it reads', async () => {
    await server.call('PUT', '/copies', {});
    await server.call('POST', '/_aliases', {
      actions: [
        { add: { index: 'books', alias: 'both' } },
        { add: { index: 'copies', alias: 'both', is_write_index: true } },
      ],
    });
    const source = { index: 'books' };
    const reply = await server.call('POST', '/_reindex', { source, dest: { index: 'both' } });
    expect(reply.json).toMatchObject({ created: 25 });
    const circle = { source: { index: 'copies' }, dest: { index: 'both' } };
    const refused = await server.call('POST', '/_reindex', circle);
    expect(refused.json.error.reason).toContain('an index its reading from [copies]');
  });

  test('creates only, and compares versions when told to', async () => {
    await server.call('PUT', '/copies/_doc/5?refresh=true', { n: -5 });
    const created = await server.call('POST', '/_reindex', {
      conflicts: 'proceed',
      source: { index: 'books' },
      dest: { index: 'copies', op_type: 'create' },
    });
    expect(created.json).toMatchObject({ total: 25, created: 24, version_conflicts: 1 });
    expect((await server.call('GET', '/copies/_source/5')).json.n).toBe(-5);
    await server.call('POST', '/copies/_refresh');
    await server.call('POST', '/copies/_delete_by_query?refresh=true', {
      query: { range: { n: { gte: 10 } } },
    });
    const most = await server.call('POST', '/_reindex', {
      conflicts: 'proceed',
      max_docs: 4,
      source: { index: 'books', size: 5, sort: ['n'] },
      dest: { index: 'copies', op_type: 'create' },
    });
    expect(most.json).toMatchObject({ total: 4, created: 4, version_conflicts: 10, batches: 4 });
    const external = await server.call('POST', '/_reindex', {
      source: { index: 'books', query: { term: { n: 5 } } },
      dest: { index: 'copies', version_type: 'external' },
    });
    expect(external.status).toBe(409);
  });
});

describe('_update with a script', () => {
  test('changes, deletes, leaves alone, and makes what is not there', async () => {
    const changed = await server.call('POST', '/books/_update/1?_source=n', {
      script: { source: 'ctx._source.n += params.by', params: { by: 4 } },
    });
    expect(changed.json).toMatchObject({ result: 'updated', _version: 2 });
    expect(changed.json.get._source).toEqual({ n: 5 });
    const noop = await server.call('POST', '/books/_update/1', { script: "ctx.op = 'none'" });
    expect(noop.json).toMatchObject({ result: 'noop', _version: 2, _shards: { total: 0 } });
    const gone = await server.call('POST', '/books/_update/1', { script: "ctx.op = 'delete'" });
    expect(gone.json).toMatchObject({ result: 'deleted', _version: 3 });
    const counter = { script: 'ctx._source.n++', upsert: { n: 1.0, price: 2.5 } };
    expect((await server.call('POST', '/books/_update/new', counter)).json.result).toBe('created');
    expect((await server.call('POST', '/books/_update/new', counter)).json.result).toBe('updated');
    expect((await server.call('GET', '/books/_source/new')).text).toBe('{"n":2,"price":2.5}');
    const scripted = { ...counter, scripted_upsert: true };
    await server.call('POST', '/books/_update/other', scripted);
    expect((await server.call('GET', '/books/_source/other')).json.n).toBe(2);
  });

  test('of one document by many at once loses no change', async () => {
    const update = { script: 'ctx._source.n += 1' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        server.call('POST', '/books/_update/2?retry_on_conflict=50', update),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await server.call('GET', '/books/_source/2')).json.n).toBe(22);
  });
});

describe('tasks', () => {
  test('run in the background, are listed, go faster when told to, and keep their answer', async () => {
    const started = await server.call(
      'POST',
      '/books/_update_by_query?wait_for_completion=false&requests_per_second=0.1&scroll_size=5',
    );
    const id: string = started.json.task;
    const [node = ''] = id.split(':');
    const listed = await server.call('GET', '/_tasks?actions=*byquery&detailed');
    expect(listed.json.nodes[node].tasks[id]).toMatchObject({
      action: 'indices:data/write/update/byquery',
      cancellable: true,
      cancelled: false,
      description: 'update-by-query [books]',
    });
    expect((await server.call('GET', '/_tasks?actions=cluster*')).json).toEqual({ nodes: {} });
    expect((await server.call('GET', `/_tasks/${id}`)).json.completed).toBe(false);
    const paced = await server.call(
      'POST',
      `/_update_by_query/${id}/_rethrottle?requests_per_second=-1`,
    );
    expect(paced.json.nodes[node].tasks[id].status.requests_per_second).toBe(-1);
    const ended = await server.call('GET', `/_tasks/${id}?wait_for_completion=true`);
    expect(ended.json).toMatchObject({
      completed: true,
      task: { action: 'indices:data/write/update/byquery' },
      response: { total: 25, updated: 25, created: 0, batches: 5 },
    });
    expect((await server.call('GET', '/_tasks')).json).toEqual({ nodes: {} });
  });

  test('end when they are told to', async () => {
    const started = await server.call(
      'POST',
      '/_reindex?wait_for_completion=false&requests_per_second=0.1',
      { source: { index: 'books', size: 5 }, dest: { index: 'copies' } },
    );
    const id: string = started.json.task;
    const reported = await server.call('POST', `/_tasks/${id}/_cancel?wait_for_completion=true`);
    expect(Object.values(reported.json.nodes)).toHaveLength(1);
    const ended = await server.call('GET', `/_tasks/${id}`);
    expect(ended.json.completed).toBe(true);
    expect(ended.json.response.canceled).toBe('by user request');
    expect(ended.json.response.created).toBeLessThan(25);
    expect((await server.call('POST', `/_tasks/${id}/_cancel`)).status).toBe(404);
  });

  test('a terms lookup finds what a document lists, wherever a query stands', async () => {
    await server.call('PUT', '/lists/_doc/mine', { like: { who: ['a0', 'a2'] } });
    const lookup = { terms: { author: { index: 'lists', id: 'mine', path: 'like.who' } } };
    expect(await count('books', lookup)).toBe(17);
    expect(await count('books', { bool: { must_not: [lookup] } })).toBe(8);
    const found = await server.call('POST', '/books/_search', {
      size: 0,
      aggs: { liked: { filter: lookup } },
    });
    expect(found.json.aggregations.liked.doc_count).toBe(17);
    const none = { terms: { author: { index: 'lists', id: 'nobody', path: 'x' } } };
    expect(await count('books', none)).toBe(0);
    const removed = await server.call('POST', '/books/_delete_by_query', { query: lookup });
    expect(removed.json.deleted).toBe(17);
  });
});
