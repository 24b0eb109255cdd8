// `inner_hits` of a collapsed search: for each hit shown and each entry, a search of its group.
import type { Json, JsonObject, SearchHit, SearchResult } from '../../backend/index.js';
import { YieldPoints } from '../../base/cooperative-task.js';
import type { Collapse } from '../../query/collapse.js';
import type { InnerHits } from '../../query/inner-hits.js';
import { withoutPlainRetriever } from '../../query/ranked-body.js';

/** Default number of concurrent searches. */
const CONCURRENCY = 4;

/** The rest of the request's time limit in milliseconds; undefined: it has none. */
type TimeLeft = () => number | undefined;

export interface ExpandedHits {
  readonly hits: readonly SearchHit[];
  /** Whether some groups were not searched completely within the time limit. */
  readonly timedOut: boolean;
}

/** The result for a group that was not searched: its number of hits is unknown. */
const UNSEARCHED: SearchResult = {
  tookMs: 0,
  timedOut: true,
  shards: { total: 0, successful: 0, skipped: 0, failed: 0 },
  total: { value: 0, relation: 'gte' },
  maxScore: null,
  hits: [],
};

/**
 * Adds inner hits to the hits of a page. `groups`: for each hit, the value of its group as JSON.
 * `search`: executes another body with the options of the request.
 */
export async function withInnerHits(
  hits: readonly SearchHit[],
  groups: readonly string[],
  collapse: Collapse,
  body: JsonObject,
  timeLeft: TimeLeft,
  search: (body: JsonObject) => Promise<SearchResult>,
): Promise<ExpandedHits> {
  const { innerHits, field, concurrency = CONCURRENCY } = collapse;
  const plain = withoutPlainRetriever(body);
  const wanted = hits.flatMap((_, hit) => innerHits.map((inner) => ({ hit, inner })));
  const found = new Map<SearchHit, Record<string, SearchResult>>();
  const pauses = new YieldPoints();
  let next = 0;
  let timedOut = false;
  const within = async (requested: JsonObject): Promise<SearchResult> => {
    const left = timeLeft();
    if (left === undefined) return search(requested);
    return left <= 0 ? UNSEARCHED : search({ ...requested, timeout: `${Math.ceil(left)}ms` });
  };
  const work = async (): Promise<void> => {
    for (let at = next++; at < wanted.length; at = next++) {
      await pauses.due();
      const { hit, inner } = wanted[at] ?? { hit: 0, inner: undefined };
      const shown = hits[hit];
      if (shown === undefined || inner === undefined) continue;
      const result = await within(groupBody(plain, field, groups[hit] ?? 'null', inner));
      timedOut ||= result.timedOut;
      found.set(shown, { ...found.get(shown), [inner.name]: result });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, wanted.length) }, work));
  const expanded = hits.map((hit) => ({
    ...hit,
    innerHits: { ...inOrder(innerHits, found.get(hit) ?? {}), ...hit.innerHits },
  }));
  return { hits: expanded, timedOut };
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

/** A body with the query of the request, restricted to one group. */
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
