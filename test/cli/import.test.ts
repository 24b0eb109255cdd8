// `quarry import --from`: clusters are a second Quarry, also behind a proxy that behaves as other
// versions do; files have the forms that their products publish.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';
import { forward, type StubCluster, startStubCluster } from '../tools/stub-cluster.ts';
import { type Ran, run } from './run.ts';

let folder: string;
let source: TestServer;
let service: TestServer;
let stub: StubCluster;

beforeAll(async () => {
  [source, service, stub] = await Promise.all([startServer(), startServer(), startStubCluster()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([source?.stop(), service?.stop(), stub?.stop()]);
});
beforeEach(async () => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = mkdtempSync(join(tmpdir(), 'quarry-import-'));
  await Promise.all([source.call('DELETE', '/*'), service.call('DELETE', '/*')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NDJSON = { 'content-type': 'application/x-ndjson' };

function environment(): Record<string, string> {
  return { QUARRY_URL: service.base, XDG_STATE_HOME: join(folder, 'state'), HOME: folder };
}

function quarry(args: readonly string[], more: Record<string, string> = {}): Promise<Ran> {
  return run(['import', ...args], folder, { ...environment(), ...more });
}

const cluster = (url = source.base): string[] => ['--from', 'elasticsearch', '--url', url];

async function fill(index: string, count: number, shards = 2): Promise<void> {
  await source.call('PUT', `/${index}`, {
    settings: { number_of_shards: shards },
    mappings: {
      properties: {
        title: { type: 'text', fields: { raw: { type: 'keyword' } } },
        at: { properties: { day: { type: 'date' } } },
        v: { type: 'dense_vector', dims: 3, similarity: 'l2_norm' },
      },
    },
    aliases: { shelf: { filter: { exists: { field: 'title' } } } },
  });
  const lines = Array.from({ length: count }, (_, n) => {
    const action = { index: { _id: `${n}`, ...(n % 4 === 0 ? { routing: `r${n}` } : {}) } };
    const day = '"at":{"day":"2025-01-01"}';
    return `${JSON.stringify(action)}\n{"title":"book ${n}","n":${n}.0,${day},"v":[1,${n},3]}\n`;
  });
  const reply = await source.call('POST', `/${index}/_bulk?refresh=true`, lines.join(''), NDJSON);
  expect(reply.json.errors).toBe(false);
}

async function count(index: string): Promise<number> {
  await service.call('POST', `/${index}/_refresh`);
  return (await service.call('GET', `/${index}/_count`)).json.count;
}

describe('from a cluster', () => {
  test('indexes come with mapping, settings, aliases, vectors, routing and versions', async () => {
    await fill('books', 1200);
    await source.call('PUT', '/books/_doc/7', { title: 'changed' });
    const { code, out, err } = await quarry(cluster());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('books: 1200 documents copied');
    expect(out).toContain('1200 documents on both sides');
    const [there, here] = await Promise.all(
      [source, service].map(async (one) => (await one.call('GET', '/books')).json.books),
    );
    expect(here.mappings).toEqual(there.mappings);
    expect(here.aliases).toEqual(there.aliases);
    expect(here.settings.index.number_of_shards).toBe('2');
    const { text } = await service.call('GET', '/books/_doc/8?routing=r8');
    expect(text).toContain(
      '"_source":{"title":"book 8","n":8.0,"at":{"day":"2025-01-01"},"v":[1,8,3]}',
    );
    expect((await service.call('GET', '/books/_doc/7')).json._version).toBe(2);
  });

  test('a second run brings over what was changed, created again and deleted', async () => {
    await fill('books', 300);
    expect((await quarry(cluster())).code).toBe(0);
    await source.call('PUT', '/books/_doc/1', { title: 'changed' });
    await source.call('DELETE', '/books/_doc/2');
    await source.call('DELETE', '/books/_doc/4?routing=r4');
    await source.call('DELETE', '/books/_doc/3');
    await source.call('PUT', '/books/_doc/3', { title: 'again' });
    const { code, out } = await quarry([...cluster(), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out).indexes[0]).toMatchObject({
      copied: 2,
      removed: 2,
      verification: { source: 298, target: 298, different: [] },
    });
    expect((await service.call('GET', '/books/_source/1')).json).toEqual({ title: 'changed' });
    expect((await service.call('GET', '/books/_source/3')).json).toEqual({ title: 'again' });
    expect((await service.call('GET', '/books/_doc/2')).status).toBe(404);
  });

  test('a document that counts its versions from one again is brought over', async () => {
    await fill('books', 10, 1);
    await source.call('PUT', '/books/_doc/1?version=50&version_type=external', { a: 1 });
    expect((await quarry(cluster())).code).toBe(0);
    await source.call('DELETE', '/books');
    await service.call('DELETE', '/books');
    await fill('books', 10, 1);
    await service.call('PUT', '/books/_doc/1?version=50&version_type=external', { a: 1 });
    const { code } = await quarry([...cluster(), '--into-existing']);
    expect(code).toBe(0);
    expect((await service.call('GET', '/books/_source/1')).json.title).toBe('book 1');
  });

  test('a run that was killed goes on, and nothing is missing or doubled', async () => {
    await fill('books', 6000);
    // Each bulk waits, so that the run can be killed between two of them.
    let bulks = 0;
    stub.behave(async ({ method, path, body }, response) => {
      const isBulk = path.includes('/_bulk');
      if (isBulk) await new Promise((done) => setTimeout(done, 60));
      await forward(service, { method, path, body }, response);
      // Those that were answered: several may be on their way.
      if (isBulk) bulks += 1;
      return undefined;
    });
    const args = ['import', ...cluster(), '--to', stub.url];
    for (let kills = 0; kills < 3; kills++) {
      const before = bulks;
      const child = spawn(process.execPath, [resolve('dist/cli/main.js'), ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', ...environment() },
      });
      const ended = new Promise((done) => child.once('close', done));
      await expect.poll(() => bulks - before, { timeout: 60_000, interval: 20 }).toBeGreaterThan(3);
      child.kill('SIGKILL');
      await ended;
    }
    const { code, out } = await quarry([...cluster(), '--to', stub.url, '--json']);
    expect(code).toBe(0);
    const [index] = JSON.parse(out).indexes;
    expect(index.verification).toMatchObject({ source: 6000, target: 6000, different: [] });
    expect(index.copied).toBeLessThan(6000);
  }, 120_000);

  test('a version that leaves vectors out of documents is asked for them', async () => {
    await fill('books', 50, 1);
    stub.behave(async ({ method, path, body }, response) => {
      if (path === '/') return { version: { number: '9.2.0' } };
      const wants = body?._source?.exclude_vectors === false;
      const sent = wants ? { ...body, _source: true } : { ...body, _source: { excludes: ['v'] } };
      const isSearch = path.includes('_search') && body?._source !== false;
      await forward(source, { method, path, body: isSearch ? sent : body }, response);
      return undefined;
    });
    expect((await quarry(cluster(stub.url))).code).toBe(0);
    expect((await service.call('GET', '/books/_source/1')).json.v).toEqual([1, 1, 3]);
  });

  test('what the service refuses of mapping, settings and aliases is reported by name', async () => {
    await fill('books', 5, 1);
    const odd = {
      books: {
        settings: {
          index: {
            uuid: 'u1',
            number_of_shards: '1',
            routing_partition_size: '2',
            knn: 'true',
            'knn.algo_param': { ef_search: '100' },
            analysis: {
              filter: { sound: { type: 'phonetic' } },
              analyzer: {
                my: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'sound'] },
              },
            },
          },
        },
        mappings: {
          properties: {
            title: { type: 'text', analyzer: 'my' },
            place: { type: 'geo_shape' },
            host: { type: 'wildcard' },
            v: { type: 'knn_vector', dimension: 3, space_type: 'cosinesimil' },
            w: { type: 'knn_vector', dimension: 3, space_type: 'linf' },
            o: {
              properties: {
                ok: { type: 'keyword' },
                links: { type: 'join', relations: { a: 'b' } },
              },
            },
            multi: {
              type: 'keyword',
              fields: { odd: { type: 'percolator' }, low: { type: 'text' } },
            },
          },
        },
        aliases: { 'BAD NAME': {}, good: {} },
      },
    };
    stub.behave(async ({ method, path, body }, response) => {
      if (path.startsWith('/*?')) return odd;
      await forward(source, { method, path, body }, response);
      return undefined;
    });
    const dry = await quarry([...cluster(stub.url), '--dry-run']);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect((await service.call('GET', '/_all')).json).toEqual({});
    const { out } = await quarry(cluster(stub.url));
    for (const line of [
      'setting [index.routing_partition_size]: left out',
      'filter [sound]: left out of the analyzers that use it',
      'field [w]: kept in the documents, not searched',
      'field [o.links]: kept in the documents, not searched',
      'field [multi.odd]: left out',
      'alias [BAD NAME]: left out',
    ]) {
      expect(out).toContain(`books: ${line}`);
    }
    const { mappings, aliases, settings } = (await service.call('GET', '/books')).json.books;
    expect(settings.index).toMatchObject({ knn: 'true', 'knn.algo_param': { ef_search: '100' } });
    expect(Object.keys(aliases)).toEqual(['good']);
    expect(mappings.properties).toMatchObject({
      title: { type: 'text', analyzer: 'my' },
      v: { type: 'knn_vector', dimension: 3, space_type: 'cosinesimil' },
      w: { type: 'object', enabled: false },
      o: { properties: { ok: { type: 'keyword' } } },
      multi: { type: 'keyword', fields: { low: { type: 'text' } } },
    });
    expect(await count('books')).toBe(5);
  });

  test('documents that the service refuses are reported, and brought over when it takes them', async () => {
    await fill('books', 20, 1);
    await service.call('PUT', '/books', { mappings: { properties: { n: { type: 'boolean' } } } });
    const { code, out } = await quarry([...cluster(), '--into-existing']);
    expect(code).toBe(1);
    expect(out).toContain(
      'books: 20 documents copied, 0 of them changed meanwhile, 0 removed, 20 refused',
    );
    expect(out).toMatch(/refused \[0\]: .*\[n\]/);
    await source.call('DELETE', '/books/_doc/1');
    await service.call('DELETE', '/books');
    await service.call('PUT', '/books', {});
    const again = await quarry([...cluster(), '--into-existing', '--json']);
    expect(JSON.parse(again.out).indexes[0]).toMatchObject({ refused: [] });
    expect(again.code).toBe(0);
  });

  test('a document that was refused is tried again by the next run', async () => {
    await fill('books', 5, 1);
    await source.call('PUT', '/books/_doc/odd?refresh=true', { extra: 'many' });
    await service.call('PUT', '/books', { mappings: { properties: { extra: { type: 'long' } } } });
    const first = await quarry([...cluster(), '--into-existing']);
    expect(first.code).toBe(1);
    expect(first.out).toContain('1 refused');
    // The run that follows finds the document as it is now, whose number it has passed already.
    const state = join(folder, 'state', 'quarry', 'import');
    const [journal = ''] = readdirSync(state);
    expect(readFileSync(join(state, journal), 'utf8')).toContain(
      '"refused":{"index":"books","id":"odd"',
    );
    await source.call('PUT', '/books/_doc/odd', { extra: '7' });
    const second = await quarry([...cluster(), '--json']);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out).indexes[0].refused).toEqual([]);
    expect(await count('books')).toBe(6);
  });

  test('misuse is refused before anything is written', async () => {
    await fill('books', 5, 1);
    await service.call('PUT', '/books', {});
    const exists = await quarry(cluster());
    expect(exists).toMatchObject({ code: 1, out: '' });
    expect(exists.err).toContain('an index [books] that this import has not created');
    const other = await quarry(['--from', 'opensearch', '--url', source.base]);
    expect(other.err).toContain('is elasticsearch 8.19.0: use --from elasticsearch');
    expect((await quarry([...cluster(), '--index', 'none*'])).err).toContain(
      'no open index [none*]',
    );
    stub.behave(() => ({ version: { number: '6.8.1' } }));
    expect((await quarry(cluster(stub.url))).err).toContain('versions before 7 cannot be imported');
    stub.behave(() => ({}));
    expect((await quarry(cluster(stub.url))).err).toContain('it is no Elasticsearch');
    expect((await quarry(['--from', 'elasticsearch'])).code).toBe(2);
    expect((await quarry(['--from', 'solr'])).err).toContain('--from [solr] is not known');
    expect((await quarry([...cluster(), '--distance', 'Dot'])).err).toContain(
      '--distance does not go',
    );
  });
});

describe('from files', () => {
  const write = (name: string, ...lines: readonly unknown[]): string => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(join(folder, name), `${text.join('\n')}\n`);
    return name;
  };

  test('NDJSON of documents, of hits and of bulk actions', async () => {
    const plain = write('plain.ndjson', '{"a":1.0,"key":"k1"}', '', '{"a":2,"key":"k2"}');
    expect(await quarry(['--from', 'ndjson', plain, '--index', 'p'])).toMatchObject({
      code: 0,
      out: '2 stored, 0 refused\n',
    });
    expect(await count('p')).toBe(2);
    const byId = ['--from', 'ndjson', plain, '--index', 'named', '--id', 'key'];
    expect((await quarry(byId)).code).toBe(0);
    expect((await service.call('GET', '/named/_source/k1')).text).toBe('{"a":1.0,"key":"k1"}');
    const hits = write(
      'hits.ndjson',
      { _index: 'h', _type: '_doc', _id: '1', _source: { a: 1 } },
      { _index: 'h2', _id: '2', _routing: 'r', _source: { a: 2 } },
    );
    expect((await quarry(['--from', 'ndjson', hits])).code).toBe(0);
    expect((await service.call('GET', '/h2/_doc/2?routing=r')).json._source).toEqual({ a: 2 });
    const bulk = write(
      'bulk.ndjson',
      { index: { _index: 'b', _id: '1' } },
      { a: 1 },
      { create: { _index: 'b', _id: '2' } },
      { a: 2 },
      { delete: { _index: 'b', _id: '1' } },
    );
    expect((await quarry(['--from', 'ndjson', bulk])).code).toBe(0);
    expect(await count('b')).toBe(1);
  });

  test('a repeated run stores nothing, unless the index is gone', async () => {
    const file = write('a.ndjson', { a: 1 }, { a: 2 });
    const args = ['--from', 'ndjson', file, '--index', 'n'];
    expect((await quarry(args)).out).toContain('2 stored');
    expect((await quarry(args)).out).toContain('0 stored');
    await service.call('DELETE', '/n');
    expect((await quarry(args)).out).toContain('2 stored');
    expect(await count('n')).toBe(2);
    const [state = ''] = readdirSync(join(folder, 'state', 'quarry', 'import'));
    expect(readFileSync(join(folder, 'state', 'quarry', 'import', state), 'utf8')).toContain(
      '"read"',
    );
  });

  test('points of Qdrant, with named vectors and the distances of the collection', async () => {
    const info = {
      result: { config: { params: { vectors: { title: { size: 2, distance: 'Euclid' } } } } },
      status: 'ok',
    };
    const scroll = {
      result: {
        points: [
          { id: 1, payload: { city: 'Rome', n: 1.5 }, vector: { title: [1, 2] } },
          {
            id: '5c56c793-69f3-4fbf-87e6-c4bf54c28c26',
            payload: null,
            vector: { title: [3, 4], words: { indices: [1], values: [0.5] } },
          },
        ],
        next_page_offset: null,
      },
      status: 'ok',
      time: 0.001,
    };
    write('info.json', JSON.stringify(info, null, 2));
    write('points.json', JSON.stringify(scroll, null, 2));
    const args = ['--from', 'qdrant', 'info.json', 'points.json', '--index', 'q'];
    const { code, out } = await quarry(args);
    expect(code).toBe(0);
    expect(out).toContain(
      'q: field [words]: kept in the documents, not searched (it is a sparse vector)',
    );
    const { properties } = (await service.call('GET', '/q/_mapping')).json.q.mappings;
    expect(properties.title).toMatchObject({
      type: 'dense_vector',
      dims: 2,
      similarity: 'l2_norm',
    });
    expect((await service.call('GET', '/q/_source/1')).json).toMatchObject({
      city: 'Rome',
      title: [1, 2],
    });
    const single = write('single.ndjson', { id: 7, payload: { vector: 'taken' }, vector: [1, 0] });
    const { out: reported } = await quarry(['--from', 'qdrant', single, '--index', 'q2']);
    expect(reported).toContain('compared by [cosine]');
    expect((await service.call('GET', '/q2/_source/7')).json).toEqual({
      vector: 'taken',
      vector_vector: [1, 0],
    });
    write('c.snapshot', 'x');
    expect((await quarry(['--from', 'qdrant', 'c.snapshot', '--index', 'q'])).err).toContain(
      'is a snapshot, which only Qdrant reads',
    );
    const distance = ['--from', 'qdrant', single, '--index', 'q3', '--distance', 'Manhattan'];
    expect((await quarry(distance)).err).toContain('[Manhattan] is not supported');
  });

  test('memories of mem0, with ids, metadata and times', async () => {
    const file = write('mem0.json', {
      results: [
        {
          id: '892db2ae-06d9-49e5-8b3e-585ef9b85b8e',
          memory: 'Likes to play cricket',
          user_id: 'alex',
          run_id: 's1',
          hash: 'abc',
          metadata: { category: 'hobbies' },
          categories: ['sports'],
          created_at: '2024-07-26T08:44:41.039788-07:00',
          updated_at: null,
          expiration_date: '2999-12-31',
        },
        { id: 'm2', memory: '', metadata: null },
      ],
      relations: [{ source: 'alex', relationship: 'likes', target: 'cricket' }],
    });
    const args = ['--from', 'mem0', file, '--namespace', 'alex'];
    const { code, out } = await quarry(args);
    expect(code).toBe(1);
    expect(out).toMatch(/1 relations of .*mem0\.json: left out/);
    expect(out).toContain('refused [m2]');
    const at = '/_memory/alex/892db2ae-06d9-49e5-8b3e-585ef9b85b8e';
    expect((await service.call('GET', at)).json).toMatchObject({
      text: 'Likes to play cricket',
      metadata: {
        category: 'hobbies',
        user_id: 'alex',
        session: 's1',
        valid_at: '2024-07-26T08:44:41.039788-07:00',
      },
    });
    await quarry(args);
    expect((await service.call('GET', '/_memory/alex')).json.total ?? 1).toBe(1);
  });

  test('broken files are refused by the line', async () => {
    const broken = write('broken.ndjson', '{"a":1}', '{"a":', '{"a":3}');
    const refused = await quarry(['--from', 'ndjson', broken, '--index', 'x', '--id', 'a']);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('the line at byte 8 is no JSON');
    expect((await quarry(['--from', 'ndjson', write('l.ndjson', '[1]')])).err).toContain(
      'no JSON object',
    );
    expect(
      (await quarry(['--from', 'mem0', write('m.json', '{}'), '--namespace', 'a'])).err,
    ).toContain('holds no memories');
    expect(
      (await quarry(['--from', 'qdrant', write('q.json', '{}'), '--index', 'a'])).err,
    ).toContain('holds no points');
    expect((await quarry(['--from', 'ndjson'])).code).toBe(2);
  });
});
