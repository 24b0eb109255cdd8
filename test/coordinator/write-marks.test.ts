// Marks of indexes: equal as long as nothing was written, never equal again afterwards, and never
// equal to those of another index.
import { expect, test } from 'vitest';
import { WriteMarks } from '../../src/coordinator/write/write-marks.ts';

test('change with every write to the index, and with no other', () => {
  const marks = new WriteMarks();
  const seen = new Set([marks.of(1), marks.of(2)]);
  expect(seen.size).toBe(2);
  for (let i = 0; i < 10; i++) {
    const other = marks.of(2);
    marks.wrote([{ index: 1, shard: 0 }]);
    expect(marks.of(2)).toBe(other);
    expect(seen.has(marks.of(1))).toBe(false);
    seen.add(marks.of(1));
  }
});

test('are new for all when too many are kept', () => {
  const marks = new WriteMarks();
  marks.wrote([{ index: 1, shard: 0 }]);
  const [written, unwritten] = [marks.of(1), marks.of(0)];
  for (let index = 2; index <= 10_001; index++) marks.wrote([{ index, shard: 0 }]);
  expect(marks.of(1)).not.toBe(written);
  expect(marks.of(0)).not.toBe(unwritten);
});
