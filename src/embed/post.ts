// Sends one POST to an embeddings service over pooled keep-alive connections. Redirects are not
// followed, addresses must be permitted by the list of hosts, and the size and time of the answer
// are limited. Does not retry.
import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import type { AllowedHosts } from './allowed-hosts.js';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

export type Post = (request: PostRequest) => Promise<PostAnswer>;

/**
 * No answer was received. For the kinds timeout and refused, a retry would fail in the same way.
 */
export class PostError extends Error {
  override readonly name = 'PostError';
  readonly kind: 'network' | 'timeout' | 'refused';

  constructor(kind: PostError['kind'], message: string) {
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

export class Poster {
  readonly #hosts: AllowedHosts;
  readonly #lookup: Lookup;
  /** Agents by origin, because permitted addresses depend on the port. */
  readonly #agents = new Map<string, Agent>();

  constructor(hosts: AllowedHosts, lookup: Lookup = resolveAll) {
    this.#hosts = hosts;
    this.#lookup = lookup;
  }

  /** Rejects with PostError, or with the signal's reason if it is aborted. */
  async post(requested: PostRequest): Promise<PostAnswer> {
    const host = new URL(requested.url).hostname.replace(/^\[(.*)\]$/, '$1');
    const objection = isIP(host) === 0 ? undefined : this.#hosts.objection(requested.url, host);
    if (objection !== undefined) throw new PostError('refused', objection);
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
      return await this.#send(requested, abort.signal);
    } catch (error) {
      if (requested.signal.aborted) throw requested.signal.reason;
      if (late) throw new PostError('timeout', `did not answer within ${requested.timeoutMs} ms`);
      throw toPostError(error);
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

  async #send(requested: PostRequest, signal: AbortSignal): Promise<PostAnswer> {
    // Loaded with the first request, because most services have no remote embeddings.
    const undici = await import('undici');
    const { statusCode, headers, body } = await undici.request(requested.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...requested.headers,
      },
      body: requested.body,
      dispatcher: this.#agent(undici, requested.url),
      signal,
      // The time limit of the whole exchange applies instead.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const encoding = text(headers['content-encoding']);
    if (encoding !== undefined && encoding !== 'identity') {
      body.on('error', () => {}).destroy();
      throw new PostError('refused', `answered with the content encoding [${encoding}] unasked`);
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes > requested.maxAnswerBytes) {
        throw new PostError('refused', `answered more than ${requested.maxAnswerBytes} bytes`);
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
          timeout: CONNECT_MS,
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

function toPostError(error: unknown): PostError {
  if (error instanceof PostError) return error;
  if (error instanceof ForbiddenAddressError) return new PostError('refused', error.message);
  const { code } = error as { code?: unknown };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new PostError('network', `cannot be reached within ${CONNECT_MS} ms`);
  }
  const what = typeof code === 'string' ? code : (error as Error).name;
  return new PostError('network', `cannot be reached or broke off its answer (${what})`);
}
