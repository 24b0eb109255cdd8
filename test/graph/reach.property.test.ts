// Nodes within reach of seeds, and the strength of their connections, compared with a walk over
// every path of a list of links.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pair } from '../../src/graph/reach.ts';
import type { Direction } from '../../src/graph/visible.ts';
import { histories, live, type ModelLink, modelState, NODES, type Past, TYPES } from './history.ts';

const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 60) };

const questions = fc.record({
  seeds: fc.subarray(NODES, { minLength: 1, maxLength: 5 }),
  hops: fc.constantFrom<1 | 2>(1, 2),
  types: fc.option(fc.subarray(TYPES, { minLength: 1 }), { nil: undefined }),
  direction: fc.constantFrom<Direction>('out', 'in', 'both'),
  at: fc.nat(10_000),
});
type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never;

/** The links that are live at the time, each as the steps that it allows. */
function stepsOf(past: Past, question: Question, world: number): [string, string, ModelLink][] {
  const { types, direction } = question;
  return past.links
    .filter((link) => types === undefined || types.includes(link.type))
    .filter((link) => modelState(link, world, Number.POSITIVE_INFINITY) === 'live')
    .flatMap((link): [string, string, ModelLink][] => [
      ...(direction === 'in' ? [] : [[link.src, link.dst, link] as [string, string, ModelLink]]),
      ...(direction === 'out' ? [] : [[link.dst, link.src, link] as [string, string, ModelLink]]),
    ]);
}

function modelPairs(question: Question, steps: [string, string, ModelLink][]): Pair[] {
  const best = new Map<string, Pair>();
  const put = (pair: Pair): void => {
    const key = `${pair.seed}>${pair.node}`;
    if (pair.seed === pair.node || (best.get(key)?.strength ?? -1) >= pair.strength) return;
    best.set(key, pair);
  };
  for (const seed of question.seeds) {
    for (const [from, node, link] of steps)
      if (from === seed) put({ seed, node, hop: 1, strength: link.strength });
    if (question.hops === 1) continue;
    for (const [from, middle, near] of steps)
      if (from === seed && middle !== seed)
        for (const [start, node, far] of steps)
          if (start === middle)
            put({ seed, node, hop: 2, strength: near.strength * far.strength * 0.5 });
  }
  return [...best.values()];
}

function modelNodes(
  { seeds, hops }: Question,
  steps: [string, string, ModelLink][],
): Map<string, number> {
  const nodes = new Map<string, number>();
  let from = new Set(seeds);
  for (let hop = 1; hop <= hops; hop++) {
    const next = new Set<string>();
    for (const [near, far] of steps)
      if (from.has(near) && !seeds.includes(far) && !nodes.has(far)) next.add(far);
    for (const node of next) nodes.set(node, hop);
    from = next;
  }
  return nodes;
}

function byNames(pairs: readonly Pair[]): Record<string, number> {
  return Object.fromEntries(
    pairs.map(({ seed, node, strength }) => [`${seed}>${node}`, strength]).sort(),
  );
}

function check(
  law: (past: Past, question: Question, world: number) => Promise<void>,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(histories, questions, async (operations, question) => {
      const past = await live(operations);
      const world = past.instants[question.at % past.instants.length] ?? past.world.now;
      await law(past, question, world);
    }),
    RUNS,
  );
}

describe('reach', () => {
  test('finds the nodes that a walk finds, in its hops', () =>
    check(async (past, question, world) => {
      const { at: _at, ...rest } = question;
      const request = { ...rest, moment: { world, system: null } };
      const { nodes } = await past.world.graph.reachable('b', request);
      const expected = modelNodes(question, stepsOf(past, question, world));
      expect([...nodes].sort()).toEqual([...expected].sort());
    }));

  test('joins nodes to seeds by the strongest way', () =>
    check(async (past, question, world) => {
      const { at: _at, ...rest } = question;
      const request = { ...rest, moment: { world, system: null } };
      const { pairs, unread } = await past.world.graph.strengths('b', request);
      expect(unread).toBe(0);
      expect(byNames(pairs)).toEqual(byNames(modelPairs(question, stepsOf(past, question, world))));
      expect(new Set(pairs.map(({ seed, node }) => `${seed}>${node}`)).size).toBe(pairs.length);
    }));
});
