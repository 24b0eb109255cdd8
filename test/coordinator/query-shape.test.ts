// The shape of a body in logs: it contains no value of any body.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { queryShape } from '../../src/coordinator/search/query-shape.ts';

test('keeps clauses, fields and options, and how long lists are', () => {
  const body = {
    size: 5,
    track_total_hits: true,
    query: {
      bool: {
        must: [{ match: { title: { query: 'secret', operator: 'and' } } }],
        filter: [{ terms: { tag: ['a', 'b', 'c'] } }, { term: { size: 7 } }],
      },
    },
    knn: { field: 'v', query_vector: [1, 2, 3], k: 3 },
    sort: ['secret'],
  };
  expect(queryShape(body)).toEqual({
    size: 5,
    track_total_hits: true,
    query: {
      bool: {
        must: [{ match: { title: { query: '?', operator: '?' } } }],
        filter: [{ terms: { tag: ['? × 3'] } }, { term: { size: '?' } }],
      },
    },
    knn: { field: '?', query_vector: ['? × 3'], k: '?' },
    sort: ['?'],
  });
});

test('a text in the place of a number is hidden all the same', () => {
  expect(queryShape({ size: 'secret', from: null })).toEqual({ size: '?', from: '?' });
});

test('no value of any body is in its shape', () => {
  const secret = fc.stringMatching(/^secret[a-z]{8}$/);
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      secret,
      fc.array(tie('tree'), { maxLength: 40 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'size', 'from', 'query'), tie('tree')),
    ),
  }));
  const bodies = fc.dictionary(fc.constantFrom('size', 'query', 'aggs', 'knn'), tree);
  fc.assert(
    fc.property(bodies, (body) => {
      expect(JSON.stringify(queryShape(body as JsonObject))).not.toContain('secret');
    }),
  );
});

test('is small however large the body is', () => {
  const deep = Array.from({ length: 100 }).reduce<JsonObject>((inner) => ({ bool: inner }), {});
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]));
  expect(JSON.stringify(queryShape({ query: deep })).length).toBeLessThan(200);
  expect(JSON.stringify(queryShape({ query: wide })).length).toBeLessThan(1000);
});
