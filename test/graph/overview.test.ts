// The overview of a brain: counts by state, hubs, types, detectors, the timeline, and the
// invalidation of cached counts.
import { describe, expect, test } from 'vitest';
import type { OverviewAnswer } from '../../src/graph/overview.ts';
import { type Timeline, timelineOf } from '../../src/graph/timeline.ts';
import { type World, world } from './world.ts';

function look(made: World, top = 10, asOf?: number): Promise<OverviewAnswer> {
  return made.graph.overview('b', { top, asOf });
}

describe('overview', () => {
  test('of an unknown brain says that it does not exist', async () => {
    expect(await look(world())).toEqual({
      brain: 'b',
      exists: false,
      as_of: 1_000_000,
      links: { live: 0, retired: 0, future: 0, asserted: 0, detected: 0 },
      nodes: { linked: 0, total: 0, orphans: 0, missing: 0 },
      hubs: [],
      types: [],
      detectors: [],
      timeline: { interval: null, buckets: [] },
      not_shown: { hubs: 0, types: 0, detectors: 0 },
    });
  });

  test('counts links by state and kind, and nodes by what they lack', async () => {
    const made = world();
    for (const id of ['a', 'b', 'alone', 'left']) {
      made.backend.put('.svc-memory-b', id, { title: id.toUpperCase() });
    }
    await made.link('a', 'b');
    await made.link('a', 'ghost', { evidence: { quote: 'q' } });
    await made.link('b', 'a', { type: 'cites', valid_at: made.now + 50 });
    const gone = await made.link('left', 'a', { type: 'cites', valid_at: 1 });
    await made.graph.unlink('b', gone, 2);
    expect(await look(made)).toMatchObject({
      exists: true,
      links: { live: 2, retired: 1, future: 1, asserted: 1, detected: 1 },
      nodes: { linked: 3, total: 4, orphans: 2, missing: 1 },
      hubs: [
        { id: 'a', title: 'A', degree: 2, in: 0, out: 2 },
        { id: 'b', title: 'B', degree: 1, in: 1, out: 0 },
        { id: 'ghost', title: null, degree: 1, in: 1, out: 0 },
      ],
      types: [
        { type: 'mentions', live: 2, retired: 0 },
        { type: 'cites', live: 0, retired: 1 },
      ],
    });
  });

  test('shows the top of each list and counts the rest', async () => {
    const made = world();
    for (let i = 0; i < 30; i++) await made.link('hub', `n${i}`, { type: `t${i}` });
    const answer = await look(made, 2);
    expect(answer.hubs.map(({ id }) => id)).toEqual(['hub', 'n0']);
    expect(answer.not_shown).toEqual({ hubs: 29, types: 28, detectors: 0 });
    expect((await look(made, 0)).hubs).toHaveLength(1);
    expect((await look(made, 99)).hubs).toHaveLength(31);
  });

  test('is counted once while nothing changes', async () => {
    const made = world();
    await made.link('a', 'b');
    await look(made);
    made.now += 1000;
    expect((await look(made)).links.live).toBe(1);
    expect(made.backend.counts).toBe(1);
    await made.link('a', 'c');
    expect((await look(made)).links.live).toBe(2);
    expect(made.backend.counts).toBe(2);
  });

  test('is counted again when time makes a link begin or end', async () => {
    const made = world();
    const edgeId = await made.link('a', 'b', { valid_at: made.now + 10 });
    await made.graph.unlink('b', edgeId, made.now + 20);
    expect((await look(made)).links).toMatchObject({ live: 0, future: 1 });
    made.now += 10;
    expect((await look(made)).links).toMatchObject({ live: 1, future: 0 });
    made.now += 10;
    expect((await look(made)).links).toMatchObject({ live: 0, retired: 1 });
  });

  test('is not remembered beyond the life of its index', async () => {
    const made = world();
    await made.link('a', 'b');
    await look(made);
    made.backend.indexes.delete('.svc-memory-b-edges');
    made.backend.put('other', 'x', {});
    await made.link('c', 'd', { type: 'cites' });
    expect((await look(made)).types).toEqual([{ type: 'cites', live: 1, retired: 0 }]);
  });

  test('of a past moment leaves the remembered one alone', async () => {
    const made = world();
    await made.link('a', 'b', { valid_at: 500 });
    expect((await look(made)).links.live).toBe(1);
    expect((await look(made, 10, 499)).links).toMatchObject({ live: 0, future: 1 });
    expect((await look(made)).links.live).toBe(1);
  });
});

describe('a timeline', () => {
  const over = (...hours: number[]): Timeline =>
    timelineOf({ created: new Map(hours.map((hour) => [hour, 1])), ended: new Map() });

  test.each([
    ['one hour', [5], '1h', 1],
    ['two days', [0, 47], '1h', 48],
    ['a week', [0, 7 * 24], '6h', 29],
    ['before the epoch', [-1, 0], '1h', 2],
    ['a hundred years', [0, 100 * 365 * 24], '730d', 51],
  ])('over %s has at most 60 buckets', (_label, hours, interval, buckets) => {
    const timeline = over(...hours);
    expect(timeline.interval).toBe(interval);
    expect(timeline.buckets).toHaveLength(buckets);
    expect(timeline.buckets.reduce((sum, { created }) => sum + created, 0)).toBe(hours.length);
  });
});
