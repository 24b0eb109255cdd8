// The client commands, run as processes against a service: their output, their exit codes, and the
// help of every command, whose flags the shell completes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkClone } from '../../src/cli/bench.ts';
import { paceText } from '../../src/cli/transfer.ts';
import { flagsOf, switchesOf } from '../../src/cli/verb.ts';
import { VERBS } from '../../src/cli/verbs.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { type Ran, run, runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-cli-'));
let server: TestServer;

function quarry(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return run(args, folder, { QUARRY_URL: server?.base ?? '', ...env });
}

beforeAll(async () => {
  server = await startServer();
  const made = await server.call('PUT', '/books/_doc/1?refresh=true', { title: 'The sea' });
  expect(made.status, made.text).toBe(201);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('autoindex and map go to the service that QUARRY_URL names', async () => {
  const made = await quarry(['autoindex', resolve('test/golden/rest'), '--dry-run', '--json']);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(await quarry(['map'])).toMatchObject({ code: 0, err: '' });
  const wrong = await quarry(['map', '--url', 'nowhere']);
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('--url must look like http://127.0.0.1:9200, not [nowhere]');
});

test('search, for people and as JSON', async () => {
  const people = await quarry(['search', 'books', 'sea']);
  expect(people).toMatchObject({ code: 0, err: '' });
  expect(people.out).toMatch(
    /^DOCUMENT +SCORE +SOURCE\nbooks\/1 +\d\.\d+ +\{"title":"The sea"\}\n1 match, 1 shown\n$/,
  );
  const { out } = await quarry([
    'search',
    'books',
    '--query',
    '{"match":{"title":"sea"}}',
    '--json',
  ]);
  expect(JSON.parse(out).hits.hits[0]._id).toBe('1');
});

test('remember, recall, link and ego', async () => {
  const first = ['remember', 'Ann lives in Rome', '--namespace', 'ann', '--id', 'm1'];
  expect(await quarry(first)).toMatchObject({ code: 0, out: 'stored as m1\n' });
  const second = [
    'remember',
    'Ann keeps bees',
    '--namespace=ann',
    '--id=m2',
    '--metadata={"t":"x"}',
  ];
  expect((await quarry(second)).code).toBe(0);
  const recalled = await quarry([
    'recall',
    'who keeps bees',
    '--namespace',
    'ann',
    '--k',
    '1',
    '--json',
  ]);
  expect(JSON.parse(recalled.out).hits).toMatchObject([{ id: 'm2', metadata: { t: 'x' } }]);
  const linked = await quarry(['link', 'm2', 'mentions', 'm1', '--brain', 'ann', '--quote', 'Ann']);
  expect(linked.out).toMatch(/^linked: /);
  const around = await quarry(['ego', 'm1', '--brain', 'ann']);
  expect(around.out).toMatch(/1 +m2 +mentions +m1 +\S+ +Ann\n1 links, 0 not shown\n$/);
});

test('memory and edit', async () => {
  const at = ['--namespace', 'mel'];
  await quarry(['remember', 'Mel lives in Rome', '--id', 'm1', ...at]);
  const changed = await quarry(['edit', 'm1', '--text', 'Mel lives in Roma', ...at]);
  expect(changed).toMatchObject({ code: 0, out: 'changed m1, 1 earlier versions are kept\n' });
  const never = await quarry(['edit', 'm1', '--expires-at', 'never', ...at]);
  expect(never).toMatchObject({ code: 0, out: 'm1 is so already\n' });
  const shown = await quarry(['memory', 'm1', ...at]);
  expect(shown.out).toMatch(/^MEMORY +m1\ntext +Mel lives in Roma\n/);
  expect(shown.out).toMatch(/\nuntil \S+ +Mel lives in Rome\n$/);
  const { out } = await quarry(['memory', 'm1', '--json', ...at]);
  expect(JSON.parse(out)).toMatchObject({ found: true, history: [{ text: 'Mel lives in Rome' }] });
  expect(await quarry(['memory', 'm9', ...at])).toMatchObject({ code: 1, out: '' });
});

test('memories, namespaces, forget, and a recall over several', async () => {
  const at = ['--namespace', 'eli-1'];
  await quarry(['remember', 'Eli keeps bees', '--id', 'm1', '--metadata={"t":"x"}', ...at]);
  await quarry(['remember', 'Eli keeps ants', '--id', 'm2', ...at]);
  await quarry(['remember', 'bees swarm', '--id', 'm1', '--namespace', 'eli-2']);
  const page = await quarry(['memories', '--sort', 'id', '--size', '1', ...at]);
  expect(page.out).toMatch(/\nm1 +\S+ +Eli keeps bees\n1 of 2 memories; next: --after \S+\n$/);
  await quarry(['remember', 'Eli keeps bees!', '--id', 'm3', ...at]);
  expect((await quarry(['audit', ...at])).out).toMatch(/exact duplicates +1 +m1 = m3\n/);
  await quarry(['forget', 'm3', ...at]);
  const changed = await quarry(['changes', ...at]);
  expect(changed.out).toMatch(/\n\{"kind":"forget","id":"m3"\}\n3 changes; next: --since \S+\n$/);
  const filter = '{"term":{"metadata.t":"x"}}';
  const listed = await quarry(['memories', '--filter', filter, '--json', ...at]);
  expect(JSON.parse(listed.out)).toMatchObject({ count: 1, entries: [{ id: 'm1' }] });
  const names = await quarry(['namespaces', '--prefix', 'eli-']);
  expect(names.out).toMatch(/\neli-1 +2 +\S.*\neli-2 +1 +\S.*\n2 of 2 namespaces\n$/);
  const both = await quarry(['recall', 'bees', '--mode', 'words', '--namespace', 'eli-*']);
  expect(both.out).toMatch(/\neli-1\/m1 .*\neli-2\/m1 .*\n2 memories, 0 more fit\n$/);
  const dry = await quarry(['forget', '--filter', filter, '--dry-run', ...at]);
  expect(dry.out).toBe('1 match, nothing was removed, 1 are there\n');
  const gone = await quarry(['forget', '--filter', filter, ...at]);
  expect(gone.out).toBe('1 matched, 1 forgotten, 0 are there\n');
  expect((await quarry(['forget', 'm2', ...at])).out).toBe('forgotten: m2\n');
});

test('export and import', async () => {
  for (const id of ['m1', 'm2']) {
    const stored = await server.call('POST', '/_memory/eve', { id, text: `Eve has ${id}` });
    expect(stored.status, stored.text).toBe(201);
  }
  const link = { src: 'm2', type: 'mentions', dst: 'm1' };
  expect((await server.call('POST', '/_graph/eve/link', link)).status).toBe(201);
  const exported = await quarry(['export', 'eve.ndjson', '--namespace', 'eve']);
  expect(exported).toMatchObject({ code: 0, err: '' });
  expect(readdirSync(folder)).toEqual(['eve.ndjson']);
  const again = await quarry(['export', '-', '--namespace', 'eve']);
  expect(again.out).toBe(readFileSync(join(folder, 'eve.ndjson'), 'utf8'));
  const imported = await quarry(['import', 'eve.ndjson', '--namespace', 'copy']);
  const counted = 'imported into copy: memories: 2 created; links: 1 created; suggestions: none\n';
  expect(imported).toMatchObject({ code: 0, err: '', out: counted });
  const twice = await quarry(['import', 'eve.ndjson', '--namespace', 'copy', '--json']);
  expect(JSON.parse(twice.out)).toMatchObject({
    memories: { created: 0, unchanged: 2 },
    links: { unchanged: 1 },
  });
  const copy = await server.call('GET', '/_memory/copy');
  expect(copy.json.count).toBe(2);
});

test('bulk stores the lines of a file, and says which of them failed', async () => {
  const lines = ['{"id":"b1","text":"one"}', '', '{"text":" "}', '{"id":"b1","text":"again"}'];
  writeFileSync(join(folder, 'many.ndjson'), `${lines.join('\n')}\n`);
  const ran = await quarry(['bulk', 'many.ndjson', '--namespace', 'bulk']);
  expect(ran).toMatchObject({ code: 1, err: '' });
  expect(ran.out).toMatch(/^line 3: .*a memory needs \[text\] or \[vector\]/);
  expect(ran.out).toContain('\n1 stored, 1 there before or replaced, 1 failed\n');
  writeFileSync(join(folder, 'many.ndjson'), '{"id":"b2","text":"two"}');
  const json = await quarry(['bulk', 'many.ndjson', '--namespace', 'bulk', '--json']);
  expect(json.code).toBe(0);
  const counts = { namespace: 'bulk', created: 1, updated: 0, failed: 0, errors: [] };
  expect(JSON.parse(json.out)).toEqual(counts);
  expect((await server.call('GET', '/_memory/bulk')).json.count).toBe(2);
  rmSync(join(folder, 'many.ndjson'));
});

test.each([
  [['search'], 2, 'INDEX'],
  [['search', 'books', '--qery', '{}'], 2, 'has no [--qery]'],
  [['search', 'books', '--query', '{'], 2, '--query must be a JSON object'],
  [['search', 'books', '--size', 'many'], 2, '--size must be a whole number'],
  [['recall', 'x'], 2, '--namespace is missing'],
  [['recall', 'x', '--namespace', 'a', '--mode', 'magic'], 2, '--mode knows'],
  [['forget', '--namespace', 'a'], 2, '[ID] is missing'],
  [['forget', 'm1', '--namespace', 'a', '--dry-run'], 2, '--dry-run needs --filter'],
  [['forget', 'm1', '--namespace', 'a', '--filter', '{}'], 2, 'unexpected argument [m1]'],
  [['edit', 'm1', '--namespace', 'a'], 2, 'nothing to change'],
  [['memory', '--namespace', 'a'], 2, '[ID] is missing'],
  [['link', 'a', 'b', '--brain', 'x'], 2, '[TO] is missing'],
  [['ego', 'a', 'b', '--brain', 'x'], 2, '[b] is one too many'],
  [['import', 'none.ndjson', '--namespace', 'a'], 1, 'none.ndjson'],
  [['bulk', 'none.ndjson', '--namespace', 'a'], 1, 'none.ndjson'],
  [['search', 'nowhere'], 1, 'no such index [nowhere]'],
  [['search', 'books', '--url', 'http://127.0.0.1:9'], 1, 'no service answers'],
  [['search', 'books', '--url', 'nonsense'], 2, '--url must look like'],
  [['completion', 'tcsh'], 2, 'bash, zsh and fish'],
  [['eval'], 2, '[FILE] is missing'],
  [['eval', 'q', '--k', '0'], 2, 'whole number from 1'],
  [['eval', 'q', '--depth', '5'], 2, 'has no [--depth]'],
  [['eval', 'none.ndjson'], 2, 'cannot read the questions'],
  [['serv'], 2, 'unknown command [serv] did you mean [serve]?'],
  [['xyzzy'], 2, 'unknown command [xyzzy], there are serve, open, config, keys'],
  [['check'], 2, '[DIR] is missing'],
  [['check', 'a', 'b'], 2, '[b] is one too many'],
  [['check', 'a', '--fix'], 2, 'has no [--fix]'],
  [['check', 'a', '--salvage='], 2, '--salvage needs a value'],
  [['map', 'x'], 2, 'unexpected argument [x]'],
  [['backup'], 2, '--to FOLDER or ADDRESS is missing'],
  [['mcp', '--json'], 2, 'has no [--json]'],
  [['mcp', '--search-fetch'], 2, '--index or --namespace'],
  [['mcp', '--name-space', 'a'], 2, 'has no [--name-space]'],
] as const)('%j exits with %i', async (args, code, reported) => {
  const ran = await runHere(args, { QUARRY_URL: server.base });
  expect(ran.err).toContain(reported);
  expect(ran).toMatchObject({ code, out: '' });
});

describe('doctor', () => {
  test('finds a running service, and nothing wrong', async () => {
    const ran = await quarry(['doctor', '--json']);
    const { sound, findings } = JSON.parse(ran.out);
    const wrong = findings.filter((one: { state: string }) => one.state === 'wrong');
    expect(wrong).toEqual([]);
    expect([sound, ran.code]).toEqual([true, 0]);
    const service = findings.find((one: { what: string }) => one.what === 'service');
    expect(service).toMatchObject({ state: 'good' });
    expect(findings.at(-1)).toEqual({ what: 'key', state: 'good', found: 'none is needed' });
  });

  test('names what is wrong with the remedy, and exits with 1', async () => {
    const ran = await quarry(['doctor'], { QUARRY_SERVER_HOST: '0.0.0.0' });
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^wrong +configuration +.*authentication/m);
  });
});

describe.each(VERBS.map((verb) => [verb.name, verb] as const))('%s', (name, verb) => {
  test('has help with its flags and examples', async () => {
    const ran = await runHere([name, '--help'], {});
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out).toContain('Exit codes');
    for (const flag of Object.keys({ ...flagsOf(verb), ...switchesOf(verb) })) {
      expect(ran.out).toContain(`--${flag} `);
    }
    for (const example of verb.examples) expect(ran.out).toContain(`quarry ${example}`);
  });
});

describe('completion', () => {
  const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
  let script: string;
  beforeAll(async () => {
    script = (await quarry(['completion', 'bash'])).out;
  });

  test('in bash completes commands and flags', () => {
    const complete = (words: string): string =>
      spawnSync(
        'bash',
        [
          '--norc',
          '-c',
          `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _quarry; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim();
    expect(complete('quarry rec')).toBe('recall');
    expect(complete('quarry recall --na')).toBe('--namespace');
    expect(complete('quarry ego --n')).toBe('');
    expect(complete('quarry backup --t')).toBe('--to');
    expect(complete('quarry serve --mcp.e')).toBe('--mcp.enabled');
  });

  test.each(['bash', 'zsh', 'fish'])('in %s is read without a complaint', async (shell) => {
    const { out, code } = await quarry(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['recall', 'serve', 'mcp']) expect(out).toContain(name);
    if (!has(shell)) return;
    const file = join(folder, `completion.${shell}`);
    writeFileSync(file, out);
    const read = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    expect([read.status, read.stderr]).toEqual([0, '']);
  });
});

describe('bench', () => {
  test('says what an installation lacks', () => {
    expect(() => checkClone(folder)).toThrow(
      /needs \[bench\/main.ts\] in .*clone of the repository/,
    );
    expect(() => checkClone(resolve('.'))).not.toThrow();
  });
});

test.each([
  [1024, undefined, 1000, '1.0 KiB, 1.0 KiB/s'],
  [1024 * 1024, 4 * 1024 * 1024, 2000, '25 % of 4.0 MiB, 512.0 KiB/s, 6 s left'],
  [0, 100, 0, '0 % of 100 bytes, 0 bytes/s, 100 s left'],
])('pace of %j of %j in %j ms', (bytes, total, ms, reported) => {
  expect(paceText(bytes, total, ms)).toBe(reported);
});
