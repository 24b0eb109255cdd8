// The kill points for tests exist only in builds for tests: the shipped addon has none.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const FILES = ['native/core/shard/shard_flush.cc', 'native/core/engine/engine_changes.cc'];

test.each(FILES)('the addon has no kill point of %s', (file) => {
  const names = [...readFileSync(resolve(root, file), 'utf8').matchAll(/KILL_POINT\(.*"(.*)"\)/g)];
  expect(names.length).toBeGreaterThan(2);
  const addon = readFileSync(createRequire(resolve(root, 'package.json')).resolve('#native'));
  for (const [, name] of names) expect(addon.includes(name ?? '')).toBe(false);
});
