// Laws of ego networks over random histories, compared with a breadth-first search over a list of
// links.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EgoAnswer, EgoRequest } from '../../src/graph/ego.ts';
import type { Direction } from '../../src/graph/visible.ts';
import { LONG } from '../tools/long.ts';
import {
  histories,
  live,
  longHistories,
  type ModelLink,
  modelState,
  NODES,
  type Operation,
  type Past,
  TYPES,
} from './history.ts';

/** PROPERTY_RUNS sets the number of runs. */
const REQUESTED_RUNS = process.env['PROPERTY_RUNS'];
const RUNS = { numRuns: Number(REQUESTED_RUNS ?? (LONG ? 60 : 25)) };
const MANY = { numRuns: Number(REQUESTED_RUNS ?? (LONG ? 500 : 150)) };

interface Question {
  readonly node: string;
  readonly direction: Direction;
  readonly hops: 1 | 2;
  readonly types: readonly string[] | undefined;
  readonly includeExpired: boolean;
  readonly limit: number;
  /** Index of an instant of the history. */
  readonly asOf: number | undefined;
  readonly knownAt: number | undefined;
}

const pick = fc.option(fc.nat(10_000), { nil: undefined });
const questions: fc.Arbitrary<Question> = fc.record({
  node: fc.constantFrom(...NODES),
  direction: fc.constantFrom<Direction>('out', 'in', 'both'),
  hops: fc.constantFrom<1 | 2>(1, 2),
  types: fc.option(fc.subarray(TYPES, { minLength: 1 }), { nil: undefined }),
  includeExpired: fc.boolean(),
  limit: fc.constantFrom(1, 3, 1000),
  asOf: pick,
  knownAt: pick,
});

function instant(past: Past, at: number | undefined): number | undefined {
  return at === undefined ? undefined : past.instants[at % past.instants.length];
}

function ask(past: Past, question: Question, change: Partial<EgoRequest> = {}): Promise<EgoAnswer> {
  const { node, asOf, knownAt, ...rest } = question;
  return past.world.ego(node, {
    ...rest,
    asOf: instant(past, asOf),
    knownAt: instant(past, knownAt),
    ...change,
  });
}

interface Expected {
  /** Edge ids by hop, in order. */
  readonly shown: readonly string[];
  readonly retired: number;
  readonly future: number;
}

function walk(past: Past, question: Question): Expected {
  const known = instant(past, question.knownAt);
  const world = instant(past, question.asOf) ?? known ?? past.world.now;
  const system = known ?? Number.POSITIVE_INFINITY;
  const shown: ModelLink[] = [];
  let retired = 0;
  let future = 0;
  let from = new Set([question.node]);
  for (let hop = 1; hop <= question.hops; hop++) {
    const next = new Set<string>();
    const found: ModelLink[] = [];
    for (const link of past.links) {
      if (!touches(link, from, question.direction)) continue;
      if (hop === 2 && touches(link, new Set([question.node]), question.direction)) continue;
      if (question.types !== undefined && !question.types.includes(link.type)) continue;
      const state = modelState(link, world, system);
      if (state === 'retired' && !question.includeExpired) retired++;
      if (state === 'future') future++;
      if (state !== 'live' && !(state === 'retired' && question.includeExpired)) continue;
      found.push(link);
      if (question.direction !== 'in' && from.has(link.src)) next.add(link.dst);
      if (question.direction !== 'out' && from.has(link.dst)) next.add(link.src);
    }
    shown.push(...found.sort(inOrder));
    next.delete(question.node);
    from = next;
  }
  return { shown: shown.map(({ edge_id }) => edge_id), retired, future };
}

function touches(link: ModelLink, nodes: ReadonlySet<string>, direction: Direction): boolean {
  if (direction === 'out') return nodes.has(link.src);
  if (direction === 'in') return nodes.has(link.dst);
  return nodes.has(link.src) || nodes.has(link.dst);
}

function inOrder(a: ModelLink, b: ModelLink): number {
  if (a.strength !== b.strength) return b.strength - a.strength;
  if (a.valid_at !== b.valid_at) return b.valid_at - a.valid_at;
  return a.edge_id < b.edge_id ? -1 : 1;
}

function ids({ links }: EgoAnswer): readonly string[] {
  return links.map(({ edge_id }) => edge_id);
}

function timeless({ took: _took, ...answer }: EgoAnswer): unknown {
  return answer;
}

/** A history without links has no brain to query. */
function check(
  law: (past: Past, question: Question) => Promise<void>,
  past: fc.Arbitrary<Operation[]> = histories,
  runs = RUNS,
): Promise<void> {
  return fc.assert(
    fc.asyncProperty(
      past,
      fc.array(questions, { minLength: 1, maxLength: 8 }),
      async (operations, requested) => {
        const lived = await live(operations);
        if (lived.links.length === 0) return;
        for (const question of requested) await law(lived, question);
      },
    ),
    runs,
  );
}

describe('ego', () => {
  test(
    'shows what a breadth-first walk finds, in its order, and counts the rest',
    () =>
      check(
        async (past, question) => {
          const answer = await ask(past, question);
          const { shown, retired, future } = walk(past, question);
          expect(ids(answer)).toEqual(shown.slice(0, question.limit));
          const { not_shown: rest } = answer;
          expect(rest.reasons).toEqual({
            limit: Math.max(0, shown.length - question.limit),
            fan_cap: 0,
            expired: retired,
            not_yet: future,
          });
          const sum = (counts: object): number => Object.values(counts).reduce((a, b) => a + b, 0);
          expect(rest.links).toBe(shown.length + retired + future - answer.links.length);
          expect(sum(rest.by_hop)).toBe(rest.links);
          expect(sum(rest.by_type)).toBe(rest.links);
          expect(rest.exact).toBe(true);
        },
        longHistories,
        MANY,
      ),
    60_000,
  );

  test('never shows a link twice, and each with its state', () =>
    check(async (past, question) => {
      const answer = await ask(past, question);
      expect(new Set(ids(answer)).size).toBe(answer.links.length);
      const system = answer.known_at ?? Number.POSITIVE_INFINITY;
      for (const shown of answer.links) {
        const link = past.links.find(({ edge_id }) => edge_id === shown.edge_id) as ModelLink;
        expect(shown.state).toBe(modelState(link, answer.as_of, system));
        expect(shown.invalid_at).toBe(shown.state === 'retired' ? link.invalid_at : null);
      }
    }));

  test('with a smaller limit is a prefix', () =>
    check(async (past, question) => {
      const all = await ask(past, question, { limit: 1000 });
      for (const limit of [1, 2, 5]) {
        const some = await ask(past, question, { limit });
        expect(some.links).toEqual(all.links.slice(0, limit));
        expect(some.reachable).toEqual(all.reachable.slice(0, some.reachable.length));
      }
    }));

  test('at a known_at of now or later is as without', () =>
    check(async (past, question) => {
      const asOf = instant(past, question.asOf) ?? past.world.now;
      const plain = await ask(past, question, { asOf, knownAt: undefined });
      const known = await ask(past, question, { asOf, knownAt: past.world.now + 5 });
      const { known_at: _known, ...rest } = known;
      expect(timeless(rest as EgoAnswer)).toEqual(timeless(plain));
    }));

  test('out of x reaches y exactly if in of y reaches x', () =>
    check(async (past, { node, asOf }) => {
      const at = { hops: 1 as const, asOf: instant(past, asOf), knownAt: undefined, limit: 1000 };
      const out = await past.world.ego(node, { ...at, direction: 'out' });
      for (const { id } of out.reachable) {
        const back = await past.world.ego(id, { ...at, direction: 'in' });
        expect(back.reachable.map((one) => one.id)).toContain(node);
      }
      expect(out.nodes[node]?.out).toBe(out.links.length);
    }));

  test('of a time before a link ended is the same after it was retired', () =>
    check(async (past, question) => {
      const open = past.links.find(({ invalid_at }) => invalid_at === null);
      if (open === undefined) return;
      const end = Math.max(past.world.now, open.valid_at) + 1;
      const asOf = end - 1;
      const before = await ask(past, question, { asOf, knownAt: undefined });
      await past.world.graph.unlink('b', open.edge_id, end);
      open.invalid_at = end;
      open.expired_at = past.world.now;
      const after = await ask(past, question, { asOf, knownAt: undefined });
      expect(timeless(after)).toEqual(timeless(before));
    }));
});
