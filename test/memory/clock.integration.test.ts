// Memories when the system clock is set back, over the real engine: within a process, and by a
// later process.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { Graph } from '../../src/graph/graph.ts';
import { Memory } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';

const HOUR = 3_600_000;
let real: RealBackend;
let memory: Memory;
let graph: Graph;
let now = 1_700_000_000_000;
/** How often a graph reported recorded times in the future. */
let ahead = 0;

function build(): void {
  const addon = loadAddon();
  const { backend } = real;
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => now;
  graph = new Graph({ backend, hash128, nowMs, onAhead: () => ahead++ });
  memory = new Memory({
    backend,
    graph,
    hash128,
    embed: (text, dims) => addon.embed([text], dims),
    newId: () => 'made',
    nowMs,
    defaults: { analyzer: 'english', link_sessions: true, detect: false },
  });
}

async function recalled(body: JsonObject = {}): Promise<readonly string[]> {
  const { hits } = await memory.recall('ann', { query: 'lives', ...body });
  return hits.map(({ id }) => id);
}

beforeAll(async () => {
  real = await openBackend();
  build();
});
afterAll(async () => {
  await real.close();
  removeFolder(real.dataDir);
});

test('what was replaced stays so, and links keep their place in time, also after a start', async () => {
  await memory.store('ann', { id: 'paris', text: 'Ann lives in Paris' });
  await memory.store('ann', { id: 'rome', text: 'Ann lives in Rome', supersedes: ['paris'] });
  const link = { src: 'rome', dst: 'paris', type: 'near' };
  const first = await graph.link('ann', link);
  now -= HOUR;
  expect(await recalled()).toEqual(['rome']);
  expect(await graph.link('ann', link)).toEqual({ ...first, created: false });
  expect(ahead).toBe(0);

  const { dataDir } = real;
  await real.close();
  real = await openBackend({ dataDir });
  build();
  expect(await recalled()).toEqual(['rome']);
  expect(ahead).toBe(1);
  expect(await graph.link('ann', link)).toEqual({ ...first, created: false });
  expect(await graph.now('ann')).toBe(now + HOUR);
});

test('what expires goes by the wall clock', async () => {
  const wall = now;
  await memory.store('ann', { id: 'guest', text: 'Bob lives here', expires_at: wall + 1000 });
  expect(await recalled()).toContain('guest');
  now += 1000;
  expect(await recalled()).not.toContain('guest');
});
