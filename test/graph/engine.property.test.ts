// The same history in memory and in the real engine, with refreshes, flushes, merges and restarts:
// the results are equal in every state of the engine.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EgoAnswer, EgoRequest } from '../../src/graph/ego.ts';
import { Graph } from '../../src/graph/graph.ts';
import { edgesIndex } from '../../src/graph/names.ts';
import type { OverviewAnswer } from '../../src/graph/overview.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';
import { LONG } from '../tools/long.ts';
import { live, longHistories, NODES, type Past, TYPES } from './history.ts';
import { fakeHash } from './world.ts';

/** Number of histories, set by PROPERTY_RUNS. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (LONG ? 3 : 1));
const SEED = fc.readConfigureGlobal().seed ?? randomInt(2 ** 31);

class RealWorld {
  #real: RealBackend;
  graph: Graph;
  now = 1_000_000;

  constructor(real: RealBackend) {
    this.#real = real;
    this.graph = this.#graphOver(real);
  }

  /** Runs an operation of the engine between two requests. */
  async disturb(kind: number): Promise<void> {
    const { backend } = this.#real;
    const edges = edgesIndex('b');
    if (!backend.exists(edges, {})) return;
    if (kind === 0) await backend.refresh(edges, {});
    else if (kind === 1) await backend.flush(edges, {});
    else if (kind === 2) await backend.forceMerge(edges, 1, {});
    else if (kind === 3) await this.restart();
  }
  async restart(): Promise<void> {
    await this.#real.close();
    this.#real = await openBackend({ dataDir: this.#real.dataDir });
    this.graph = this.#graphOver(this.#real);
  }
  async close(): Promise<void> {
    await this.#real.close();
    removeFolder(this.#real.dataDir);
  }

  #graphOver({ backend }: RealBackend): Graph {
    return new Graph({ backend, hash128: fakeHash, nowMs: () => this.now });
  }
}

let real: RealWorld;
beforeAll(async () => {
  real = new RealWorld(await openBackend());
});
afterAll(async () => {
  await real?.close();
});

async function answers(graph: Graph, past: Past): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const [i, node] of NODES.entries()) {
    const at = past.instants[(i * 37) % past.instants.length];
    const request: EgoRequest = {
      node,
      direction: (['both', 'out', 'in'] as const)[i % 3] ?? 'both',
      hops: (i % 2) + 1,
      types: i % 4 === 0 ? TYPES.slice(1) : undefined,
      includeExpired: i % 5 === 0,
      includeNodes: true,
      limit: [3, 100, 1000][i % 3] ?? 100,
      asOf: i % 2 === 0 ? at : undefined,
      knownAt: i % 7 === 0 ? at : undefined,
    };
    const ego: EgoAnswer = await graph.ego('b', request);
    const overview: OverviewAnswer = await graph.overview('b', { top: 50, asOf: at });
    const moment = { world: at ?? 0, system: null };
    const { pairs } = await graph.strengths('b', { seeds: [node, 'n0'], hops: 2, moment });
    const ways = pairs.map(({ seed, node: to, strength }) => `${seed}>${to} ${strength}`).sort();
    all.push({ ...ego, took: 0 }, overview, ways);
  }
  return all;
}

test.each(
  Array.from({ length: RUNS }, (_, i) => [SEED + i]),
)('history %i gives the same answers after all that an engine does', {
  timeout: 240_000,
}, async (seed) => {
  const [operations = []] = fc.sample(longHistories, { seed, numRuns: 1 });
  const disturbances = fc.sample(fc.nat(40), { seed, numRuns: operations.length });
  await real.graph.dropBrain('b');
  real.now = 1_000_000;
  const [model, past] = [
    await live(operations),
    await live(operations, real, (at) => real.disturb(disturbances[at] ?? 40)),
  ];
  expect(past.links).toEqual(model.links);
  const expected = await answers(model.world.graph, model);
  expect(await answers(real.graph, past)).toEqual(expected);
  for (const kind of [1, 2, 3]) {
    await real.disturb(kind);
    expect(await answers(real.graph, past)).toEqual(expected);
  }
});
