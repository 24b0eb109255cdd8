// Walks over many links take one thread a long time: they yield to other requests.
import { expect, test } from 'vitest';
import { runCooperatively } from '../../src/base/cooperative-task.ts';
import { graphShares } from '../../src/fusion/graph-blend.ts';
import { world } from './world.ts';

const NOW = { world: 10, system: null };

/** Counts the turns of the event loop until the work is done. */
async function turnsOf<T>(work: () => Promise<T> | T): Promise<{ result: T; turns: number }> {
  let [turns, running] = [0, true];
  const count = (): void => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  running = false;
  return { result, turns };
}

test('to what lies around a hub', async () => {
  const made = world();
  const links = Array.from({ length: 20_000 }, (_, i) => ({ src: 'hub', dst: `n${i}`, type: 't' }));
  await made.graph.assertLinks(
    'b',
    links.map((link) => ({ ...link, validAt: 5 })),
  );
  const { result, turns } = await turnsOf(() =>
    made.graph.reachable('b', { seeds: ['hub'], hops: 1, moment: NOW }),
  );
  expect(result.nodes.size).toBe(20_000);
  expect(turns).toBeGreaterThan(20);
});

test('from a hundred seeds by a hundred nodes to a hundred each', async () => {
  const made = world();
  const hundred = Array.from({ length: 100 }, (_, i) => i);
  const near = hundred.flatMap((a) => hundred.map((b) => ({ src: `s${a}`, dst: `m${b}` })));
  const far = hundred.flatMap((b) => hundred.map((c) => ({ src: `m${b}`, dst: `l${b}-${c}` })));
  await made.graph.assertLinks('b', [
    ...near.map((link) => ({ ...link, type: 't', validAt: 5, weight: 0.5 })),
    ...far.map((link) => ({ ...link, type: 't', validAt: 5 })),
  ]);
  const seeds = hundred.map((a) => `s${a}`);
  const { result, turns } = await turnsOf(() =>
    made.graph.strengths('b', { seeds, hops: 2, direction: 'out', moment: NOW }),
  );
  expect(result.pairs.length).toBe(100 * 100 + 100 * 10_000);
  expect(turns).toBeGreaterThan(200);

  const worth = new Map(seeds.map((id) => [id, 1]));
  const shares = await turnsOf(() => runCooperatively(graphShares(worth, result.pairs, 1)));
  expect(shares.result.size).toBe(100 + 10_000);
  expect(shares.turns).toBeGreaterThan(50);
});
