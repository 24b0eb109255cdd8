// The current time of a brain when the system clock is set back: within a process, and by a later
// process.
import { describe, expect, test } from 'vitest';
import { Graph } from '../../src/graph/graph.ts';
import { fakeHash, type World, world } from './world.ts';

const BODY = { src: 'a', dst: 'b', type: 't' };
const HOUR = 3_600_000;

/** Another process over the same documents, whose clock shows `now`. */
function restarted({ backend }: World, now: number): Graph {
  return new Graph({ backend: backend.asBackend(), hash128: fakeHash, nowMs: () => now });
}

async function seen(graph: Graph, node = 'a'): Promise<readonly string[]> {
  const { links } = await graph.ego('b', {
    node,
    direction: 'both',
    hops: 1,
    types: undefined,
    includeExpired: false,
    includeNodes: false,
    limit: 10,
    asOf: undefined,
    knownAt: undefined,
  });
  return links.map(({ dst }) => dst);
}

describe('after the clock was set back', () => {
  test('a link that began by default is seen, and no second one is made', async () => {
    const made = world();
    const first = await made.graph.link('b', BODY);
    made.now -= HOUR;
    expect(await seen(made.graph)).toEqual(['b']);
    expect(await made.graph.link('b', BODY)).toEqual({ ...first, created: false });
  });

  test('the same holds for a process that starts later', async () => {
    const made = world();
    const first = await made.graph.link('b', BODY);
    const later = restarted(made, made.now - HOUR);
    expect(await seen(later)).toEqual(['b']);
    const afterwards = restarted(made, made.now - HOUR);
    expect(await afterwards.link('b', BODY)).toEqual({ ...first, created: false });
  });

  test('a link that was retired stays over, also after a start', async () => {
    const made = world();
    const { edge_id } = await made.graph.link('b', { ...BODY, valid_at: 1000 });
    made.now += HOUR;
    await made.graph.unlink('b', edge_id, undefined);
    made.now -= 2 * HOUR;
    expect(await seen(made.graph)).toEqual([]);
    expect(await seen(restarted(made, made.now))).toEqual([]);
  });

  test('times of many links at once do not go back either', async () => {
    const made = world();
    const last = made.now;
    await made.graph.assertLinks('b', [BODY]);
    made.now -= HOUR;
    const again = await made.graph.assertLinks('b', [BODY, { ...BODY, dst: 'c' }]);
    expect(again.map(({ created }) => created)).toEqual([false, true]);
    expect((await made.ego('a')).links.map((link) => link.created_at)).toEqual([last, last]);
  });

  test('another brain keeps the time of the system', async () => {
    const made = world();
    await made.graph.link('b', BODY);
    made.now -= HOUR;
    const { link } = await made.graph.link('other', BODY);
    expect(link.created_at).toBe(made.now);
  });

  test('it goes on once the system has caught up', async () => {
    const made = world();
    await made.graph.link('b', BODY);
    made.now += 1;
    expect((await made.graph.link('b', { ...BODY, dst: 'c' })).link.created_at).toBe(made.now);
  });

  test('the recorded times are read once for each brain', async () => {
    const made = world();
    await made.graph.link('b', BODY);
    const later = restarted(made, made.now);
    let reads = 0;
    const columns = made.backend.columns.bind(made.backend);
    made.backend.columns = (request) => {
      reads++;
      return columns(request);
    };
    await Promise.all([seen(later), seen(later), later.link('b', BODY)]);
    await seen(later);
    expect(reads).toBe(2);
  });
});

test('links that begin later are counted by hop, type and reason', async () => {
  const made = world();
  await made.link('a', 'b');
  await made.link('a', 'c', { valid_at: made.now + 1 });
  await made.link('b', 'd', { valid_at: made.now + 1, type: 'later' });
  const { not_shown } = await made.ego('a', { hops: 2 });
  expect(not_shown).toEqual({
    links: 2,
    by_hop: { 1: 1, 2: 1 },
    by_type: { mentions: 1, later: 1 },
    reasons: { limit: 0, fan_cap: 0, expired: 0, not_yet: 2 },
    exact: true,
  });
});
