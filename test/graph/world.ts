// A graph over a backend in memory with a clock that the test advances.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/backend/index.ts';
import type { EgoAnswer, EgoRequest } from '../../src/graph/ego.ts';
import { Graph } from '../../src/graph/graph.ts';
import { MemoryBackend } from './memory-backend.ts';

export interface World {
  readonly backend: MemoryBackend;
  readonly graph: Graph;
  now: number;
  /** Asserts a -> b in brain `b` at the world's time unless the body has another one. */
  link(src: string, dst: string, rest?: JsonObject): Promise<string>;
  ego(node: string, options?: Partial<EgoRequest>): Promise<EgoAnswer>;
}

/** Any function of the bytes is sufficient, because ids only have to differ. */
export function fakeHash(bytes: Uint8Array): Uint8Array {
  return createHash('md5').update(bytes).digest();
}

export function world(): World {
  const backend = new MemoryBackend();
  const made: World = {
    backend,
    graph: new Graph({ backend: backend.asBackend(), hash128: fakeHash, nowMs: () => made.now }),
    now: 1_000_000,
    async link(src, dst, rest = {}) {
      const { edge_id } = await made.graph.link('b', { src, dst, type: 'mentions', ...rest });
      return edge_id;
    },
    ego: (node, options = {}) => made.graph.ego('b', { ...EGO, node, ...options }),
  };
  return made;
}

const EGO: Omit<EgoRequest, 'node'> = {
  direction: 'both',
  hops: 1,
  types: undefined,
  includeExpired: false,
  includeNodes: true,
  limit: 100,
  asOf: undefined,
  knownAt: undefined,
};
