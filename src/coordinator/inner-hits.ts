// `inner_hits` of a collapsed search: for each hit shown and each entry, a search of its group.
import type { Json, JsonObject, SearchHit, SearchResult } from '../backend.js';
import type { Collapse, InnerHits } from '../query/collapse.js';
import { withoutPlainRetriever } from '../query/ranked-body.js';

/** Searches at a time where the request does not say. */
const CONCURRENCY = 4;

/** `groups`: of each hit, the value of its group as JSON. `search`: runs a body like that of the request. */
export async function withInnerHits(
  hits: readonly SearchHit[],
  groups: readonly string[],
  collapse: Collapse,
  body: JsonObject,
  search: (body: JsonObject) => Promise<SearchResult>,
): Promise<readonly SearchHit[]> {
  const { innerHits, field, concurrency = CONCURRENCY } = collapse;
  const plain = withoutPlainRetriever(body);
  const wanted = hits.flatMap((_, hit) => innerHits.map((inner) => ({ hit, inner })));
  const found = new Map<SearchHit, Record<string, SearchResult>>();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < wanted.length; at = next++) {
      const { hit, inner } = wanted[at] ?? { hit: 0, inner: undefined };
      const shown = hits[hit];
      if (shown === undefined || inner === undefined) continue;
      const result = await search(groupBody(plain, field, groups[hit] ?? 'null', inner));
      found.set(shown, { ...found.get(shown), [inner.name]: result });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, wanted.length) }, work));
  return hits.map((hit) => ({ ...hit, innerHits: inOrder(innerHits, found.get(hit) ?? {}) }));
}

function inOrder(
  innerHits: readonly InnerHits[],
  found: Readonly<Record<string, SearchResult>>,
): Readonly<Record<string, SearchResult>> {
  return Object.fromEntries(
    innerHits.flatMap(({ name }) => {
      const result = found[name];
      return result === undefined ? [] : [[name, result]];
    }),
  );
}

/** What the request searches for, within one group. */
function groupBody(body: JsonObject, field: string, group: string, inner: InnerHits): JsonObject {
  const { query, knn, post_filter: post } = body;
  const nearest = knn === undefined ? [] : Array.isArray(knn) ? (knn as readonly Json[]) : [knn];
  const any = [...(query === undefined ? [] : [query]), ...nearest.map((one) => ({ knn: one }))];
  const matching =
    any.length > 1
      ? { should: any, minimum_should_match: 1 }
      : any.length === 1
        ? { must: any }
        : {};
  const filter = [groupClause(field, group), ...(post === undefined ? [] : [post])];
  return { ...inner.shows, query: { bool: { ...matching, filter } } };
}

function groupClause(field: string, group: string): JsonObject {
  if (group === 'null') return { bool: { must_not: [{ exists: { field } }] } };
  const value: Json = /^-?\d{16,}$/.test(group) ? BigInt(group) : (JSON.parse(group) as Json);
  return { term: { [field]: { value } } };
}
