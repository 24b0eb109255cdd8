// Leases of what only one replica may do at a time, in front of a store of documents whose answers
// can be lost.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Turn } from '../../src/base/keyed-queue.ts';
import { ClusterClient } from '../../src/cluster/cluster-client.ts';
import { IndexNames } from '../../src/cluster/index-names.ts';
import { Leases } from '../../src/cluster/leases.ts';
import { ClusterTransport, UnknownOutcome } from '../../src/cluster/transport.ts';
import { QuarryError } from '../../src/errors.ts';
import {
  OPTIONS,
  type StubAnswer,
  type StubNode,
  type StubRequest,
  stubNode,
} from './stub-cluster.ts';

interface Stored {
  readonly source: unknown;
  readonly seqNo: number;
}

let store: StubNode;
let transport: ClusterTransport;
let leases: Leases;
let documents: Map<string, Stored>;
/** Requests whose answers are lost after they were executed. */
let lost: (request: StubRequest) => boolean;
/** Milliseconds until a request is executed. */
let delay: (request: StubRequest) => number;

beforeEach(async () => {
  documents = new Map();
  lost = () => false;
  let last = 0;
  delay = () => 0;
  store = await stubNode(async (request) => {
    await new Promise((done) => setTimeout(done, delay(request)));
    const answer = executed(request, () => ++last);
    return lost(request) ? 'drop' : answer;
  });
  transport = new ClusterTransport({ ...OPTIONS, urls: [store.url] });
  leases = new Leases(new ClusterClient(transport, new IndexNames('')));
});
afterEach(async () => {
  await transport.close();
  await store.close();
});

function executed({ method, path, body }: StubRequest, next: () => number): StubAnswer {
  const [place = '', query = ''] = path.split('?');
  const [, , kind, id = ''] = place.split('/');
  if (kind === undefined) return { status: 200 };
  const before = documents.get(id);
  if (method === 'GET') {
    if (before === undefined) return { status: 404, body: { found: false } };
    const { source, seqNo } = before;
    return {
      status: 200,
      body: { found: true, _source: source, _seq_no: seqNo, _primary_term: 1 },
    };
  }
  const expected = new URLSearchParams(query).get('if_seq_no');
  const isConflict =
    kind === '_create' ? before !== undefined : expected !== String(before?.seqNo ?? '');
  if (isConflict) return { status: 409, body: { error: { reason: 'conflict' } } };
  if (method === 'DELETE') documents.delete(id);
  else documents.set(id, { source: JSON.parse(body), seqNo: next() });
  return { status: 200, body: { _seq_no: documents.get(id)?.seqNo ?? 0, _primary_term: 1 } };
}

/** The first request of the kind loses its answer. */
function loseFirst(method: string): void {
  let count = 0;
  lost = (request) => request.method === method && request.path.includes('/a') && count++ === 0;
}

test('one at a time runs; the next waits until the lease is given back', async () => {
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((done) => setTimeout(done, 50));
    order.push(`${name} ends`);
  };
  const other = new Leases(new ClusterClient(transport, new IndexNames('')));
  await Promise.all([leases.run('a', work('one')), other.run('a', work('two'))]);
  const [first] = order;
  const [one, two] = first === 'one begins' ? ['one', 'two'] : ['two', 'one'];
  expect(order).toEqual([`${one} begins`, `${one} ends`, `${two} begins`, `${two} ends`]);
  expect(documents.size).toBe(0);
});

test('a lease whose answer is lost is held at once, and given back', async () => {
  loseFirst('PUT');
  const started = performance.now();
  expect(await leases.run('a', async () => 'done')).toBe('done');
  expect(performance.now() - started).toBeLessThan(5000);
  expect(documents.size).toBe(0);
});

test('a lease that is given back without an answer is gone', async () => {
  loseFirst('DELETE');
  await leases.run('a', async () => {});
  expect(documents.size).toBe(0);
  expect(await leases.tryRun('a', async () => 'again')).toBe('again');
});

test('a lease whose work may be executed yet is not given back', async () => {
  const failed = new UnknownOutcome('node_not_ready_exception', 'no answer');
  await expect(leases.run('a', () => Promise.reject(failed))).rejects.toBe(failed);
  expect(documents.has('a')).toBe(true);
  const other = new QuarryError('illegal_argument_exception', 'bad');
  await expect(leases.run('b', () => Promise.reject(other))).rejects.toBe(other);
  expect(documents.has('b')).toBe(false);
});

test('a document whose creation may be executed yet has its id kept for that of the next turn', async () => {
  const ids: string[] = [];
  const inherited: boolean[] = [];
  const creating = (failure?: Error) => async (turn: Turn) => {
    ids.push(turn.takeId());
    inherited.push(turn.isInherited);
    if (failure !== undefined) throw failure;
  };
  const unknown = new UnknownOutcome('node_not_ready_exception', 'no answer');
  await expect(leases.run('a', creating(unknown))).rejects.toBe(unknown);
  const started = performance.now();
  // One that creates nothing passes it on.
  await leases.run('a', async () => {});
  const refused = new QuarryError('illegal_argument_exception', 'bad');
  await expect(leases.run('a', creating(refused))).rejects.toBe(refused);
  await leases.run('a', creating());
  expect(performance.now() - started).toBeLessThan(5000);
  expect(documents.size).toBe(0);
  await leases.run('a', creating());
  expect(inherited).toEqual([false, true, true, false]);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(ids[3]).not.toBe(ids[0]);
});

test('a request waits for a lease no longer than it may wait for the cluster', async () => {
  documents.set('a', { source: { owner: 'another' }, seqNo: 1 });
  const short = new ClusterTransport({ ...OPTIONS, urls: [store.url], timeoutMs: 300 });
  const waiting = new Leases(new ClusterClient(short, new IndexNames('')));
  const started = performance.now();
  const run = short.deadlines.during(() => waiting.run('a', async () => {}));
  await expect(run).rejects.toMatchObject({ status: 429 });
  expect(performance.now() - started).toBeLessThan(2000);
  await short.close();
});

test('a lease that is acquired when the request has ended is given back', async () => {
  delay = ({ method, path }) => (method === 'PUT' && path.includes('_create/a') ? 600 : 0);
  const short = new ClusterTransport({ ...OPTIONS, urls: [store.url], timeoutMs: 1000 });
  const late = new Leases(new ClusterClient(short, new IndexNames('')));
  let hasRun = false;
  const run = short.deadlines.during(async () => {
    await new Promise((done) => setTimeout(done, 700));
    await late.run('a', async () => {
      hasRun = true;
    });
  });
  await expect(run).rejects.toMatchObject({ status: 503 });
  expect(documents.size).toBe(0);
  // It is deleted after the request for that was seen.
  await expect.poll(() => store.requests.at(-1)?.method, { timeout: 3000 }).toBe('DELETE');
  await expect.poll(() => documents.size, { timeout: 3000 }).toBe(0);
  expect(hasRun).toBe(false);
  await short.close();
});

test('a lease that another one has taken over is left to it', async () => {
  await leases.run('a', async () => {
    documents.set('a', { source: { owner: 'another' }, seqNo: 99 });
  });
  expect(documents.get('a')?.source).toEqual({ owner: 'another' });
  expect(await leases.tryRun('a', async () => 'mine')).toBeUndefined();
});
