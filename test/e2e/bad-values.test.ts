// Replaces each member of each body, at each depth, by unsuitable values: big numbers, strings
// instead of lists, null. No request may cause an internal error, a timeout, or the end of the
// process. The bodies are those of the golden REST cases, and for each operation of the API
// document those with the members of its schema. The short form uses every fourth of the golden
// cases and one value for each place; BAD_VALUES=all uses every value at every place.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiDocument } from '../tools/api-document.ts';
import {
  type ApiRequest,
  bodyOf,
  deleteEverything,
  documentedRequests,
  goldenCase,
  goldenPaths,
  headersOf,
  type RequestCase,
} from '../tools/api-requests.ts';
import {
  BAD_VALUES,
  linesWithTextAt,
  type Place,
  placesOf,
  withTextAt,
} from '../tools/json-places.ts';
import { LONG, some } from '../tools/long.ts';
import { startServer, type TestServer } from '../tools/server.ts';

/** Number of BAD_VALUES at each place; the next place uses the next ones. */
const VALUES_OF_PLACE = process.env['BAD_VALUES'] === 'all' ? BAD_VALUES.length : LONG ? 2 : 1;
/** Concurrent requests. */
const AT_ONCE = 8;
const PATIENCE_MS = 20_000;

let server: TestServer;
const repositories = mkdtempSync(join(tmpdir(), 'quarry-bad-values-'));
beforeAll(async () => {
  server = await startServer({ args: ['--snapshot.path', repositories] });
});
afterAll(async () => {
  await server?.stop();
  rmSync(repositories, { recursive: true });
});

function textOf({ body, lines }: ApiRequest, place: Place, text: string): string {
  return lines === undefined ? withTextAt(body, place, text) : linesWithTextAt(lines, place, text);
}

/** Equal for requests that are read by the same code. */
function keyOf({ method, path }: ApiRequest, place: Place): string {
  const route = path.split('?')[0]?.replace(/[^/]*[\d,*-][^/]*|(?<=\/)[a-z][^/]*/g, '{}');
  return `${method} ${route} ${place.map((one) => (typeof one === 'number' ? '' : one)).join('.')}`;
}

function send(
  request: ApiRequest,
  body: string | undefined,
): Promise<{ status: number; text: string }> {
  const { method, path } = request;
  return server.call(method, path, body, body === undefined ? {} : headersOf(request));
}

const seen = new Set<string>();
let turn = 0;

/** Bodies of the request with a bad value at each place that no earlier request had. */
function badBodies(request: ApiRequest): readonly string[] {
  const bodies: string[] = [];
  if (bodyOf(request) === undefined) return bodies;
  for (const place of placesOf(request.lines ?? request.body)) {
    const key = keyOf(request, place);
    if (seen.has(key)) continue;
    seen.add(key);
    for (let i = 0; i < VALUES_OF_PLACE; i++) {
      bodies.push(textOf(request, place, BAD_VALUES[turn++ % BAD_VALUES.length] ?? 'null'));
    }
  }
  return bodies;
}

async function faultOf(request: ApiRequest, body: string): Promise<string | undefined> {
  const late = new Promise<{ status: string; text: string }>((resolve) => {
    setTimeout(() => resolve({ status: 'no answer', text: '' }), PATIENCE_MS).unref();
  });
  const { status, text } = await Promise.race([send(request, body), late]);
  if (typeof status === 'number' && status < 500) return undefined;
  return `${request.method} ${request.path} ${body.slice(0, 2000)} -> ${status} ${text.slice(0, 300)}`;
}

test('a bad value at any place of any body is no internal error', {
  timeout: 3_600_000,
}, async () => {
  const faults: string[] = [];
  const document = (await server.call('GET', '/openapi.json')).json as ApiDocument;
  const documented: readonly RequestCase[] = documentedRequests(document).map((when) => ({ when }));
  const golden = some(goldenPaths(), 4).map((path) => goldenCase(path));
  expect(documented.length).toBeGreaterThan(80);
  for (const { given = [], when } of [...golden, ...documented]) {
    const requests = [...given, when].map((request) => ({ request, bodies: badBodies(request) }));
    if (requests.every(({ bodies }) => bodies.length === 0)) continue;
    await deleteEverything(server.call);
    for (const { request, bodies } of requests) {
      for (let at = 0; at < bodies.length; at += AT_ONCE) {
        const some = bodies.slice(at, at + AT_ONCE);
        const found = await Promise.all(some.map((body) => faultOf(request, body)));
        faults.push(...found.filter((fault) => fault !== undefined));
      }
      if (request !== when) await send(request, bodyOf(request));
    }
  }
  expect(seen.size).toBeGreaterThan(LONG ? 2000 : 800);
  expect(faults).toEqual([]);
  expect((await server.call('GET', '/')).status).toBe(200);
});
