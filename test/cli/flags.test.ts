// The flags of a command.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { commandTable, helpText } from '../../src/cli/help.ts';
import { CHECK, SERVE } from '../../src/cli/node-verbs.ts';
import { SEARCH } from '../../src/cli/search.ts';
import { VERBS } from '../../src/cli/verbs.ts';
import { CONFIG_KEYS } from '../../src/config/schema.ts';

describe('of a command that takes the configuration', () => {
  test.each([
    [
      ['--port', '1', '--insecure', '--wal.file_bytes=5'],
      { port: '1', insecure: true, 'wal.file_bytes': '5' },
    ],
    [['--insecure=false', '--data-dir=a=b'], { insecure: 'false', 'data-dir': 'a=b' }],
    [['--server.insecure', '--host', '::1'], { 'server.insecure': true, host: '::1' }],
    [
      ['--insecure', 'false', '--auth.enabled', 'true', '--port', '1'],
      { insecure: 'false', 'auth.enabled': 'true', port: '1' },
    ],
    [['--prot', '1'], { prot: '1' }],
    [[], {}],
  ])('%o', (args, settings) => {
    expect(readFlags(SERVE, args)).toMatchObject({ settings, rest: [] });
  });

  test('--config names a file', () => {
    expect(readFlags(SERVE, ['--config', 'q.yml']).values).toEqual(new Map([['config', 'q.yml']]));
  });

  test.each([
    [['--port'], '--port needs a value'],
    [['--port', '--host'], '--port needs a value'],
    [['--port', '1', '--port', '2'], '--port is given twice'],
    [['--config'], '--config needs a value'],
    [['-p', '1'], 'serve has no [-p]'],
  ])('%o is refused', (args, reason) => {
    expect(() => readFlags(SERVE, args)).toThrowError(reason);
  });

  test.each([[['extra']], [['--insecure', 'yes']]])('%o leaves an argument', (args) => {
    expect(readFlags(SERVE, args).rest).toEqual(args.slice(-1));
  });
});

describe('of any command', () => {
  test('values, switches and arguments in any order', () => {
    const { values, switches, rest } = readFlags(CHECK, ['--json', 'data', '--salvage=out']);
    expect([[...values], [...switches], rest]).toEqual([[['salvage', 'out']], ['json'], ['data']]);
  });

  test('everything behind -- is an argument', () => {
    expect(readFlags(SEARCH, ['books', '--', '--json']).rest).toEqual(['books', '--json']);
  });

  test.each([
    [['a', '--fix'], 'check has no [--fix], there are --salvage, --json'],
    [['a', '--salvage'], '--salvage needs a value'],
    [['a', '--salvage', '--json'], '--salvage needs a value'],
    [['a', '--salvage='], '--salvage needs a value'],
    [['a', '--salvage=x', '--salvage=y'], '--salvage is given twice'],
    [['a', '--json=yes'], 'check has no [--json=yes]'],
    [['a', '--json', '--json'], '--json is given twice'],
  ])('%o is refused', (args, reason) => {
    expect(() => readFlags(CHECK, args)).toThrowError(reason);
  });
});

test('the help names every command and every key', () => {
  const text = helpText();
  for (const { name } of VERBS) expect(text).toContain(`  ${name} `);
  for (const key of CONFIG_KEYS) expect(text).toContain(`--${key} `);
});

test('docs/command-line.md has the table that quarry --help --markdown prints', () => {
  const page = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  expect(page).toContain(`\n\n${commandTable()}\n\n`);
});
