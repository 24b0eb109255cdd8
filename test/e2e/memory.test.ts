// Agent memory over real HTTP and the real engine: a stored memory is recalled by the next request,
// nothing is lost, results about the past do not change, and a forgotten memory is gone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-memory-'));
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function tell(ns: string, body: object): Promise<Reply> {
  return server.call('POST', `/_memory/${ns}`, body);
}

async function store(ns: string, body: object): Promise<string> {
  const reply = await tell(ns, body);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.json).toMatchObject({ namespace: ns, created: true });
  return reply.json.id;
}

async function recall(ns: string, body?: object): Promise<Reply['json']> {
  const reply = await server.call('POST', `/_memory/${ns}/_recall`, body);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

interface Hit {
  readonly id: string;
  readonly score: number | null;
}

async function ids(ns: string, body?: object): Promise<string[]> {
  return (await recall(ns, body)).hits.map(({ id }: Hit) => id);
}

describe('storing', () => {
  test('is seen by the very next request', async () => {
    for (let i = 0; i < 10; i++) {
      const id = await store('fresh', { text: `note number ${i} about zebras` });
      expect((await ids('fresh', { query: `zebras ${i}`, k: 20 })).includes(id)).toBe(true);
    }
    expect(await server.call('GET', '/_memory/fresh')).toMatchObject({
      status: 200,
      json: { namespace: 'fresh', exists: true, count: 10 },
    });
  });

  test('under an id of one’s own replaces what is there', async () => {
    await store('upsert', { id: 'a', text: 'first', metadata: { n: 1 } });
    const again = await tell('upsert', { id: 'a', text: 'second' });
    expect(again).toMatchObject({ status: 200, json: { id: 'a', created: false } });
    expect((await recall('upsert')).hits).toMatchObject([
      { id: 'a', text: 'second', metadata: null, score: null },
    ]);
  });

  test('keeps metadata as it came, whatever its names held before', async () => {
    const metadata = { tag: 'x', n: 1.5, flag: true, deep: { a: [1, 'two'] }, none: null };
    await store('meta', { id: 'a', text: 'one', metadata });
    const other = { tag: { name: 'y' }, n: 'many', flag: 'maybe', deep: 'flat', none: 7 };
    const reply = await tell('meta', { id: 'b', text: 'two', metadata: other });
    expect(reply).toMatchObject({ status: 201, json: { not_indexed: ['tag', 'deep'] } });
    const { hits } = await recall('meta');
    expect(hits[1].metadata).toEqual(metadata);
    expect(hits[0].metadata).toEqual(other);
    const filtered = (field: string, value: unknown) =>
      ids('meta', { filter: { term: { [`metadata.${field}`]: value } } });
    expect(await filtered('tag', 'x')).toEqual(['a']);
    expect(await filtered('n', 1.5)).toEqual(['a']);
    expect(await filtered('flag', true)).toEqual(['a']);
    expect(await filtered('none', 7)).toEqual(['b']);
    // The first value mapped the field as a number, so a filter must use numbers.
    const odd = { filter: { term: { 'metadata.n': 'many' } } };
    expect((await server.call('POST', '/_memory/meta/_recall', odd)).status).toBe(400);
  });

  test('takes metadata of any names', async () => {
    const metadata = {
      '': 1,
      'a..b': 2,
      '.x': { '': [] },
      ' ': ' ',
      'x.': null,
      _id: 3,
      'a b*': {},
    };
    const reply = await tell('odd', { id: 'a', text: 'odd', metadata });
    expect(reply.status, reply.text).toBe(201);
    expect((await recall('odd')).hits[0].metadata).toEqual(metadata);
  });

  test('follows the session, be it a number or a text', async () => {
    const said = async (session: unknown): Promise<Reply['json']> =>
      (await tell('talk', { text: `said in ${session}`, metadata: { session } })).json;
    const first = await said(7);
    const other = await said('seven');
    expect(other.follows).toBeUndefined();
    expect((await said('7')).follows).toBe(first.id);
    expect((await said('seven')).follows).toBe(other.id);
  });

  test('takes metadata with more names than an index has', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`name${i}`, i]));
    const reply = await tell('many', { id: 'a', text: 'many', metadata: many });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json.not_indexed).toHaveLength(2000);
    expect((await recall('many')).hits[0].metadata).toEqual(many);
  });

  test('fixes the length of the namespace’s vectors', async () => {
    await store('dims', { vector: [1, 0, 0] });
    const other = await tell('dims', { text: 'x', vector: [1, 0] });
    expect(other).toMatchObject({
      status: 400,
      json: { error: { type: 'illegal_argument_exception' } },
    });
    expect(other.json.error.reason).toMatch(/has 2 dimensions.*vectors of 3/);
    const requested = await server.call('POST', '/_memory/dims/_recall', { vector: [1, 0] });
    expect(requested.status).toBe(400);
    expect(requested.json.error.reason).toMatch(/has 2 dimensions.*vectors of 3/);
    expect((await recall('dims')).hits).toHaveLength(1);
  });
});

describe('duplicates', () => {
  const base = 'Ann agreed to pay Bob 500 euros in Berlin';

  test('are not stored, and the answer names what is there', async () => {
    const id = await store('dup', { text: base });
    for (const text of [base, 'ann agreed to pay bob 500 euros, in Berlin!', `The ${base}`]) {
      const reply = await tell('dup', { text, dedup: true });
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({
        id,
        namespace: 'dup',
        created: false,
        deduplicated: true,
        score: 1,
      });
    }
    expect(await ids('dup')).toEqual([id]);
  });

  test.each([
    ['a negation', base.replace('agreed', 'has not agreed'), ['has', 'not']],
    ['a number', base.replace('500', '600'), ['600']],
    ['a name', base.replace('Ann', 'Tom'), ['tom']],
    ['who pays whom', 'Bob agreed to pay Ann 500 euros in Berlin', ['bob', 'ann']],
  ])('%s keeps two apart', async (_name, text, ours) => {
    const ns = `apart-${ours.join('-')}`;
    const there = await store(ns, { text: base });
    const reply = await tell(ns, { text, dedup: true, dedup_threshold: 0.91 });
    expect(reply.status, reply.text).toBe(201);
    expect(await ids(ns)).toHaveLength(2);
    const near = reply.json.near_duplicate_of;
    if (near !== undefined) {
      expect(near).toMatchObject({ id: there, differing_words: { ours } });
      expect(near.similarity).toBeGreaterThanOrEqual(0.91);
    }
  });

  test('of vectors are judged by the cosine, at the threshold included', async () => {
    await store('vectors', { vector: [4, 3] });
    const at = await tell('vectors', { vector: [3, 4], dedup: true, dedup_threshold: 0.96 });
    expect(at.json).toMatchObject({ deduplicated: true, score: 0.96 });
    const above = await tell('vectors', { vector: [3, 4], dedup: true, dedup_threshold: 0.961 });
    expect(above.json).toMatchObject({ created: true });
    const scaled = await tell('vectors', { vector: [0.4, 0.3], dedup: true, dedup_threshold: 1 });
    expect(scaled.json).toMatchObject({ deduplicated: true, score: 1 });
  });

  test('without content words are found all the same', async () => {
    const id = await store('stop', { text: 'To be, or not to be' });
    expect((await tell('stop', { text: 'to be or not to be', dedup: true })).json).toMatchObject({
      id,
      deduplicated: true,
    });
    expect((await tell('stop', { text: 'to be or to be', dedup: true })).status).toBe(201);
  });

  test('are not what has expired or was superseded', async () => {
    const old = await store('gone', { text: 'Ann lives in Rome' });
    await store('gone', { text: 'Ann lives in Oslo', supersedes: [old] });
    await store('gone', { text: 'Ann has a cold', expires_at: 1 });
    for (const text of ['Ann lives in Rome', 'Ann has a cold']) {
      expect((await tell('gone', { text, dedup: true })).json).toMatchObject({ created: true });
    }
  });

  test('stored at the same time are stored once', async () => {
    const body = { text: 'the very same thing at the very same time', dedup: true };
    const replies = await Promise.all(Array.from({ length: 20 }, () => tell('race', body)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1);
    expect(await ids('race')).toHaveLength(1);
  });
});

test('what has expired shows no word of it beside its links', async () => {
  const metadata = { session: 's' };
  await store('brief', { id: 'a', text: 'Ann has a cold', metadata, expires_at: 1 });
  await store('brief', { id: 'b', text: 'Ann drinks tea', metadata });
  const { json } = await server.call('GET', '/_graph/brief/ego?node=b');
  expect(json.nodes.b).toMatchObject({ exists: true, preview: 'Ann drinks tea' });
  expect(json.nodes.a).toMatchObject({ exists: false, preview: null });
});

describe('time', () => {
  const old = Date.parse('2019-05-01T00:00:00Z');
  const moved = Date.parse('2023-02-01T00:00:00Z');
  let learned = 0;

  beforeAll(async () => {
    await store('time', { id: 'paris', text: 'Ann lives in Paris', metadata: { said_at: old } });
    const body = { id: 'rome', text: 'Ann lives in Rome', metadata: { valid_at: moved } };
    learned = Date.now();
    const reply = await tell('time', { ...body, supersedes: ['paris'] });
    expect(reply.json).toMatchObject({ created: true, superseded: ['paris'] });
  });

  const at = (rest: object) => ids('time', { query: 'where does Ann live', ...rest });

  test('what was superseded is in no answer about now', async () => {
    expect(await at({})).toEqual(['rome']);
    expect((await recall('time', { query: 'Ann' })).not_shown).toEqual({
      k: 0,
      expired: 0,
      superseded: 1,
      filter: 0,
    });
    const list = (await server.call('GET', '/_memory/time')).json;
    expect(list).toMatchObject({ count: 1, not_shown: { superseded: 1, expired: 0, limit: 0 } });
  });

  test('as_of tells what was true, by what is known now', async () => {
    expect(await at({ as_of: '2020-01-01T00:00:00Z' })).toEqual(['paris']);
    expect(await at({ as_of: moved - 1 })).toEqual(['paris']);
    expect(await at({ as_of: moved })).toEqual(['rome']);
    expect(await at({ as_of: old - 1 })).toEqual([]);
  });

  test('known_at tells what was believed', async () => {
    expect(await at({ known_at: learned - 1000, as_of: moved })).toEqual([]);
    expect(await at({ known_at: Date.now() + 1000 })).toEqual(['rome']);
  });

  test('the link between the two is there, and is told by why-not', async () => {
    const links = (await server.call('GET', '/_graph/time/ego?node=rome')).json.links;
    expect(links).toMatchObject([
      { src: 'rome', dst: 'paris', type: 'supersedes', valid_at: moved },
    ]);
    const { explained } = await recall('time', { query: 'Ann', explain: { ids: ['paris'] } });
    expect(explained).toEqual([
      { id: 'paris', returned: false, reason: 'superseded', superseded_by: ['rome'] },
    ]);
  });

  test('superseding what is not there stores nothing', async () => {
    for (const ns of ['time', 'nobody']) {
      const reply = await tell(ns, { text: 'x', supersedes: ['paris', 'absent'] });
      expect(reply).toMatchObject({
        status: 404,
        json: { error: { type: 'resource_not_found_exception' } },
      });
    }
    expect(await at({})).toEqual(['rome']);
    expect((await server.call('GET', '/_memory/nobody')).json.exists).toBe(false);
  });

  test('a memory that is refused ends no other', async () => {
    await store('undo', { id: 'a', text: 'a', vector: [1, 0] });
    const reply = await tell('undo', { text: 'b', vector: [1], supersedes: ['a'] });
    expect(reply.status).toBe(400);
    expect(await ids('undo')).toEqual(['a']);
    expect((await server.call('GET', '/_graph/undo/ego?node=a')).json.links).toEqual([]);
  });

  test('what has expired is in no answer', async () => {
    await store('expiry', {
      id: 'soon',
      text: 'coffee at noon',
      expires_at: Date.now() + 3_600_000,
    });
    await store('expiry', {
      id: 'past',
      text: 'coffee at ten',
      expires_at: '1969-01-01T00:00:00Z',
    });
    expect(await ids('expiry')).toEqual(['soon']);
    const { hits, not_shown } = await recall('expiry', { query: 'coffee' });
    expect(hits).toHaveLength(1);
    expect(not_shown).toEqual({ k: 0, expired: 1, superseded: 0, filter: 0 });
    expect(await ids('expiry', { as_of: Date.now() })).toEqual(['soon']);
  });

  test('the answers are the same after flush, merge and restart', async () => {
    const questions = [{}, { as_of: '2020-01-01T00:00:00Z' }, { query: 'Ann Rome', explain: true }];
    const before = await Promise.all(questions.map((one) => recall('time', one)));
    await server.call('POST', '/.svc-memory-*/_flush?expand_wildcards=all');
    await server.call('POST', '/.svc-memory-*/_forcemerge?expand_wildcards=all&max_num_segments=1');
    await server.kill('SIGKILL');
    server = await startServer({ dataDir });
    const hitsOf = (answers: readonly { hits: unknown }[]) => answers.map(({ hits }) => hits);
    const after = await Promise.all(questions.map((one) => recall('time', one)));
    expect(JSON.stringify(hitsOf(after)).length).toBe(JSON.stringify(hitsOf(before)).length);
    expect(hitsOf(after).slice(0, 2)).toEqual(hitsOf(before).slice(0, 2));
  });
});

describe('settings', () => {
  test('detection finds links in what is stored, session links may be turned off', async () => {
    const settings = { detect: true, link_sessions: false };
    const put = await server.call('PUT', '/_memory/detect', settings);
    expect(put).toMatchObject({ status: 200, json: { acknowledged: true, settings } });
    await store('detect', { id: 'plan', text: 'the plan', metadata: { session: 's' } });
    const reply = await tell('detect', {
      id: 'b',
      text: 'see [[plan]]',
      metadata: { session: 's' },
    });
    expect(reply.json.follows).toBeUndefined();
    const { links } = (await server.call('GET', '/_graph/detect/ego?node=b')).json;
    expect(links).toMatchObject([{ src: 'b', dst: 'plan', evidence: { source: 'b' } }]);
  });

  test('of an empty namespace may change, and decide how texts are read', async () => {
    expect((await server.call('PUT', '/_memory/words', { analyzer: 'english' })).status).toBe(200);
    expect((await server.call('PUT', '/_memory/words', { analyzer: 'standard' })).status).toBe(200);
    await store('words', { id: 'a', text: 'boats' });
    expect(await ids('words', { query: 'boat' })).toEqual([]);
    const late = await server.call('PUT', '/_memory/words', { analyzer: 'english' });
    expect(late.status).toBe(400);
    // The same request again changes nothing.
    expect((await server.call('PUT', '/_memory/words', { analyzer: 'standard' })).status).toBe(200);
    expect(await ids('words')).toEqual(['a']);
  });

  test('are gone with their namespace', async () => {
    await server.call('PUT', '/_memory/reset', { link_sessions: false });
    await store('reset', { text: 'x' });
    await server.call('DELETE', '/_memory/reset');
    await store('reset', { id: 'a', text: 'a', metadata: { session: 's' } });
    const next = await tell('reset', { id: 'b', text: 'b', metadata: { session: 's' } });
    expect(next.json.follows).toBe('a');
  });
});

describe('forgetting', () => {
  test('takes the memory and its links, with a receipt', async () => {
    for (const id of ['a', 'b', 'c']) {
      await store('forget', { id, text: `memory ${id}`, metadata: { session: 's' } });
    }
    const reply = await server.call('DELETE', '/_memory/forget/b');
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.json).toEqual({
      forgotten: true,
      id: 'b',
      namespace: 'forget',
      receipt: {
        removed: { memories: 1, links: 2 },
        left: { memories: 0, postings: 0, vectors: 0, links: 0 },
      },
    });
    expect(await ids('forget', { query: 'memory' })).toEqual(['a', 'c']);
    expect((await server.call('GET', '/_graph/forget/overview')).json.links.live).toBe(0);
    const again = await server.call('DELETE', '/_memory/forget/b');
    expect(again.status).toBe(404);
    expect(again.json).toEqual({ forgotten: false, id: 'b', namespace: 'forget' });
  });

  test('dropping takes everything of the namespace and nothing of another', async () => {
    await server.call('PUT', '/_memory/drop', { link_sessions: true });
    for (const ns of ['drop', 'drop-not'])
      for (const id of ['a', 'b']) await store(ns, { id, text: id, metadata: { session: 's' } });
    const reply = await server.call('DELETE', '/_memory/drop');
    expect(reply).toMatchObject({ status: 200, json: { dropped: true, namespace: 'drop' } });
    const again = await server.call('DELETE', '/_memory/drop');
    expect(again).toMatchObject({ status: 404, json: { dropped: false, namespace: 'drop' } });
    expect(await recall('drop')).toMatchObject({ namespace: 'drop', hits: [] });
    const indices = await server.call('GET', '/.svc-memory-drop*?expand_wildcards=all');
    expect(Object.keys(indices.json).sort()).toEqual([
      '.svc-memory-drop-not',
      '.svc-memory-drop-not-edges',
    ]);
    expect(await ids('drop-not')).toEqual(['b', 'a']);
  });
});
