// The points at which tests end the process are in builds for tests alone: the addon that is shipped has none.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const FLUSH = 'native/core/shard/shard_flush.cc';

test('the addon has no kill point', () => {
  const names = [...readFileSync(resolve(root, FLUSH), 'utf8').matchAll(/KILL_POINT\(.*"(.*)"\)/g)];
  expect(names.length).toBeGreaterThan(2);
  const addon = readFileSync(createRequire(resolve(root, 'package.json')).resolve('#native'));
  for (const [, name] of names) expect(addon.includes(name ?? '')).toBe(false);
});
