// The cases that hold both clients to one behaviour (clients/cases/transport.json), run against the
// client for TypeScript; that for Python runs them in clients/python/tests.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { camel } from '../../clients/generator/typescript.ts';
import {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../clients/typescript/src/errors.ts';
import { Quarry, type QuarryOptions } from '../../clients/typescript/src/index.ts';

type Json = Record<string, unknown>;
type Call = readonly [api: string, name: string, address: readonly string[], input: Json];

interface TransportCases {
  readonly requests: readonly {
    readonly about: string;
    readonly call: Call;
    readonly sent: readonly [verb: string, address: string, body: unknown];
  }[];
  readonly errors: readonly {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly answer: unknown;
    readonly kind: string;
    readonly type: string;
    readonly field: string | null;
    readonly retry_after?: number;
  }[];
  readonly retries: readonly {
    readonly about: string;
    readonly call: Call;
    readonly answers: readonly (readonly [number | string, (string | null)?, (string | null)?])[];
    readonly requests: number;
    readonly kind?: string;
  }[];
}

const KINDS = {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  PermissionError,
  RateLimitError,
  ServerError,
};

const transport = JSON.parse(
  readFileSync('clients/cases/transport.json', 'utf8'),
) as TransportCases;

async function make(call: Call, options: QuarryOptions): Promise<unknown> {
  const client = new Quarry({ url: 'http://service', ...options });
  const [api, name, address, input] = call;
  const methods = client[api as 'memory' | 'graph'] as unknown as Record<
    string,
    (...all: unknown[]) => Promise<unknown>
  >;
  const given = Object.keys(input).length === 0 ? [] : [input];
  return methods[camel(name)]?.bind(methods)(...address, ...given);
}

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain' : 'application/json';
  return new Response(isText ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': type, ...headers },
  });
}

describe('a request', () => {
  test.each(transport.requests)('$about', async ({ call, sent: [verb, address, body] }) => {
    const sent: unknown[] = [];
    await make(call, {
      fetch: async (url, init) => {
        const text = init?.body;
        sent.push([
          init?.method,
          String(url).slice('http://service'.length),
          typeof text === 'string' ? JSON.parse(text) : null,
        ]);
        return answer(200, {});
      },
    });
    expect(sent).toEqual([[verb, address, body]]);
  });

  test('has the key, and the headers of the client', async () => {
    const seen: unknown[] = [];
    const fetch: QuarryOptions['fetch'] = async (_, init) => {
      seen.push(init?.headers);
      return answer(200, {});
    };
    await make(['memory', 'get', ['ann', 'm'], {}], {
      fetch,
      apiKey: 'secret',
      headers: { 'x-opaque-id': 'app' },
    });
    expect(seen).toEqual([{ authorization: 'ApiKey secret', 'x-opaque-id': 'app' }]);
  });

  test('names what is wrong with an address or an argument before it is sent', async () => {
    expect(() => new Quarry({ url: 'localhost:9200' })).toThrow('[url] must look like');
    await expect(make(['memory', 'get', ['ann', ''], {}], {})).rejects.toThrow('empty');
  });
});

describe('an error', () => {
  test.each(transport.errors)('$status as $kind about $field', async (one) => {
    const failure = await make(['memory', 'recall', ['ann'], {}], {
      maxRetries: 0,
      fetch: async () => answer(one.status, one.answer, one.headers),
    }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(KINDS[one.kind as keyof typeof KINDS]);
    expect(failure).toMatchObject({
      status: one.status,
      type: one.type,
      field: one.field ?? undefined,
      retryAfter: one.retry_after,
    });
  });
});

describe('retries', () => {
  test.each(transport.retries)('$about', async ({ call, answers, requests, kind }) => {
    let count = 0;
    const fetch: QuarryOptions['fetch'] = async () => {
      const [status = 0, retryAfter = null, what = null] = answers[count++] ?? [];
      if (typeof status === 'string') {
        const cause = Object.assign(new Error(status), {
          code: status === 'refused' ? 'ECONNREFUSED' : 'ECONNRESET',
        });
        throw new TypeError('fetch failed', { cause });
      }
      const headers = retryAfter === null ? undefined : { 'retry-after': retryAfter };
      if (status === 200) return answer(200, {});
      if (what === 'found:false') return answer(status, { found: false });
      const quota = what?.startsWith('quota:') ? { quota: what.slice(6) } : {};
      return answer(status, { error: { type: what ?? 'x', reason: 'no', ...quota } }, headers);
    };
    const result = await make(call, { fetch, maxRetryWaitMs: 2000 }).catch(
      (error: unknown) => error,
    );
    expect(count).toBe(requests);
    if (kind === undefined) expect(result).not.toBeInstanceOf(Error);
    else expect(result).toBeInstanceOf(KINDS[kind as keyof typeof KINDS]);
  });

  test('end with the caller, and an attempt with its time', async () => {
    const hanging: QuarryOptions['fetch'] = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const client = new Quarry({ fetch: hanging, timeoutMs: 5, maxRetries: 1 });
    await expect(client.memory.get('ann', 'm')).rejects.toBeInstanceOf(TimeoutError);
    const stop = new AbortController();
    const call = new Quarry({ fetch: hanging }).memory.get('ann', 'm', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

describe('a paged list', () => {
  test('is read page by page', async () => {
    const addresses: string[] = [];
    const client = new Quarry({
      url: 'http://service',
      fetch: async (url) => {
        addresses.push(new URL(String(url)).search);
        const next = addresses.length < 3 ? { next: `n${addresses.length}` } : {};
        return answer(200, { entries: [{ id: `m${addresses.length}` }], ...next });
      },
    });
    const ids: string[] = [];
    for await (const { id } of client.memory.listAll('ann', { sort: 'id' })) ids.push(id);
    expect(ids).toEqual(['m1', 'm2', 'm3']);
    expect(addresses).toEqual([
      '?size=500&sort=id',
      '?size=500&sort=id&after=n1',
      '?size=500&sort=id&after=n2',
    ]);
  });
});
