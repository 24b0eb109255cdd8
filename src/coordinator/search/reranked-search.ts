// A search whose first hits a registered reranker puts in order. A reranker that fails leaves the
// order, and the result reports it.
import type {
  InferenceEndpoints,
  SearchHit,
  SearchRequest,
  SearchResult,
  Waiter,
} from '../../backend/index.js';
import { plainJson } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { showsField, type TextReranker } from '../../query/text-reranker.js';

export type Rerankers = Pick<InferenceEndpoints, 'rerank' | 'checkReranker'>;

type Search = (request: SearchRequest) => SearchResult | Promise<SearchResult>;

export async function searchReranked(
  request: SearchRequest,
  reranker: TextReranker,
  waiter: Waiter | undefined,
  { search, rerankers }: { readonly search: Search; readonly rerankers: Rerankers },
): Promise<SearchResult> {
  const inner = { ...request, body: reranker.body, hitsJson: false, waiter };
  const found = await search(inner);
  waiter?.check();
  const { from, size, field, inferenceId: id } = reranker;
  const isShown = showsField(request.body, field);
  try {
    const hits = await inOrder(found.hits, reranker, rerankers, waiter);
    const page = hits.slice(from, from + size);
    return {
      ...found,
      maxScore: hits[0]?.score ?? null,
      hits: page.map((hit) => (isShown ? hit : withoutField(hit, field))),
    };
  } catch (error) {
    if (!(error instanceof QuarryError) || error.type !== 'inference_exception') throw error;
    const { type, message: reason } = error;
    const page = found.hits.slice(from, from + size);
    return {
      ...found,
      hits: page.map((hit) => (isShown ? hit : withoutField(hit, field))),
      rerank: { inference_id: id, applied: false, error: { type, reason } },
    };
  }
}

/** The hits that the reranker ranked with their new scores, best first; then those without text. */
async function inOrder(
  hits: readonly SearchHit[],
  { field, inferenceId, inferenceText: query, minScore }: TextReranker,
  rerankers: Rerankers,
  waiter: Waiter | undefined,
): Promise<readonly SearchHit[]> {
  const texts = hits.map((hit) => textOf(hit, field));
  const read = hits.flatMap((hit, i) => {
    const text = texts[i] ?? '';
    return text.trim() === '' ? [] : [{ hit, text }];
  });
  const documents = read.map(({ text }) => text);
  const ranked =
    documents.length === 0
      ? []
      : await rerankers.rerank(inferenceId, { query, documents }, waiter?.signal());
  const best = ranked.flatMap(({ index, score }) => {
    const one = read[index];
    return one === undefined ? [] : [{ ...one.hit, score }];
  });
  const places = new Set(ranked.map(({ index }) => read[index]?.hit));
  const others = hits.filter((hit) => !places.has(hit)).map((hit) => ({ ...hit, score: 0 }));
  return [...best, ...others].filter(({ score }) => score >= minScore);
}

function textOf({ fields }: SearchHit, field: string): string {
  if (fields === undefined) return '';
  const values = (JSON.parse(fields) as Readonly<Record<string, readonly unknown[]>>)[field] ?? [];
  return values.filter((value) => typeof value === 'string').join('\n');
}

function withoutField(hit: SearchHit, field: string): SearchHit {
  if (hit.fields === undefined) return hit;
  const { [field]: _text, ...others } = JSON.parse(hit.fields) as Readonly<Record<string, unknown>>;
  const isEmpty = Object.keys(others).length === 0;
  return { ...hit, fields: isEmpty ? undefined : plainJson(others) };
}
