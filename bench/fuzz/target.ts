// The service under test: started with its own folder, filled with data, sent requests, and
// restarted on the same folder.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../src/backend/index.ts';
import {
  type ApiRequest,
  bodyOf,
  deleteEverything,
  headersOf,
} from '../../test/tools/api-requests.ts';
import { readCatalog } from '../../test/tools/catalog-parts.ts';
import type { Reply, ServerOptions } from '../../test/tools/server.ts';
import { Service } from '../lab/service.ts';
import { type Answer, type FuzzRequest, send } from './request.ts';

/** The cost of one request while no other request runs. */
export interface Cost {
  readonly answer: Answer | undefined;
  /** CPU time of all threads of the service. */
  readonly workMs: number;
  /**
   * The slowest health response during the request: distinguishes a busy machine from a service
   * that waits.
   */
  readonly healthMs: number;
}

const HEALTH: FuzzRequest = { method: 'GET', path: '/v1/health', params: [], headers: {} };
const HEALTH_PAUSE_MS = 50;
const HEALTH_PATIENCE_MS = 10_000;

export class Target {
  readonly #folder = mkdtempSync(join(tmpdir(), 'quarry-fuzz-'));
  #service: Service | undefined;
  readonly #options: Pick<ServerOptions, 'env' | 'nodeArgs'>;
  #agent = new Agent({ keepAlive: true });

  constructor(options: Pick<ServerOptions, 'env' | 'nodeArgs'> = {}) {
    this.#options = options;
  }

  get #now(): Service {
    if (this.#service === undefined) throw new Error('the service was not started');
    return this.#service;
  }

  get base(): string {
    return this.#now.server.base;
  }
  get log(): string {
    return this.#now.server.log();
  }
  /** In MiB, since the start of the process. */
  get peakMemory(): number {
    return this.isAlive ? this.#now.memory().peak : 0;
  }
  get isAlive(): boolean {
    try {
      return process.kill(this.#now.server.pid, 0);
    } catch {
      return false;
    }
  }

  /** Throws if the service does not become ready. */
  async start(): Promise<void> {
    const snapshots = join(this.#folder, 'snapshots');
    mkdirSync(snapshots, { recursive: true });
    const data = join(this.#folder, 'data');
    const args = ['--snapshot.path', snapshots];
    this.#service = await Service.start(data, true, args, this.#options);
  }

  /** Ends the process, with SIGKILL if it does not react. */
  async stop(): Promise<void> {
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
    if (!this.isAlive) return;
    const { server } = this.#now;
    const ended = server.stop().then(() => true);
    const late = pause(HEALTH_PATIENCE_MS, false, { ref: false });
    if (!(await Promise.race([ended, late]))) await server.kill('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  send(request: FuzzRequest, patienceMs: number): Promise<Answer | undefined> {
    return send(new URL(this.base), request, patienceMs, this.#agent);
  }

  /** Sends a request while no other request runs. */
  async cost(request: FuzzRequest, patienceMs: number): Promise<Cost> {
    const before = this.#now.processorMs();
    let isDone = false;
    const health = this.#slowestHealth(() => isDone);
    const answer = await this.send(request, patienceMs);
    isDone = true;
    const healthMs = await health;
    const workMs = this.isAlive ? this.#now.processorMs() - before : 0;
    return { answer, workMs, healthMs };
  }

  async answersHealth(): Promise<boolean> {
    return (await this.send(HEALTH, HEALTH_PATIENCE_MS))?.status === 200;
  }

  async #slowestHealth(until: () => boolean): Promise<number> {
    let slowest = 0;
    while (!until()) {
      const answer = await this.send(HEALTH, HEALTH_PATIENCE_MS);
      slowest = Math.max(slowest, answer?.tookMs ?? HEALTH_PATIENCE_MS);
      await pause(HEALTH_PAUSE_MS);
    }
    return slowest;
  }

  /**
   * Sends the requests of a case on the existing data; on an empty service if one of them is
   * rejected.
   */
  async prepare(given: readonly ApiRequest[]): Promise<void> {
    if (!(await this.#sendAll(given))) await this.rebuild(given);
  }

  async rebuild(given: readonly ApiRequest[]): Promise<void> {
    const { call } = this.#now.server;
    const reset = { persistent: { '*': null }, transient: { '*': null } };
    await call('PUT', '/_cluster/settings', reset);
    await call('POST', '/_tasks/_cancel');
    await deleteEverything(call);
    await this.#sendAll(given);
  }

  async #sendAll(given: readonly ApiRequest[]): Promise<boolean> {
    for (const request of given) {
      const body = bodyOf(request);
      const headers = body === undefined ? request.headers : headersOf(request);
      const { status } = await this.#now.server.call(request.method, request.path, body, headers);
      if (status >= 300) return false;
    }
    return true;
  }

  /** The state that a restart must preserve: the catalog, and the documents that searches find. */
  async contents(): Promise<JsonObject> {
    const { call } = this.#now.server;
    await call('POST', '/_tasks/_cancel');
    let last: JsonObject = {};
    for (let tries = 0; tries < 10; tries++) {
      // A closed index would make the request fail for all indexes.
      await call('POST', '/*/_refresh?expand_wildcards=open,hidden');
      const next = { ...(await readCatalog(call)), documents: await documents(call) };
      if (isDeepStrictEqual(next, last)) break;
      last = next;
      await pause(200);
    }
    return last;
  }
}

async function documents(call: (method: string, path: string) => Promise<Reply>): Promise<string> {
  const columns = 'h=index,status,docs.count&s=index&expand_wildcards=all';
  return (await call('GET', `/_cat/indices?${columns}`)).text;
}
