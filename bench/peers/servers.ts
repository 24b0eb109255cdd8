// Servers with the Elasticsearch API: those that are already running (--peer NAME=URL) and those of
// the shared folder (--start).
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/tools/server.ts';
import { send } from '../vectors/http-target.ts';

export interface Server {
  readonly name: string;
  readonly base: string;
  /** Its process id, if it runs on this machine and is known. */
  readonly pid?: number;
  stop(): void;
}

/** The text of a response with a status below 400; throws otherwise. */
export function ask(server: Server, method: string, path: string, body = ''): Promise<string> {
  const type = path.includes('_bulk') ? 'application/x-ndjson' : 'application/json';
  return send(server, method, path, body, type);
}

/** Parses `--peer NAME=URL`. */
export function namedServer(given: string): Server {
  const at = given.indexOf('=');
  const [name, base] = [given.slice(0, at), given.slice(at + 1).replace(/\/$/, '')];
  if (at < 1 || !base.startsWith('http'))
    throw new Error(
      `[--peer] is NAME=URL, as [elasticsearch=http://127.0.0.1:9200], got [${given}]`,
    );
  return { name, base, stop: () => undefined };
}

const KNOWN = ['elasticsearch', 'opensearch'];

/**
 * Starts the server of `--start NAME` by the script of the shared folder; returns a sentence with
 * the reason if that is not possible.
 */
export async function startShared(shared: string, name: string): Promise<Server | string> {
  if (!KNOWN.includes(name))
    throw new Error(`[--start] is one of ${KNOWN.join(', ')}, got [${name}]`);
  const script = join(shared, 'peers', `${name}.sh`);
  if (!existsSync(script)) return `no ${name}: ${script} is not there`;
  const parent = mkdtempSync(join(tmpdir(), 'quarry-peer-'));
  chmodSync(parent, 0o755); // it runs as another user
  const folder = join(parent, name);
  const port = await freePort();
  const { status, stderr } = spawnSync('bash', [script, String(port), folder], {
    encoding: 'utf8',
  });
  const stop = (): void => {
    spawnSync('bash', [script, '--stop', folder]);
    rmSync(parent, { recursive: true, force: true });
  };
  if (status === 0) {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    return { name, base: `http://127.0.0.1:${port}`, pid, stop };
  }
  stop();
  return `no ${name}: ${closedTemporary()}${stderr.slice(-300)}`;
}

/**
 * A Java process that monitors itself, as Elasticsearch does, writes a file to /tmp, regardless of
 * its configured folder.
 */
function closedTemporary(): string {
  const open = (statSync('/tmp').mode & 0o002) !== 0;
  return open ? '' : '/tmp is closed to the user that it runs as (chmod 1777 /tmp opens it); ';
}
