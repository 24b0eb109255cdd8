// The output of `quarry map`, as text and as JSON, and the links between documents: printed
// requests can be sent as they are.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../src/autoindex/client.ts';
import { detectLinks } from '../../src/autoindex/links.ts';
import { MAP } from '../../src/cli/node-verbs.ts';
import { printed } from '../cli/printed.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { makeFolder, rows } from './tools/folder.ts';

const folder = makeFolder();
let server: TestServer;

const LONG = 'A sentence of some words about the harbour and the light at its end.\n'.repeat(600);

beforeAll(async () => {
  server = await startServer();
  folder.put('orders-1.csv', rows(0, 30));
  folder.put(
    "it's/odd.csv",
    "na\u001bme;it's\n\"a \u202equoted\u202c 'value' with words\";x\n\"another 'one' of them\";y\n",
  );
  folder.put(
    'notes/harbour.md',
    '# Harbour\n\nSee [the page on fog](fog.md) and [[Long story]].\n',
  );
  folder.put('notes/fog.md', '# Mist\n\nWhen nobody can see the pier, the horn is sounded.\n');
  folder.put('notes/long.md', `# Long story\n\nBack to [[Harbour]].\n\n${LONG}`);
  folder.put('app.log', '2026-01-02T10:00:00Z INFO up\n2026-01-02T10:00:01Z ERROR down\n');
  folder.put('main.py', 'import os\n\ndef main():\n    return os.sep\n');
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function map(json: boolean): Promise<string> {
  return (await printed(MAP, ['--url', server.base, ...(json ? ['--json'] : [])])).join('\n');
}

test('before the first run there is none', async () => {
  expect(await map(false)).toBe('No map yet: quarry autoindex PATH writes one.');
  expect(JSON.parse(await map(true))).toEqual({ url: server.base, datasets: [] });
});

describe('after a run', () => {
  beforeAll(async () => {
    await folder.run(server.base, { prefix: 'm-' });
  });

  test('it counts, and gives types, roles and examples', async () => {
    const { datasets } = JSON.parse(await map(true));
    const orders = datasets.find(({ name }: { name: string }) => name === 'orders');
    expect(orders).toMatchObject({
      index: 'm-orders',
      family: 'records',
      formats: ['csv'],
      files: 1,
      documents: 30,
      root: folder.root,
    });
    expect(
      orders.fields.map((f: Record<string, unknown>) => [f['name'], f['type'], f['role']]),
    ).toEqual([
      ['id', 'long', 'number'],
      ['name', 'text', 'label'],
      ['price', 'double', 'number'],
      ['day', 'date', 'date'],
    ]);
    expect(orders.fields[1].examples).toEqual(['item 0', 'item 1', 'item 2']);
  });

  test('every query of the JSON can be sent and finds something', async () => {
    const { datasets } = JSON.parse(await map(true));
    let sent = 0;
    for (const { queries } of datasets) {
      expect(queries.length).toBeGreaterThan(0);
      for (const { about, path, body } of queries) {
        const { status, json } = await server.call('POST', path, body);
        expect(status, about).toBe(200);
        const found = body.size === 0 ? json.aggregations.groups.buckets : json.hits.hits;
        expect(found.length, `${path} ${JSON.stringify(body)}`).toBeGreaterThan(0);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThanOrEqual(datasets.length);
  });

  test('every line of curl works in a shell, whatever the files hold', async () => {
    const text = await map(false);
    const lines = text.split('\n').filter((line) => line.startsWith('    curl '));
    expect(lines.length).toBeGreaterThan(6);
    for (const line of lines) {
      const { stdout, status } = spawnSync('bash', ['--norc', '-c', line], { encoding: 'utf8' });
      expect(status, line).toBe(0);
      expect(JSON.parse(stdout).took, line).toBeGreaterThanOrEqual(0);
    }
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text).toMatch(/name +text +label +item 0 \| item 1 \| item 2/);
  });

  test('documents link to each other by title and by the path of a file, also to a long one', async () => {
    const outcome = await folder.run(server.base, { prefix: 'm-' });
    const client = new Client({ url: server.base, apiKey: undefined });
    const linkCounts = await detectLinks(client, 'harbour', outcome.datasets);
    expect(linkCounts['links']).toMatchObject({ found: 3, created: 3 });
    const { json } = await server.call('GET', '/_graph/harbour/overview');
    expect(json.links.live).toBe(3);
    expect(json.hubs[0]).toMatchObject({ title: 'Harbour', degree: 3 });
    // A second run adds nothing.
    expect((await detectLinks(client, 'harbour', outcome.datasets))['links']).toMatchObject({
      created: 0,
    });
  });

  test('a dataset without files is no longer on it', async () => {
    const { rmSync } = await import('node:fs');
    rmSync(`${folder.root}/app.log`);
    await folder.run(server.base, { prefix: 'm-' });
    expect(await map(false)).not.toContain('m-logs');
  });
});
