// Sends one request to another server (an embeddings service, the source of a reindex) over pooled
// keep-alive connections. Redirects are not followed, addresses must be permitted by the list of
// hosts, and the size and time of the answer are limited. Does not retry.
import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { Agent } from 'undici';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  /** Added to those of a JSON request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Limit of the whole exchange. */
  readonly timeoutMs: number;
  /** Limit of the time in which no byte arrives; absent: only `timeoutMs` applies. */
  readonly idleTimeoutMs?: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>;

/**
 * No answer was received. For the kinds timeout and refused, a retry would fail in the same way.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: 'network' | 'timeout' | 'refused';

  constructor(kind: OutboundError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

type LookupAnswer = readonly { readonly address: string; readonly family: number }[];
/** Resolves a name to all of its addresses. */
export type Lookup = (
  host: string,
  done: (error: Error | null, addresses: LookupAnswer) => void,
) => void;

/** Decides on the addresses to which the host of a URL resolves. */
export interface AddressRule {
  /** Why no connection to `address` may be made for `url`; undefined if it is permitted. */
  objection(url: string, address: string): string | undefined;
}

const CONNECT_MS = 10_000;
/**
 * Less than the five seconds after which common servers close idle connections, so that no
 * connection is used while it is being closed.
 */
const KEEP_ALIVE_MS = 4_000;

/** The error of a lookup whose addresses are not permitted. */
class ForbiddenAddressError extends Error {}

function resolveAll(host: string, done: Parameters<Lookup>[1]): void {
  systemLookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []));
}

export class OutboundClient {
  readonly #hosts: AddressRule;
  readonly #lookup: Lookup;
  readonly #connectMs: number;
  /** Agents by origin, because permitted addresses depend on the port. */
  readonly #agents = new Map<string, Agent>();

  constructor(hosts: AddressRule, lookup: Lookup = resolveAll, connectMs = CONNECT_MS) {
    this.#hosts = hosts;
    this.#lookup = lookup;
    this.#connectMs = connectMs;
  }

  /** Rejects with OutboundError, or with the signal's reason if it is aborted. */
  async send(requested: OutboundRequest): Promise<OutboundAnswer> {
    const host = new URL(requested.url).hostname.replace(/^\[(.*)\]$/, '$1');
    const objection = isIP(host) === 0 ? undefined : this.#hosts.objection(requested.url, host);
    if (objection !== undefined) throw new OutboundError('refused', objection);
    requested.signal.throwIfAborted();
    const abort = new AbortController();
    const giveUp = (): void => abort.abort(requested.signal.reason);
    requested.signal.addEventListener('abort', giveUp, { once: true });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      abort.abort();
    }, requested.timeoutMs);
    try {
      return await this.#exchange(requested, abort.signal);
    } catch (error) {
      if (requested.signal.aborted) throw requested.signal.reason;
      if (late)
        throw new OutboundError('timeout', `did not answer within ${requested.timeoutMs} ms`);
      throw toOutboundError(error, this.#connectMs, requested.idleTimeoutMs);
    } finally {
      clearTimeout(timer);
      requested.signal.removeEventListener('abort', giveUp);
    }
  }

  /** Closes all connections; pending requests reject. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  async #exchange(requested: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    // Loaded with the first request, because most services send none.
    const undici = await import('undici');
    const { statusCode, headers, body } = await undici.request(requested.url, {
      method: requested.method,
      headers: {
        ...(requested.body === undefined ? {} : { 'content-type': 'application/json' }),
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...requested.headers,
      },
      body: requested.body ?? null,
      dispatcher: this.#agent(undici, requested.url),
      signal,
      // 0: the time limit of the whole exchange applies instead.
      headersTimeout: requested.idleTimeoutMs ?? 0,
      bodyTimeout: requested.idleTimeoutMs ?? 0,
    });
    const encoding = text(headers['content-encoding']);
    if (encoding !== undefined && encoding !== 'identity') {
      body.on('error', () => {}).destroy();
      throw new OutboundError(
        'refused',
        `answered with the content encoding [${encoding}] unasked`,
      );
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes > requested.maxAnswerBytes) {
        throw new OutboundError('refused', `answered more than ${requested.maxAnswerBytes} bytes`);
      }
      chunks.push(chunk as Buffer);
    }
    return {
      status: statusCode,
      contentType: text(headers['content-type']),
      retryAfter: text(headers['retry-after']),
      body: Buffer.concat(chunks, bytes),
    };
  }

  #agent(undici: typeof import('undici'), url: string): Agent {
    const { origin } = new URL(url);
    let agent = this.#agents.get(origin);
    if (agent === undefined) {
      agent = new undici.Agent({
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connect: {
          timeout: this.#connectMs,
          lookup: (host, options, done) => this.#resolve(origin, host, options.all === true, done),
        },
      });
      this.#agents.set(origin, agent);
    }
    return agent;
  }

  /**
   * The lookup of the connection pool, so that connections go only to addresses that were checked.
   */
  #resolve(
    origin: string,
    host: string,
    all: boolean,
    done: (
      error: Error | null,
      address: string | { address: string; family: number }[],
      family?: number,
    ) => void,
  ): void {
    this.#lookup(host, (error, addresses) => {
      if (error !== null) return done(error, '');
      const objections = addresses.map(({ address }) => this.#hosts.objection(origin, address));
      const objection = objections.find((one) => one !== undefined);
      if (objection !== undefined) return done(new ForbiddenAddressError(objection), '');
      const [first] = addresses;
      if (first === undefined) return done(new Error(`[${host}] has no address`), '');
      if (all) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  }
}

function text(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function toOutboundError(
  error: unknown,
  connectMs: number,
  idleMs: number | undefined,
): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof ForbiddenAddressError) return new OutboundError('refused', error.message);
  const { code } = error as { code?: unknown };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundError('network', `cannot be reached within ${connectMs} ms`);
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new OutboundError('timeout', `sent nothing for ${idleMs} ms`);
  }
  const what = typeof code === 'string' ? code : (error as Error).name;
  return new OutboundError('network', `cannot be reached or broke off its answer (${what})`);
}
