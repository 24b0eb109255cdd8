// The command line.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../src/cli/arguments.ts';
import { commandTable, helpText } from '../../src/cli/help.ts';
import { USAGES } from '../../src/cli/usages.ts';
import { VERBS } from '../../src/cli/verbs.ts';
import { CONFIG_KEYS } from '../../src/config/schema.ts';

describe('arguments', () => {
  test.each([
    [
      ['serve', '--port', '1', '--insecure', '--wal.file_bytes=5'],
      { port: '1', insecure: true, 'wal.file_bytes': '5' },
    ],
    [['serve', '--insecure=false', '--data-dir=a=b'], { insecure: 'false', 'data-dir': 'a=b' }],
    [['serve', '--server.insecure', '--host', '::1'], { 'server.insecure': true, host: '::1' }],
    [
      ['serve', '--insecure', 'false', '--auth.enabled', 'true', '--port', '1'],
      { insecure: 'false', 'auth.enabled': 'true', port: '1' },
    ],
    [['serve'], {}],
  ])('%o', (args, flags) => {
    expect(readArguments(args)).toEqual({ command: 'serve', flags });
  });

  test('--config names a file', () => {
    expect(readArguments(['serve', '--config', 'q.yml'])).toEqual({
      command: 'serve',
      configFile: 'q.yml',
      flags: {},
    });
  });

  test.each([
    [[], 'help'],
    [['--help'], 'help'],
    [['serve', '-h'], 'help'],
    [['help'], 'help'],
    [['--version'], 'version'],
    [['version'], 'version'],
  ])('%o asks for %s', (args, command) => {
    expect(readArguments(args).command).toBe(command);
  });

  test.each([
    [['start'], 'unknown command [start]'],
    [['serve', 'extra'], 'unexpected argument [extra]'],
    [['serve', '--insecure', 'yes'], 'unexpected argument [yes]'],
    [['serve', '--port'], '--port needs a value'],
    [['serve', '--port', '--host'], '--port needs a value'],
    [['serve', '--port', '1', '--port', '2'], '--port is given twice'],
    [['serve', '--config'], '--config needs a value'],
    [['serve', '--'], 'unexpected argument [--]'],
  ])('%o is refused', (args, reason) => {
    expect(() => readArguments(args)).toThrowError(reason);
  });
});

test('the help names every key', () => {
  const text = helpText();
  for (const key of CONFIG_KEYS) expect(text).toContain(`--${key} `);
});

test('docs/command-line.md has the table that quarry --help --markdown prints', () => {
  const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  expect(page).toContain(`\n\n${commandTable()}\n\n`);
});

test('the table of commands has a row for each, with its usage and what it does', () => {
  const rows = commandTable().split('\n').slice(2);
  const names = rows.map((row) => /^\| `quarry ([a-z]+) [^`]+`/.exec(row)?.[1]);
  expect(names).toEqual([...Object.keys(USAGES), ...VERBS.map(({ name }) => name)]);
  for (const row of rows) expect(row).toMatch(/` \| [A-Z][^|]+ \|$/);
});
