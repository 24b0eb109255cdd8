// Every error over real HTTP: status, type, and the words that the reason must contain; and nothing
// is written.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../tools/server.ts';
import { AGGREGATION_CASES } from './aggregation-cases.ts';
import { AGGREGATION_METRIC_CASES } from './aggregation-metric-cases.ts';
import { AGGREGATION_OPTION_CASES } from './aggregation-option-cases.ts';
import type { BadCase } from './bad-case.ts';
import { BY_QUERY_CASES } from './by-query-cases.ts';
import { CONTEXT_CASES } from './context-cases.ts';
import { DOCUMENT_CASES } from './document-cases.ts';
import { FIELD_TYPE_CASES, TYPES } from './field-type-cases.ts';
import { CLAUSE_LIMIT, HOSTILE_CASES } from './hostile-cases.ts';
import { HTTP_CASES } from './http-cases.ts';
import { HYBRID_CASES } from './hybrid-cases.ts';
import { INDEX_CASES } from './index-cases.ts';
import { VECTOR_CASES, VECTORS } from './knn-cases.ts';
import { PIPELINE_CASES } from './pipeline-cases.ts';
import { SEARCH_CASES } from './search-cases.ts';
import { SEMANTIC, SEMANTIC_CASES } from './semantic-cases.ts';
import { MEANINGS, SEMANTIC_QUERY_CASES } from './semantic-query-cases.ts';
import { SUGGEST_CASES } from './suggest-cases.ts';
import { TEMPLATE_CASES } from './template-cases.ts';

const BOOKS = {
  mappings: {
    properties: {
      title: { type: 'text' },
      author: { type: 'keyword' },
      year: { type: 'integer' },
      price: { type: 'double' },
      lent: { type: 'boolean' },
      bought: { type: 'date' },
      host: { type: 'ip' },
      go: { type: 'completion' },
      hidden: { type: 'keyword', index: false, doc_values: false },
      place: { properties: { shelf: { type: 'keyword' } } },
      strict: { dynamic: 'strict', properties: { known: { type: 'keyword' } } },
    },
  },
};

let server: TestServer;
let before: string;

/** Everything that a rejected request could have changed. */
async function state(): Promise<string> {
  const indices = await server.call('GET', '/*?expand_wildcards=all');
  await server.call('POST', '/_refresh');
  const documents = await server.call('POST', '/_search', {
    version: true,
    seq_no_primary_term: true,
  });
  const { took: _took, ...rest } = documents.json;
  return JSON.stringify([indices.json, rest]);
}

beforeAll(async () => {
  server = await startServer({
    args: ['--indices.query.bool.max_clause_count', String(CLAUSE_LIMIT)],
  });
  expect((await server.call('PUT', '/books', BOOKS)).status).toBe(200);
  const first = await server.call('PUT', '/books/_doc/1?refresh=true', { title: 'One', year: 1 });
  expect(first.status).toBe(201);
  expect((await server.call('PUT', '/vectors', VECTORS)).status).toBe(200);
  const vector = { e: [1, 0, 0], l: [0, 0, 0], title: 'One', year: 1 };
  expect((await server.call('PUT', '/vectors/_doc/1?refresh=true', vector)).status).toBe(201);
  expect((await server.call('PUT', '/semantic', SEMANTIC)).status).toBe(200);
  expect((await server.call('PUT', '/meanings', MEANINGS)).status).toBe(200);
  expect((await server.call('PUT', '/types', TYPES)).status).toBe(200);
  const meaning = { body: 'a quick fox', title: 'One' };
  expect((await server.call('PUT', '/meanings/_doc/1?refresh=true', meaning)).status).toBe(201);
  before = await state();
});
afterAll(async () => {
  await server?.stop();
});

type Group = readonly [string, readonly BadCase[]];
const basics: readonly Group[] = [
  ['indexes', INDEX_CASES],
  ['documents', DOCUMENT_CASES],
  ['field types', FIELD_TYPE_CASES],
  ['searches', SEARCH_CASES],
  ['http', HTTP_CASES],
  ['vectors', VECTOR_CASES],
  ['fused lists', HYBRID_CASES],
  ['semantic text', SEMANTIC_CASES],
  ['semantic queries', SEMANTIC_QUERY_CASES],
];
const searching: readonly Group[] = [
  ['aggregations', AGGREGATION_CASES],
  ['options of aggregations', AGGREGATION_OPTION_CASES],
  ['metrics, filters and composites', AGGREGATION_METRIC_CASES],
  ['pipelines', PIPELINE_CASES],
  ['search contexts', CONTEXT_CASES],
  ['many documents', BY_QUERY_CASES],
  ['what costs too much', HOSTILE_CASES],
  ['suggesters', SUGGEST_CASES],
  ['search templates', TEMPLATE_CASES],
];

const groups = [...basics, ...searching];

test('there are at least 150 cases of each kind, each with a name of its own', () => {
  const namesOf = (some: readonly Group[]) =>
    some.flatMap(([group, cases]) => cases.map(({ name }) => `${group}: ${name}`));
  expect(namesOf(basics).length).toBeGreaterThanOrEqual(150);
  expect(namesOf(searching).length).toBeGreaterThanOrEqual(150);
  const names = namesOf(groups);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

describe.each(groups)('%s', (_group, cases) => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const reply = await server.call(one.method, one.path, one.body, one.headers);
    const error = reply.json?.error;
    const reason = JSON.stringify(error ?? reply.text);
    expect({ status: reply.status, type: error?.type, reason }).toMatchObject({
      status: one.status,
      type: one.type,
    });
    expect(reply.json.status).toBe(one.status);
    expect((error.root_cause[0] ?? error.caused_by).type).toBe(one.cause);
    for (const word of one.words) expect(reason).toContain(JSON.stringify(word).slice(1, -1));
  });

  test('nothing was written', async () => {
    expect(await state()).toBe(before);
  });
});
