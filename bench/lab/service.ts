// A server of this project as a client sees it: requests over connections that stay open, its
// metrics, its memory, its start.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerOptions, startServer, type TestServer } from '../../test/tools/server.ts';

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

export interface Memory {
  readonly resident: number;
  /** Peak resident memory since the start. */
  readonly peak: number;
  readonly anonymous: number;
}

const RETRY_MS = 50;
/** Clock tick of /proc on Linux. */
const TICK_MS = 10;
const MIB = 1024 * 1024;

export class Service {
  readonly server: TestServer;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #base: URL;

  constructor(server: TestServer) {
    this.server = server;
    this.#base = new URL(server.base);
  }

  static async start(
    dataDir: string,
    ready = true,
    args: readonly string[] = [],
    options: Pick<ServerOptions, 'env' | 'nodeArgs'> = {},
  ): Promise<Service> {
    return new Service(await startServer({ dataDir, ready, args, ...options }));
  }

  ask(
    method: string,
    path: string,
    body?: string | Buffer,
    type = 'application/json',
  ): Promise<Reply> {
    const { hostname: host, port } = this.#base;
    const headers = body === undefined ? {} : { 'content-type': type };
    return new Promise((resolve, reject) => {
      const sent = request({ host, port, path, method, headers, agent: this.#agent }, (reply) => {
        const pieces: Buffer[] = [];
        reply.on('data', (piece) => pieces.push(piece));
        reply.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          const retryAfter = reply.headers['retry-after'];
          resolve({ status: reply.statusCode ?? 0, retryAfter, text });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Sends a bulk body until it is accepted; returns the number of rejections. */
  async bulk(body: Buffer, path = '/_bulk'): Promise<number> {
    for (let refused = 0; ; refused++) {
      const { status, text } = await this.ask('POST', path, body, 'application/x-ndjson');
      if (status === 200 && text.startsWith('{"errors":false')) return refused;
      if (status !== 429) throw new Error(`bulk failed with ${status}: ${text.slice(0, 500)}`);
      await pause(RETRY_MS);
    }
  }

  /** Values of the metrics by name, without labels. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const { text } = await this.ask('GET', '/v1/metrics');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.split(/[ {]/)[0] ?? '', Number(line.split(' ').at(-1))]),
    );
  }

  /** In MiB. */
  memory(): Memory {
    const status = readFileSync(`/proc/${this.server.pid}/status`, 'utf8');
    const read = (name: string): number =>
      (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024) / MIB;
    return { resident: read('VmRSS'), peak: read('VmHWM'), anonymous: read('RssAnon') };
  }

  /** CPU time of all threads since the start. */
  processorMs(): number {
    const [, rest = ''] = readFileSync(`/proc/${this.server.pid}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  async kill(): Promise<void> {
    this.#agent.destroy();
    await this.server.kill('SIGKILL');
  }
  async stop(): Promise<void> {
    this.#agent.destroy();
    const code = await this.server.stop();
    if (code !== 0) throw new Error(`the server ended with ${code}`);
  }
}
