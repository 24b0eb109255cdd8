// A server that is reachable from outside: TLS together with keys, keys created while it runs, and
// its messages at the start.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../tools/certificate.ts';

const MAIN = resolve('dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'quarry-tls-'));
const dataDir = join(folder, 'data');
const auditFile = join(folder, 'audit.log');
const { cert, key } = makeCertificate(Date.now(), 10);
let child: ChildProcess;
let log = '';
let port = 0;

const logged = async (text: string): Promise<void> => {
  while (!log.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
};

function keys(...args: string[]): string {
  const all = [MAIN, 'keys', ...args, '--data-dir', dataDir];
  const { stdout, stderr, status } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

function ask(path: string, authorization?: string): Promise<{ status: number; body: string }> {
  const headers = authorization === undefined ? {} : { authorization };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, ca: cert }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += String(chunk);
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

beforeAll(async () => {
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  const args = ['--port', '0', '--host', '0.0.0.0', '--data-dir', dataDir, '--auth.enabled'];
  const tls = ['--tls.cert', join(folder, 'cert.pem'), '--tls.key', join(folder, 'key.pem')];
  const all = [MAIN, 'serve', ...args, ...tls, '--audit.file', auditFile];
  child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout?.on('data', (chunk) => {
    log += String(chunk);
  });
  await logged('"msg":"ready on https://');
  port = Number(/ready on https:\/\/[^"]*:(\d+)/.exec(log)?.[1]);
}, 120_000);
afterAll(async () => {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

test('it says at its start that there is no key, and that its certificate ends soon', () => {
  expect(log).toContain('there are no keys in');
  expect(log).toContain('replace it and restart');
});

test('probes answer, nothing else does without a key', async () => {
  expect((await ask('/v1/health/ready')).status).toBe(200);
  expect((await ask('/')).status).toBe(401);
});

test('what speaks plain HTTP is not answered', async () => {
  await expect(fetch(`http://127.0.0.1:${port}/v1/health`)).rejects.toThrowError();
});

test('a key works from when it is made until it is revoked, without a restart', async () => {
  const made = JSON.parse(keys('create', '--name', 'late', '--expires', '1h', '--json'));
  const turned = async (status: number): Promise<void> => {
    child.kill('SIGHUP');
    while ((await ask('/', `Bearer ${made.key}`)).status !== status) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await turned(200);
  expect((await ask('/', `ApiKey ${made.encoded}`)).status).toBe(200);
  expect(JSON.parse(keys('list', '--json'))).toMatchObject([{ id: made.id, state: 'active' }]);
  keys('revoke', made.id);
  await turned(401);
  expect(keys('list')).toContain(`${made.id} revoked`);
  const lines = readFileSync(auditFile, 'utf8');
  expect(lines).toContain(`"key":{"id":"${made.id}","name":"late"}`);
  for (const text of [lines, log]) expect(text).not.toContain(made.key.slice(-20));
});

test('half a pair is refused at the start', () => {
  const args = [MAIN, 'serve', '--tls.cert', 'x', '--data-dir', join(folder, 'other')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'quarry: [tls.cert] is set, [tls.key] is missing\n']);
});
