// Golden REST cases, golden/rest/<api>/<nn>_<case>.json, over real HTTP: the preparation (`given`),
// one request (`when`), and the complete response (`then`, with the placeholders of
// tools/golden-answer.ts). After every case the catalog on disk is read as at a start, and after
// some of them the service is restarted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from '../tools/api-document.ts';
import {
  type ApiRequest,
  bodyOf,
  deleteEverything,
  goldenCase,
  goldenPaths,
  headersOf,
  type RequestCase,
} from '../tools/api-requests.ts';
import { ALIASES, readCatalog, readCatalogPart, SETTINGS } from '../tools/catalog-parts.ts';
import { fill } from '../tools/golden-answer.ts';
import { LONG } from '../tools/long.ts';
import { ApiChecker } from '../tools/openapi-check.ts';
import { type Reply, startServer, type TestServer } from '../tools/server.ts';
import { storedCatalog } from './stored-catalog.ts';

interface Golden extends RequestCase {
  readonly then: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    /** Absent for responses without a body. */
    readonly body?: unknown;
    /** Lines of a text response. */
    readonly text?: readonly string[];
  };
}

const cases = goldenPaths().map((path) => [path.slice(0, -'.json'.length), path] as const);

let server: TestServer;
let api: ApiChecker;
const repositories = mkdtempSync(join(tmpdir(), 'quarry-golden-'));
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-golden-data-'));
const start = (): Promise<TestServer> =>
  startServer({ dataDir, args: ['--snapshot.path', repositories] });
/** Cases between two starts. */
const CASES = LONG ? 20 : 180;
beforeAll(async () => {
  server = await start();
  api = new ApiChecker((await server.call('GET', '/openapi.json')).json as ApiDocument);
});
afterAll(async () => {
  await server?.stop();
  rmSync(repositories, { recursive: true });
  rmSync(dataDir, { recursive: true });
});

function send(request: ApiRequest): Promise<Reply> {
  const body = bodyOf(request);
  const { method, path, headers } = request;
  return server.call(method, path, body, body === undefined ? headers : headersOf(request));
}

/**
 * Compares the catalog on disk with the served one. A task of the case may create an index between
 * two reads.
 */
async function expectReadable(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { damaged, settings, aliases } = await storedCatalog(dataDir);
        const served = await readCatalogPart(server.call, SETTINGS);
        expect({ damaged, settings }).toEqual({ damaged: [], settings: served });
        expect(aliases).toEqual(await readCatalogPart(server.call, ALIASES));
        return true;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
}

async function expectSameAfterRestart(): Promise<void> {
  const before = await readCatalog(server.call);
  expect(await server.stop()).toBe(0);
  server = await start();
  expect(await readCatalog(server.call)).toEqual(before);
  const health = await readCatalogPart(server.call, '/_cluster/health');
  expect(health).not.toHaveProperty('damaged');
}

describe('golden REST cases', () => {
  test('there are at least 40', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });

  test.each(cases)('%s', async (_name, path) => {
    const golden = goldenCase<Golden>(path);
    await deleteEverything(server.call);
    for (const request of golden.given ?? []) {
      const reply = await send(request);
      expect(reply.status, reply.text).toBeLessThan(300);
    }
    const reply = await send(golden.when);
    const { status, headers = {}, body, text } = golden.then;
    const answer = text === undefined ? reply.json : reply.text.split('\n').slice(0, -1);
    expect(answer).toEqual(fill(text ?? body, answer));
    expect(reply.status).toBe(status);
    expect(Object.fromEntries(reply.headers)).toMatchObject(headers);
    const contentType = reply.headers.get('content-type');
    const { method, path: url } = golden.when;
    const exchange = { method, path: url, status: reply.status, contentType, text: reply.text };
    expect(api.faults(exchange)).toEqual([]);
    await expectReadable();
    if (cases.findIndex(([, other]) => other === path) % CASES === 0) {
      await expectSameAfterRestart();
    }
  });

  test('use most operations of the document of the API', () => {
    expect(api.seen.size).toBeGreaterThan(80);
  });
});
