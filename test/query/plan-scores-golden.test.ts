// Golden bytes of a plan with every function of function_score and every instruction of scripts;
// the native tests decode and run the same file.
import { test } from 'vitest';
import type { JsonObject } from '../../src/backend/index.ts';
import { expectGolden } from '../wire/golden.ts';
import { compile } from './compile.ts';

const SCRIPT = `_score > 0 && !doc['tag'].empty || doc['n'].size() > 1
  ? Math.max(Math.abs(-doc['n'].value), 2) * 3 - 7 / 2.0 + 9 % 4
  : saturation(_score, params.k) + sigmoid(_score, 2, params['k'])
    + (doc['tag'].value == 'k0' ? 1 : doc['n'].value <= 3L ? 0.5 : true != false ? 2 : 1)`;
const VECTOR = `cosineSimilarity(params.v, 'emb') + 1 + dotProduct(params.v, 'emb') * 0
  + l2norm(params.v, 'emb') + l1norm(params.v, 'emb')`;

const decay = { origin: 4, scale: '3', offset: 1, decay: 0.25 };
const body: JsonObject = {
  query: {
    function_score: {
      query: {
        script_score: {
          query: {
            group_score: {
              field: 'tag',
              queries: [{ match: { title: 'fox' } }],
              filter: { match_all: {} },
            },
          },
          script: { source: SCRIPT, params: { k: 1.5 } },
          min_score: 0.5,
          boost: 2,
        },
      },
      functions: [
        { weight: 2, filter: { term: { tag: 'k1' } } },
        { field_value_factor: { field: 'n', factor: 1.5, modifier: 'ln2p', missing: 1 } },
        { random_score: { seed: 42, field: 'n' }, weight: 0.5 },
        { gauss: { n: decay, multi_value_mode: 'avg' } },
        { exp: { day: { scale: '10d' } } },
        { linear: { n: decay } },
        { script_score: { script: { source: VECTOR, params: { v: [1, 0.5, 0.25] } } } },
      ],
      score_mode: 'sum',
      boost_mode: 'avg',
      max_boost: 40,
      min_score: 0.125,
      _name: 'scored',
    },
  },
  post_filter: { distance_feature: { field: 'day', origin: 'now-1d', pivot: '7d', boost: 1.5 } },
  sort: [
    { _script: { type: 'number', script: { source: "doc['n'].value", lang: 'expression' } } },
    { _script: { type: 'string', order: 'desc', script: "doc['tag'].value + 'x'" } },
    '_score',
  ],
};

test('a plan of computed scores has golden bytes', async () => {
  await expectGolden(
    'plan_scores',
    'a plan of computed scores, see test/query/plan-scores-golden.test.ts',
    compile(body).plan,
  );
});

test('a plan of rank features has golden bytes', async () => {
  const feature = (body: JsonObject): JsonObject => ({ rank_feature: { field: 'rank', ...body } });
  const query: JsonObject = {
    bool: {
      should: [
        feature({}),
        feature({ saturation: { pivot: 8 }, boost: 2.5, _name: 'saturation' }),
        feature({ log: { scaling_factor: 4 } }),
        feature({ sigmoid: { pivot: 7, exponent: 0.5 } }),
        { rank_feature: { field: 'topics.a', linear: {} } },
      ],
    },
  };
  await expectGolden(
    'plan_features',
    'a plan of rank features, see test/query/plan-scores-golden.test.ts',
    compile({ query }).plan,
  );
});
