// Nearest vectors over real HTTP, compared with the double-precision reference of tools/vectors.ts,
// in every state of a vector: memory, disk, merged, restarted, filtered, distributed over shards,
// after updates and deletes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../tools/long.ts';
import { bulk, startServer, type TestServer } from '../tools/server.ts';
import {
  clusteredVectors,
  type NearestVector,
  nearest,
  type Similarity,
  unit,
} from '../tools/vectors.ts';

const DIMS = 24;
const DOCS = 240;
const K = 15;
const TOLERANCE = 1e-6;
const PATIENCE_MS = 240_000;
const PROBES = LONG ? 3 : 1;

interface Hit {
  readonly _id: string;
  readonly _score: number;
  readonly _source: { readonly emb?: readonly number[] };
}

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-test-'));
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown) {
  const reply = await server.call(method, path, body);
  expect(reply.status, reply.text.slice(0, 500)).toBeLessThan(300);
  return reply.json;
}

/** The order of equal scores may differ from the reference. */
function expectNear(hits: readonly Hit[], expected: readonly NearestVector[], boost = 1): void {
  expect(hits.map(({ _score }) => _score).length).toBe(expected.length);
  for (const [i, { score }] of expected.entries()) {
    const off = Math.abs((hits[i]?._score ?? Number.NaN) - boost * score);
    expect(off / Math.max(1, boost * score)).toBeLessThan(TOLERANCE);
  }
  const last = expected.at(-1)?.score ?? 0;
  const sure = expected.filter(({ score }) => score > last + TOLERANCE).map(({ id }) => id);
  expect(hits.map(({ _id }) => _id)).toEqual(expect.arrayContaining(sure));
}

/** An index and its expected documents. */
class Collection {
  readonly index: string;
  readonly similarity: Similarity;
  readonly vectors = new Map<string, readonly number[]>();
  readonly #probes: readonly (readonly number[])[];

  constructor(similarity: Similarity, shards: number) {
    this.similarity = similarity;
    this.index = `${similarity}-${shards}`;
    this.#probes = this.#vectors(PROBES, 2 * shards + 1);
  }

  #vectors(count: number, seed: number): readonly (readonly number[])[] {
    const vectors = clusteredVectors(count, DIMS, { seed, centres: 12 });
    return this.similarity === 'dot_product' ? vectors.map(unit) : vectors;
  }

  /** Documents from `from` on; every tenth has no vector. */
  async put(from: number, count: number, seed: number): Promise<void> {
    const vectors = this.#vectors(count, seed);
    const lines = vectors.flatMap((emb, i) => {
      const id = String(from + i);
      const tag = `t${(from + i) % 5}`;
      if (i % 10 === 9) this.vectors.delete(id);
      else this.vectors.set(id, emb);
      return [{ index: { _id: id } }, this.vectors.has(id) ? { tag, emb } : { tag }];
    });
    await bulk(
      server,
      `/${this.index}/_bulk`,
      lines.map((line) => JSON.stringify(line)),
    );
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.vectors.delete(id);
    const lines = ids.map((id) => JSON.stringify({ delete: { _id: id } }));
    await bulk(server, `/${this.index}/_bulk`, lines);
  }

  async search(body: object): Promise<{ readonly total: number; readonly hits: readonly Hit[] }> {
    const { hits } = await call('POST', `/${this.index}/_search`, { size: 1000, ...body });
    return { total: hits.total.value, hits: hits.hits };
  }

  tagged(tag: string): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.vectors].filter(([id]) => `t${Number(id) % 5}` === tag));
  }

  /** Every way to search returns the result of the reference. */
  async check(): Promise<void> {
    for (const probe of this.#probes) {
      const knn = { field: 'emb', query_vector: probe, k: K, num_candidates: 50 };
      const best = nearest(this.similarity, probe, this.vectors, K);
      const plain = await this.search({ knn });
      expect(plain.total).toBe(K);
      expectNear(plain.hits, best);
      for (const { _id, _source } of plain.hits) {
        expect(_source.emb).toEqual(this.vectors.get(_id));
      }
      const filtered = await this.search({ knn: { ...knn, filter: { term: { tag: 't2' } } } });
      expectNear(filtered.hits, nearest(this.similarity, probe, this.tagged('t2'), K));
      const boosted = await this.search({
        query: { bool: { must: [{ knn: { ...knn, boost: 3 } }] } },
      });
      expectNear(boosted.hits, best, 3);
      const union = await this.search({
        query: { constant_score: { filter: { term: { tag: 't1' } }, boost: 100 } },
        knn,
      });
      const both = union.hits.filter(({ _score }) => _score > 100);
      const tagged = best.filter(({ id }) => this.tagged('t1').has(id));
      expect(both.map(({ _id }) => _id).sort()).toEqual(tagged.map(({ id }) => id).sort());
    }
  }
}

const SIMILARITIES = ['cosine', 'dot_product', 'l2_norm', 'max_inner_product'] as const;
/** The numbers of shards that the short form has of a similarity. */
const SHARDS = { cosine: [1, 2, 5], dot_product: [1], l2_norm: [2], max_inner_product: [5] };
const collections = SIMILARITIES.flatMap((similarity) =>
  (LONG ? [1, 2, 5] : SHARDS[similarity]).map(
    (shards) => [new Collection(similarity, shards), shards] as const,
  ),
);

describe.each(
  collections.map(([one, shards]) => [one.index, one, shards] as const),
)('%s', (index, one, shards) => {
  test('documents in memory', async () => {
    await call('PUT', `/${index}`, {
      settings: { number_of_shards: shards, refresh_interval: -1 },
      mappings: {
        properties: {
          emb: { type: 'dense_vector', dims: DIMS, similarity: one.similarity },
          tag: { type: 'keyword' },
        },
      },
    });
    await one.put(0, DOCS, 7);
    const unseen = await one.search({ knn: { field: 'emb', query_vector: Array(DIMS).fill(1) } });
    expect(unseen.total).toBe(0);
    await call('POST', `/${index}/_refresh`);
    await one.check();
  });

  test('on disk', async () => {
    await call('POST', `/${index}/_flush`);
    await one.check();
  });

  test('after updates and deletes, in memory and on disk', async () => {
    await one.put(40, 60, 8);
    await one.remove(['3', '50', '51', '120', '239']);
    await call('POST', `/${index}/_refresh`);
    await one.check();
    await call('POST', `/${index}/_flush`);
    await one.put(200, 80, 9);
    await call('POST', `/${index}/_refresh`);
    await one.check();
  });

  test('merged', async () => {
    await call('POST', `/${index}/_forcemerge?max_num_segments=1`);
    await one.check();
  });
});

test(
  'a restart keeps everything, and so does a crash',
  async () => {
    expect(await server.stop()).toBe(0);
    server = await startServer({ dataDir });
    for (const [one] of collections) await one.check();
    for (const [one] of collections) await one.put(300, 20, 10);
    await server.kill('SIGKILL');
    server = await startServer({ dataDir });
    for (const [one] of collections) await one.check();
  },
  PATIENCE_MS,
);

describe('the number of shards changes nothing', () => {
  const [probe = [], other = []] = clusteredVectors(2, DIMS, { seed: 3, centres: 12 });
  const knn = { field: 'emb', query_vector: probe, k: K };
  const tag = (value: string) => ({ term: { tag: value } });
  const bodies: readonly (readonly [string, object])[] = [
    ['neighbours', { knn }],
    ['neighbours on a page', { knn, from: 3, size: 5 }],
    ['neighbours beside a query', { query: { constant_score: { filter: tag('t1') } }, knn }],
    ['two kinds of neighbours', { knn: [knn, { ...knn, query_vector: other, k: 7, boost: 2 }] }],
    ['a filter after the neighbours', { knn, post_filter: tag('t2') }],
    ['a least score', { knn: { ...knn, k: 100 }, min_score: 0.6 }],
    ['a least similarity', { knn: { ...knn, k: 100, similarity: 0.2 } }],
    ['a clause', { query: { bool: { must: { knn: { ...knn, k: 40 } }, must_not: tag('t3') } } }],
    ['neighbours among neighbours', { knn: { ...knn, filter: { knn: { ...knn, k: 60 } } } }],
    ['neighbours in a filter', { query: { bool: { filter: { knn }, should: tag('t1') } } }],
    ['another order', { knn, sort: [{ tag: 'desc' }, '_score'] }],
    ['later in another order', { knn, sort: ['tag', '_score'], search_after: ['t2', 0] }],
  ];

  test.each(bodies)('%s', async (_name, body) => {
    const answers = [];
    for (const shards of [1, 2, 5]) {
      const { hits } = await call('POST', `/cosine-${shards}/_search`, {
        size: 500,
        _source: false,
        ...body,
      });
      const rows = hits.hits.map(({ _index, ...row }: Record<string, unknown>) => row);
      rows.sort((a: Hit, b: Hit) => b._score - a._score || (a._id < b._id ? -1 : 1));
      answers.push({ total: hits.total, rows });
    }
    expect(answers[0]?.rows.length).toBeGreaterThan(0);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('a count', async () => {
    for (const shards of [1, 2, 5]) {
      const query = { knn: { ...knn, k: 33 } };
      const { count } = await call('POST', `/cosine-${shards}/_count`, { query });
      expect(count).toBe(33);
    }
  });
});

describe('many vectors', () => {
  const made = clusteredVectors(5100, 64, { seed: 21 });
  const vectors = made.slice(0, 5000);
  const probes = made.slice(5000);
  const known = new Map(vectors.map((vector, i) => [String(i), vector]));

  async function recall(): Promise<number> {
    let found = 0;
    for (const probe of probes) {
      const body = { knn: { field: 'emb', query_vector: probe, k: 10 }, _source: false };
      const { hits } = await call('POST', '/many/_search', body);
      const best = nearest('cosine', probe, known, 10);
      const worst = (best.at(-1)?.score ?? 0) - TOLERANCE;
      found += hits.hits.filter(({ _score }: Hit) => _score >= worst).length;
      for (const hit of hits.hits as readonly Hit[]) {
        const [exact] = nearest('cosine', probe, new Map([[hit._id, known.get(hit._id) ?? []]]), 1);
        expect(Math.abs(hit._score - (exact?.score ?? 0))).toBeLessThan(TOLERANCE);
      }
    }
    return found / (10 * probes.length);
  }

  test(
    'are found by their graph',
    async () => {
      await call('PUT', '/many', {
        mappings: { properties: { emb: { type: 'dense_vector', dims: 64 } } },
      });
      for (let at = 0; at < vectors.length; at += 1000) {
        const lines = vectors
          .slice(at, at + 1000)
          .flatMap((emb, i) => [{ index: { _id: String(at + i) } }, { emb }]);
        const texts = lines.map((line) => JSON.stringify(line));
        await bulk(server, '/many/_bulk?refresh=true', texts);
      }
      expect(await recall()).toBeGreaterThanOrEqual(0.995);
      await call('POST', '/many/_flush');
      expect(await recall()).toBeGreaterThanOrEqual(0.995);
      await call('POST', '/many/_forcemerge?max_num_segments=1');
      expect(await recall()).toBeGreaterThanOrEqual(0.995);
    },
    PATIENCE_MS,
  );

  test(
    'deleted ones take no place',
    async () => {
      const gone = [...known.keys()].filter((id) => Number(id) % 3 === 0);
      for (const id of gone) known.delete(id);
      const lines = gone.map((id) => JSON.stringify({ delete: { _id: id } }));
      await bulk(server, '/many/_bulk?refresh=true', lines);
      expect(await recall()).toBeGreaterThanOrEqual(0.995);
    },
    PATIENCE_MS,
  );
});

describe('what a hit shows', () => {
  const source = '{"b": 1, "emb":[ 0.10,1e-1, -0.0,3 ],"a":[{"x":null}]}';

  test('is the document as it was sent', async () => {
    await call('PUT', '/shown', {
      mappings: { properties: { emb: { type: 'dense_vector', dims: 4 } } },
    });
    await call('PUT', '/shown/_doc/1?refresh=true', source);
    const knn = { field: 'emb', query_vector: [0, 0, 0, 1] };
    const search = async (body: object) =>
      (await server.call('POST', '/shown/_search', { knn, ...body })).text;
    expect(await search({})).toContain(`"_source":${source}`);
    await call('POST', '/shown/_flush');
    expect(await search({})).toContain(`"_source":${source}`);
    expect(await search({ _source: { exclude_vectors: true } })).not.toContain('emb');
    expect(await search({ _source: { exclude_vectors: false } })).toContain('1e-1');
  });
});

test('statistics and metrics show vectors', async () => {
  const stats = await call('GET', '/many/_stats/dense_vector');
  const { value_count, off_heap } = stats._all.primaries.dense_vector;
  // Deleted documents count until a merge.
  expect(value_count).toBeGreaterThanOrEqual(3333);
  expect(off_heap.total_vec_size_bytes).toBeGreaterThanOrEqual(value_count * 64 * 4);
  expect(off_heap.total_vex_size_bytes).toBeGreaterThan(0);
  const table = await call('GET', '/_cat/indices/many?h=dvc&format=json');
  expect(table).toEqual([{ dvc: String(value_count) }]);
  const metrics = (await server.call('GET', '/v1/metrics')).text;
  const value = (name: string): number =>
    Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(metrics)?.[1]);
  expect(value('quarry_search_vector_distances_total{codes="float"}')).toBeGreaterThan(0);
  expect(value('quarry_search_vector_bytes_total')).toBeGreaterThan(0);
  expect(value('quarry_vectors')).toBeGreaterThan(3333);
});

test('a bulk reports the items whose vectors do not fit', async () => {
  await call('PUT', '/items', {
    mappings: { properties: { emb: { type: 'dense_vector', dims: 2 } } },
  });
  const vectors = ['[1,0]', '[1]', '[1e39,0]', '[0,0]', '["1",0]', 'null', '[0,1]'];
  const lines = vectors.map((emb, i) => `{"index":{"_id":"${i}"}}\n{"emb":${emb}}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson' };
  const reply = await server.call('POST', '/items/_bulk?refresh=true', lines, headers);
  const statuses = reply.json.items.map(({ index }: { index: { status: number } }) => index.status);
  expect(statuses).toEqual([201, 400, 400, 400, 400, 201, 201]);
  const { hits } = await call('POST', '/items/_search', {});
  expect(hits.hits.map(({ _id }: Hit) => _id)).toEqual(['0', '5', '6']);
});
