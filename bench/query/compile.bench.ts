// Measures the time that the coordinator's thread needs to compile a search body to plan bytes.
import b from 'benny';
import { loadAddon } from '../../src/native/addon.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { compileSearch } from '../../src/query/search-body.ts';
import type { SuiteResult } from '../lab/result.ts';

const BODIES = {
  match: { query: { match: { title: 'green apples' } } },
  filtered: {
    query: {
      bool: {
        must: [{ match: { title: { query: 'green apples', operator: 'and' } } }],
        filter: [{ term: { kind: 'fruit' } }, { range: { price: { gte: 3, lt: 9 } } }],
      },
    },
    sort: [{ price: 'desc' }, '_score'],
    _source: ['title', 'price'],
    size: 20,
  },
  terms: { query: { terms: { tag: Array.from({ length: 100 }, (_, i) => `tag-${i}`) } } },
};

export async function compileSuite(): Promise<SuiteResult> {
  const context = {
    opcodes: loadAddon().opcodes(),
    nowMs: 0,
    limits: DEFAULT_LIMITS,
  };
  const summary = await b.suite(
    'search body to plan bytes',
    ...Object.entries(BODIES).map(([name, body]) =>
      b.add(name, () => compileSearch(body, context).plan.length),
    ),
    b.cycle(),
    b.complete(),
  );
  const rows = summary.results.map(({ name, ops, margin, details }) => ({
    name: String(name),
    unit: 'us',
    values: { mean: 1e6 / ops, median: details.median * 1e6, 'margin %': margin },
  }));
  return { facts: ['benny, until the margin of error is small'], rows };
}
