// An object of which a thread has only some members throws when any other is used, but not when its
// type is inspected.
import { expect, test } from 'vitest';
import { Elsewhere, elsewhere } from '../../src/ops/elsewhere.ts';

interface Part {
  here(): number;
  there(): number;
}

test('has its own members and no others', async () => {
  const part = elsewhere<Part>('the part', { here: () => 1 });
  expect(part.here()).toBe(1);
  expect(() => part.there()).toThrow(Elsewhere);
  expect(() => part.there()).toThrow('the part.there is the business of another thread');
  expect(await Promise.resolve(part)).toBe(part);
  expect(String(Object.prototype.toString.call(part))).toBe('[object Object]');
});
