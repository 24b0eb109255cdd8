// Measures the quality of each search method by relevance judgments, on the collections of the
// shared folder: nDCG@10 and recall@10 over HTTP, compared with the values measured by the design.
import { ndcgAt10, readCollection } from '../../test/tools/collections.ts';
import { bulk, startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row } from '../lab/result.ts';
import { EXPECTED, METHODS, type Method, MODEL_FLOORS } from './methods.ts';
import type { ModelService } from './model.ts';

type Collection = ReturnType<typeof readCollection>;

const SETS = ['cranfield', 'medline', 'cisi', 'cacm'];
const LINES_PER_BULK = 500;
const DIMS = 1024;
/** The model runs on the cores of this machine, one request at a time. */
const PATIENT = ['--inference.timeout_ms=600000', '--inference.max_concurrent=1'];
/** Fusions depend on the depth of the lists, the other methods do not. */
const TOLERANCE = { single: 0.01, fusion: 0.02 };

export interface Quality {
  readonly ndcg: number;
  readonly recall: number;
}

export async function measureCollections(
  shared: string,
  model: ModelService | undefined,
): Promise<readonly Row[]> {
  const methods = METHODS.filter((method) => model !== undefined || method.model !== true);
  const results: Record<string, Record<string, Quality>> = {};
  const server = await startServer({ args: PATIENT });
  try {
    for (const set of SETS) {
      const collection = readCollection(shared, set);
      await load(server, collection, model);
      for (const method of methods) {
        const quality = await measure(server, collection, method);
        results[method.name] = { ...results[method.name], [set]: quality };
      }
    }
  } finally {
    await server.stop();
  }
  return rowsOf(results);
}

async function load(
  server: TestServer,
  { name, documents }: Collection,
  model: ModelService | undefined,
): Promise<void> {
  const meaning = { type: 'semantic_text', analyzer: 'english', dims: DIMS };
  const endpoint = model === undefined ? undefined : { url: model.url, model: model.model };
  const fields = {
    meaning,
    ...(endpoint === undefined
      ? {}
      : { model: { type: 'semantic_text', analyzer: 'english', inference_endpoint: endpoint } }),
  };
  const created = await server.call('PUT', `/${name}`, {
    mappings: { properties: { text: { type: 'text', fields } } },
  });
  if (created.status !== 200) throw new Error(created.text);
  for (let at = 0; at < documents.length; at += LINES_PER_BULK) {
    const lines = documents
      .slice(at, at + LINES_PER_BULK)
      .flatMap(({ id, text }) => [
        JSON.stringify({ index: { _id: id } }),
        JSON.stringify({ text }),
      ]);
    await bulk(server, `/${name}/_bulk`, lines);
  }
  await server.call('POST', `/${name}/_refresh`);
}

async function measure(
  server: TestServer,
  collection: Collection,
  method: Method,
): Promise<Quality> {
  let ndcg = 0;
  let recall = 0;
  let judged = 0;
  for (const query of collection.queries) {
    const grades = collection.judgements.get(query.id);
    const relevant = [...(grades ?? [])].filter(([, grade]) => grade > 0).map(([id]) => id);
    if (grades === undefined || relevant.length === 0) continue;
    const reply = await server.call('POST', `/${collection.name}/_search`, {
      ...method.body(query.text),
      _source: false,
    });
    if (reply.status !== 200) throw new Error(reply.text);
    const ids: string[] = reply.json.hits.hits.map((hit: { _id: string }) => hit._id);
    ndcg += ndcgAt10(ids, grades);
    recall += relevant.filter((id) => ids.includes(id)).length / relevant.length;
    judged++;
  }
  return { ndcg: ndcg / judged, recall: recall / judged };
}

function rowsOf(
  results: Readonly<Record<string, Readonly<Record<string, Quality>>>>,
): readonly Row[] {
  return Object.entries(results).flatMap(([name, bySet]) =>
    Object.entries(bySet).map(([set, { ndcg, recall }]): Row => {
      const values = { 'nDCG@10': ndcg, design: EXPECTED[name]?.[set], 'recall@10': recall };
      const target = leastOf(name, set);
      const row = { name: `${name}, ${set}`, unit: 'of 1', values };
      return target === undefined
        ? row
        : { ...row, goal: { value: 'nDCG@10', target, lower: false } };
    }),
  );
}

/**
 * The value measured by the design minus a tolerance; for a real model its floor if that is larger.
 */
function leastOf(name: string, set: string): number | undefined {
  const expected = EXPECTED[name]?.[set];
  const fused = name.startsWith('rrf') || name.startsWith('linear');
  const tolerance = fused ? TOLERANCE.fusion : TOLERANCE.single;
  const floor = name === 'linear 0.5/0.5 with MiniLM' ? MODEL_FLOORS[set] : undefined;
  if (expected === undefined) return floor;
  return Math.max(expected - tolerance, floor ?? 0);
}
