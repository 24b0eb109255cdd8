// The generator of random searches: a seed gives the same searches again, the service answers most
// of them, and an answer that is a fault is one.
import { expect, test } from 'vitest';
import { fill, SearchLoad, searchFaultOf } from '../../bench/fuzz/searches/load.ts';
import { SearchRequests } from '../../bench/fuzz/searches/requests.ts';
import { Target } from '../../bench/fuzz/target.ts';

test('a seed and a client give the same requests again', () => {
  const bodies = (client: number): readonly string[] => {
    const requests = new SearchRequests(5, client);
    return Array.from({ length: 50 }, () => String(requests.next().body));
  };
  expect(bodies(1)).toEqual(bodies(1));
  expect(bodies(1)).not.toEqual(bodies(2));
});

test('an internal error is a fault, and a refusal is none', () => {
  const answer = (status: number, text: string): string | undefined =>
    searchFaultOf({ status, text, tookMs: 1 })?.kind;
  expect(answer(500, '{"error":{"type":"internal_server_error"}}')).toBe('error');
  expect(answer(200, '{"responses":[{"error":{"type":"internal_server_error"}}]}')).toBe('error');
  expect(answer(503, '')).toBe('error');
  expect(answer(503, '{"error":{"reason":"the node starts"}}')).toBeUndefined();
  expect(answer(400, '{}')).toBeUndefined();
  expect(searchFaultOf(undefined)?.kind).toBe('stall');
});

test('random searches beside writes are answered without a fault', async () => {
  const target = new Target();
  try {
    await target.start();
    await fill(target, 1);
    const load = new SearchLoad(target, 1, performance.now() + 2000);
    expect(await load.run(2)).toBeUndefined();
    const count = (status: number): number => load.statuses.get(status) ?? 0;
    expect(count(200)).toBeGreaterThan(2 * count(400));
  } finally {
    await target.remove();
  }
});
