// The text of an aggregation tree is that of the JSON writer of all other answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeAggregations } from '../../src/api/aggregation-text.js';
import { toJson } from '../../src/api/json.js';
import { Pieces } from '../../src/api/pieces.js';
import type { AggregationTree } from '../../src/backend.js';
import { atOnce } from '../../src/ops/turns.js';

const noHits = (): never => {
  throw new Error('a tree without hits');
};

function written(tree: AggregationTree): string {
  const out = new Pieces();
  atOnce(writeAggregations(out, tree, noHits));
  return out.join().toString('utf8');
}

const trees = fc.letrec<{ tree: AggregationTree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.bigInt(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('tree')),
    fc.dictionary(
      fc.string().filter((name) => name !== 'nestedHits'),
      tie('tree'),
    ),
  ),
})).tree;

describe('writeAggregations', () => {
  it('writes what the JSON writer writes', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(written(tree)).toBe(toJson(tree));
      }),
    );
  });

  it('may be left every few values of a long list', () => {
    const buckets = Array.from({ length: 2000 }, (_, key) => ({ key, doc_count: 1 }));
    const steps = [...writeAggregations(new Pieces(), { buckets }, noHits)];
    expect(steps.length).toBeGreaterThan(30);
  });

  it('writes a tree that is deeper than a stack', () => {
    let tree: AggregationTree = 1;
    for (let i = 0; i < 100_000; i++) tree = [tree];
    expect(written(tree)).toBe(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  });

  it('leaves hits to their writer, at their place', () => {
    const out = new Pieces();
    const nested = { nestedHits: [], total: 3, maxScore: null };
    const tree = { top: { hits: nested }, more: 1 } as AggregationTree;
    atOnce(writeAggregations(out, tree, ({ total }) => out.add(`<${total}>`)));
    expect(out.join().toString()).toBe('{"top":{"hits":<3>},"more":1}');
  });
});
