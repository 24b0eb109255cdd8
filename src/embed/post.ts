// One POST to an embeddings service over a pool of kept connections: no redirects, every connection to an address that the
// list of hosts allows, answers up to a size, within a time. Retries are not its business.
import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, errors, request } from 'undici';
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

/** No answer was had. `kind` timeout and refused: another try would end the same. */
export class PostError extends Error {
  override readonly name = 'PostError';
  readonly kind: 'network' | 'timeout' | 'refused';

  constructor(kind: PostError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

type LookupAnswer = readonly { readonly address: string; readonly family: number }[];
/** Every address of a name. */
export type Lookup = (
  host: string,
  done: (error: Error | null, addresses: LookupAnswer) => void,
) => void;

const CONNECT_MS = 10_000;
/** Below the five seconds after which common servers close an idle connection, so that none is used as it closes. */
const KEEP_ALIVE_MS = 4_000;

/** What the lookup of a connection that must not be made fails with. */
class ForbiddenAddressError extends Error {}

function resolveAll(host: string, done: Parameters<Lookup>[1]): void {
  systemLookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []));
}

export class Poster {
  readonly #hosts: AllowedHosts;
  readonly #lookup: Lookup;
  /** By origin: a name's addresses are judged by the entry of its port. */
  readonly #agents = new Map<string, Agent>();

  constructor(hosts: AllowedHosts, lookup: Lookup = resolveAll) {
    this.#hosts = hosts;
    this.#lookup = lookup;
  }

  /** Rejects with PostError; with the signal's reason when that was given up. */
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

  /** Ends all connections; what is still running rejects. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  async #send(requested: PostRequest, signal: AbortSignal): Promise<PostAnswer> {
    const { statusCode, headers, body } = await request(requested.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...requested.headers,
      },
      body: requested.body,
      dispatcher: this.#agent(requested.url),
      signal,
      // One limit for the whole exchange, ours.
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

  #agent(url: string): Agent {
    const { origin } = new URL(url);
    let agent = this.#agents.get(origin);
    if (agent === undefined) {
      agent = new Agent({
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

  /** What node asks when it connects to a name: the connection goes to the very address that was judged. */
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
  if (error instanceof errors.ConnectTimeoutError) {
    return new PostError('network', `cannot be reached within ${CONNECT_MS} ms`);
  }
  const { code } = error as { code?: unknown };
  const what = typeof code === 'string' ? code : (error as Error).name;
  return new PostError('network', `cannot be reached or broke off its answer (${what})`);
}
