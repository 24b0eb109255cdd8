// Writers that index, update and delete documents with nested ones, with kills during their writes:
// after every restart each document is the one of its last acknowledged write or of the one in
// progress, its nested documents are those of its source, and `quarry check` finds nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const WRITERS = 6;
const IDS = 8;
const KILLS = some([0, 1, 2, 3, 4, 5], 3);
/** Acknowledged writes of all writers at the time of the kill; others are in progress then. */
const WRITES = 90;

const MAPPINGS = {
  properties: {
    rev: { type: 'integer' },
    c: {
      type: 'nested',
      properties: {
        rev: { type: 'keyword' },
        r: { type: 'nested', properties: { rev: { type: 'keyword' } } },
      },
    },
  },
};

interface Doc {
  readonly rev: number;
  readonly c: readonly { readonly rev: string; readonly r: readonly { readonly rev: string }[] }[];
}
/** Undefined: there is no document. */
type State = Doc | undefined;

interface Key {
  acknowledged: State;
  /** States of the writes that were not answered. */
  open: State[];
}

let revision = 0;

function makeDoc(): Doc {
  revision++;
  const rev = `r${revision}`;
  const c = Array.from({ length: revision % 4 }, (_, i) => ({
    rev,
    r: Array.from({ length: i }, () => ({ rev })),
  }));
  return { rev: revision, c };
}

const nestedOf = (state: State): number =>
  (state?.c ?? []).reduce((sum, { r }) => sum + 1 + r.length, 0);

/** Writes until the service has ended. */
async function write(
  server: TestServer,
  keys: ReadonlyMap<string, Key>,
  acknowledged: () => void,
): Promise<void> {
  for (let i = 0; ; i++) {
    const id = [...keys.keys()][(i * 5) % keys.size] ?? '';
    const key = keys.get(id);
    if (key === undefined) throw new Error('a writer has no keys');
    const doc = makeDoc();
    const isUpdate = i % 3 === 1 && key.acknowledged !== undefined;
    const next = i % 5 === 4 ? undefined : doc;
    key.open = [next];
    try {
      const reply =
        next === undefined
          ? await server.call('DELETE', `/blocks/_doc/${id}`)
          : isUpdate
            ? await server.call('POST', `/blocks/_update/${id}`, { doc: next })
            : await server.call('PUT', `/blocks/_doc/${id}`, next);
      expect([200, 201, 404]).toContain(reply.status);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    key.acknowledged = next;
    key.open = [];
    if (i % 20 === 19) void server.call('POST', '/blocks/_flush').catch(() => undefined);
    acknowledged();
  }
}

async function check(server: TestServer, keys: ReadonlyMap<string, Key>): Promise<void> {
  await server.call('POST', '/blocks/_refresh');
  const states: Doc[] = [];
  for (const [id, key] of keys) {
    const { json } = await server.call('GET', `/blocks/_doc/${id}`);
    const found: State = json.found ? json._source : undefined;
    expect([key.acknowledged, ...key.open], id).toContainEqual(found);
    key.acknowledged = found;
    key.open = [];
    if (found !== undefined) states.push(found);
    if (found === undefined || found.c.length === 0) continue;
    const term = { term: { 'c.rev': `r${found.rev}` } };
    const hits = await server.call('POST', '/blocks/_search', {
      query: { nested: { path: 'c', query: term, inner_hits: { size: 9, sort: ['_doc'] } } },
    });
    const shown = hits.json.hits.hits.map((hit: { _id: string }) => hit._id);
    expect(shown, `the nested documents of ${id}`).toEqual([id]);
    const inner: { _source: unknown }[] = hits.json.hits.hits[0].inner_hits.c.hits.hits;
    expect(inner.map(({ _source: source }) => source)).toEqual(found.c);
  }
  const any = { nested: { path: 'c', query: { match_all: {} } } };
  const counted = await server.call('POST', '/blocks/_count', { query: any });
  expect(counted.json.count).toBe(states.filter(({ c }) => c.length > 0).length);
  const stats = await server.call('GET', '/blocks/_stats/docs');
  const all = states.reduce((sum, state) => sum + 1 + nestedOf(state), 0);
  expect(stats.json.indices.blocks.primaries.docs.count).toBe(all);
}

test('documents and what is nested in them are written as one', { timeout: 240_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-nested-kill-'));
  const all = new Map<string, Key>();
  const parts = Array.from({ length: WRITERS }, (_, writer) => {
    const part = new Map<string, Key>();
    for (let i = 0; i < IDS; i++)
      part.set(`w${writer}-${i}`, { acknowledged: undefined, open: [] });
    for (const [id, key] of part) all.set(id, key);
    return part;
  });
  const settings = { number_of_shards: 2 };
  for (const kill of KILLS) {
    const server = await startServer({ dataDir });
    if (kill === 0) await server.call('PUT', '/blocks', { settings, mappings: MAPPINGS });
    let left = WRITES + 7 * kill;
    let killed: Promise<void> | undefined;
    const acknowledged = (): void => {
      left--;
      if (left === 0) killed = server.kill('SIGKILL');
    };
    await Promise.all(parts.map((part) => write(server, part, acknowledged)));
    await killed;
    const after = await startServer({ dataDir });
    await check(after, all);
    await after.call('POST', '/blocks/_forcemerge?max_num_segments=1');
    await check(after, all);
    await after.stop();
    const main = resolve('dist/cli/main.js');
    const checked = spawnSync(process.execPath, [main, 'check', dataDir], { encoding: 'utf8' });
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
  }
  rmSync(dataDir, { recursive: true, force: true });
});
