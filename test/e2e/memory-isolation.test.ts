// Many namespaces at once: no response of one contains data of another, none changes
// another's bytes; and a forgotten memory is removed from the data folder with the next merge and
// checkpoint.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';

const NAMESPACES = LONG ? 200 : 50;
const AT_ONCE = 16;

async function withServer(
  dataDir: string,
  work: (server: TestServer) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  const server = await startServer({ dataDir, args });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

test('many namespaces under load keep to themselves', { timeout: 180_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-isolation-'));
  await withServer(dataDir, async (server) => {
    const call = async (method: string, path: string, body?: object): Promise<Reply['json']> => {
      const reply = await server.call(method, path, body);
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.json;
    };
    const tell = (ns: string, body: object) => call('POST', `/_memory/${ns}`, body);
    await tell('quiet', { id: 'a', text: 'nobody touches this', metadata: { session: 's' } });
    await tell('quiet', { id: 'b', text: 'nor this', metadata: { session: 's' } });
    const bytes = async () => (await server.call('GET', '/_memory/quiet/_export')).text;
    const before = await bytes();
    expect(before).toContain('nobody touches this');
    const one = async (number: number): Promise<void> => {
      const ns = `person-${number}`;
      const metadata = { session: 's', owner: ns };
      for (const id of ['a', 'b', 'c'])
        await tell(ns, { id, text: `diary of ${ns}: ${id}`, metadata });
      await tell(ns, { id: 'd', text: `diary of ${ns}: d`, metadata, supersedes: ['a'] });
      await call('DELETE', `/_memory/${ns}/b`);
      for (const body of [{ query: 'diary' }, {}, { query: 'diary', graph: { mode: 'blend' } }]) {
        const { hits } = await call('POST', `/_memory/${ns}/_recall`, body);
        expect(hits.map(({ id }: { id: string }) => id).sort()).toEqual(['c', 'd']);
        for (const hit of hits) expect(hit.metadata.owner).toBe(ns);
      }
      if (number % 10 === 0) await call('DELETE', `/_memory/${ns}`);
    };
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < NAMESPACES) await one(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(await bytes()).toBe(before);
    expect((await call('GET', '/_memory/person-7')).count).toBe(2);
    expect((await call('GET', '/_memory/person-10')).exists).toBe(false);
  });
  rmSync(dataDir, { recursive: true, force: true });
});

/** Files of the folder that contain the word, in any case. */
function filesWith(dataDir: string, word: string): readonly string[] {
  const found = spawnSync('grep', ['-rlia', word, dataDir], { encoding: 'utf8' });
  return found.stdout.split('\n').filter((line) => line !== '');
}

test('what is forgotten leaves no byte of its text', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-forget-'));
  const words = ['zanzibarquokka', 'qwertzuiopmeta'];
  await withServer(dataDir, async (server) => {
    const body = {
      id: 'gone',
      text: `the password is ${words[0]}`,
      metadata: { tag: words[1], session: 's' },
    };
    for (const one of [body, { id: 'kept', text: 'brontosaurusword', metadata: { session: 's' } }])
      expect((await server.call('POST', '/_memory/secret', one)).status).toBe(201);
    await server.call('POST', '/.svc-memory-*/_flush?expand_wildcards=all');
    for (const word of words) expect(filesWith(dataDir, word), word).not.toEqual([]);
    expect((await server.call('DELETE', '/_memory/secret/gone')).status).toBe(200);
    await server.call('POST', '/.svc-memory-*/_forcemerge?max_num_segments=1&expand_wildcards=all');
  });
  // The last checkpoint was written when the service stopped.
  for (const word of words) expect(filesWith(dataDir, word), word).toEqual([]);
  expect(filesWith(dataDir, 'brontosaurusword')).not.toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});

test('nor does what has expired, or was superseded and then forgotten', {
  timeout: 180_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-expire-'));
  const words = ['perishablequokka', 'formeraddressquokka', 'latteraddressquokka'];
  const [brief, former, latter] = words.map((word) => `the address is ${word}`);
  const metadata = { session: 's' };
  const work = async (server: TestServer): Promise<void> => {
    const expires_at = Date.now() + 5000;
    for (const one of [
      { id: 'brief', text: brief, metadata, expires_at },
      { id: 'former', text: former, metadata },
      { id: 'latter', text: latter, metadata, supersedes: ['former'] },
      { id: 'kept', text: 'brontosaurusword', metadata },
    ])
      expect((await server.call('POST', '/_memory/secret', one)).status).toBe(201);
    await server.call('POST', '/.svc-*/_flush?expand_wildcards=all');
    for (const word of words) expect(filesWith(dataDir, word), word).not.toEqual([]);
    for (const id of ['former', 'latter'])
      expect((await server.call('DELETE', `/_memory/secret/${id}`)).status).toBe(200);
    const document = () => server.call('GET', '/.svc-memory-secret/_doc/brief');
    await expect.poll(async () => (await document()).status, { timeout: 30_000 }).toBe(404);
    const links = async () => {
      await server.call('POST', '/.svc-memory-secret-edges/_refresh');
      return (await server.call('GET', '/.svc-memory-secret-edges/_count')).json.count;
    };
    await expect.poll(links, { timeout: 30_000 }).toBe(0);
    await server.call('POST', '/.svc-*/_forcemerge?max_num_segments=1&expand_wildcards=all');
  };
  await withServer(dataDir, work, ['--memory.expiry_pause_ms', '200']);
  for (const word of words) expect(filesWith(dataDir, word), word).toEqual([]);
  expect(filesWith(dataDir, 'brontosaurusword')).not.toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});
