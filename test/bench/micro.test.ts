// The cases of the micro benches: each verifies its result before it is timed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microCases } from '../../bench/micro/cases.ts';
import { FruitIndex } from '../../bench/micro/fruit-index.ts';
import { type Modules, modulesOf } from '../../bench/micro/modules.ts';
import { namesOf } from '../../bench/suites.ts';

let index: FruitIndex;
let modules: Modules;

beforeAll(async () => {
  index = new FruitIndex();
  modules = await modulesOf('.');
});
afterAll(() => index.close());

const run = (given: Modules): readonly unknown[] => microCases(index).map(({ of }) => of(given)());

test('all cases of this tree are right and return something', () => {
  const results = run(modules);
  expect(results.length).toBeGreaterThan(10);
  expect(results).not.toContain(undefined);
});

test.each<[what: string, wrong: (modules: Modules) => Partial<Modules>]>([
  [
    'a plan of another query',
    ({ searchBody }) => ({
      searchBody: {
        ...searchBody,
        compileSearch: (_, context) =>
          searchBody.compileSearch({ query: { match_none: {} } }, context),
      },
    }),
  ],
  ['a list that is not fused', ({ rrf }) => ({ rrf: { ...rrf, rrf: () => [] } })],
  ['a value that was not parsed', ({ json }) => ({ json: { ...json, parseObject: () => ({}) } })],
])('%s ends the suite before it is timed', (_, wrong) => {
  expect(() => run({ ...modules, ...wrong(modules) })).toThrow(/Expected values to be/);
});

test('the suite has a name', () => {
  expect(namesOf(['micro'])).toEqual(['micro']);
});
