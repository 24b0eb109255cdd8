// A server with a folder for snapshot repositories, and helpers of snapshot tests.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { type Reply, startServer, type TestServer } from './server.ts';

export interface SnapshotServer extends TestServer {
  /** Removed by stop(). */
  readonly root: string;
  /** The body of the response; fails the test unless the status is 2xx. */
  ok(method: string, path: string, body?: unknown): Promise<Reply['json']>;
}

export interface SnapshotServerOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of an earlier server. */
  readonly root?: string;
  readonly dataDir?: string;
}

export async function startSnapshotServer(
  options: SnapshotServerOptions = {},
): Promise<SnapshotServer> {
  const root = options.root ?? mkdtempSync(join(tmpdir(), 'quarry-snapshots-'));
  const server = await startServer({
    args: ['--snapshot.path', root, ...(options.args ?? [])],
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  return {
    ...server,
    root,
    async ok(method, path, body) {
      const headers = typeof body === 'string' ? { 'content-type': 'application/x-ndjson' } : {};
      const reply = await server.call(method, path, body, headers);
      expect(reply.status, `${method} ${path}: ${reply.text.slice(0, 2000)}`).toBeLessThan(300);
      return reply.json;
    },
    async stop() {
      const code = await server.stop();
      if (options.root === undefined) rmSync(root, { recursive: true, force: true });
      return code;
    },
  };
}

/** Registers a repository in a folder of the same name. */
export async function addRepository(server: SnapshotServer, name: string): Promise<string> {
  const location = join(server.root, name);
  await server.ok('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location } });
  return location;
}

/** Paths of all files below a folder, relative to it, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** A bulk body of `count` documents from `from` on; each contains its own number. */
export function documents(count: number, from = 0): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const id = from + i;
    const words = `entry ${id} group${id % 7} ${'filler '.repeat(id % 5)}`;
    return `{"index":{"_id":"${id}"}}\n${JSON.stringify({ id, words, group: `g${id % 7}` })}\n`;
  });
  return lines.join('');
}
