// A merge that its rate limit delays for hours: searches, writes and checkpoints continue during
// it, and a configuration reload lets it end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { ndjson, openBackend, type RealBackend, removeFolder } from './real-backend.ts';

let real: RealBackend | undefined;
afterAll(async () => {
  await real?.close();
  if (real !== undefined) removeFolder(real.dataDir);
});

function documents(from: number, count: number): Uint8Array {
  const lines = Array.from({ length: count }, (_, i) => [
    { index: { _id: String(from + i) } },
    { text: `word${i % 97} in document ${from + i}`, n: from + i },
  ]);
  return ndjson(...lines.flat());
}

test('nothing waits for a merge that waits', async () => {
  real = await openBackend({ flags: { 'merge.max_bytes_per_sec': '1' } });
  const { backend, live, dataDir } = real;
  await backend.createIndex('i', { settings: { number_of_replicas: 0 } });
  for (const from of [0, 5000]) {
    await backend.bulk({ defaultIndex: 'i', refresh: 'false', body: documents(from, 5000) });
    await backend.flush('i', {});
  }
  const files = () =>
    readdirSync(join(dataDir, 'indices', '1', '0')).filter((name) => name.startsWith('seg-'));
  const before = files().length;
  expect(before).toBe(2 * 3);

  let ended = false;
  const merge = backend.forceMerge('i', 1, {}).then(() => {
    ended = true;
  });
  await vi.waitFor(() => expect(files().length).toBeGreaterThan(before), 20_000);

  for (let i = 0; i < 50; i++) {
    const found = await backend.search({
      index: 'i',
      body: { query: { match: { text: `word${i}` } }, track_total_hits: true },
    });
    expect(found.hits.length).toBe(10);
  }
  await backend.bulk({ defaultIndex: 'i', refresh: 'true', body: documents(10_000, 100) });
  expect(await backend.count({ index: 'i', body: {} })).toMatchObject({ count: 10_100 });
  await backend.flush('i', {});
  expect(ended).toBe(false);

  live.replace({ ...live.current, 'merge.max_bytes_per_sec': 0 });
  await merge;
  expect(await backend.count({ index: 'i', body: {} })).toMatchObject({ count: 10_100 });
}, 60_000);
