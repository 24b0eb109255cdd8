// Loads vectors over HTTP and measures the rate, the memory, and searches during the build of the
// graph.
import { quantile } from '../tools/figures.ts';
import { untilSettled } from '../tools/rest.ts';
import { type Embeddings, toJson } from './embeddings.ts';
import { folderBytes, send, type Target, watchMemory } from './http-target.ts';

const BATCH = 500;
const LOADERS = 2;
const QUIET_SECONDS = 3;

export interface Loaded {
  readonly seconds: number;
  readonly mergeSeconds: number;
  readonly resident: number;
  readonly anonymous: number;
  readonly disk: number;
  readonly quietP99: number;
  readonly buildingP99: number;
  readonly searchesBuilding: number;
}

export function toBulk(base: Embeddings, ranks: Uint32Array): readonly Buffer[] {
  const out: Buffer[] = [];
  for (let at = 0; at < base.count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, base.count - at) }, (_, i) => at + i);
    const lines = rows.map(
      (row) => `{"index":{"_id":"${row}"}}\n{"rank":${ranks[row]},"v":${toJson(base, row)}}\n`,
    );
    out.push(Buffer.from(lines.join('')));
  }
  return out;
}

export async function load(
  target: Target,
  bodies: readonly Buffer[],
  dims: number,
  queries: readonly string[],
): Promise<Loaded> {
  const v = { type: 'dense_vector', dims, similarity: 'cosine', index_options: { type: 'hnsw' } };
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const mappings = { properties: { rank: { type: 'integer' }, v } };
  await send(target, 'PUT', '/vectors', JSON.stringify({ settings, mappings }));
  const memory = watchMemory(target.pid);
  const waiting = [...bodies];
  const started = performance.now();
  const loader = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift()) {
      const reply = await send(target, 'POST', '/vectors/_bulk', body, 'application/x-ndjson');
      if (!reply.includes('"errors":false')) throw new Error(`bulk: ${reply.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: LOADERS }, loader));
  await send(target, 'POST', '/vectors/_refresh');
  const seconds = (performance.now() - started) / 1000;
  await untilSettled([target.pid]);
  const quiet = await searchUntil(target, queries, sleep(QUIET_SECONDS * 1000));
  const merging = performance.now();
  const merge = send(target, 'POST', '/vectors/_forcemerge?max_num_segments=1');
  const building = await searchUntil(target, queries, merge);
  const mergeSeconds = (performance.now() - merging) / 1000;
  const { resident, anonymous } = memory.stop();
  await send(target, 'POST', '/vectors/_refresh');
  await untilSettled([target.pid]);
  const [quietP99, buildingP99] = [quantile(quiet, 0.99), quantile(building, 0.99)];
  const disk = folderBytes(target.folder);
  const searchesBuilding = building.length;
  return {
    seconds,
    mergeSeconds,
    resident,
    anonymous,
    disk,
    quietP99,
    buildingP99,
    searchesBuilding,
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** One client's latencies in microseconds until `end` settles; `end` may reject. */
async function searchUntil(
  target: Target,
  bodies: readonly string[],
  end: Promise<unknown>,
): Promise<number[]> {
  let over = false;
  const finish = (): void => {
    over = true;
  };
  const ended = end.finally(finish);
  const times: number[] = [];
  for (let i = 0; !over; i++) {
    const started = performance.now();
    await send(target, 'POST', '/vectors/_search', bodies[i % bodies.length] ?? '');
    times.push((performance.now() - started) * 1000);
  }
  await ended;
  return times;
}
