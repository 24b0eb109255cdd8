// The `quarry` process: exit codes, one process per data folder, reload by SIGHUP, orderly
// shutdown.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'quarry-process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { code: status, out: stdout, err: stderr };
}

describe('the command line', () => {
  test('prints help and version', () => {
    expect(run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--server.port') });
    expect(run('--version')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test.each([
    [
      ['serve', '--prot', '1'],
      'quarry: unknown configuration key [prot] as a flag, did you mean [port]?',
    ],
    [['dance'], 'quarry: unknown command [dance]'],
    [['serve', '--config', '/nonexistent.yml'], 'quarry: cannot read the configuration file'],
    [['serve', '--host', '0.0.0.0'], 'quarry: [server.host] is [0.0.0.0]'],
  ])('%o is a misuse', (args, message) => {
    expect(run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test('a data folder that cannot be made is a failure', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const args = ['serve', '--port', '0', '--logging.level', 'silent', '--data-dir', file];
    expect(run(...args)).toMatchObject({ code: 1, err: expect.stringContaining(file) });
  });
});

describe('a running service', () => {
  const config = join(folder, 'quarry.yml');
  const dataDir = join(folder, 'data');
  let child: ChildProcess;
  let log = '';

  const logged = async (text: string): Promise<void> => {
    while (!log.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  beforeAll(async () => {
    writeFileSync(config, 'limits.max_concurrent_searches: 5\n');
    const args = ['serve', '--port', '0', '--data-dir', dataDir, '--config', config];
    child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.on('data', (chunk) => {
      log += String(chunk);
    });
    await logged('ready on http://127.0.0.1:');
  });

  test('refuses a second process on its data folder', () => {
    const args = ['serve', '--port', '0', '--logging.level', 'silent', '--data-dir', dataDir];
    expect(run(...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/data folder \[.*data\] is in use by another process/),
    });
  });

  test('reloads at SIGHUP', async () => {
    writeFileSync(config, 'limits.max_concurrent_searches: 7\nserver.host: 127.0.0.2\n');
    child.kill('SIGHUP');
    await logged('configuration [limits.max_concurrent_searches]: 5 -> 7');
    await logged('configuration [server.host] cannot change from 127.0.0.1 to 127.0.0.2');
    await logged('configuration reloaded, 1 settings changed');
  });

  test('reloads the limits of bodies', async () => {
    const address = /ready on (http:[^"]+)/.exec(log)?.[1];
    const search = async () => {
      const headers = { 'content-type': 'application/json' };
      const body = '{"size":0}'.padEnd(1500);
      return (await fetch(`${address}/_search`, { method: 'POST', headers, body })).status;
    };
    expect(await search()).toBe(200);
    writeFileSync(config, 'limits.max_concurrent_searches: 7\nlimits.body_bytes: 1024\n');
    child.kill('SIGHUP');
    await logged('configuration [limits.body_bytes]: 16777216 -> 1024');
    expect(await search()).toBe(413);
  });

  test('a broken file changes nothing', async () => {
    writeFileSync(config, 'limits.max_concurrent_searches: many\n');
    child.kill('SIGHUP');
    await logged('configuration not reloaded');
  });

  test('ends with 0 at SIGTERM, however impatient', async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(log).toContain('"msg":"stopped"');
  });
});
