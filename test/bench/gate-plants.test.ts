// The slowdowns of the gate's self-test: each has its place in the built service, and a case that
// detects it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gateCases } from '../../bench/gate/cases.ts';
import { PLANTS, planted } from '../../bench/gate/plants.ts';

test.each(PLANTS)('$name has exactly one place', (plant) => {
  const before = readFileSync(plant.file, 'utf8');
  const after = planted(before, plant);
  expect(after).toContain(plant.slow);
  expect(after.length).toBe(before.length - plant.place.length + plant.slow.length);
});

test.each(PLANTS)('$name is looked for by a case', ({ caught }) => {
  expect(gateCases().map(({ name }) => name)).toContain(caught.name);
});

test('a place that is gone or there twice is refused by the name of the plant', () => {
  const [plant] = PLANTS;
  if (plant === undefined) throw new Error('no plants');
  expect(() => planted('nothing', plant)).toThrow(`[${plant.name}] its place is 0 times`);
  expect(() => planted(plant.place + plant.place, plant)).toThrow('is 2 times');
});
