// The text of aggregations is added to a response piece by piece.
import { expect, test } from 'vitest';
import { Pieces } from '../../src/api/kit/pieces.js';
import { writeAggregations } from '../../src/api/search/aggregation-text.js';
import type { AggregationText } from '../../src/backend/index.js';
import { runToCompletion } from '../../src/base/cooperative-task.js';

function written(pieces: AggregationText): string {
  const out = new Pieces().add('<');
  runToCompletion(writeAggregations(out, pieces, ({ total }) => out.add(`[${total}]`)));
  return out.add('>').join().toString('utf8');
}

test('letters, bytes and hits stand where they stood', () => {
  const hits = { nestedHits: [], total: 3, maxScore: null };
  expect(written(['{"a":"é', Buffer.from('ü"', 'utf8'), ',"hits":', hits, '}'])).toBe(
    '<{"a":"éü","hits":[3]}>',
  );
});

test('may be left every few pieces', () => {
  const pieces = Array.from({ length: 2000 }, () => Buffer.from('1'));
  const out = new Pieces();
  const steps = [...writeAggregations(out, pieces, () => undefined)];
  expect(steps.length).toBeGreaterThan(30);
  expect(out.join().length).toBe(2000);
});
