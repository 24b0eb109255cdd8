// Random orders by fields of nested documents.
import { type Level, levelAt } from './levels.ts';
import { query } from './queries.ts';
import type { Chance } from './random.ts';

const MODES_OF_NUMBERS = ['min', 'max', 'sum', 'avg'];
const MODES = ['min', 'max'];

/** `nested` of an order: the way from `from` to a level, in one step or in several. */
function steps(chance: Chance, from: Level, target: Level): object {
  const between = target.around.filter((path) => from.inside.includes(path));
  const next = between.length > 0 && chance.oneIn(2) ? levelAt(between[0] ?? '') : target;
  return {
    path: next.path,
    ...(chance.oneIn(2) ? { filter: query(chance, next, { depth: 1, innerHits: false }) } : {}),
    ...(next === target ? {} : { nested: steps(chance, next, target) }),
  };
}

function order(chance: Chance): object {
  const root = levelAt('');
  const target = levelAt(chance.pick(root.inside));
  const isNumber = chance.below(3) > 0;
  const field = chance.pick(isNumber ? target.numbers : target.keywords);
  const missing = chance.pick(isNumber ? ['_first', '_last', 3] : ['_first', '_last']);
  return {
    [field]: {
      order: chance.pick(['asc', 'desc']),
      nested: {
        ...steps(chance, root, target),
        // Elasticsearch takes it at the top alone.
        ...(chance.oneIn(4) ? { max_children: 1 + chance.below(3) } : {}),
      },
      ...(chance.oneIn(4) ? {} : { mode: chance.pick(isNumber ? MODES_OF_NUMBERS : MODES) }),
      ...(chance.oneIn(3) ? { missing } : {}),
    },
  };
}

export function sort(chance: Chance): readonly unknown[] {
  const further = [{ n: 'desc' }, { tag: 'asc' }, '_score'];
  return [
    ...chance.list(1 + chance.below(2), () => order(chance)),
    ...(chance.oneIn(2) ? [chance.pick(further)] : []),
  ];
}
