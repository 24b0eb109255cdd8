// Shared by commands that use a running service: its address and key, and requests that throw the
// reason of an error.
import { trimEndOf } from '../base/trim-end.js';
import { ConfigError } from '../config/load.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = 'http://127.0.0.1:9200';

/** The address: --url, else QUARRY_URL, else the default port of this machine. */
export function urlOf(values: ReadonlyMap<string, string>, environment: Environment): string {
  const url = values.get('url') ?? environment['QUARRY_URL'] ?? DEFAULT_URL;
  if (!/^https?:\/\/[^/\s]+/.test(url)) {
    throw new ConfigError(`--url must look like ${DEFAULT_URL}, not [${url}]`);
  }
  return trimEndOf(url, '/');
}

export function keyOf(
  values: ReadonlyMap<string, string>,
  environment: Environment,
): string | undefined {
  return values.get('api-key') ?? (environment['QUARRY_API_KEY'] || undefined);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read member by member
export type Answer = any;

export interface Client {
  readonly url: string;
  /** Returns the parsed answer; rejects with the reason of an error. */
  json(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Answer>;
  /** Returns the bytes of an answer as a stream. */
  lines(path: string): Promise<AsyncIterable<Buffer>>;
  /** Sends NDJSON. */
  send(path: string, body: Buffer): Promise<Answer>;
}

export function clientOf(values: ReadonlyMap<string, string>, environment: Environment): Client {
  const url = urlOf(values, environment);
  const key = keyOf(values, environment);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const open = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: string | Buffer,
    type = 'application/json',
  ) => {
    // Most commands end before a request: help, flags that are refused.
    const { request } = await import('undici');
    const reply = await request(url + path, {
      method,
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    }).catch((error: Error) => {
      throw new Error(
        `no service answers at ${url}: ${error.message}; start it with quarry serve, or give --url`,
      );
    });
    if (reply.statusCode < 300) return reply.body;
    throw refusal(reply.statusCode, path, await reply.body.text());
  };
  return {
    url,
    async json(method, path, body) {
      const reply = await open(method, path, body === undefined ? undefined : JSON.stringify(body));
      return reply.json();
    },
    lines: (path) => open('GET', path),
    async send(path, body) {
      return (await open('POST', path, body, 'application/x-ndjson')).json();
    },
  };
}

/** An error answer of the service. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.name = 'Refused';
    this.status = status;
  }
}

function refusal(status: number, path: string, text: string): RequestError {
  const remedy = status === 401 ? '; give a key with --api-key or QUARRY_API_KEY' : '';
  try {
    const { error } = JSON.parse(text) as { error: Cause & { root_cause?: readonly Cause[] } };
    // If a search failed on all shards, only the root cause contains the reason.
    return new RequestError(status, `${(error.root_cause?.[0] ?? error).reason}${remedy}`);
  } catch {
    return new RequestError(status, `${path} answered ${status}: ${text.slice(0, 500)}`);
  }
}

interface Cause {
  readonly reason: string;
}
