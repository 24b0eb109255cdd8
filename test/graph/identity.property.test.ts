// The identity of a link: the same statement has one id in every notation of its time, different
// statements never share one, and intervals are half-open to the millisecond.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgeId } from '../../src/graph/edge-id.ts';
import { stateAt } from '../../src/graph/times.ts';
import { fakeHash, world } from './world.ts';

const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) };
const LAST = Date.UTC(9999, 0, 1);

/** The instant as RFC 3339 in a time zone. */
function written(ms: number, zone: number, separator: string): string {
  const local = new Date(ms + zone * 60_000).toISOString().slice(0, -1).replace('T', separator);
  const sign = zone < 0 ? '-' : '+';
  const two = (n: number): string => String(Math.floor(Math.abs(n))).padStart(2, '0');
  return `${local}${sign}${two(zone / 60)}:${two(Math.abs(zone) % 60)}`;
}

test('the same link in any notation of its time is created once', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: LAST }),
      fc.integer({ min: -23 * 60, max: 23 * 60 }),
      fc.constantFrom('T', 't', ' '),
      async (ms, zone, separator) => {
        const { graph } = world();
        const body = { src: 'a', dst: 'b', type: 't' };
        const notations = [
          ms,
          String(ms),
          written(ms, zone, separator),
          new Date(ms).toISOString(),
        ];
        const answers = [];
        for (const valid_at of notations)
          answers.push(await graph.link('b', { ...body, valid_at }));
        expect(answers.map(({ created }) => created)).toEqual([true, false, false, false]);
        expect(new Set(answers.map(({ edge_id }) => edge_id)).size).toBe(1);
        expect(answers[0]?.link.valid_at).toBe(ms);
      },
    ),
    RUNS,
  ));

/**
 * Strings that look like parts of one another: delimiters, digits, composed and decomposed
 * characters.
 */
const letter = fc.constantFrom(...'ab >:,-019', '\u0001', '\u00e9', 'e', '\u0301', '🙂');
const text = fc
  .array(letter, { minLength: 1, maxLength: 6 })
  .map((characters) => characters.join(''));
const statement = fc.record({ src: text, type: text, dst: text, validAt: fc.nat(12) });

test('different statements have different ids, whatever their texts hold', () =>
  fc.assert(
    fc.property(statement, statement, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      expect(edgeId(fakeHash, a) === edgeId(fakeHash, b)).toBe(same);
    }),
    { numRuns: 2000 },
  ));

const instant = fc.integer({ min: 0, max: 6 });
const open = fc.option(instant, { nil: null });

test('a link is live from its beginning up to its end, to the millisecond, as far as it was known', () =>
  fc.assert(
    fc.property(
      instant,
      open,
      instant,
      open,
      instant,
      open,
      (valid, end, created, ended, at, known) => {
        const link = {
          valid_at: valid,
          invalid_at: end,
          created_at: created,
          // An end always has a time at which it was recorded.
          expired_at: end === null ? null : (ended ?? created),
        };
        const system = known ?? Number.POSITIVE_INFINITY;
        const live =
          created <= system &&
          valid <= at &&
          !(end !== null && end <= at && (link.expired_at ?? 0) <= system);
        expect(stateAt(link, { world: at, system: known }) === 'live').toBe(live);
      },
    ),
    { numRuns: 2000 },
  ));
