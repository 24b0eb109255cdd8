// Sends signed requests to one bucket over pooled connections, and repeats them after failures that
// may be temporary. Redirects are not followed; size and time of each answer are limited.
import { AwsV4Signer } from 'aws4fetch';
import type { Agent } from 'undici';
import { backOffMs, LONGEST_RETRY_AFTER_MS, retryAfterMs } from '../../base/back-off.js';
import { StoreError } from '../blob-store.js';
import { placeText, type S3Place } from './place.js';
import { childText, parseXml } from './xml.js';

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Clocks, randomness and limits, injected for tests. */
export interface S3Surroundings {
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Resolves immediately when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborted when the server stops: no request is repeated any more. */
  readonly signal: AbortSignal;
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below the base path; empty for the bucket itself. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly maxAnswerBytes: number;
  /** Statuses that are answers and not failures, in addition to those from 200 to 299. */
  readonly expected?: readonly number[];
}

export interface S3Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Number of requests that it took. */
  readonly attempts: number;
}

const ATTEMPTS = 5;
const CONNECT_MS = 10_000;
/** Time of one request with its answer: a part of 8 MiB takes as long at 70 KiB a second. */
const REQUEST_MS = 120_000;
/** Less than the time after which common servers close idle connections. */
const KEEP_ALIVE_MS = 4_000;
const MAX_CONNECTIONS = 16;
const MAX_ERROR_BYTES = 64 * 1024;
const TEMPORARY = [408, 429, 500, 502, 503, 504];
const TEMPORARY_CODES = ['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable'];
const EMPTY = new Uint8Array();

/** Connections of all repositories; one for each server process. */
export class S3Connections {
  #agent: Agent | undefined;

  async agent(): Promise<{ readonly undici: typeof import('undici'); readonly agent: Agent }> {
    // Loaded with the first request, because most servers have no repository in S3.
    const undici = await import('undici');
    this.#agent ??= new undici.Agent({
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { timeout: CONNECT_MS },
    });
    return { undici, agent: this.#agent };
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
    this.#agent = undefined;
  }
}

/** One failed attempt. */
interface Failure {
  readonly temporary: boolean;
  readonly fault: StoreError['fault'];
  readonly why: string;
  readonly retryAfterMs?: number | undefined;
}

export class S3Client {
  readonly place: S3Place;
  readonly #keys: S3Keys;
  readonly #connections: S3Connections;
  readonly #around: S3Surroundings;
  /** Signing keys by day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(
    place: S3Place,
    keys: S3Keys,
    connections: S3Connections,
    surroundings: S3Surroundings,
  ) {
    this.place = place;
    this.#keys = keys;
    this.#connections = connections;
    this.#around = surroundings;
  }

  /** Rejects with StoreError. */
  async send(request: S3Request): Promise<S3Answer> {
    const { random, pause, signal } = this.#around;
    for (let attempts = 1; ; attempts++) {
      const result = await this.#attempt(request);
      if ('status' in result) return { ...result, attempts };
      const wait = Math.max(backOffMs(attempts, random), result.retryAfterMs ?? 0);
      const repeats =
        result.temporary &&
        attempts < ATTEMPTS &&
        wait <= LONGEST_RETRY_AFTER_MS &&
        !signal.aborted;
      if (!repeats) throw this.#error(request, result, attempts);
      await pause(wait, signal);
      if (signal.aborted) throw this.#error(request, result, attempts);
    }
  }

  async #attempt(request: S3Request): Promise<Omit<S3Answer, 'attempts'> | Failure> {
    const { undici, agent } = await this.#connections.agent();
    const { url, headers } = await this.#signed(request);
    const time = AbortSignal.timeout(REQUEST_MS);
    try {
      const answer = await undici.request(url, {
        method: request.method,
        headers,
        body: request.body ?? null,
        dispatcher: agent,
        signal: time,
        // The time limit of the whole exchange applies instead.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const { statusCode: status } = answer;
      const good = status < 300 || request.expected?.includes(status) === true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      // An answer that is left early may still fail.
      answer.body.on('error', () => {});
      for await (const chunk of answer.body) {
        bytes += (chunk as Buffer).length;
        if (status < 300 && bytes > request.maxAnswerBytes) {
          const why = `it answered more than [${request.maxAnswerBytes}] bytes`;
          return { temporary: false, fault: 'answer', why };
        }
        chunks.push(chunk as Buffer);
        if (status >= 300 && bytes > MAX_ERROR_BYTES) break;
      }
      const body = Buffer.concat(chunks);
      if (good) return { status, headers: answer.headers, body };
      return this.#failureOf(status, answer.headers, body);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      const what = typeof code === 'string' ? code : (error as Error).name;
      const why = time.aborted
        ? `it did not answer within ${REQUEST_MS} ms`
        : `it cannot be reached or broke off its answer (${what})`;
      return { temporary: true, fault: 'unavailable', why };
    }
  }

  async #signed({ method, path, query = {}, headers = {}, body = EMPTY }: S3Request) {
    const url = addressOf(this.place, path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const digest = await crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': Buffer.from(digest).toString('hex') },
      accessKeyId: this.#keys.accessKeyId,
      secretAccessKey: this.#keys.secretAccessKey,
      ...(this.#keys.sessionToken === undefined ? {} : { sessionToken: this.#keys.sessionToken }),
      service: 's3',
      region: this.place.region,
      cache: this.#signingKeys,
      datetime: dateTime(this.#around.nowMs()),
    });
    const signed = await signer.sign();
    return { url: signed.url.href, headers: Object.fromEntries(signed.headers) };
  }

  #failureOf(status: number, headers: S3Answer['headers'], body: Buffer): Failure {
    const { code, message } = readError(body);
    const region = headers['x-amz-bucket-region'];
    const where =
      typeof region === 'string' && region !== this.place.region
        ? `, the bucket is in region [${printable(region)}]`
        : '';
    const temporary = TEMPORARY.includes(status) || TEMPORARY_CODES.includes(code);
    const retryAfter = headers['retry-after'];
    return {
      temporary,
      fault: temporary ? 'unavailable' : status < 300 ? 'answer' : 'settings',
      why: `it answered [${status}${code === '' ? '' : ` ${code}`}]${message === '' ? '' : `: ${message}`}${where}`,
      retryAfterMs: retryAfterMs(
        typeof retryAfter === 'string' ? retryAfter : undefined,
        this.#around.nowMs(),
      ),
    };
  }

  #error({ method, path }: S3Request, failure: Failure, attempts: number): StoreError {
    const times = attempts === 1 ? '' : ` (after ${attempts} attempts)`;
    const what = `[${method} ${path === '' ? '/' : path}] of [${placeText(this.place)}]`;
    return new StoreError(failure.fault, `S3 failed to do ${what}: ${failure.why}${times}`);
  }
}

/** The address of a file; of the bucket for an empty path. */
function addressOf({ endpoint, bucket, basePath, pathStyle }: S3Place, path: string): URL {
  const url = new URL(endpoint);
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`;
  const names = [
    ...(pathStyle ? [bucket] : []),
    ...(path === '' ? [] : keyOf(basePath, path).split('/')),
  ];
  url.pathname = `/${names.map(encodeURIComponent).join('/')}`;
  return url;
}

/** The key of a file in the bucket. */
export function keyOf(basePath: string, path: string): string {
  return basePath === '' ? path : `${basePath}/${path}`;
}

/** 20261127T153000Z */
function dateTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[:-]|\.\d{3}/g, '');
}

/** Code and message of an error; empty if the answer has none. */
export function readError(body: Uint8Array): { readonly code: string; readonly message: string } {
  try {
    const root = parseXml(Buffer.from(body).toString('utf8'));
    if (root.name !== 'Error') return { code: '', message: '' };
    return {
      code: printable(childText(root, 'Code') ?? ''),
      message: printable(childText(root, 'Message') ?? ''),
    };
  } catch {
    return { code: '', message: '' };
  }
}

const MAX_SHOWN = 300;

/** What a server wrote, in a form that cannot forge lines of the log. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, MAX_SHOWN);
}
