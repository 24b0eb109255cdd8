import { expect, test } from 'vitest';
import { BoundedMap } from '../../src/base/bounded-map.ts';

test('a bounded map keeps the entries used most recently and forgets the others', () => {
  const map = new BoundedMap<string, number>(10);
  map.set('used', -1);
  for (let n = 0; n < 100; n++) {
    map.set(`k${n}`, n);
    expect(map.get('used')).toBe(-1);
    for (let back = 0; back < Math.min(n, 5); back++)
      expect(map.get(`k${n - back}`)).toBe(n - back);
  }
  const kept = Array.from({ length: 100 }, (_, n) => map.has(`k${n}`)).filter(Boolean);
  expect(kept.length).toBeGreaterThanOrEqual(9);
  expect(kept.length).toBeLessThanOrEqual(20);
});

test('a value set again replaces the one of the older generation', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('c', 3);
  map.set('a', 4);
  expect(map.get('a')).toBe(4);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
  expect(map.has('a')).toBe(false);
  map.clear();
  expect(map.get('c')).toBeUndefined();
});

test('a full map does not turn over when a key that it has is set', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('old', 0);
  map.set('a', 1);
  for (let n = 0; n < 10; n++) map.set('a', n);
  expect(map.has('old')).toBe(true);
});
