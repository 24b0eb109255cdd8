// Embedding texts by a real service over loopback: batches, order, caching, fairness, retries, and
// all kinds of errors.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RemoteEndpoint } from '../../src/embed/endpoint.ts';
import {
  DIMS,
  type EmbeddingsService,
  gate,
  startEmbeddingsService,
  vectorOf,
} from '../tools/embeddings-service.ts';
import { type Numbers, type TestEmbedder, testEmbedder } from './surroundings.ts';

const KEY = 'sk-a-very-secret-key';
const environment = { THE_KEY: KEY };

let service: EmbeddingsService;
let made: TestEmbedder[] = [];
beforeEach(async () => {
  service = await startEmbeddingsService();
});
afterEach(async () => {
  await Promise.all(made.map((one) => one.close()));
  made = [];
  await service.stop();
});

function embedder(numbers: Numbers = {}, hosts = ''): TestEmbedder {
  const one = testEmbedder(numbers, { environment, hosts });
  made.push(one);
  return one;
}

function endpoint(more: Partial<RemoteEndpoint> = {}): RemoteEndpoint {
  return { url: `${service.url}/embeddings`, model: 'm', ...more };
}

const floats = (text: string): Float32Array => Float32Array.from(vectorOf(text));
const texts = (count: number): string[] => Array.from({ length: count }, (_, i) => `text ${i}`);

describe('a service that works', () => {
  test('gives every text its vector, in order, in batches', async () => {
    const { remote, outcomes } = embedder({ batchSize: 4 });
    const all = texts(10);
    expect(await remote.embed(endpoint(), all)).toEqual(all.map(floats));
    expect(service.requests.map(({ input }) => input.length).sort()).toEqual([2, 4, 4]);
    expect(service.requests[0]).toMatchObject({ path: '/v1/embeddings', model: 'm' });
    expect(outcomes).toEqual(['ok', 'ok', 'ok']);
  });

  test('is sent model and input, and the key in a header', async () => {
    const { remote } = embedder();
    await remote.embed(endpoint({ apiKeyEnv: 'THE_KEY' }), ['a']);
    expect(service.requests[0]?.body).toEqual({ model: 'm', input: ['a'] });
    expect(service.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`);
  });

  test('is sent dimensions, user and organization only where they were given', async () => {
    const { remote } = embedder();
    const { model: _model, ...plain } = endpoint();
    const full = { dims: DIMS, asksDims: true, user: 'u', organization: 'o' } as const;
    await remote.embed(endpoint(full), ['a']);
    await remote.embed({ ...plain, dims: DIMS }, ['a']);
    expect(service.requests.map(({ body }) => body)).toEqual([
      { model: 'm', input: ['a'], dimensions: DIMS, user: 'u' },
      { input: ['a'] },
    ]);
    expect(service.requests[0]?.headers['openai-organization']).toBe('o');
  });

  test('is asked once for a text that comes twice, and never again', async () => {
    const { remote } = embedder();
    const [one, two, again] = await remote.embed(endpoint(), ['a b', 'c', 'a b']);
    expect(again).toBe(one);
    expect(await remote.embed(endpoint(), ['c', 'a b'])).toEqual([two, one]);
    expect(service.requests.map(({ input }) => input)).toEqual([['a b', 'c']]);
  });

  test('is asked again by another model', async () => {
    const { remote } = embedder();
    await remote.embed(endpoint(), ['a']);
    await remote.embed(endpoint({ model: 'n' }), ['a']);
    expect(service.requests.map(({ model }) => model)).toEqual(['m', 'n']);
  });

  test('is asked by no more requests at once than allowed, searches first', async () => {
    const { remote } = embedder({ batchSize: 1, maxConcurrent: 2 });
    const { opened, open } = gate();
    service.behave(async () => {
      await opened;
      return undefined;
    });
    const write = remote.embed(endpoint(), texts(5));
    while (service.requests.length < 2) await new Promise(setImmediate);
    const search = remote.embed(endpoint(), ['query'], { urgent: true });
    open();
    await Promise.all([write, search]);
    expect(service.mostAtOnce).toBe(2);
    expect(service.requests.findIndex(({ input }) => input[0] === 'query')).toBe(2);
  });

  test('with a rate is asked at even distances', async () => {
    const { remote, pauses } = embedder({ batchSize: 1, maxConcurrent: 1 });
    await remote.embed(endpoint({ requestsPerMinute: 60 }), texts(3));
    expect(pauses).toEqual([1000, 1000]);
  });

  test('may answer in any order, and in base64', async () => {
    const { remote } = embedder();
    service.behave((_request, honest) => ({
      body: {
        data: honest()
          .data.map(({ index, embedding }) => ({
            index,
            embedding: Buffer.from(Float32Array.from(embedding).buffer).toString('base64'),
          }))
          .reverse(),
      },
    }));
    expect(await remote.embed(endpoint(), ['a', 'b c'])).toEqual([floats('a'), floats('b c')]);
  });
});

describe('a service that fails for a while', () => {
  test.each([429, 500, 502, 503, 504, 408])('is asked again after %i', async (status) => {
    const { remote, pauses, outcomes } = embedder();
    let left = 2;
    service.behave(() =>
      left-- > 0 ? { status, body: { error: { message: 'busy' } } } : undefined,
    );
    expect(await remote.embed(endpoint(), ['a'])).toEqual([floats('a')]);
    expect(pauses).toEqual([200, 400]);
    expect(outcomes).toEqual(['repeated', 'repeated', 'ok']);
  });

  test('is asked again after a broken connection', async () => {
    const { remote } = embedder();
    let left = 1;
    service.behave(() => (left-- > 0 ? { hangUp: true } : undefined));
    expect(await remote.embed(endpoint(), ['a'])).toEqual([floats('a')]);
  });

  test('says itself when it wants to be asked again', async () => {
    const { remote, pauses } = embedder();
    let left = 1;
    service.behave(() =>
      left-- > 0 ? { status: 429, headers: { 'retry-after': '7' } } : undefined,
    );
    expect(await remote.embed(endpoint(), ['a'])).toEqual([floats('a')]);
    expect(pauses).toEqual([7000]);
  });

  test('is not waited for beyond half a minute', async () => {
    const { remote, pauses } = embedder();
    service.behave(() => ({ status: 429, headers: { 'retry-after': '31' } }));
    expect(await remote.embed(endpoint(), ['a'])).toEqual([
      `the embeddings service [${service.url}/embeddings] answered 429 ({})`,
    ]);
    expect(pauses).toEqual([]);
  });

  test('is asked so many times and no more', async () => {
    const { remote } = embedder({ maxRetries: 2 });
    service.behave(() => ({ status: 503, body: { error: 'no model' } }));
    expect(await remote.embed(endpoint(), ['a'])).toEqual([
      `the embeddings service [${service.url}/embeddings] answered 503 (no model), after 3 tries`,
    ]);
    expect(service.requests.length).toBe(3);
  });
});

describe('a failure', () => {
  const refused = async (more: Partial<RemoteEndpoint> = {}, numbers: Numbers = {}) => {
    const { remote } = embedder({ maxRetries: 0, ...numbers });
    const [result] = await remote.embed(endpoint(more), ['a']);
    return String(result);
  };
  const html = '<!doctype html><html><body>Sign in</body></html>';

  test.each<[string, Parameters<EmbeddingsService['behave']>[0], string]>([
    [
      'a page',
      () => ({ headers: { 'content-type': 'text/html' }, body: html }),
      'answered [text/html], expected application/json',
    ],
    ['a page that says it is JSON', () => ({ body: html }), 'a page of HTML or XML'],
    ['nothing', () => ({ body: '' }), 'answered nothing'],
    ['half an answer', () => ({ body: '{"data":[{"embedding":[1,' }), 'not valid JSON'],
    ['no list', () => ({ body: { embeddings: [[1]] } }), 'without a list [data]'],
    ['too few', () => ({ body: { data: [] } }), 'answered 0 embeddings for 1 texts'],
    [
      'too many',
      (_r, honest) => ({ body: { data: [...honest().data, ...honest().data] } }),
      'answered 2 embeddings for 1',
    ],
    [
      'a place that does not exist',
      () => ({ body: { data: [{ index: 1, embedding: [1] }] } }),
      'with the index [1], expected each of 0 to 0 once',
    ],
    [
      'an empty embedding',
      () => ({ body: { data: [{ index: 0, embedding: [] }] } }),
      '0 numbers, expected at least 1',
    ],
    ['zeros', () => ({ body: { data: [{ embedding: [0, 0] }] } }), 'no direction'],
    [
      'nulls',
      () => ({ body: { data: [{ embedding: [1, null] }] } }),
      '[null] at place 1, expected a number',
    ],
    ['NaN', () => ({ body: '{"data":[{"embedding":[NaN]}]}' }), 'not valid JSON'],
    [
      'beyond float32',
      () => ({ body: { data: [{ embedding: [1, 1e39] }] } }),
      'place 1 is not finite',
    ],
    ['words', () => ({ body: { data: [{ embedding: ['1'] }] } }), '[string] at place 0'],
    [
      'broken base64',
      () => ({ body: { data: [{ embedding: 'AAAA=' }] } }),
      'neither a list of numbers nor base64',
    ],
    ['no embedding', () => ({ body: { data: [{}] } }), 'answered no embedding for it'],
    [
      '4,097 numbers',
      () => ({ body: { data: [{ embedding: new Array(4097).fill(1) }] } }),
      '4097 numbers, at most 4096',
    ],
    ['a flood', () => ({ body: ' '.repeat(400_000) }), 'answered more than'],
    [
      'a redirect',
      () => ({ status: 307, headers: { location: 'http://example.com/' } }),
      'a redirect, which is not followed',
    ],
    [
      'refusal of the key',
      () => ({ status: 401, body: { error: { message: `bad key ${KEY}` } } }),
      'answered 401 (bad key [the key]): check the key in the environment variable [THE_KEY]',
    ],
    ['not found', () => ({ status: 404, body: 'no such route' }), 'answered 404 (no such route)'],
    ['an error page', () => ({ status: 500, body: html }), 'answered 500'],
    [
      'a packed answer',
      () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' }),
      'content encoding [gzip]',
    ],
  ])('by %s is told', async (_name, behaviour, words) => {
    service.behave(behaviour);
    const said = await refused({ apiKeyEnv: 'THE_KEY' });
    expect(said).toContain(words);
    expect(said).toContain(service.url);
    expect(said).not.toContain(KEY);
    expect(said).not.toContain('<');
  });

  test('by another length than the endpoint is known for is told', async () => {
    expect(await refused({ dims: 9 })).toContain(`${DIMS} numbers, expected 9`);
  });

  test('by silence is told after the time that was given, and not repeated', async () => {
    const { opened, open } = gate();
    service.behave(async () => {
      await opened;
      return undefined;
    });
    const { remote, outcomes } = embedder({ timeoutMs: 20 });
    const [result] = await remote.embed(endpoint(), ['a']);
    expect(result).toContain('within 20 ms');
    expect(outcomes).toEqual(['failed']);
    open();
  });

  test('by a service that is down is told', async () => {
    await service.stop();
    expect(await refused()).toContain('cannot be reached or broke off its answer (ECONNREFUSED)');
  });

  test.each([
    [{ apiKeyEnv: 'NOT_SET' }, 'environment variable [NOT_SET]'],
    [{ url: 'http://10.0.0.1/v1/embeddings' }, '[inference.allowed_hosts] does not allow'],
  ])('before anything is sent: %o', async (more, words) => {
    expect(await refused(more)).toContain(words);
    expect(service.requests.length).toBe(0);
  });

  test('of one text spoils no other', async () => {
    const { remote } = embedder();
    service.behave(({ input }, honest) =>
      input.includes('too long')
        ? { status: 400, body: { error: { message: 'maximum context length' } } }
        : { body: honest() },
    );
    const all = [...texts(20), 'too long', ...texts(31).slice(20)];
    const results = await remote.embed(endpoint(), all);
    expect(results.map((one) => typeof one === 'string')).toEqual(
      all.map((one) => one === 'too long'),
    );
    expect(results[20]).toContain('maximum context length');
    expect(service.requests.length).toBeLessThanOrEqual(11);
  });

  test('of one vector spoils no other', async () => {
    const { remote } = embedder();
    service.behave((_request, honest) => ({
      body: {
        data: honest().data.map((one) => (one.index === 1 ? { ...one, embedding: [1] } : one)),
      },
    }));
    const results = await remote.embed(endpoint(), ['a', 'b', 'c']);
    expect(results.map((one) => typeof one)).toEqual(['object', 'string', 'object']);
  });

  test('of the service ends a call: the other batches are not sent', async () => {
    const { remote } = embedder({ batchSize: 1, maxConcurrent: 1, maxRetries: 0 });
    service.behave(() => ({ status: 500 }));
    const results = await remote.embed(endpoint(), texts(50));
    expect(new Set(results).size).toBe(1);
    expect(service.requests.length).toBe(1);
  });

  test('is not remembered', async () => {
    const { remote } = embedder({ maxRetries: 0 });
    service.behave(() => ({ status: 500 }));
    await remote.embed(endpoint(), ['a']);
    service.behave(undefined);
    expect(await remote.embed(endpoint(), ['a'])).toEqual([floats('a')]);
  });
});

describe('a service that answers another length than before', () => {
  test('is believed for this time, but not remembered', async () => {
    const { remote } = embedder();
    await remote.embed(endpoint(), ['a']);
    service.behave(() => ({ body: { data: [{ embedding: [1, 2, 3] }] } }));
    expect(await remote.embed(endpoint(), ['b'])).toEqual([new Float32Array([1, 2, 3])]);
    service.behave(undefined);
    expect(await remote.embed(endpoint(), ['b'])).toEqual([floats('b')]);
  });
});
