// Random sorts for a mapping, and the expected order by a naive comparison of documents.
import fc from 'fast-check';
import type { Doc, Mapping, World } from './world.ts';

export interface Key {
  readonly dsl: object;
  readonly compare: (world: World, a: Doc, b: Doc) => number;
}

const NUMBERS = ['long', 'double', 'date'];

/** The value of a document that the sort uses. */
function pick(values: readonly (string | number)[], mode: string): string | number | undefined {
  if (mode === 'min') return values[0];
  if (mode === 'max') return values.at(-1);
  if (values.length === 0) return undefined;
  return values.reduce<number>((sum, value) => sum + Number(value), 0);
}

function keyFor(field: string, type: string): fc.Arbitrary<Key> {
  const modes = NUMBERS.includes(type) && type !== 'date' ? ['min', 'max', 'sum'] : ['min', 'max'];
  return fc
    .record({
      order: fc.constantFrom('asc', 'desc'),
      mode: fc.option(fc.constantFrom(...modes), { nil: undefined }),
      missing: fc.option(fc.constantFrom('_first', '_last'), { nil: undefined }),
    })
    .map(({ order, mode, missing }) => ({
      dsl: {
        [field]: {
          order,
          ...(mode === undefined ? {} : { mode }),
          ...(missing === undefined ? {} : { missing }),
        },
      },
      compare: (world, a, b) => {
        const chosen = mode ?? (order === 'asc' ? 'min' : 'max');
        const x = pick(world.keys(a, field), chosen);
        const y = pick(world.keys(b, field), chosen);
        if (x === undefined || y === undefined) {
          const absent = Number(x === undefined) - Number(y === undefined);
          return missing === '_first' ? -absent : absent;
        }
        const ascending = x < y ? -1 : x > y ? 1 : 0;
        return order === 'asc' ? ascending : -ascending;
      },
    }));
}

/** One to three keys; text fields cannot be sorted. */
export function sortFor(mapping: Mapping): fc.Arbitrary<readonly Key[]> {
  const keys = [...mapping]
    .filter(([, type]) => type !== 'text')
    .map(([field, type]) => keyFor(field, type));
  return fc.array(fc.oneof(...keys), { minLength: 1, maxLength: 3 });
}

/** Ties are in the order of writing. */
export function inOrder(world: World, docs: readonly Doc[], keys: readonly Key[]): readonly Doc[] {
  return [...docs].sort((a, b) => {
    for (const key of keys) {
      const order = key.compare(world, a, b);
      if (order !== 0) return order;
    }
    return a.n - b.n;
  });
}
