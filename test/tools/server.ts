// Starts the built service as a separate process on a free port with its own folder, for tests over
// real HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** In a built tree. Tests and benches run from the repository's root. */
const MAIN = join('dist', 'cli', 'main.js');

export interface ServerOptions {
  /**
   * Reuses the folder of an earlier server; otherwise a new one is created, and removed by stop().
   */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  /** False: waits only until it listens; it may still be replaying its log. */
  readonly ready?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of node itself. */
  readonly nodeArgs?: readonly string[];
  /** Another built tree than the one that tests run in. */
  readonly tree?: string;
}

export interface TestServer {
  readonly base: string;
  readonly dataDir: string;
  readonly pid: number;
  /** The last million characters of the server's output. */
  log(): string;
  /** Sends SIGTERM; resolves to the exit code. Removes the data folder that this server created. */
  stop(): Promise<number | null>;
  /** Sends any signal; resolves when the process has ended; the data folder is kept. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** A JSON request; `body` undefined sends none. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
  readonly json: any;
}

/** A port that was free when it was checked. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Options that a profiler adds to every server of a run. */
function nodeArgs(): readonly string[] {
  const given = process.env['BENCH_NODE_ARGS'] ?? '';
  return given === '' ? [] : given.split(' ');
}

/** Starts a server and waits until it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'quarry-test-'));
  const port = await freePort();
  const args = ['serve', '--port', String(port), '--data-dir', dataDir, ...(options.args ?? [])];
  const main = resolve(options.tree ?? '.', MAIN);
  const child = spawn(
    process.execPath,
    [...nodeArgs(), ...(options.nodeArgs ?? []), main, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        QUARRY_LOGGING_LEVEL: process.env['QUARRY_LOGGING_LEVEL'] ?? 'warn',
        ...options.env,
      },
    },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      log = (log + String(chunk)).slice(-1_000_000);
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const base = `http://127.0.0.1:${port}`;
  try {
    await waitUntil(options.ready ?? true, base, child, () => log);
  } catch (error) {
    // No other code has a reference to it.
    child.kill('SIGKILL');
    throw error;
  }
  return {
    base,
    dataDir,
    pid: child.pid ?? 0,
    log: () => log,
    call: (method, path, body, headers) => call(base, method, path, body, headers),
    async stop() {
      child.kill('SIGTERM');
      const code = await exited;
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0) console.log(log);
      return code;
    },
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

async function waitUntil(
  ready: boolean,
  base: string,
  child: ChildProcess,
  log: () => string,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}:\n${log()}`);
    try {
      const answer = await fetch(`${base}/v1/health/ready`);
      if (answer.status === 200 || !ready) return;
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the server did not get ready:\n${log()}`);
}

/** Sends a JSON request to any server with this API. */
export async function call(
  base: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const isText = typeof body === 'string' || body instanceof Uint8Array;
  const init: RequestInit = { method, headers: { ...headers } };
  if (body !== undefined) {
    init.body = isText ? (body as string) : JSON.stringify(body);
    init.headers = { 'content-type': 'application/json', ...headers };
  }
  const answer = await fetch(base + path, init);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends lines of a bulk body to POST /_bulk and checks that no item failed. */
export async function bulk(
  server: TestServer,
  path: string,
  lines: readonly string[],
): Promise<void> {
  const reply = await server.call('POST', path, `${lines.join('\n')}\n`, {
    'content-type': 'application/x-ndjson',
  });
  if (reply.status !== 200 || reply.json.errors !== false) {
    throw new Error(`bulk failed with ${reply.status}: ${reply.text.slice(0, 2000)}`);
  }
}
