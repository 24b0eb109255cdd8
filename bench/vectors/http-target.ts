// A measured server, ours or a peer: keep-alive requests, its memory and its folder.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../test/tools/server.ts';

export interface Target {
  readonly name: string;
  readonly base: string;
  readonly pid: number;
  /** The folder of its indexes. */
  readonly folder: string;
  stop(): Promise<void>;
}

const MAX_SOCKETS = 64;
const PEER_PORT = 19_260;
const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });

/** The text of the response; throws on a status of 400 and above. */
export function send(
  target: Pick<Target, 'name' | 'base'>,
  method: string,
  path: string,
  body: string | Buffer = '',
  type = 'application/json',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const sent = request(target.base + path, { method, agent, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('error', reject);
      reply.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if ((reply.statusCode ?? 500) < 400) resolve(text);
        else reject(new Error(`${target.name} ${method} ${path}: ${text.slice(0, 500)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export async function startOurs(): Promise<Target> {
  const server = await startServer();
  return {
    name: 'quarry',
    base: server.base,
    pid: server.pid,
    folder: join(server.dataDir, 'indices'),
    async stop() {
      await server.stop();
    },
  };
}

/** A real Elasticsearch, if the shared folder and this machine can start one. */
export function startPeer(shared: string): Target | undefined {
  const script = join(shared, 'peers', 'elasticsearch.sh');
  if (!existsSync(script)) {
    console.log(`no peer: ${script} is not there`);
    return undefined;
  }
  const parent = mkdtempSync(join(tmpdir(), 'quarry-peer-'));
  chmodSync(parent, 0o755); // it runs as another user
  const folder = join(parent, 'elasticsearch');
  const started = spawnSync('bash', [script, String(PEER_PORT), folder], { encoding: 'utf8' });
  if (started.status !== 0) {
    console.log(`no peer: ${started.stderr.slice(-500)}`);
    return undefined;
  }
  return {
    name: 'elasticsearch',
    base: `http://127.0.0.1:${PEER_PORT}`,
    pid: Number(readFileSync(join(folder, 'pid'), 'utf8')),
    folder: join(folder, 'data'),
    async stop() {
      spawnSync('bash', [script, '--stop', folder]);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

export function folderBytes(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inner = join(path, entry.name);
    return sum + (entry.isDirectory() ? folderBytes(inner) : statSync(inner).size);
  }, 0);
}

export interface Memory {
  /** Resident memory including mapped files. */
  readonly resident: number;
  /** Resident memory without files. */
  readonly anonymous: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  return { resident: field('VmRSS'), anonymous: field('RssAnon') };
}

/** Samples the memory of a process until stop() is called, which returns the peaks. */
export function watchMemory(pid: number): { stop(): Memory } {
  let peak: Memory = memoryOf(pid);
  const sample = (): void => {
    const now = memoryOf(pid);
    peak = {
      resident: Math.max(peak.resident, now.resident),
      anonymous: Math.max(peak.anonymous, now.anonymous),
    };
  };
  const timer = setInterval(sample, 25);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peak;
    },
  };
}
