// Sends requests: addresses, bodies, the key, timeouts, and which requests are sent again when.
import { ConnectionError, errorOf, QuarryError, TimeoutError } from './errors.js';
import { BEHAVIOUR } from './generated.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Lines of NDJSON as text or bytes, or what is to be printed as lines. */
export type Lines<T> = string | Uint8Array | Iterable<T | string>;

export interface QuarryOptions {
  /** Default: the environment variable QUARRY_URL, else http://127.0.0.1:9200. */
  readonly url?: string | undefined;
  /** Default: the environment variable QUARRY_API_KEY, else none. */
  readonly apiKey?: string | undefined;
  /** Milliseconds of one attempt; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again; 3 unless given. */
  readonly maxRetries?: number | undefined;
  /** The longest pause before a request is sent again; 30,000 ms unless given. */
  readonly maxRetryWaitMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An operation of the API. */
export interface Operation {
  readonly verb: string;
  /** With `{name}` for each argument. */
  readonly path: string;
  /** Members of the input that go into the query string; the others are the body. */
  readonly query: readonly string[];
  /** Those of them that are sent as JSON. */
  readonly json: readonly string[];
  readonly body: 'json' | 'lines' | 'none';
  /** When the request may be repeated though the first one perhaps took effect. */
  readonly repeat: 'always' | 'never' | { readonly with: string };
  /** 404 without an error is an answer. */
  readonly missing: boolean;
}

/** A request without its origin. */
export interface Request {
  readonly verb: string;
  /** With the query string. */
  readonly address: string;
  readonly body?: string | Uint8Array | undefined;
  readonly contentType?: string | undefined;
  /** Whether it may be sent twice. */
  readonly repeatable: boolean;
}

const DEFAULT_URL = 'http://127.0.0.1:9200';
const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';

export class Transport {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  readonly #maxRetryWaitMs: number;
  readonly #fetch: typeof fetch;

  constructor(options: QuarryOptions = {}) {
    const url = options.url ?? environment('QUARRY_URL') ?? DEFAULT_URL;
    if (!/^https?:\/\/[^/\s]/.test(url)) {
      throw new TypeError(`[url] must look like ${DEFAULT_URL}, not [${url}]`);
    }
    const key = options.apiKey ?? environment('QUARRY_API_KEY');
    this.#url = url.replace(/\/+$/, '');
    this.#headers = {
      ...(key === undefined ? {} : { authorization: `ApiKey ${key}` }),
      ...options.headers,
    };
    this.#timeoutMs = options.timeoutMs ?? BEHAVIOUR.timeoutMs;
    this.#maxRetries = options.maxRetries ?? BEHAVIOUR.maxRetries;
    this.#maxRetryWaitMs = options.maxRetryWaitMs ?? BEHAVIOUR.maxRetryWaitMs;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  async json<T>(
    operation: Operation,
    values: readonly string[],
    input: object,
    options?: CallOptions,
    params?: JsonObject,
  ): Promise<T> {
    const request = requestOf(operation, values, input, params);
    return (await this.#parsed(request, operation.missing, options)) as T;
  }

  async sendLines<T, L>(
    operation: Operation,
    values: readonly string[],
    lines: Lines<L>,
    options?: CallOptions,
    params?: JsonObject,
  ): Promise<T> {
    const request = requestOf(operation, values, {}, params);
    const body = linesOf(lines);
    const all = { ...request, body, contentType: LINES_TYPE };
    return (await this.#parsed(all, operation.missing, options)) as T;
  }

  /** The lines of an answer as they arrive, each without its end. */
  async *readLines(
    operation: Operation,
    values: readonly string[],
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    const request = requestOf(operation, values, {});
    const { body } = await this.#send(request, false, options, false);
    let rest = '';
    if (body === null) return;
    const decoder = new TextDecoder();
    for await (const bytes of chunksOf(body)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  }

  /** The items of all pages; `next` of a page is `after` of the next one. */
  async *items<T>(
    operation: Operation,
    values: readonly string[],
    member: string,
    input: object,
    options?: CallOptions,
  ): AsyncGenerator<T, void, undefined> {
    let page: object = { size: BEHAVIOUR.pageSize, ...defined(input) };
    for (;;) {
      const answer = await this.json<Record<string, unknown>>(operation, values, page, options);
      yield* answer[member] as readonly T[];
      const { next } = answer;
      if (next === undefined) return;
      page = { ...page, after: next };
    }
  }

  /** Any request; what may be repeated follows from the method. */
  async request(
    verb: string,
    path: string,
    { params, body }: { readonly params?: JsonObject; readonly body?: unknown },
    options?: CallOptions,
  ): Promise<unknown> {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const content = body === undefined || isText ? body : JSON.stringify(body);
    const request = {
      verb: verb.toUpperCase(),
      address: path + queryOf(Object.entries(params ?? {})),
      body: content,
      contentType: isText ? LINES_TYPE : JSON_TYPE,
      repeatable: ['GET', 'HEAD', 'PUT', 'DELETE'].includes(verb.toUpperCase()),
    };
    return this.#parsed(request, true, options);
  }

  async #parsed(request: Request, missing: boolean, options?: CallOptions): Promise<unknown> {
    const response = await this.#send(request, missing, options, true);
    const text = await response.text();
    if (text === '') return { status: response.status };
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return isJson ? JSON.parse(text) : text;
  }

  /** Sends the request, again where that is safe. The body of the answer is read already if `whole`. */
  async #send(
    request: Request,
    missing: boolean,
    options: CallOptions = {},
    whole: boolean,
  ): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      let failure: QuarryError;
      try {
        const response = await this.#attempt(request, options, whole);
        if (response.status < 400) return response;
        const text = await response.text();
        if (missing && response.status === 404 && !text.includes('"error"')) {
          return new Response(text, response);
        }
        failure = errorOf(response.status, text, response.headers.get('retry-after'));
      } catch (error) {
        if (!(error instanceof QuarryError)) throw error;
        failure = error;
      }
      const most = options.maxRetries ?? this.#maxRetries;
      const wait = attempt < most ? retryWait(failure, attempt, request.repeatable) : undefined;
      if (wait === undefined || wait > this.#maxRetryWaitMs) throw failure;
      await pause(wait, options.signal);
    }
  }

  async #attempt(request: Request, options: CallOptions, whole: boolean): Promise<Response> {
    const { verb, address, body, contentType } = request;
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), timeoutMs);
    const abort = (): void => clock.abort(options.signal?.reason);
    options.signal?.throwIfAborted();
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      const response = await this.#fetch(this.#url + address, {
        method: verb,
        headers: {
          ...this.#headers,
          ...(body === undefined ? {} : { 'content-type': contentType ?? JSON_TYPE }),
        },
        ...(body === undefined ? {} : { body: body as string }),
        signal: clock.signal,
      });
      if (!whole) return response;
      const { status, headers } = response;
      const text = await response.text();
      // These statuses have no body.
      return new Response([204, 304].includes(status) ? null : text, { status, headers });
    } catch (error) {
      options.signal?.throwIfAborted();
      if (clock.signal.aborted) throw new TimeoutError(timeoutMs);
      throw connectionError(this.#url, error);
    } finally {
      clearTimeout(timer);
      if (whole) options.signal?.removeEventListener('abort', abort);
    }
  }
}

/** Milliseconds to wait before the request is sent again; undefined: it is not. */
export function retryWait(
  failure: QuarryError,
  attempt: number,
  repeatable: boolean,
  random: () => number = Math.random,
): number | undefined {
  const { status, type, quota, retryAfter } = failure;
  if (quota !== undefined && quota !== BEHAVIOUR.lastingQuota) return undefined;
  const isRefused =
    includes(BEHAVIOUR.refusedStatuses, status) ||
    includes(BEHAVIOUR.refusedTypes, type) ||
    (failure instanceof ConnectionError && failure.refused);
  const isLost = status === 0 || includes(BEHAVIOUR.repeatStatuses, status);
  if (!isRefused && !(repeatable && isLost)) return undefined;
  if (retryAfter !== undefined) return 1000 * retryAfter;
  // From half of the pause on, so that clients that were refused together come back apart.
  return BEHAVIOUR.backoffMs * 2 ** attempt * (0.5 + random() / 2);
}

function includes<T>(list: readonly T[], one: unknown): boolean {
  return (list as readonly unknown[]).includes(one);
}

/** The request of an operation. */
export function requestOf(
  { verb, path, query, json, body, repeat }: Operation,
  values: readonly string[],
  input: object,
  params: JsonObject = {},
): Request {
  let at = 0;
  const address = path.replace(/\{\w+\}/g, () => encodeURIComponent(segment(values[at++])));
  const members = Object.entries(defined(input));
  const inQuery = members
    .filter(([name]) => query.includes(name))
    .map(([name, value]) => [name, json.includes(name) ? JSON.stringify(value) : value] as const);
  const inBody = Object.fromEntries(members.filter(([name]) => !query.includes(name)));
  return {
    verb,
    address: address + queryOf([...inQuery, ...Object.entries(defined(params))]),
    ...(body === 'json' && verb !== 'GET'
      ? { body: JSON.stringify(inBody), contentType: JSON_TYPE }
      : {}),
    repeatable:
      repeat === 'always' || (repeat !== 'never' && (input as JsonObject)[repeat.with] != null),
  };
}

/** An empty part would name another address. */
function segment(value: string | undefined): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError('a part of the address is empty: give the name or the id');
}

function defined(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function queryOf(params: readonly (readonly [string, unknown])[]): string {
  const given = params.filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  const texts = given.map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value);
    return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
  });
  return `?${texts.join('&')}`;
}

function linesOf<T>(lines: Lines<T>): string | Uint8Array {
  if (typeof lines === 'string' || lines instanceof Uint8Array) return lines;
  let body = '';
  for (const line of lines) body += `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
  return body;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function connectionError(url: string, error: unknown): ConnectionError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : '';
  const why = cause instanceof Error ? cause.message : String(error);
  const refused = code === 'ECONNREFUSED';
  return new ConnectionError(`no answer from ${url}: ${why}`, refused, error);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** An environment variable, where the platform has any; empty is absent. */
function environment(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] || undefined;
}
