// Durability with real input: load a corpus over HTTP, kill the process with -9, start it again,
// and find every acknowledged document by id and by words.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';
import { sharedPath } from '../tools/shared.ts';

const corpus = sharedPath('lexical/gitlog/corpus.ndjson.gz');
const DOCUMENTS = 20_000;
const BATCH = 1_000;
const LONG = 180_000;

interface Commit {
  readonly _id: string;
  readonly repo: string;
  readonly subject: string;
}

/** Commits from the shared corpus, or generated ones if it is missing. */
function commits(): readonly Commit[] {
  if (corpus === undefined) {
    return Array.from({ length: DOCUMENTS }, (_, i) => ({
      _id: `commit-${i}`,
      repo: `repo-${i % 7}`,
      subject: `change ${i} of module ${i % 101}`,
    }));
  }
  return gunzipSync(readFileSync(corpus))
    .toString()
    .split('\n', DOCUMENTS)
    .map((line) => JSON.parse(line) as Commit);
}

async function load(server: TestServer, batch: readonly Commit[]): Promise<readonly string[]> {
  const lines = batch.flatMap(({ _id, ...source }) => [
    JSON.stringify({ index: { _id } }),
    JSON.stringify(source),
  ]);
  const reply = await server.call('POST', '/gitlog/_bulk', `${lines.join('\n')}\n`, {
    'content-type': 'application/x-ndjson',
  });
  if (reply.status !== 200) return [];
  const items = reply.json.items as { index: { _id: string; status: number } }[];
  return items.filter((item) => item.index.status === 201).map((item) => item.index._id);
}

test(
  'every acknowledged document survives kill -9',
  async () => {
    const documents = commits();
    const first = await startServer();
    const acknowledged: string[] = [];
    for (let at = 0; at < documents.length; at += BATCH) {
      acknowledged.push(...(await load(first, documents.slice(at, at + BATCH))));
    }
    expect(acknowledged.length).toBe(documents.length);
    await first.kill('SIGKILL');

    const second = await startServer({ dataDir: first.dataDir });
    const count = await second.call('GET', '/gitlog/_count');
    expect(count.json.count).toBe(acknowledged.length);
    for (let at = 0; at < acknowledged.length; at += 500) {
      const ids = acknowledged.slice(at, at + 500);
      const reply = await second.call('POST', '/gitlog/_mget', { ids });
      const found = (reply.json.docs as { _id: string; found: boolean }[]).filter(
        (doc) => doc.found,
      );
      expect(found.length).toBe(ids.length);
    }
    const repo = documents[0]?.repo ?? '';
    const expected = documents.filter((commit) => commit.repo === repo).length;
    const hits = await second.call('POST', '/gitlog/_search', {
      query: { term: { 'repo.keyword': repo } },
      track_total_hits: true,
      size: 0,
    });
    expect(hits.json.hits.total).toEqual({ value: expected, relation: 'eq' });
    expect(await second.stop()).toBe(0);
  },
  LONG,
);
