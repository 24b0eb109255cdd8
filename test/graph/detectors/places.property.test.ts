// Positions of words, compared with plain lists.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Counters } from '../../../src/graph/detectors/counters.ts';
import { Places } from '../../../src/graph/detectors/places.ts';

const MOST = 4;

test('words have the places that a plain list has, and none where those are too many', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          word: fc.integer({ min: -600, max: 600 }),
          group: fc.nat(2),
          look: fc.nat(99),
        }),
        { maxLength: 3000 },
      ),
      fc.nat(3000),
      (added, end) => {
        const places = new Places(MOST, 3);
        const plain = new Map<number, { readonly place: number; readonly group: number }[]>();
        for (const [place, { word, group, look }] of added.entries()) {
          places.add(places.enter(word), place, group);
          plain.set(word, [...(plain.get(word) ?? []), { place, group }]);
          // A read between two additions changes nothing.
          if (look === 0) places.of(places.entryOf(word));
        }
        expect(places.size).toBe(plain.size);
        expect(places.entryOf(10_000)).toBe(-1);
        expect(places.count(-1)).toBe(0);
        const counters = new Counters();
        for (const [word, all] of plain) {
          const entry = places.entryOf(word);
          const reported = all.length > MOST ? [] : all;
          expect(places.isEverywhere(entry)).toBe(all.length > MOST);
          expect(places.count(entry)).toBe(reported.length);
          for (const group of [0, 1, 2]) {
            const expected = reported
              .filter((one) => one.group === group)
              .map(({ place }) => place);
            expect([...places.of(entry, group)]).toEqual(expected);
            expect(expected.every((place) => places.has(entry, place, group))).toBe(true);
            expect(places.has(entry, added.length, group)).toBe(false);
            places.countInto(counters, entry, group, end);
            places.countInto(counters, entry, group);
            const counted: number[] = [];
            counters.drain(2, (place) => counted.push(place));
            expect(counted).toEqual(expected.filter((place) => place < end));
          }
        }
      },
    ),
    { numRuns: 60 },
  ));
