// A memory service over the real engine, with a clock of the test.
import type { Backend } from '../../src/backend/index.ts';
import { Graph } from '../../src/graph/graph.ts';
import { Memory, type MemoryOptions } from '../../src/memory/memory.ts';
import { loadAddon } from '../../src/native/addon.ts';
import { openBackend, type RealBackend, removeFolder } from '../coordinator/real-backend.ts';

export interface MemoryService {
  readonly real: RealBackend;
  readonly memory: Memory;
  readonly graph: Graph;
  /** The time of the service; tests set it. */
  readonly clock: { now: number };
  /** Another service over the same data, or over a backend that fails. */
  over(backend: Backend, options?: Partial<MemoryOptions>): Memory;
  close(): Promise<void>;
}

export async function openMemory(options: Partial<MemoryOptions> = {}): Promise<MemoryService> {
  const real = await openBackend();
  const addon = loadAddon();
  const clock = { now: 1000 };
  const hash128 = (bytes: Uint8Array): Uint8Array => new Uint8Array(addon.hash128(bytes));
  const nowMs = (): number => clock.now;
  let made = 0;
  const build = (backend: Backend, given: Partial<MemoryOptions>) => {
    const graph = new Graph({ backend, hash128, nowMs });
    const memory = new Memory({
      ...{ backend, graph, hash128, nowMs },
      embed: (text, dims) => addon.embed([text], dims),
      newId: () => `made-${made++}`,
      defaults: { analyzer: 'english', link_sessions: true, detect: false },
      expiry: { later: () => () => {} },
      ...given,
    });
    return { graph, memory };
  };
  return {
    real,
    clock,
    ...build(real.backend, options),
    over: (backend, given = options) => build(backend, given).memory,
    async close() {
      await real.close();
      removeFolder(real.dataDir);
    },
  };
}
