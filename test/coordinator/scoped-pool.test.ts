// The pool as used by one search: cancellation, the time limits passed to the core, and the
// counters.
import { expect, test } from 'vitest';
import type { Waiter } from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';
import type { HeldBytes } from '../../src/ops/in-flight.ts';
import type { TaskLimits } from '../../src/worker/tasks.ts';
import { FakePool } from './fake-pool.ts';
import { fakeScopes, roomyInFlight } from './fake-scopes.ts';

const SEARCH = { shards: Uint32Array.of(1, 0), plan: new Uint8Array(8) };

class FakeWaiter implements Waiter {
  readonly #controller = new AbortController();
  readonly #held: HeldBytes | undefined;

  constructor(held?: HeldBytes) {
    this.#held = held;
  }
  check(): void {
    if (this.#controller.signal.aborted)
      throw new QuarryError('illegal_argument_exception', 'gone');
  }
  signal(): AbortSignal {
    return this.#controller.signal;
  }
  reserve(bytes: number): void {
    this.#held?.reserve(bytes);
  }
  leave(): void {
    this.#controller.abort();
  }
}

function limitsOf(pool: FakePool): readonly (TaskLimits | undefined)[] {
  return pool.calls.map(({ args }) => (args as { readonly limits?: TaskLimits }).limits);
}

test('a client that leaves cancels the token of all its tasks, and begins no more', async () => {
  const cancelled: number[] = [];
  const pool = new FakePool({
    search: () => new ArrayBuffer(8),
    suggest: () => new ArrayBuffer(8),
  });
  const scopes = fakeScopes(pool, { cancelled });
  const waiter = new FakeWaiter();
  const one = scopes.open({ body: {}, waiter });
  const two = scopes.open({ body: {}, waiter });
  await one.run('search', SEARCH);
  await two.run('suggest', { index: 1, request: new Uint8Array() });
  const other = scopes.open({ body: {}, waiter: new FakeWaiter() });
  await other.run('search', SEARCH);
  const [first, second, third] = limitsOf(pool).map((limits) => limits?.token);
  expect(first).toBeGreaterThan(0);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  waiter.leave();
  expect(cancelled).toEqual([first]);
  await expect(one.run('search', SEARCH)).rejects.toThrow('gone');
  expect(pool.calls.length).toBe(3);
});

test('every task that the core can stop is told its token', async () => {
  const reply = (): ArrayBuffer => new ArrayBuffer(8);
  const pool = new FakePool({
    search: reply,
    suggest: reply,
    fetch: () => [reply()],
    walkLinks: reply,
    countLinks: reply,
  });
  const scope = fakeScopes(pool).open({ body: {}, waiter: new FakeWaiter() });
  await scope.run('search', SEARCH);
  const request = new Uint8Array();
  await scope.run('suggest', { index: 1, request });
  await scope.run('fetch', { fetches: [], plan: request });
  await scope.run('walkLinks', { index: 1, request });
  await scope.run('countLinks', { index: 1, nodes: new Uint32Array(), request });
  const tokens = limitsOf(pool).map((limits) => limits?.token);
  expect(tokens).toHaveLength(5);
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toBeGreaterThan(0);
});

test('what a task answers after its client has left is not taken for an answer', async () => {
  const waiter = new FakeWaiter();
  const pool = new FakePool({
    search: () => {
      waiter.leave();
      return new ArrayBuffer(8);
    },
  });
  const scope = fakeScopes(pool).open({ body: {}, waiter });
  await expect(scope.run('search', SEARCH)).rejects.toThrow('gone');
});

test('tasks of no client have no token, and other tasks no limits', async () => {
  const pool = new FakePool({
    search: () => new ArrayBuffer(8),
    print: () => new ArrayBuffer(8),
  });
  const scope = fakeScopes(pool).open({ body: {} });
  await scope.run('search', SEARCH);
  await scope.run('print', { printer: 0, json: new Uint8Array(), last: true });
  expect(limitsOf(pool)).toEqual([{ token: 0, deadlineUs: 0 }, undefined]);
});

test('all phases of a search share the deadline of its timeout', async () => {
  const pool = new FakePool({ search: () => new ArrayBuffer(8), fetch: () => [] });
  const scope = fakeScopes(pool, { nowUs: 5_000_000 }).open({ body: { timeout: '300s' } });
  await scope.run('search', SEARCH);
  await scope.run('fetch', { fetches: [], plan: new Uint8Array() });
  const [first, second] = limitsOf(pool).map((limits) => limits?.deadlineUs ?? 0);
  expect(first).toBeGreaterThan(5_000_000);
  expect(first).toBeLessThanOrEqual(305_000_000);
  expect(second).toBe(first);
});

test('what tasks answer is counted for their client, and refused where there is no room', async () => {
  const inFlight = roomyInFlight(100);
  const pool = new FakePool({
    search: () => new ArrayBuffer(40),
    fetch: () => [new ArrayBuffer(30), new ArrayBuffer(20)],
  });
  const held = inFlight.hold();
  const scope = fakeScopes(pool, { inFlight }).open({ body: {}, waiter: new FakeWaiter(held) });
  await scope.run('search', SEARCH);
  await scope.run('fetch', { fetches: [], plan: new Uint8Array() });
  expect(inFlight.bytes).toBe(90);
  await expect(scope.run('search', SEARCH)).rejects.toMatchObject({
    type: 'circuit_breaking_exception',
    status: 429,
    message:
      'the answer would be larger than [limits.in_flight_bytes] of 100 bytes: ask for fewer documents, buckets or searches in one request',
  });
  scope.end();
  expect(inFlight.bytes).toBe(90);
  held.release();
  expect(inFlight.bytes).toBe(0);
});

test('several answers together stay within the memory for them', async () => {
  const inFlight = roomyInFlight(100);
  const pool = new FakePool({ search: () => new ArrayBuffer(40) });
  const scopes = fakeScopes(pool, { inFlight });
  const [one, two] = [inFlight.hold(), inFlight.hold()];
  const first = scopes.open({ body: {}, waiter: new FakeWaiter(one) });
  const second = scopes.open({ body: {}, waiter: new FakeWaiter(two) });
  await first.run('search', SEARCH);
  await second.run('search', SEARCH);
  await expect(first.run('search', SEARCH)).rejects.toMatchObject({
    type: 'circuit_breaking_exception',
    headers: { 'Retry-After': '1' },
    message:
      '40 bytes of other requests and answers are held, an answer of 80 and more would exceed [limits.in_flight_bytes] of 100: retry later, or ask for fewer documents, buckets or searches in one request',
  });
  two.release();
  await first.run('search', SEARCH);
  expect(inFlight.bytes).toBe(80);
});

test('what no client waits for is counted until the search has ended', async () => {
  const inFlight = roomyInFlight(100);
  const pool = new FakePool({ search: () => new ArrayBuffer(60) });
  const scope = fakeScopes(pool, { inFlight }).open({ body: {} });
  await scope.run('search', SEARCH);
  expect(inFlight.bytes).toBe(60);
  await expect(scope.run('search', SEARCH)).rejects.toThrow('[limits.in_flight_bytes]');
  scope.end();
  expect(inFlight.bytes).toBe(0);
});
