// `quarry init` writes its entry into the files of programs: it merges, destroys nothing, and says
// what it wrote.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, run } from './run.ts';

const MAIN = resolve('dist/cli/main.js');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-init-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function init(...args: readonly string[]): Promise<Ran> {
  return run(['init', ...args], folder, { HOME: join(folder, 'home') });
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const ENTRY = {
  command: process.execPath,
  args: [MAIN, 'mcp', '--url', 'http://127.0.0.1:9200', '--namespace', 'ann', '--read-only'],
};
const PINS = ['--namespace', 'ann', '--read-only'];

describe('a program without a file', () => {
  test.each([
    ['claude', [], '.mcp.json', 'mcpServers'],
    ['cursor', [], '.cursor/mcp.json', 'mcpServers'],
    ['vscode', [], '.vscode/mcp.json', 'servers'],
    ['gemini', [], '.gemini/settings.json', 'mcpServers'],
    ['zed', [], '.zed/settings.json', 'context_servers'],
    ['claude', ['--user'], 'home/.claude.json', 'mcpServers'],
    ['cursor', ['--user'], 'home/.cursor/mcp.json', 'mcpServers'],
    ['windsurf', [], 'home/.codeium/windsurf/mcp_config.json', 'mcpServers'],
  ])('%s %j gets %s', async (program, flags, path, member) => {
    const ran = await init(program, ...flags, ...PINS);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain(`[${member}.quarry] added to ${join(folder, path)}`);
    expect(JSON.parse(read(path))).toEqual({ [member]: { quarry: ENTRY } });
  });
});

describe('a file that is there', () => {
  test('keeps all it has, its indentation, its end and its rights', async () => {
    const before = {
      theme: 'dark',
      mcpServers: { other: { command: 'x', env: { A: '1' } } },
      n: 1,
    };
    write('.mcp.json', JSON.stringify(before, undefined, 4));
    chmodSync(join(folder, '.mcp.json'), 0o600);
    expect(await init('claude', ...PINS)).toMatchObject({ code: 0 });
    const after = { ...before, mcpServers: { ...before.mcpServers, quarry: ENTRY } };
    expect(read('.mcp.json')).toBe(JSON.stringify(after, undefined, 4));
    expect(statSync(join(folder, '.mcp.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['.mcp.json']);
  });

  test('keeps its line ends', async () => {
    write('.mcp.json', '{\r\n\t"a": 1\r\n}\r\n');
    await init('claude', ...PINS);
    const after = { a: 1, mcpServers: { quarry: ENTRY } };
    const text = `${JSON.stringify(after, undefined, '\t')}\n`;
    expect(read('.mcp.json')).toBe(text.replaceAll('\n', '\r\n'));
  });

  test('is the same after a second time', async () => {
    await init('claude', ...PINS);
    const before = read('.mcp.json');
    const again = await init('claude', ...PINS);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('has [mcpServers.quarry] already');
    expect(read('.mcp.json')).toBe(before);
  });

  test('keeps another entry of the name, unless it is to be replaced', async () => {
    write('.mcp.json', '{"mcpServers":{"quarry":{"command":"mine"}}}');
    const refused = await init('claude');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('has another server [quarry]: {"command":"mine"}');
    expect(read('.mcp.json')).toBe('{"mcpServers":{"quarry":{"command":"mine"}}}');
    expect(await init('claude', '--name', 'second', ...PINS)).toMatchObject({ code: 0 });
    expect(await init('claude', '--replace', ...PINS)).toMatchObject({ code: 0 });
    expect(JSON.parse(read('.mcp.json')).mcpServers).toEqual({ quarry: ENTRY, second: ENTRY });
  });

  test.each([
    ['comments', '{\n  // mine\n  "mcpServers": {}\n}\n'],
    ['a list', '[]'],
    ['a number for the servers', '{"mcpServers": 7}'],
    ['half an object', '{"mcpServers": {'],
    ['a number of many digits', '{"id": 12345678901234567890}'],
  ])('with %s stays as it is', async (_, text) => {
    write('.mcp.json', text);
    const refused = await init('claude', ...PINS);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('.mcp.json');
    expect(read('.mcp.json')).toBe(text);
  });

  test('stays a symbolic link', async () => {
    write('real.json', '{}\n');
    symlinkSync(join(folder, 'real.json'), join(folder, '.mcp.json'));
    await init('claude', ...PINS);
    expect(lstatSync(join(folder, '.mcp.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(read('real.json'))).toEqual({ mcpServers: { quarry: ENTRY } });
  });
});

test('a dry run says what it would write, and writes nothing', async () => {
  const ran = await init('cursor', '--dry-run', '--json', ...PINS);
  expect(JSON.parse(ran.out)).toEqual({
    file: join(folder, '.cursor', 'mcp.json'),
    name: 'quarry',
    change: 'added',
    dry_run: true,
    entry: ENTRY,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('without a program, it lists the programs and their files', async () => {
  await init('claude');
  const ran = await init();
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(ran.out).toContain(`there    ${join(folder, '.mcp.json')}`);
  expect(ran.out).toMatch(/\nwindsurf +no file +/);
});

test.each([
  [['claud'], 'no program [claud]'],
  [['claude', 'cursor'], '[cursor] is one program too many'],
  [['claude', '--url', 'nowhere'], '--url must look like'],
  [['claude', '--name', ' '], '--name must be a name'],
])('%j is misused', async (args, message) => {
  const ran = await init(...args);
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.err).toContain(message);
  expect(readdirSync(folder)).toEqual([]);
});
