// Requests to the cluster: over connections that are kept, to the next node that answers, and again
// to another node if that cannot do anything twice.
import type { Pool } from 'undici';
import type { Waiter } from '../backend/index.js';
import { QuarryError } from '../errors.js';
import { Deadlines } from './deadlines.js';
import { type ClusterAnswer, Exchange } from './exchange.js';
import { type ClusterNode, ClusterNodes } from './nodes.js';
import type { ClusterOptions } from './options.js';

export interface ClusterRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query string, encoded. */
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
  readonly ndjson?: boolean;
  /** The media type of the answer; default: JSON. */
  readonly accept?: string | undefined;
  /**
   * Whether it may be sent again after a failure that leaves open whether the cluster has executed
   * it. A request that never reached a node is sent again in any case.
   */
  readonly repeatable: boolean;
  /** The request ends when this client disconnects; the answer is memory that it holds. */
  readonly waiter?: Waiter | undefined;
}

/** Errors of connections that never carried the request. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** Answers of a node, or of a proxy in front of it, that it cannot serve at present. */
const UNABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** How long a node may be silent about a request until it is probed, in milliseconds. */
const SILENT_MS = 1000;
/** At most these parts of the time of a request pass until the probe, and with it. */
const [SILENT_SHARE, PROBE_SHARE] = [0.125, 0.25];

export class ClusterTransport {
  readonly deadlines: Deadlines;
  readonly #options: ClusterOptions;
  readonly #nodes: ClusterNodes;
  readonly #connections = new Map<string, Connections>();
  readonly #headers: Readonly<Record<string, string>>;
  /** Of the next probe of each node that is left out. */
  readonly #timers = new Map<ClusterNode, NodeJS.Timeout>();
  readonly #probes = new Map<ClusterNode, Promise<void>>();
  readonly #running = new Set<Exchange>();
  #isClosed = false;

  constructor(options: ClusterOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#nodes = new ClusterNodes(options.urls, now);
    this.deadlines = new Deadlines(options.timeoutMs, now);
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'quarry',
      ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    };
  }

  /** Nodes that are left out at present. */
  dead(): readonly string[] {
    return this.#nodes.dead();
  }

  /**
   * Any status is an answer. Rejects with node_not_ready_exception if no node answers, or none in
   * the time that is left.
   */
  async send(request: ClusterRequest): Promise<ClusterAnswer> {
    return this.deadlines.during(() => this.#sendInTime(request));
  }

  async #sendInTime(request: ClusterRequest): Promise<ClusterAnswer> {
    const tried = new Set<ClusterNode>();
    for (let left = this.#options.maxRetries; ; left--) {
      let node = this.#nodes.pick(tried);
      if (node === undefined) {
        tried.clear();
        node = this.#nodes.pick(tried);
      }
      if (node === undefined) throw new Error('the cluster has no nodes');
      tried.add(node);
      const ms = this.deadlines.left();
      if (ms <= 0) throw this.deadlines.over();
      try {
        const answer = await this.#attempt(node, request, ms);
        this.#nodes.heard(node);
        const isUnable = UNABLE.has(answer.status) && request.repeatable && left > 0;
        if (!isUnable || this.deadlines.left() <= 0) return answer;
      } catch (error) {
        request.waiter?.check();
        // Its answer does not fit into the memory of this service.
        if (error instanceof QuarryError) throw error;
        const wasSent = !NEVER_SENT.has(codeOf(error));
        // Another node may be what a silent one waits for: its probe decides.
        if (!(error instanceof Silence)) {
          this.#nodes.lost(node);
          this.#failed(node);
        }
        const isLast = left <= 0 || error instanceof Stopping;
        const isOver = isLast || this.#isClosed || this.deadlines.left() <= 0;
        if (isOver || (wasSent && !request.repeatable)) {
          throw unreachable(node, request, error, wasSent);
        }
      }
    }
  }

  /**
   * A node that says nothing is probed meanwhile. What may be sent again does not wait for one that
   * fails, unless all do.
   */
  async #attempt(node: ClusterNode, request: ClusterRequest, ms: number): Promise<ClusterAnswer> {
    const exchange = new Exchange(request.waiter);
    this.#running.add(exchange);
    const end = setTimeout(() => exchange.abort(new Silence('no answer in time')), ms);
    const silent = setTimeout(
      async () => {
        await this.#probe(node);
        const isAnyLive = this.#nodes.dead().length < this.#nodes.size;
        if (request.repeatable && isAnyLive && this.#nodes.isLeftOut(node))
          exchange.abort(new Silence('no answer, and no health'));
      },
      Math.min(SILENT_MS, SILENT_SHARE * this.#options.timeoutMs),
    );
    const left = (): void => exchange.abort(new Error('the client has disconnected'));
    const client = request.waiter?.signal();
    client?.addEventListener('abort', left);
    if (client?.aborted === true) left();
    try {
      return await this.#sendTo(node, request, exchange);
    } finally {
      this.#running.delete(exchange);
      clearTimeout(end);
      clearTimeout(silent);
      client?.removeEventListener('abort', left);
    }
  }

  /** Ends the requests that wait for an answer, with 503. */
  giveUp(): void {
    for (const exchange of this.#running) exchange.abort(new Stopping('this service stops'));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const known = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.all(known.map(({ pool }) => pool.destroy()));
  }

  /** Leaves the node out until it answers a probe. */
  #failed(node: ClusterNode): void {
    const pause = this.#nodes.failed(node);
    if (this.#isClosed || this.#timers.has(node)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(node);
      void this.#probe(node);
    }, pause).unref();
    this.#timers.set(node, timer);
  }

  /** Resolves when the node is known to answer, or left out; those who ask meanwhile share it. */
  #probe(node: ClusterNode): Promise<void> {
    const running = this.#probes.get(node);
    if (running !== undefined) return running;
    const probe = this.#askHealth(node).finally(() => this.#probes.delete(node));
    this.#probes.set(node, probe);
    return probe;
  }

  /**
   * The health is what a node tells only with a master: one that is cut off from the others takes
   * connections and keeps what cannot be executed.
   */
  async #askHealth(node: ClusterNode): Promise<void> {
    const request = { method: 'GET', path: '/_cluster/health', repeatable: true } as const;
    const { connectTimeoutMs, timeoutMs } = this.#options;
    const ms = Math.min(connectTimeoutMs, PROBE_SHARE * timeoutMs);
    const exchange = new Exchange(undefined);
    const end = setTimeout(() => exchange.abort(new Silence('no health in time')), ms);
    const status = await this.#sendTo(node, request, exchange)
      .then((answer) => answer.status)
      .catch(() => undefined);
    clearTimeout(end);
    if (status === undefined || UNABLE.has(status)) this.#failed(node);
    else this.#nodes.answered(node);
  }

  async #sendTo(
    node: ClusterNode,
    { method, path, body, ndjson, accept }: ClusterRequest,
    exchange: Exchange,
  ): Promise<ClusterAnswer> {
    const { pool, pathPrefix } = await this.#connectionsOf(node);
    const type = ndjson === true ? 'application/x-ndjson' : 'application/json';
    return exchange.send(pool, {
      method,
      path: `${pathPrefix}${path}`,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(accept === undefined ? {} : { accept }),
      },
      body: body ?? null,
      // The exchange is ended in time.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async #connectionsOf({ url }: ClusterNode): Promise<Connections> {
    const known = this.#connections.get(url);
    if (known !== undefined) return known;
    // Loaded with the first request, because a node on its own does not need it.
    const undici = await import('undici');
    const made = this.#connections.get(url);
    if (made !== undefined) return made;
    const { connections, connectTimeoutMs, ca } = this.#options;
    const { origin, pathname } = new URL(url);
    const pool = new undici.Pool(origin, {
      connections,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca }) },
    });
    const all = { pool, pathPrefix: pathname.replace(/\/$/, '') };
    this.#connections.set(url, all);
    return all;
  }
}

/** Of a node. */
interface Connections {
  readonly pool: Pool;
  /** Of the paths of requests. */
  readonly pathPrefix: string;
}

/** Ends an attempt whose node says nothing. */
class Silence extends Error {}

/** Ends the last attempt of a request. */
class Stopping extends Silence {}

function codeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

/** What changes no document, although it is sent as POST. */
const READ = /\/_(?:search|mget|count|refresh|pit|analyze)$/;

/** Whether the cluster has executed a change, or will yet, is not known. */
export class UnknownOutcome extends QuarryError {}

function unreachable(
  { url }: ClusterNode,
  { method, path: address }: ClusterRequest,
  error: unknown,
  wasSent: boolean,
): QuarryError {
  const [path = ''] = address.split('?', 1);
  const isRead = method === 'GET' || method === 'HEAD' || READ.test(path);
  const why = codeOf(error) || (error as Error).message;
  const outcome = !wasSent
    ? 'it was not executed: look at the cluster and at [cluster.urls]'
    : isRead
      ? 'send the request again'
      : 'whether it was executed is not known';
  const Unreachable = wasSent && !isRead ? UnknownOutcome : QuarryError;
  return new Unreachable(
    'node_not_ready_exception',
    `the cluster does not answer [${method} ${path}] at [${new URL(url).host}] (${why}), ${outcome}`,
    { headers: { 'Retry-After': '1' } },
  );
}
