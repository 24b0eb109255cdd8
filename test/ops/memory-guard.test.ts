// What is rejected while memory is short, and when it is accepted again.
import { beforeEach, expect, test } from 'vitest';
import { MemoryGuard } from '../../src/ops/memory-guard.ts';
import { memoryLimit, memoryReader } from '../../src/ops/process-memory.ts';

const LIMIT = 1000;
let now: number;
let use: { anonymous: number; heap: number; heapLimit: number };
let relieved: number;
let refused: string[];
let looks: number;
let guard: MemoryGuard;
beforeEach(() => {
  now = 0;
  use = { anonymous: 0, heap: 0, heapLimit: 10_000 };
  relieved = 0;
  refused = [];
  looks = 0;
  guard = new MemoryGuard({
    limit: () => LIMIT,
    read: () => {
      looks += 1;
      return use;
    },
    now: () => now,
    relieve: () => {
      relieved += 1;
    },
    onRefusal: (kind) => refused.push(kind),
  });
});

/** The operations that are allowed with this memory use, some time later. */
function allowed(anonymous: number, heap = 0): string[] {
  now += 10_000;
  use = { ...use, anonymous, heap };
  return (['write', 'search'] as const).filter((kind) => {
    try {
      guard.check(kind);
      return true;
    } catch {
      return false;
    }
  });
}

test('writes are refused first, searches an eighth later', () => {
  expect(allowed(999)).toEqual(['write', 'search']);
  expect(allowed(1000)).toEqual(['search']);
  expect(allowed(1124)).toEqual(['search']);
  expect(allowed(1125)).toEqual([]);
});

test('it clears by itself, a little below what it started at', () => {
  expect(allowed(1125)).toEqual([]);
  expect(allowed(1060)).toEqual([]);
  expect(allowed(1050)).toEqual(['search']);
  expect(allowed(940)).toEqual(['search']);
  expect(allowed(937)).toEqual(['write', 'search']);
  expect(allowed(999)).toEqual(['write', 'search']);
});

test('the heap counts as well', () => {
  expect(allowed(0, 8499)).toEqual(['write', 'search']);
  expect(allowed(0, 8500)).toEqual(['search']);
  expect(allowed(0, 9600)).toEqual([]);
  expect(() => guard.check('search')).toThrow('--max-old-space-size');
});

test('a refusal tells how much there is and how much may be', () => {
  use = { ...use, anonymous: 1200 };
  expect(() => guard.check('write')).toThrow(
    expect.objectContaining({
      type: 'circuit_breaking_exception',
      status: 429,
      message:
        '[memory] Data too large: the process holds 1200 bytes, more than the 1000 bytes that [limits.memory_bytes] allows; retry later',
      extra: { bytes_wanted: 1200, bytes_limit: 1000, durability: 'TRANSIENT' },
      headers: { 'Retry-After': '1' },
    }),
  );
  expect(refused).toEqual(['write']);
});

test('it looks and frees memory at most so often', () => {
  use = { ...use, anonymous: 2000 };
  for (let i = 0; i < 100; i++) expect(() => guard.check('write')).toThrow();
  expect([looks, relieved]).toEqual([1, 1]);
  now += 100;
  expect(() => guard.check('write')).toThrow();
  expect([looks, relieved]).toEqual([2, 1]);
  now += 3000;
  expect(() => guard.check('write')).toThrow();
  expect([looks, relieved]).toEqual([3, 2]);
});

test('what a process really uses, and may', () => {
  const { anonymous, heap, heapLimit } = memoryReader()();
  expect(heap).toBeGreaterThan(1_000_000);
  expect(anonymous).toBeGreaterThan(heap / 2);
  expect(heapLimit).toBeGreaterThan(heap);
  expect(memoryLimit(5000)).toBe(5000);
  expect(memoryLimit(0)).toBeGreaterThan(64 * 1024 * 1024);
});
