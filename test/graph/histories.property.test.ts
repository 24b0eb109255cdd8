// Laws of complete histories: the order in which operations arrive is irrelevant, brains do not
// affect each other, and exactly one of several concurrent writers wins.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edgesIndex } from '../../src/graph/names.ts';
import { NODES, TYPES } from './history.ts';
import { type World, world } from './world.ts';

const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 60) };

/** A statement with all of its times: nothing depends on its arrival. */
interface Saying {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
  readonly valid_at: number;
  /** Undefined: without an end. */
  readonly invalidAt: number | undefined;
}

const saying: fc.Arbitrary<Saying> = fc
  .record({
    src: fc.nat(NODES.length - 1),
    by: fc.integer({ min: 1, max: NODES.length - 1 }),
    type: fc.constantFrom(...TYPES),
    valid_at: fc.integer({ min: 0, max: 50 }),
    lasts: fc.option(fc.nat(20), { nil: undefined }),
  })
  .map(({ src, by, type, valid_at, lasts }) => ({
    src: NODES[src] ?? '',
    dst: NODES[(src + by) % NODES.length] ?? '',
    type,
    valid_at,
    invalidAt: lasts === undefined ? undefined : valid_at + lasts,
  }));

/**
 * At most one end for each link: with two different ends the first would win, so their order would
 * matter.
 */
const sayings = fc.uniqueArray(saying, {
  minLength: 100,
  maxLength: 140,
  selector: ({ src, dst, type, valid_at }) => `${src}>${dst}:${type}@${valid_at}`,
});

function stored(made: World, brain: string): string {
  const documents = made.backend.indexes.get(edgesIndex(brain))?.documents ?? new Map();
  const texts = [...documents].map(([id, { source }]) => `${id} ${Buffer.from(source)}`);
  return texts.sort().join('\n');
}

async function say(made: World, brain: string, one: Saying): Promise<void> {
  const { invalidAt, ...body } = one;
  const { edge_id } = await made.graph.link(brain, body);
  if (invalidAt !== undefined) await made.graph.unlink(brain, edge_id, invalidAt);
}

test('any order of the same operations gives the same links', () =>
  fc.assert(
    fc.asyncProperty(
      sayings.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      async ([first, second]) => {
        const [one, two] = [world(), world()];
        for (const each of first) await say(one, 'b', each);
        // Repeated, and concurrently.
        await Promise.all([...second, ...second].map((each) => say(two, 'b', each)));
        expect(stored(two, 'b')).toBe(stored(one, 'b'));
      },
    ),
    RUNS,
  ));

test('operations of one brain never change the bytes of another', () =>
  fc.assert(
    fc.asyncProperty(sayings, sayings, async (mine, others) => {
      const made = world();
      for (const each of mine) await say(made, 'mine', each);
      const before = stored(made, 'mine');
      const ego = await made.graph.strengths('mine', {
        seeds: NODES.slice(0, 3),
        hops: 2,
        moment: { world: 40, system: null },
      });
      for (const each of others) await say(made, 'other', each);
      await made.graph.forgetNodes('other', [NODES[0] ?? '']);
      await made.graph.dropBrain('other');
      expect(stored(made, 'mine')).toBe(before);
      const after = await made.graph.strengths('mine', {
        seeds: NODES.slice(0, 3),
        hops: 2,
        moment: { world: 40, system: null },
      });
      expect(after).toEqual(ego);
    }),
    RUNS,
  ));

describe('of those who write at once', () => {
  test('one creates a link and one retires it, whatever the turns', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (turns, writers) => {
        const made = world();
        made.backend.beforeWrite = () => turns.schedule(Promise.resolve());
        const body = { src: 'a', dst: 'b', type: 't', valid_at: 10 };
        const linking = Promise.all(
          Array.from({ length: writers }, () => made.graph.link('b', body)),
        );
        await turns.waitFor(linking);
        const links = await linking;
        expect(links.filter(({ created }) => created)).toHaveLength(1);
        const edge = links[0]?.edge_id ?? '';
        const retiring = Promise.all(
          Array.from({ length: writers }, (_, i) => made.graph.unlink('b', edge, 100 + i)),
        );
        await turns.waitFor(retiring);
        const answers = await retiring;
        const won = answers.filter((answer) => answer.invalidated);
        expect(won).toHaveLength(1);
        const end = won[0]?.invalidated ? won[0].invalid_at : undefined;
        for (const answer of answers)
          if (!answer.invalidated) expect(answer.already_invalid_at).toBe(end);
      }),
      RUNS,
    ));
});
