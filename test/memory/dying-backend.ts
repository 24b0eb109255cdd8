// Simulates a process that dies at one of its writes: a backend that stops responding, also in the
// middle of a bulk, between the records of its indexes.
import type { Backend, BulkRequest, JsonObject } from '../../src/backend/index.ts';

export const MOMENTS = ['before', 'within', 'after'] as const;
export type Moment = (typeof MOMENTS)[number];

export const DEAD = 'the process is dead';
const WRITES = new Set(['write', 'bulk', 'createIndex', 'deleteIndices']);

/**
 * Dies at its `last` write: before it, after it, or after a bulk has written the records of its
 * first index.
 */
export function dyingIn(backend: Backend, last: number, how: Moment): Backend {
  let writes = 0;
  const dead = async (): Promise<never> => {
    throw new Error(DEAD);
  };
  return new Proxy<Backend>(backend, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown;
      if (typeof value !== 'function') return value;
      const call = (...args: readonly unknown[]): unknown =>
        (value as (...rest: readonly unknown[]) => unknown).apply(target, [...args]);
      if (!WRITES.has(String(key))) return writes > last ? dead : call;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        writes++;
        if (writes < last) return call(...args);
        if (writes > last || how === 'before') return dead();
        if (how === 'within' && key === 'bulk') {
          await backend.bulk(firstIndex(args[0] as BulkRequest));
          return dead();
        }
        await call(...args);
        return dead();
      };
    },
  });
}

function firstIndex(request: BulkRequest): BulkRequest {
  const lines = Buffer.from(request.body).toString('utf8').trimEnd().split('\n');
  const kept: string[] = [];
  let first: unknown;
  for (let at = 0; at < lines.length; ) {
    const [[op, place] = ['', {}]] = Object.entries(
      JSON.parse(lines[at] ?? '{}') as Record<string, JsonObject>,
    );
    const length = op === 'delete' ? 1 : 2;
    first ??= place?.['_index'];
    if (place?.['_index'] === first) kept.push(...lines.slice(at, at + length));
    at += length;
  }
  return { ...request, body: Buffer.from(`${kept.join('\n')}\n`) };
}
