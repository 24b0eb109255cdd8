import { expect, test } from 'vitest';
import { Recent } from '../../src/base/recent.ts';

test('keeps what is used, and forgets the rest in time', () => {
  const recent = new Recent<number>(10);
  recent.set('used', -1);
  for (let n = 0; n < 100; n++) {
    recent.set(`k${n}`, n);
    expect(recent.get('used')).toBe(-1);
    for (let back = 0; back < Math.min(n, 5); back++)
      expect(recent.get(`k${n - back}`)).toBe(n - back);
  }
  const kept = Array.from({ length: 100 }, (_, n) => recent.get(`k${n}`)).filter(
    (v) => v !== undefined,
  );
  expect(kept.length).toBeGreaterThanOrEqual(9);
  expect(kept.length).toBeLessThanOrEqual(20);
});
