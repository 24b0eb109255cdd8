// Links from the columns of the edges index: no document is read, so that a thousand links cost about a millisecond.
// What only documents have, the evidence, is added for the few that are shown.
import type { Backend, Json, JsonObject } from '../backend.js';
import { type Edge, fromSource } from './edge.js';
import { EDGE, EdgeColumns, toColumns } from './edge-columns.js';
import { sourcesOf } from './fresh.js';

/** The order in which links are read when all of them are: as they lie. */
const AS_THEY_LIE: readonly Json[] = ['_doc'];
/** When there are more than are read: the strongest. A link without a strength counts as 1, as its parts do. */
const STRONGEST: readonly Json[] = [
  { strength: { order: 'desc', missing: 1, unmapped_type: 'double' } },
  { valid_at: { order: 'desc', unmapped_type: 'date' } },
];

export interface EdgesRead {
  readonly edges: readonly Edge[];
  /** How many there are, read or not. */
  readonly total: number;
}

/** At most `limit` links of the query, the strongest if there are more; in no order. */
export async function readEdges(
  backend: Backend,
  index: string,
  query: JsonObject,
  limit: number,
): Promise<EdgesRead> {
  const all = await read(backend, index, query, AS_THEY_LIE, limit);
  return all.total <= limit ? all : read(backend, index, query, STRONGEST, limit);
}

async function read(
  backend: Backend,
  index: string,
  query: JsonObject,
  order: readonly Json[],
  limit: number,
): Promise<EdgesRead> {
  const { total, hits, columns } = await backend.columns({
    index,
    query,
    columns: [...order, '_id', ...toColumns(EDGE)],
    size: limit,
  });
  const ids = columns[order.length] ?? [];
  const values = new EdgeColumns(columns.slice(order.length + 1));
  const edges = new Array<Edge>(hits);
  for (let hit = 0; hit < hits; hit++) edges[hit] = values.edge(String(ids[hit] ?? ''), hit);
  return { edges, total };
}

/** The same links with their evidence. */
export async function withEvidence<T extends Edge>(
  backend: Backend,
  index: string,
  edges: readonly T[],
): Promise<readonly T[]> {
  const found = edges.filter((edge) => edge.evidenced).map(({ edge_id }) => edge_id);
  if (found.length === 0) return edges;
  const sources = await sourcesOf(backend, index, found, ['evidence']);
  return edges.map((edge) => {
    const source = sources.get(edge.edge_id);
    if (source === undefined) return edge;
    return { ...edge, evidence: fromSource(edge.edge_id, source).evidence };
  });
}
