// Searches over HTTP: their bodies, their recall against double precision, and their times,
// alternating between the servers.
import { type Embeddings, type NearestVectors, toJson } from './embeddings.ts';
import { send, type Target } from './http-target.ts';

const K = 10;
const ROUNDS = 3;
const CLIENTS = [1, 16];
const REQUESTS = 400;
const SHARES = [1, 0.5, 0.1, 0.01, 0.001];
const BEAMS = [100, 800];

export interface SearchCase {
  readonly name: string;
  readonly limit: number;
  readonly bodies: readonly string[];
}

export interface Timing {
  readonly name: string;
  readonly clients: number;
  readonly target: string;
  readonly times: number[];
  readonly rates: number[];
}

export function makeCases(probes: Embeddings, count: number): readonly SearchCase[] {
  return SHARES.flatMap((share) =>
    (share === 1 ? BEAMS : [BEAMS[0] ?? 100]).map((beam) => {
      const limit = Math.floor(count * share);
      const filter = share === 1 ? '' : `,"filter":{"range":{"rank":{"lt":${limit}}}}`;
      return {
        name: share === 1 ? `all, num_candidates ${beam}` : `filter ${share * 100} %`,
        limit,
        bodies: Array.from(
          { length: probes.count },
          (_, probe) =>
            `{"size":${K},"_source":false,"knn":{"field":"v","k":${K},"num_candidates":${beam},"query_vector":${toJson(probes, probe)}${filter}}}`,
        ),
      };
    }),
  );
}

/** Recall of every case, by target. If an exact case of ours is not exact, the run ends. */
export async function measureRecalls(
  targets: readonly Target[],
  cases: readonly SearchCase[],
  nearest: NearestVectors,
  probes: Embeddings,
): Promise<Map<string, number>> {
  const hits = new Map<string, number>();
  const limits = cases.map(({ limit }) => limit);
  for (let probe = 0; probe < probes.count; probe++) {
    const kth = nearest.kth(probe, K, limits);
    for (const [at, { name, limit, bodies }] of cases.entries()) {
      for (const target of targets) {
        const reply = await send(target, 'POST', '/vectors/_search', bodies[probe] ?? '');
        const found = JSON.parse(reply).hits.hits.map((hit: { _id: string }) => Number(hit._id));
        const good = nearest.hits(probe, found, kth[at] ?? -1, limit);
        const key = `${target.name}, ${name}`;
        hits.set(key, (hits.get(key) ?? 0) + good / (K * probes.count));
      }
    }
  }
  for (const { name } of cases) {
    const recall = hits.get(`quarry, ${name}`) ?? 0;
    if (name.startsWith('filter') && recall < 1 - 1e-9)
      throw new Error(`${name} has recall ${recall}, which has to be 1`);
  }
  return hits;
}

export async function timeAll(
  targets: readonly Target[],
  cases: readonly SearchCase[],
): Promise<readonly Timing[]> {
  const timings = cases.flatMap(({ name }) =>
    CLIENTS.flatMap((clients) =>
      targets.map((target) => ({ name, clients, target: target.name, times: [], rates: [] })),
    ),
  ) as readonly Timing[];
  for (let round = 0; round < ROUNDS; round++) {
    for (const timing of timings) {
      const target = targets.find(({ name }) => name === timing.target);
      const bodies = cases.find(({ name }) => name === timing.name)?.bodies;
      if (target !== undefined && bodies !== undefined) await timeRound(target, bodies, timing);
    }
  }
  return timings;
}

async function timeRound(target: Target, bodies: readonly string[], timing: Timing): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < REQUESTS) {
      const body = bodies[next++ % bodies.length] ?? '';
      const started = performance.now();
      await send(target, 'POST', '/vectors/_search', body);
      timing.times.push((performance.now() - started) * 1000);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: timing.clients }, client));
  timing.rates.push(REQUESTS / ((performance.now() - started) / 1000));
}
