// Golden bytes of the plan nodes of vector searches; the native tests decode and run the same file.
import { test } from 'vitest';
import {
  FETCH_MATCHED_QUERIES,
  type PlanHeader,
  type WriteQuery,
  writePlan,
} from '../../src/wire/plan-writer.ts';
import { readOpcodes } from '../tools/opcodes.ts';
import { expectGolden } from './golden.ts';

const query =
  (kind: string, boost: number, name: string, payload: WriteQuery): WriteQuery =>
  (writer) =>
    writer.node(kind, () => {
      writer.f32(boost).str(name);
      payload(writer);
    });

const matchAll = query('match_all', 1, '', () => {});

const filtered = query('knn', 2, 'near', (writer) => {
  const fields = { field: 'emb', vector: [0.5, -1, 2], k: 3, numCandidates: 50, similarity: 0.25 };
  writer.knn(fields, () => matchAll(writer));
});

const plain = query('knn', 1, '', (writer) => {
  const vector = Float32Array.of(1, 0, 0);
  writer.knn({ field: 'emb', vector, k: 10, numCandidates: 0, similarity: Number.NaN });
});

const found = query('doc_scores', 0.5, 'found', (writer) => {
  writer.shardScores([
    { index: 4, shard: 0, docs: Uint32Array.of(0, 2), scores: Float32Array.of(0.75, 0.5) },
    { index: 4, shard: 1, docs: [], scores: [] },
    { index: 9, shard: 0, docs: [4_000_000_000], scores: [1] },
  ]);
});

const meant = query('semantic', 1.5, 'meant', (writer) => {
  const vectors = [
    { embedder: 'mini@http://127.0.0.1:9/v1', vector: Float32Array.of(0.6, 0.8) },
    { embedder: 'other', vector: [] },
  ];
  const fields = {
    field: 'body',
    text: 'rüde Füchse',
    vectors,
    k: 2,
    numCandidates: 100,
    passages: true,
  };
  writer.semantic(fields, () => matchAll(writer));
});

const builtIn = query('semantic', 1, '', (writer) => {
  const fields = { field: 'body', text: 'quick fox', vectors: [], k: 10 };
  writer.semantic({ ...fields, numCandidates: 0, passages: false });
});

const header: PlanHeader = {
  flags: 0,
  trackTotalHits: 10_000,
  nowMs: 1_700_000_000_000,
  timeoutUs: 0,
  from: 0,
  size: 10,
  window: 10,
  terminateAfter: 0,
};

test('the nodes of vector searches have golden bytes', async () => {
  const plan = writePlan(
    {
      header,
      legs: [filtered, plain, found],
      sort: [],
      searchAfter: [],
      fetch: { source: true, flags: FETCH_MATCHED_QUERIES, docvalueFields: [], fields: [] },
      snapshots: [
        { index: 4, shard: 0, generation: 7n },
        { index: 9, shard: 0, generation: 1n << 40n },
      ],
    },
    readOpcodes(),
  );
  await expectGolden(
    'plan_vectors',
    'legs: knn with a filter, knn without, doc_scores of three shards; two named snapshots; see test/wire/plan-writer.test.ts',
    plan,
  );
});

test('the semantic node has golden bytes', async () => {
  const fetch = { source: true, flags: FETCH_MATCHED_QUERIES, docvalueFields: [], fields: [] };
  const legs = [meant, builtIn];
  const plan = writePlan({ header, legs, sort: [], searchAfter: [], fetch }, readOpcodes());
  await expectGolden(
    'plan_semantic',
    'legs: semantic with vectors of two remote embedders and a filter, semantic of the built-in one; see test/wire/plan-writer.test.ts',
    plan,
  );
});
