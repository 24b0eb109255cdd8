// `quarry config`: every key with its value and its source, with secrets hidden; the same table is
// in docs/configuration.md.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONFIG } from '../../src/cli/node-verbs.ts';
import { CONFIG_KEYS, specOf } from '../../src/config/schema.ts';
import { markdownTable } from '../../src/config/table.ts';
import { readSources } from '../tools/source-files.ts';
import { printed } from './printed.ts';

async function run(...args: string[]): Promise<string> {
  return (await printed(CONFIG, args)).join('\n');
}

test('prints every key, its origin and its value', async () => {
  const lines = (await run('--port', '1')).split('\n');
  expect(lines).toHaveLength(CONFIG_KEYS.length);
  expect(lines.find((line) => line.startsWith('server.port'))).toMatch(/^server\.port +flag +1$/);
  expect(lines.find((line) => line.startsWith('data_dir'))).toMatch(
    /^data_dir +default +\.\/data$/,
  );
});

test('prints JSON', async () => {
  const all = JSON.parse(await run('--json', '--limits.write_queue', '7'));
  expect(Object.keys(all)).toEqual(CONFIG_KEYS);
  expect(all['limits.write_queue']).toMatchObject({
    ...{ value: 7, origin: 'flag', default: 1000, reloadable: true },
    environment: 'QUARRY_LIMITS_WRITE_QUEUE',
  });
});

test('hides secrets', async () => {
  for (const format of [[], ['--json']]) {
    const text = await run('--auth.metrics_token', 'sesame', ...format);
    expect(text).not.toContain('sesame');
    expect(text).toContain('(set)');
  }
});

test('refuses what serve would', async () => {
  await expect(run('--prot', '1')).rejects.toThrowError('did you mean [port]?');
});

test('docs/configuration.md has the table that quarry config --markdown prints', async () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  expect(page).toContain(`\n\n${markdownTable()}\n\n`);
  expect(await run('--markdown')).toBe(markdownTable());
});

test('what may be changed while it runs is asked for each time', () => {
  const code = readSources('src', ['.ts'])
    .map(({ text }) => text)
    .join('\n');
  const fixed = CONFIG_KEYS.filter(
    (key) => specOf(key).reloadable && code.includes(`config['${key}']`),
  );
  // The logger is created with it, and notified of every change.
  expect(fixed).toEqual(['logging.level']);
});
