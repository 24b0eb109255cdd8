// `quarry keys`: invalid arguments, which are rejected before anything is written.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KEYS } from '../../src/cli/node-verbs.ts';
import { printed } from './printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarry-cli-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): Promise<string[]> {
  return printed(KEYS, [...args, '--data-dir', folder], () => Date.UTC(2026, 10, 21));
}

test.each<[string[], string]>([
  [['make'], 'unknown action [make]'],
  [['create'], '--name must say whose'],
  [['create', '--name'], '--name needs a value'],
  [['create', '--name', ''], '--name needs a value'],
  [['create', '--name', 'a\nb'], '--name must say whose'],
  [['create', '--name', 'x'.repeat(201)], '--name must say whose'],
  [['create', '--name', 'a', '--indices', 'a,,b'], '--indices must be names'],
  [['create', '--name', 'a', '--indices', 'a b'], '--indices must be names'],
  [['create', '--name', 'a', '--indices', '-a'], '--indices must be names'],
  [['create', '--name', 'a', '--privileges', 'all'], '--privileges knows read, write, manage'],
  [['create', '--name', 'a', '--expires', '30'], '--expires must be a time'],
  [['create', '--name', 'a', '--expires', '0d'], '--expires must be a time'],
  [['create', '--name', 'a', '--expires', '-1d'], '--expires must be a time'],
  [['create', '--name', 'a', '--quota', 'memories'], '--quota must look like'],
  [['create', '--name', 'a', '--quota', 'memories=0'], '--quota must look like'],
  [['create', '--name', 'a', '--quota', 'links=5'], 'found [links=5]'],
  [['list', '--quota', 'memories=5'], '--quota does not belong'],
  [['create', '--name', 'a', '--id', 'x'], '--id does not belong'],
  [['create', '--name', 'a', '--indexes', 'x'], 'unknown configuration key [indexes]'],
  [['list', '--name', 'x'], '--name does not belong'],
  [['revoke'], '--id must name the key'],
  [['revoke', 'nobody'], 'there is no key [nobody]'],
  [['revoke', 'a', 'b'], 'unexpected argument [b]'],
  [['list', 'a'], 'unexpected argument [a]'],
])('%j is refused', async (args, reason) => {
  await expect(run(...args)).rejects.toThrowError(reason);
  expect(existsSync(join(folder, 'keys.json'))).toBe(false);
  expect(existsSync(join(folder, 'keys.json.lock'))).toBe(false);
});

test('a key is for everything unless it is told otherwise, and is shown once', async () => {
  const [id, key] = await run('create', '--name', 'all');
  await run(
    'create',
    '--name',
    'some',
    '--indices',
    'a*, b',
    '--privileges',
    'write,read',
    '--expires',
    '30d',
  );
  const listed = await run('list');
  expect(listed).toEqual([
    `${id?.slice(5)} active  read,write,manage on *  all`,
    expect.stringContaining('active  read,write on a*,b expires 2026-12-21T00:00:00.000Z  some'),
  ]);
  expect(listed.join()).not.toContain(key?.slice(5));
});

test('a key may have a quota of memories', async () => {
  const [id] = await run('create', '--name', 'q', '--quota', 'memories=5,stores_per_minute=60');
  const listed = await run('list');
  expect(listed).toContain(
    `${id?.slice(5)} active  read,write,manage on * memories=5 stores_per_minute=60  q`,
  );
});

test('an action is needed', async () => {
  await expect(run()).rejects.toThrowError('unknown action []');
});
