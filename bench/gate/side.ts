// One of the two programs that the gate compares: a tree with its build, a data folder, and a
// server that is started for every session.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../test/tools/server.ts';
import { Service } from '../lab/service.ts';
import { processorMs, readWork, type Work, workBetween } from '../lab/work.ts';
import { folderBytes } from '../vectors/http-target.ts';
import type { GateCase } from './cases.ts';
import { bulksOf, MAPPINGS } from './documents.ts';

/** Requests of every case, once a session. */
const WARM_REQUESTS = 150;

export class Side {
  readonly name: string;
  readonly #tree: string;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'quarry-gate-'));
  #service: Service | undefined;

  constructor(name: string, tree: string) {
    this.name = name;
    this.#tree = tree;
  }

  /** Loads the documents with this side's own program; returns the work. */
  async load(): Promise<Work> {
    const service = await this.start();
    const settings = { number_of_shards: 1, refresh_interval: '-1' };
    const count = async (): Promise<number> =>
      (await service.metrics()).get('quarry_wal_sync_duration_seconds_count') ?? 0;
    const before = await count();
    let bulks = 0;
    for (const [index, bodies] of Object.entries(bulksOf())) {
      const mappings = MAPPINGS[index];
      await service.ask('PUT', `/${index}`, JSON.stringify({ settings, mappings }));
      for (const body of bodies) await service.bulk(Buffer.from(body));
      bulks += bodies.length;
      await service.ask('POST', `/${index}/_refresh`);
      await service.ask('POST', `/${index}/_forcemerge?max_num_segments=1`);
      await service.ask('POST', `/${index}/_refresh`);
    }
    const syncs = ((await count()) - before) / bulks;
    await this.stop();
    return { 'syncs a bulk': syncs, 'bytes on disk': folderBytes(join(this.#dataDir, 'indices')) };
  }

  /** Copies the other side's data instead, if both have the same format. */
  copyFrom(other: Side): void {
    cpSync(other.#dataDir, this.#dataDir, { recursive: true });
  }

  async start(): Promise<Service> {
    const server = await startServer({ dataDir: this.#dataDir, tree: this.#tree });
    this.#service = new Service(server);
    return this.#service;
  }
  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }
  /** Stops the server and removes the data. */
  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** False if the program is too old to support the request. */
  async takes({ path, bodies }: GateCase): Promise<boolean> {
    return (await this.#running().ask('POST', path, bodies[0])).status !== 400;
  }

  /** Exact counts for one request, and the documents found. */
  async count(one: GateCase): Promise<{ readonly work: Work; readonly found: string }> {
    const before = readWork(await this.#scrape());
    const found: string[] = [];
    for (const body of one.bodies) found.push(foundBy(await this.#ask(one.path, body)));
    const work = workBetween(before, readWork(await this.#scrape()), one.bodies.length);
    return { work, found: found.join('\n') };
  }

  /** Sends requests until most of the code is compiled, so that compilation is not measured. */
  async warmUp(cases: readonly GateCase[]): Promise<void> {
    for (let at = 0; at < WARM_REQUESTS; at++)
      for (const { path, bodies } of cases) await this.#ask(path, bodies[at % bodies.length] ?? '');
  }

  /** Milliseconds of the service's CPU time per request, in the `turn`-th batch. */
  async sample(one: GateCase, turn: number): Promise<number> {
    const pid = this.#running().server.pid;
    const before = processorMs(pid);
    for (let i = turn * one.batch; i < (turn + 1) * one.batch; i++)
      await this.#ask(one.path, one.bodies[i % one.bodies.length] ?? '');
    return (processorMs(pid) - before) / one.batch;
  }

  async #scrape(): Promise<string> {
    return (await this.#running().ask('GET', '/v1/metrics')).text;
  }
  async #ask(path: string, body: string): Promise<string> {
    const { status, text } = await this.#running().ask('POST', path, body);
    if (status !== 200) throw new Error(`${this.name}: ${path}: ${status} ${text.slice(0, 300)}`);
    return text;
  }
  #running(): Service {
    if (this.#service === undefined) throw new Error(`${this.name} is not started`);
    return this.#service;
  }
}

/** Ids in their order and aggregations, without times. */
function foundBy(text: string): string {
  const { hits, aggregations } = JSON.parse(text) as {
    hits: { hits: readonly { _id: string }[] };
    aggregations?: object;
  };
  return JSON.stringify([hits.hits.map(({ _id }) => _id), aggregations ?? null]);
}
