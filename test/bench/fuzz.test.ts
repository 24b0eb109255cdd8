// The fuzzer without a service: the requests of a seed, the decision on faults, and how requests
// are shrunk and printed.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { Choice } from '../../bench/fuzz/choice.ts';
import { faultOf } from '../../bench/fuzz/faults.ts';
import { RequestGenerator } from '../../bench/fuzz/generator.ts';
import { Corpus } from '../../bench/fuzz/operations.ts';
import { addressOf, type FuzzRequest, toCurl } from '../../bench/fuzz/request.ts';
import { smallestForm } from '../../bench/fuzz/shrink.ts';
import type { ApiDeps } from '../../src/api/kit/routes.ts';
import { openApiDocument } from '../../src/api/openapi.ts';
import { allRoutes } from '../../src/api/route-table.ts';
import type { ApiDocument } from '../tools/api-document.ts';

const routes = allRoutes({ live: { get: () => 1 } } as unknown as ApiDeps);
const document = openApiDocument(routes) as unknown as ApiDocument;
const corpus = new Corpus(document);

function requestsOf(seed: number, count: number): readonly FuzzRequest[] {
  const generator = new RequestGenerator(corpus, new Choice(seed));
  return Array.from({ length: count }, () => generator.nextRequest(generator.nextCase()));
}

const post = (body: string): FuzzRequest => ({
  method: 'POST',
  path: '/a/_search',
  params: ['pretty', 'size=3'],
  headers: { 'content-type': 'application/json', accept: '*/*', 'content-length': '1' },
  body: Buffer.from(body),
});

describe('generated requests', () => {
  test('are the same for the same seed', () => {
    expect(requestsOf(7, 200)).toEqual(requestsOf(7, 200));
    expect(requestsOf(7, 200)).not.toEqual(requestsOf(8, 200));
  });

  test('reach every operation of the document of the API', () => {
    const reached = new Set(
      requestsOf(1, 3000).map(({ method, path }) => corpus.operationOf(method, path)),
    );
    const missed = corpus.operations.filter((operation) => !reached.has(operation));
    expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('have addresses that an HTTP client sends', () => {
    const wrong = requestsOf(2, 1000).filter((one) => /[^\x21-\x7e]/.test(addressOf(one)));
    expect(wrong).toEqual([]);
  });
});

describe('an answer', () => {
  const internal = '{"error":{"root_cause":[{"type":"internal_server_error"}]},"status":500}';
  const answer = (status: number, text: string, tookMs = 1): Parameters<typeof faultOf>[1] => ({
    status,
    text,
    tookMs,
  });

  test.each([
    ['an internal error', answer(500, internal), 'error'],
    ['an internal error of one item', answer(200, internal), 'error'],
    ['a status that the error table does not have', answer(504, '{}'), 'error'],
    ['a damaged index', answer(503, '{"type":"corrupt_index_exception"}'), 'error'],
    ['a connection that ended', answer(0, ''), 'error'],
    ['a late answer', answer(200, '{}', 1500), 'stall'],
    ['no answer', undefined, 'stall'],
    ['an embeddings service that fails', answer(502, '{"type":"inference_exception"}'), undefined],
    ['a refusal', answer(400, '{"type":"parsing_exception"}'), undefined],
  ])('of %s is judged', (_name, given, kind) => {
    expect(faultOf(post('{}'), given)?.kind).toBe(kind);
  });

  test('that the request asked to wait for is no fault', () => {
    const request = { ...post('{}'), params: ['wait_for_status=green'] };
    expect(faultOf(request, undefined)).toBeUndefined();
  });
});

describe('the smallest form', () => {
  const shows =
    (part: string) =>
    async (one: FuzzRequest): Promise<boolean> =>
      one.body?.toString().includes(part) ?? false;

  test('keeps nothing but the member that shows the fault', async () => {
    const body = '{"a":[1,2,{"b":9223372036854775808,"c":"x"}],"d":{"e":1}}';
    const smallest = await smallestForm(post(body), shows('9223372036854775808'));
    expect(smallest).toEqual({
      method: 'POST',
      path: '/a/_search',
      params: [],
      headers: { 'content-length': '33' },
      body: Buffer.from('{"a":[{"b":9223372036854775808}]}'),
    });
  });

  test('keeps the one line of many that shows the fault', async () => {
    const lines = Array.from({ length: 20 }, (_, i) => `{"n":${i}}\n`).join('');
    const smallest = await smallestForm(post(lines), shows('"n":13'));
    expect(smallest.body?.toString()).toBe('{"n":13}\n');
  });

  test('keeps the bytes of a body that is no JSON', async () => {
    const smallest = await smallestForm(post('{"a":"needle"'), shows('needle'));
    expect(smallest.body?.toString()).toBe('needle');
  });
});

test('a request printed as curl has the same bytes in bash', () => {
  const body = Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1));
  const curl = toCurl({ ...post(''), body }, 'http://127.0.0.1:1');
  const data = curl.slice(curl.indexOf('--data-binary ') + '--data-binary '.length);
  expect(spawnSync('bash', ['-c', `printf %s ${data}`]).stdout).toEqual(body);
});
