// Stores through two replicas while answers of the cluster are lost, or come from a node that
// executes a write long after its client has been refused.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteEverything } from '../tools/api-requests.ts';
import { startServer, type TestServer } from '../tools/server.ts';
import { type StubAnswer, type StubNode, type StubRequest, stubNode } from './stub-cluster.ts';

let store: TestServer;
let cluster: StubNode;
let one: TestServer;
let two: TestServer;
/**
 * What becomes of a request: it passes, its answer is lost, it is kept and executed later, or nothing
 * is ever said of it.
 */
let fate: (request: StubRequest) => 'passes' | 'answer lost' | 'kept' | 'silence' = () => 'passes';
let kept: StubRequest[] = [];

beforeAll(async () => {
  store = await startServer();
  cluster = await stubNode(async (request) => {
    const fated = fate(request);
    if (fated === 'silence') return new Promise(() => {});
    if (fated === 'kept') kept.push(request);
    const answer = fated === 'kept' ? undefined : await executed(request);
    return fated === 'passes' && answer !== undefined ? answer : 'drop';
  });
  const env = { QUARRY_CLUSTER_ENABLED: 'true', QUARRY_CLUSTER_URLS: cluster.url };
  [one, two] = await Promise.all([startServer({ env }), startServer({ env })]);
});
afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()]);
  await cluster?.close();
  await store?.stop();
});
beforeEach(async () => {
  fate = () => 'passes';
  kept = [];
  await deleteEverything(one.call);
  await one.call('POST', '/_memory/ann', { text: 'the first one' });
});

async function executed({ method, path, body }: StubRequest): Promise<StubAnswer> {
  const type = path.startsWith('/_bulk') ? 'application/x-ndjson' : 'application/json';
  const answer = await fetch(`${store.base}${path}`, {
    method,
    ...(body === '' ? {} : { body, headers: { 'content-type': type } }),
  });
  return { status: answer.status, body: JSON.parse((await answer.text()) || '{}') };
}

/** The first bulks are fated so. */
function bulks(count: number, as: 'answer lost' | 'kept'): void {
  let left = count;
  fate = ({ path }) => (path.startsWith('/_bulk') && left-- > 0 ? as : 'passes');
}

async function texts(): Promise<readonly string[]> {
  const { text } = await two.call('GET', '/_memory/ann/_export');
  const lines = text.split('\n').filter((line) => line.includes('"memory"'));
  const all = lines.map((line) => JSON.parse(line).memory?.document?.text as string | undefined);
  return all.filter((one) => one !== undefined && one !== 'the first one') as readonly string[];
}

test.each([
  {},
  { dedup: true },
  { metadata: { session: 's' } },
])('a memory whose answer is lost is sent again under its id, and is there once: %j', async (more) => {
  bulks(1, 'answer lost');
  const stored = await one.call('POST', '/_memory/ann', { text: 'a walk in the park', ...more });
  expect(stored).toMatchObject({ status: 201, json: { created: true } });
  expect(await texts()).toEqual(['a walk in the park']);
});

test('memories of a bulk whose answer is lost are there once', async () => {
  bulks(1, 'answer lost');
  const lines = '{"text":"left"}\n{"text":"right"}\n';
  const stored = await one.call('POST', '/_memory/ann/_bulk', lines, {
    'content-type': 'application/x-ndjson',
  });
  expect(stored.json).toMatchObject({ errors: false, items: [{ status: 201 }, { status: 201 }] });
  expect([...(await texts())].sort()).toEqual(['left', 'right']);
});

test('a link whose answer is lost is there', async () => {
  let count = 0;
  fate = ({ path }) => (path.includes('/_create/') && ++count === 1 ? 'answer lost' : 'passes');
  const linked = await one.call('POST', '/_graph/ann/link', { src: 'a', dst: 'b', type: 'knows' });
  expect(linked).toMatchObject({ status: 200, json: { link: { dst: 'b' } } });
});

test('a refused store that is executed later does not double one that was sent again', async () => {
  bulks(4, 'kept');
  const body = { text: 'a walk in the park', dedup: true };
  const refused = await one.call('POST', '/_memory/ann', body);
  expect(refused).toMatchObject({ status: 503 });
  const started = performance.now();
  const stored = await two.call('POST', '/_memory/ann', body);
  expect(stored).toMatchObject({ status: 201, json: { created: true } });
  // It does not wait for the end of the other one's turn.
  expect(performance.now() - started).toBeLessThan(5000);
  for (const request of kept) await executed(request);
  expect(kept.length).toBe(4);
  expect(await texts()).toEqual(['a walk in the park']);
});

test('a refused store that was executed before the next one is a duplicate of it, or not', async () => {
  for (const [at, text] of ['a walk in the park', 'rain at noon'].entries()) {
    bulks(4, 'kept');
    await one.call('POST', '/_memory/ann', { text: `${text} ${at}`, dedup: true });
    const late = kept.splice(0);
    // Between the search for duplicates of the next store and its write.
    fate = ({ path }) => {
      const [first] = late.splice(0, path.startsWith('/_bulk') ? 1 : 0);
      if (first !== undefined) void executed(first);
      return 'passes';
    };
    const next = at === 0 ? `${text} ${at}` : 'something else';
    const stored = await two.call('POST', '/_memory/ann', { text: next, dedup: true });
    expect([200, 201]).toContain(stored.status);
  }
  expect([...(await texts())].sort()).toEqual([
    'a walk in the park 0',
    'rain at noon 1',
    'something else',
  ]);
});

test('a store is answered in the time of one call, whichever of its calls has no answer', async () => {
  const env = { QUARRY_CLUSTER_ENABLED: 'true', QUARRY_CLUSTER_URLS: cluster.url };
  const short = await startServer({ env: { ...env, QUARRY_CLUSTER_TIMEOUT_MS: '1200' } });
  try {
    for (const silent of [/^\/_bulk/, /_refresh/, /_create\/turn/, /_doc\/turn/, /_search/]) {
      fate = ({ path }) => (silent.test(path) ? 'silence' : 'passes');
      const started = performance.now();
      const body = { text: `about ${silent.source}`, dedup: true };
      const { status } = await short.call('POST', '/_memory/ann', body);
      expect([201, 503]).toContain(status);
      expect(performance.now() - started).toBeLessThan(2000);
      fate = () => 'passes';
      await store.call('DELETE', '/.svc-leases');
    }
  } finally {
    await short.stop();
  }
});
