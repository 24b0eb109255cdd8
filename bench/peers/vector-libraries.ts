// Compares nearest vectors with libraries in one process: vectors of the shared folder or generated
// ones, with recall against a loop over all of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../lab/service.ts';
import { type Embeddings, toJson } from '../vectors/embeddings.ts';
import { type Contender, contest, figureLine, type Line } from './contest.ts';
import { Core } from './core.ts';
import type { Libraries } from './libraries.ts';
import { nearest, readVectors, rowOf } from './vector-truth.ts';

const PROBES = 50;
const K = 10;
const BATCH = 500;
/** The values of the libraries' manuals; ef is the default number of candidates of a search. */
const GRAPH = { m: 16, efConstruction: 128, ef: 100 };

interface Loaded extends Contender {
  readonly perSecond: number;
  close(): void;
}

export async function vectorLibraries(
  libraries: Libraries,
  shared: string,
  rows: number,
): Promise<readonly Line[]> {
  const { base, probes } = readVectors(shared, rows, PROBES);
  const right = Array.from({ length: probes.count }, (_, at) => nearest(base, probes, at, K));
  const us = await loadOurs(base, probes);
  const peers = [loadUsearch(libraries, base, probes), loadHnswlib(libraries, base, probes)].filter(
    (one) => one !== undefined,
  );
  const name = `${K} neighbours of ${base.count} x ${base.dims}, in process`;
  const verify = (at: number, found: readonly string[]): void => {
    if (found.length !== K) throw new Error(`${found.length} neighbours of probe ${at}`);
  };
  const task = { name, questions: probes.count, verify, right: (at: number) => right[at] ?? [] };
  const loads = peers.map((peer) =>
    figureLine('load vectors, graph built', 'vectors/s', true, [
      us.perSecond,
      peer.name,
      peer.perSecond,
    ]),
  );
  const lines = [...loads, ...(await contest(task, us, peers))];
  for (const one of [us, ...peers]) one.close();
  return lines;
}

/**
 * The bulk bodies of a client. Every contender gets the vectors in its own format, created before
 * the measurement starts.
 */
function bulksOf(base: Embeddings): readonly Buffer[] {
  return Array.from({ length: Math.ceil(base.count / BATCH) }, (_, batch) => {
    const first = batch * BATCH;
    const rows = Array.from({ length: Math.min(BATCH, base.count - first) }, (_, i) => first + i);
    const lines = rows.map(
      (row) => `{"index":{"_index":"v","_id":"${row}"}}\n{"v":${toJson(base, row)}}\n`,
    );
    return Buffer.from(lines.join(''));
  });
}

async function loadOurs(base: Embeddings, probes: Embeddings): Promise<Loaded> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-peers-'));
  const service = await Service.start(dataDir);
  const v = { type: 'dense_vector', dims: base.dims, similarity: 'cosine' };
  const mappings = { properties: { v } };
  await service.ask('PUT', '/v', JSON.stringify({ settings: { number_of_shards: 1 }, mappings }));
  const bulks = bulksOf(base);
  const started = performance.now();
  for (const bulk of bulks) await service.bulk(bulk);
  await service.ask('POST', '/v/_refresh');
  await service.ask('POST', '/v/_forcemerge?max_num_segments=1');
  const perSecond = (base.count * 1000) / (performance.now() - started);
  await service.stop();
  const core = new Core(dataDir);
  const bodies = Array.from({ length: probes.count }, (_, at) => ({
    knn: { field: 'v', k: K, num_candidates: 100, query_vector: [...rowOf(probes, at)] },
    _source: false,
  }));
  return {
    name: 'Quarry',
    perSecond,
    ask: (at) => core.search('v', bodies[at] ?? {}),
    close() {
      core.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function loadUsearch(
  { Usearch }: Libraries,
  base: Embeddings,
  probes: Embeddings,
): Loaded | undefined {
  if (Usearch === undefined) return undefined;
  const index = new Usearch({
    dimensions: base.dims,
    metric: 'cos',
    quantization: 'f32',
    connectivity: GRAPH.m,
    expansion_add: GRAPH.efConstruction,
    expansion_search: GRAPH.ef,
    multi: false,
  });
  const keys = BigUint64Array.from({ length: base.count }, (_, row) => BigInt(row));
  const started = performance.now();
  index.add(keys, base.rows.subarray(0, base.count * base.dims), 1);
  const perSecond = (base.count * 1000) / (performance.now() - started);
  return {
    name: 'usearch, f32',
    perSecond,
    ask: (at) => Array.from(index.search(rowOf(probes, at), K, 1).keys, String),
    close: () => undefined,
  };
}

function loadHnswlib(
  { Hnswlib }: Libraries,
  base: Embeddings,
  probes: Embeddings,
): Loaded | undefined {
  if (Hnswlib === undefined) return undefined;
  const index = new Hnswlib('cosine', base.dims);
  const { m, efConstruction } = GRAPH;
  index.initIndex({ maxElements: base.count, m, efConstruction });
  const points = Array.from({ length: base.count }, (_, row) => [...rowOf(base, row)]);
  const started = performance.now();
  for (const [row, point] of points.entries()) index.addPoint(point, row);
  const perSecond = (base.count * 1000) / (performance.now() - started);
  index.setEf(GRAPH.ef);
  return {
    name: 'hnswlib-node',
    perSecond,
    ask: (at) => index.searchKnn([...rowOf(probes, at)], K).neighbors.map(String),
    close: () => undefined,
  };
}
