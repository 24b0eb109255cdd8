// Requests to the cluster: over connections that are kept, to the next node that answers, and again
// to another node if that cannot do anything twice.
import type { Pool } from 'undici';
import type { Waiter } from '../backend/index.js';
import { QuarryError } from '../errors.js';
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

export interface ClusterAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter: string | undefined;
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

export class ClusterTransport {
  readonly #options: ClusterOptions;
  readonly #nodes: ClusterNodes;
  readonly #pools = new Map<string, Pool>();
  readonly #headers: Readonly<Record<string, string>>;
  /** Of the next probe of each node that is left out. */
  readonly #probes = new Map<ClusterNode, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: ClusterOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#nodes = new ClusterNodes(options.urls, now);
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'quarry',
      ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    };
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** Nodes that are left out at present. */
  dead(): readonly string[] {
    return this.#nodes.dead();
  }

  /** Any status is an answer. Rejects with node_not_ready_exception if no node answers. */
  async send(request: ClusterRequest): Promise<ClusterAnswer> {
    const tried = new Set<ClusterNode>();
    for (let left = this.#options.maxRetries; ; left--) {
      let node = this.#nodes.pick(tried);
      if (node === undefined) {
        tried.clear();
        node = this.#nodes.pick(tried);
      }
      if (node === undefined) throw new Error('the cluster has no nodes');
      tried.add(node);
      try {
        const answer = await this.#sendTo(node, request, this.#options.timeoutMs);
        this.#nodes.answered(node);
        const isUnable = UNABLE.has(answer.status) && request.repeatable && left > 0;
        if (!isUnable) return answer;
      } catch (error) {
        request.waiter?.check();
        // Its answer does not fit into the memory of this service.
        if (error instanceof QuarryError) throw error;
        const wasSent = !NEVER_SENT.has(codeOf(error));
        this.#failed(node);
        if (left <= 0 || this.#isClosed || (wasSent && !request.repeatable)) {
          throw unreachable(node, request, error, wasSent);
        }
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const probe of this.#probes.values()) clearTimeout(probe);
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** Leaves the node out until it answers a probe. */
  #failed(node: ClusterNode): void {
    const pause = this.#nodes.failed(node);
    if (this.#isClosed || this.#probes.has(node)) return;
    const probe = setTimeout(() => this.#probe(node), pause).unref();
    this.#probes.set(node, probe);
  }

  /**
   * The health is what a node tells only with a master: one that is cut off from the others takes
   * connections and keeps what cannot be executed.
   */
  async #probe(node: ClusterNode): Promise<void> {
    const request = { method: 'GET', path: '/_cluster/health', repeatable: true } as const;
    const status = await this.#sendTo(node, request, this.#options.connectTimeoutMs)
      .then((answer) => answer.status)
      .catch(() => undefined);
    this.#probes.delete(node);
    if (status === undefined || UNABLE.has(status)) this.#failed(node);
    else this.#nodes.answered(node);
  }

  async #sendTo(
    node: ClusterNode,
    { method, path, body, ndjson, accept, waiter }: ClusterRequest,
    timeoutMs: number,
  ): Promise<ClusterAnswer> {
    const pool = await this.#poolOf(node);
    const type = ndjson === true ? 'application/x-ndjson' : 'application/json';
    const prefix = new URL(node.url).pathname.replace(/\/$/, '');
    const answer = await pool.request({
      method,
      path: `${prefix}${path}`,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(accept === undefined ? {} : { accept }),
      },
      body: body === undefined ? null : body,
      signal: waiter?.signal() ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const pieces: Buffer[] = [];
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      waiter?.reserve(piece.length);
      pieces.push(piece);
    }
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      body: Buffer.concat(pieces),
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    };
  }

  async #poolOf({ url }: ClusterNode): Promise<Pool> {
    const known = this.#pools.get(url);
    if (known !== undefined) return known;
    // Loaded with the first request, because a node on its own does not need it.
    const undici = await import('undici');
    const made = this.#pools.get(url);
    if (made !== undefined) return made;
    const { connections, connectTimeoutMs, ca } = this.#options;
    const pool = new undici.Pool(new URL(url).origin, {
      connections,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs, ...(ca === undefined ? {} : { ca }) },
    });
    this.#pools.set(url, pool);
    return pool;
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
}

/** Whether the cluster has executed the request, or will yet, is not known. */
export class UnknownOutcome extends QuarryError {}

function unreachable(
  { url }: ClusterNode,
  { method, path }: ClusterRequest,
  error: unknown,
  wasSent: boolean,
): QuarryError {
  const why = codeOf(error) || (error as Error).message;
  const outcome = wasSent
    ? 'whether it was executed is not known'
    : 'it was not executed: look at the cluster and at [cluster.urls]';
  const Unreachable = wasSent ? UnknownOutcome : QuarryError;
  return new Unreachable(
    'node_not_ready_exception',
    `the cluster does not answer [${method} ${path.split('?', 1)[0]}] at [${new URL(url).host}] (${why}), ${outcome}`,
    { headers: { 'Retry-After': '1' } },
  );
}
