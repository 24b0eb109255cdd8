// Marks of indexes: equal as long as nothing was written, never equal again afterwards, and never
// equal to those of another index.
import { expect, test } from 'vitest';
import { MARK_PLACES, WriteMarks } from '../../src/coordinator/shards/write-marks.ts';

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

test('change together where indexes share a place, and stay different', () => {
  const marks = new WriteMarks();
  const before = marks.of(1 + MARK_PLACES);
  marks.wrote([{ index: 1, shard: 0 }]);
  expect(marks.of(1 + MARK_PLACES)).not.toBe(before);
  expect(marks.of(1 + MARK_PLACES)).not.toBe(marks.of(1));
});

test('are the same for all who share the table', () => {
  const table = new Float64Array(MARK_PLACES);
  const [writer, reader] = [new WriteMarks(table), new WriteMarks(table)];
  const before = reader.of(7);
  writer.wrote([{ index: 7, shard: 1 }]);
  expect(reader.of(7)).toBe(writer.of(7));
  expect(reader.of(7)).not.toBe(before);
});
