// Keys of a data folder, created with the command line as by an administrator.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Reply, TestServer } from './server.ts';

const MAIN = join('dist', 'cli', 'main.js');

/** `args`: arguments of `quarry keys create`. */
export function makeKey(dataDir: string, ...args: string[]): string {
  const all = [resolve(MAIN), 'keys', 'create', '--json', '--data-dir', dataDir, ...args];
  const { stdout } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return (JSON.parse(stdout) as { key: string }).key;
}

/** Sends a request with a key; a string body is sent as NDJSON. */
export function callAs(
  server: TestServer,
  key: string | undefined,
  ...[method, path, body]: [method: string, path: string, body?: unknown]
): Promise<Reply> {
  const ndjson = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {};
  return server.call(method, path, body, { authorization: `Bearer ${key}`, ...ndjson });
}
