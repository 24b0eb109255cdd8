// Calls of the cluster's API: JSON in, JSON out, errors of the cluster thrown as ours.
import type { Json, JsonObject, Waiter } from '../backend/index.js';
import { parseExact, printExact } from '../base/exact-json.js';
import type { Deadlines } from './deadlines.js';
import { type ClusterEngine, readEngine } from './engine.js';
import { clusterError, lostContext, readAnswer } from './errors.js';
import type { ClusterAnswer } from './exchange.js';
import type { IndexNames } from './index-names.js';
import type { ClusterRequest, ClusterTransport } from './transport.js';

export type QueryParams = Readonly<Record<string, string | number | boolean | undefined>>;

export interface CallOptions {
  readonly params?: QueryParams;
  readonly body?: JsonObject | undefined;
  /** Whether it may be sent again: false for what changes something with each execution. */
  readonly repeatable: boolean;
  readonly waiter?: Waiter | undefined;
  /** Default: JSON. */
  readonly accept?: string;
  /** Statuses of at least 400 that are answers. */
  readonly expected?: readonly number[];
}

/** Of the time that is left for the answer. */
const WRITE_SHARE = 0.5;

export class ClusterClient {
  readonly names: IndexNames;
  readonly #transport: ClusterTransport;
  #engine: ClusterEngine | undefined;

  constructor(transport: ClusterTransport, names: IndexNames) {
    this.#transport = transport;
    this.names = names;
  }

  /** The engine that answered at the start. */
  get engine(): ClusterEngine {
    if (this.#engine === undefined) throw new Error('the cluster was not asked which engine it is');
    return this.#engine;
  }

  /** Asks which engine it is. Must be called first. */
  async greet(): Promise<ClusterEngine> {
    const answer = await this.json('GET', '/', { repeatable: true });
    const engine = readEngine(answer);
    this.#engine =
      engine.kind === 'opensearch' ? readEngine(answer, await this.#plugins()) : engine;
    return this.#engine;
  }

  /** Undefined where the credentials may not see them. */
  async #plugins(): Promise<Json | undefined> {
    const answer = await this.send({
      method: 'GET',
      path: '/_cat/plugins?format=json&h=component',
      repeatable: true,
    });
    return answer.status < 400 ? parseExact(answer.body.toString('utf8')) : undefined;
  }

  /** Rejects with the error of the cluster unless the status is an expected one. */
  async call(
    method: ClusterRequest['method'],
    path: string,
    { params = {}, body, repeatable, waiter, accept, expected = [] }: CallOptions,
  ): Promise<ClusterAnswer> {
    const answer = await this.#transport.send({
      method,
      path: `${path}${queryString(params)}`,
      body: body === undefined ? undefined : printExact(body),
      repeatable,
      waiter,
      accept,
    });
    if (answer.status >= 400 && !expected.includes(answer.status)) {
      throw lostContext(path, answer) ?? clusterError(answer, this.names);
    }
    return answer;
  }

  async json(
    method: ClusterRequest['method'],
    path: string,
    options: CallOptions,
  ): Promise<JsonObject> {
    const answer = await this.call(method, path, options);
    return readAnswer({ ...answer, status: 200 }, this.names);
  }

  /** A request whose answer is read by the caller, whatever its status. */
  send(request: ClusterRequest): Promise<ClusterAnswer> {
    return this.#transport.send(request);
  }

  /**
   * How long the engine may wait for a copy that can take a write: less than this service waits for
   * the answer, so that nothing is executed behind a refusal.
   */
  get writeTimeout(): string {
    return `${Math.max(1, Math.ceil(this.deadlines.left() * WRITE_SHARE))}ms`;
  }

  get deadlines(): Deadlines {
    return this.#transport.deadlines;
  }

  dead(): readonly string[] {
    return this.#transport.dead();
  }

  /** Ends the requests that wait for the cluster, with 503. */
  giveUp(): void {
    this.#transport.giveUp();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

export function queryString(params: QueryParams): string {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
