// The same requests over HTTP to ours and to servers like it, in turns: loading, searches of every family, aggregations, neighbours.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../test/tools/server.ts';
import { toJson } from '../vectors/embeddings.ts';
import { type Commit, MAPPINGS, readCommits } from '../words/corpus.ts';
import { Oracle, readWorkload, toBody } from '../words/workload.ts';
import { type Best, type Contender, contest, figureLine, type Line, type Task } from './contest.ts';
import { ask, type Server } from './servers.ts';
import { nearest, readVectors } from './vector-truth.ts';

const BATCH = 1000;
const QUERIES = 15;
const PROBES = 30;
const K = 10;
const SETTINGS = { number_of_shards: 1, number_of_replicas: 0 };

export interface Sizes {
  readonly docs: number;
  readonly vectors: number;
}

interface Asked {
  readonly path: string;
  readonly bodies: readonly string[];
}

export async function serverContest(
  peers: readonly Server[],
  shared: string,
  sizes: Sizes,
): Promise<readonly Line[]> {
  const own = await startServer();
  const us: Server = { name: 'Quarry', base: own.base, stop: () => undefined };
  try {
    const words = existsSync(join(shared, 'lexical'))
      ? await wordLines(us, peers, join(shared, 'lexical'), sizes.docs)
      : [];
    return [...words, ...(await vectorLines(us, peers, shared, sizes.vectors))];
  } finally {
    await own.stop();
  }
}

async function wordLines(
  us: Server,
  peers: readonly Server[],
  shared: string,
  docs: number,
): Promise<readonly Line[]> {
  const commits = readCommits(shared, docs);
  const bodies = toBulks(commits.map(({ id, ...source }) => [id, JSON.stringify(source)]));
  const lines = [...(await loadAll('words', us, peers, MAPPINGS, bodies))];
  const oracle = new Oracle(commits);
  const workload = readWorkload(shared);
  for (const family of new Set(workload.map((query) => query.family))) {
    const queries = workload.filter((query) => query.family === family).slice(0, QUERIES);
    const asked = searches('words', queries.map(toBody));
    const verify = (at: number, found: Best): void => {
      const query = queries[at];
      const wanted = query === undefined ? 0 : Math.min(10, oracle.count(query));
      if (found.length !== wanted) throw new Error(`${query?.id}: ${found.length}, not ${wanted}`);
    };
    lines.push(...(await askAll(`${family}, HTTP`, asked, us, peers, { verify })));
  }
  for (const [name, aggregation] of Object.entries(AGGREGATIONS)) {
    const asked = searches('words', aggregationBodies(aggregation, commits));
    lines.push(...(await askAll(`${name}, HTTP`, asked, us, peers, {})));
  }
  return lines;
}

const AGGREGATIONS: Readonly<Record<string, object>> = {
  'terms aggregation': { terms: { field: 'author', size: 10 } },
  'date histogram': { date_histogram: { field: 'date', calendar_interval: 'month' } },
  cardinality: { cardinality: { field: 'author' } },
};

/** By repository, so that every body is another one. */
function aggregationBodies(aggregation: object, commits: readonly Commit[]): readonly object[] {
  const repos = [...new Set(commits.map(({ repo }) => repo))].slice(0, QUERIES);
  return repos.map((repo) => ({ size: 0, query: { term: { repo } }, aggs: { a: aggregation } }));
}

async function vectorLines(
  us: Server,
  peers: readonly Server[],
  shared: string,
  rows: number,
): Promise<readonly Line[]> {
  const able = [];
  for (const peer of peers) if (await knowsVectors(peer)) able.push(peer);
  const { base, probes } = readVectors(shared, rows, PROBES);
  const v = { type: 'dense_vector', dims: base.dims, similarity: 'cosine' };
  const documents = Array.from(
    { length: base.count },
    (_, row) => [String(row), `{"n":${row},"v":${toJson(base, row)}}`] as const,
  );
  const mappings = { properties: { n: { type: 'integer' }, v } };
  const lines = [...(await loadAll('vectors', us, able, mappings, toBulks(documents)))];
  const bodies = (filter: string): readonly string[] =>
    Array.from(
      { length: probes.count },
      (_, at) =>
        `{"_source":false,"knn":{"field":"v","k":${K},"num_candidates":100,"query_vector":${toJson(probes, at)}${filter}}}`,
    );
  const path = '/vectors/_search?request_cache=false';
  const right = Array.from({ length: probes.count }, (_, at) => nearest(base, probes, at, K));
  const all = { path, bodies: bodies('') };
  const tenth = { path, bodies: bodies(`,"filter":{"range":{"n":{"lt":${base.count / 10}}}}`) };
  lines.push(...(await askAll('knn, HTTP', all, us, able, { right: (at) => right[at] ?? [] })));
  lines.push(...(await askAll('knn, filter 10 %, HTTP', tenth, us, able, {})));
  return lines;
}

/** OpenSearch of the shared folder comes without its vector plugin. */
async function knowsVectors(peer: Server): Promise<boolean> {
  const { version } = JSON.parse(await ask(peer, 'GET', '/'));
  return version.distribution !== 'opensearch';
}

function searches(index: string, bodies: readonly object[]): Asked {
  const path = `/${index}/_search?request_cache=false`;
  return { path, bodies: bodies.map((body) => JSON.stringify(body)) };
}

function toBulks(documents: readonly (readonly [id: string, source: string])[]): readonly string[] {
  const lines = documents.map(([id, source]) => `{"index":{"_id":"${id}"}}\n${source}\n`);
  return Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, i) =>
    lines.slice(i * BATCH, (i + 1) * BATCH).join(''),
  );
}

async function loadAll(
  index: string,
  us: Server,
  peers: readonly Server[],
  mappings: object,
  bodies: readonly string[],
): Promise<readonly Line[]> {
  const figures = new Map<string, readonly [number, number]>();
  for (const server of [us, ...peers])
    figures.set(server.name, await loadOne(server, index, mappings, bodies));
  const [rate = 0, bytes = 0] = figures.get(us.name) ?? [];
  return peers.flatMap(({ name }) => {
    const [theirRate = 0, theirBytes = 0] = figures.get(name) ?? [];
    return [
      figureLine(`load ${index}, HTTP`, 'bulks/s', true, [rate, name, theirRate]),
      figureLine(`${index} on disk`, 'bytes', false, [bytes, name, theirBytes]),
    ];
  });
}

/** Bulks a second with the refresh, and bytes on disk of one segment. */
async function loadOne(
  server: Server,
  index: string,
  mappings: object,
  bodies: readonly string[],
): Promise<readonly [number, number]> {
  await ask(server, 'DELETE', `/${index}?ignore_unavailable=true`);
  await ask(server, 'PUT', `/${index}`, JSON.stringify({ settings: SETTINGS, mappings }));
  const started = performance.now();
  for (const body of bodies) {
    const reply = await ask(server, 'POST', `/${index}/_bulk`, body);
    if (!/"errors":\s*false/.test(reply)) throw new Error(`${server.name}: a bulk failed`);
  }
  await ask(server, 'POST', `/${index}/_refresh`);
  const seconds = (performance.now() - started) / 1000;
  for (const verb of ['_forcemerge?max_num_segments=1', '_refresh', '_flush'])
    await ask(server, 'POST', `/${index}/${verb}`);
  const stats = JSON.parse(await ask(server, 'GET', `/${index}/_stats/store`));
  return [bodies.length / seconds, stats._all.primaries.store.size_in_bytes];
}

function askAll(
  name: string,
  { path, bodies }: Asked,
  us: Server,
  peers: readonly Server[],
  rest: Pick<Task, 'verify' | 'right'>,
): Promise<readonly Line[]> {
  const asking = (server: Server): Contender => ({
    name: server.name,
    ask: async (at) => bestOf(await ask(server, 'POST', path, bodies[at] ?? '')),
  });
  return contest({ name, questions: bodies.length, ...rest }, asking(us), peers.map(asking));
}

/** Ids of hits, or keys and counts of buckets: what there is to agree upon. */
function bestOf(text: string): Best {
  const { hits, aggregations } = JSON.parse(text);
  if (aggregations === undefined) return hits.hits.map((hit: { _id: string }) => hit._id);
  const { buckets, value } = aggregations.a;
  if (buckets === undefined) return [String(value)];
  return buckets.map((one: { key: unknown; doc_count: number }) => `${one.key} ${one.doc_count}`);
}
