// A process without free descriptors: it stays alive, executes requests that need none, rejects the
// others with a message, and recovers when descriptors become free.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'quarry-none-'));
const repository = join(folder, 'repository');
const HOLD = resolve('test/tools/hold-descriptors.mjs');
const LIMIT = 160;
let child: ChildProcess;
let port: number;
let log = '';
const agent = new Agent({ keepAlive: true, maxSockets: 2 });

beforeEach(async () => {
  mkdirSync(repository);
  const serve = [resolve('dist/cli/main.js'), 'serve', '--port', '0', '--data-dir'];
  const args = [
    join(folder, 'data'),
    '--index.idle_close_ms',
    '1000',
    '--snapshot.path',
    repository,
  ];
  child = spawn(
    'bash',
    [
      '-c',
      `ulimit -n ${LIMIT}; exec "$0" "$@"`,
      process.execPath,
      '--import',
      HOLD,
      ...serve,
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  port = await new Promise<number>((found, failed) => {
    child.once('exit', () => failed(new Error(`it ended:\n${log}`)));
    if (child.stdout === null) throw new Error('it prints nothing');
    createInterface(child.stdout).on('line', (line) => {
      log += `${line}\n`;
      const [, at] = /"ready on http:\/\/[^:]+:(\d+)"/.exec(line) ?? [];
      if (at !== undefined) found(Number(at));
    });
  });
});
afterEach(async () => {
  agent.destroy();
  if (child.exitCode === null) {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

function call(method: string, path: string, body?: object): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const requested = request({ host: '127.0.0.1', port, method, path, agent, headers });
    requested.on('error', fail);
    requested.on('response', (answer: IncomingMessage) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += String(chunk);
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, text }));
    });
    requested.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const descriptors = (): number => readdirSync(`/proc/${child.pid}/fd`).length;

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what} never came to be; the log:\n${log}`);
}

/** Requests that open files or start a thread. */
const NEEDY: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['PUT', '/t/_doc/3', { a: 3 }],
  ['POST', '/t/_refresh'],
  ['POST', '/t/_flush'],
  ['POST', '/t/_forcemerge?max_num_segments=1'],
  ['POST', '/idle/_search', {}],
  ['GET', '/idle/_doc/1'],
  ['PUT', '/new', {}],
  ['PUT', '/_snapshot/r/s?wait_for_completion=true', {}],
  ['PUT', '/_index_template/x', { index_patterns: ['zz*'] }],
];

test.skipIf(process.platform !== 'linux')(
  'no descriptor at all ends nothing',
  async () => {
    for (const [method, path, body] of [
      ['PUT', '/t/_doc/1', { a: 1 }],
      ['POST', '/t/_flush', undefined],
      ['PUT', '/t/_doc/2', { a: 2 }],
      ['PUT', '/idle/_doc/1?refresh=true', { a: 1 }],
      ['PUT', '/_snapshot/r', { type: 'fs', settings: { location: repository } }],
    ] as const) {
      const { status, text } = await call(method, path, body);
      expect(status, text).toBeLessThan(300);
    }
    // Threads of flushes end after ten seconds, the idle index is closed after one.
    await new Promise((done) => setTimeout(done, 12_000));
    child.kill('SIGUSR2');
    await until('the last descriptor', () => descriptors() >= LIMIT);
    for (const [method, path, body] of NEEDY) {
      const { status, text } = await call(method, path, body);
      expect([200, 201, 429, 503], `${method} ${path}: ${text}`).toContain(status);
      if (status > 201) expect(text).toMatch(/too many open files|EMFILE/i);
      expect((await call('GET', '/v1/health')).status).toBe(200);
      expect((await call('GET', '/t/_search')).status).toBe(200);
    }
    const hungUp = new Promise((done) => {
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .once('close', done)
        .resume();
    });
    await hungUp;
    expect(child.exitCode).toBeNull();
    child.kill('SIGUSR2');
    await until('a descriptor', () => descriptors() < LIMIT);
    for (const [method, path, body] of NEEDY) {
      let last: Answer | undefined;
      await until(`${method} ${path}`, async () => {
        last = await call(method, path, body);
        return last.status < 300 || last.text.includes('already');
      });
    }
    expect((await call('GET', '/v1/health/ready')).status).toBe(200);
    const exited = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  },
  180_000,
);
