// The count of requests, and of the bytes that they hold.
import { expect, test } from 'vitest';
import { InFlight } from '../../src/ops/in-flight.ts';

const make = (maxRequests: number, maxBytes: number) => {
  let refused = 0;
  const inFlight = new InFlight({
    maxRequests: () => maxRequests,
    maxBytes: () => maxBytes,
    onRefusal: () => {
      refused += 1;
    },
  });
  return { inFlight, refusals: () => refused };
};

test('one request too many is refused, until another has ended', async () => {
  const { inFlight, refusals } = make(1, 0);
  let end = (): void => {};
  const first = inFlight.request(() => new Promise<void>((resolve) => (end = resolve)));
  await expect(async () => inFlight.request(async () => {})).rejects.toMatchObject({
    type: 'es_rejected_execution_exception',
    message:
      'rejected execution: 1 requests are in flight, as many as [limits.max_requests] allows; retry later',
    headers: { 'Retry-After': '1' },
  });
  end();
  await first;
  expect(await inFlight.request(async () => 'done')).toBe('done');
  expect([inFlight.requests, refusals()]).toEqual([0, 1]);
});

test('a request that fails has ended', async () => {
  const { inFlight } = make(1, 0);
  await expect(inFlight.request(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(inFlight.requests).toBe(0);
});

test('bytes of all requests count together, one that is alone passes', () => {
  const { inFlight, refusals } = make(1, 100);
  const large = inFlight.hold();
  large.take(80);
  large.take(80);
  const other = inFlight.hold();
  expect(() => other.take(10)).toThrow(
    '160 bytes of other requests and answers are held, 10 more would exceed [limits.in_flight_bytes]',
  );
  large.drop(100);
  other.take(40);
  expect(() => large.take(1)).toThrow('40 bytes of other requests');
  expect([inFlight.bytes, refusals()]).toEqual([100, 2]);
});

test('an answer may not be larger than all that may be held', () => {
  const { inFlight, refusals } = make(1, 100);
  inFlight.checkAnswer(100, 'documents');
  expect(() => inFlight.checkAnswer(101, 'documents')).toThrow(
    expect.objectContaining({
      type: 'circuit_breaking_exception',
      message:
        'the answer would be larger than [limits.in_flight_bytes] of 100 bytes: ask for fewer documents in one request',
      extra: { bytes_wanted: 101, bytes_limit: 100, durability: 'PERMANENT' },
    }),
  );
  expect(refusals()).toBe(1);
});

test('nothing is held after the end, whatever comes late', () => {
  const { inFlight } = make(1, 100);
  const held = inFlight.hold();
  held.keep(500);
  expect(inFlight.bytes).toBe(500);
  held.drop(9999);
  held.keep(20);
  held.release();
  held.keep(20);
  held.release();
  expect(inFlight.bytes).toBe(0);
});

test('bytes of other threads count along', () => {
  const bytes = new Float64Array(2);
  const of = (own: number): InFlight =>
    new InFlight({
      maxRequests: () => 10,
      maxBytes: () => 100,
      onRefusal: () => {},
      ledger: { bytes, own },
    });
  const [here, there] = [of(0), of(1)];
  const held = there.hold();
  held.take(80);
  expect(here.bytes).toBe(80);
  expect(() => here.hold().take(30)).toThrow(/80 bytes of other requests/);
  held.release();
  expect(here.bytes).toBe(0);
  expect(() => here.hold().take(300)).not.toThrow();
});
