// Links from the columns of the edges index: no document is read, so that a thousand links cost about a millisecond.
// What only documents have, the evidence, is added for the few that are shown.
import type { Backend, Json, JsonObject } from '../backend.js';
import { type Edge, fromSource } from './edge.js';
import { EDGE, EdgeColumns, toColumns } from './edge-columns.js';
import { sourcesOf } from './fresh.js';

/** More than any link has: links that others wrote without their strength come first, and are seen to be there. */
const UNKNOWN = 2;
export const STRONGEST_FIRST: readonly Json[] = [
  { strength: { order: 'desc', missing: UNKNOWN, unmapped_type: 'double' } },
  { valid_at: { order: 'desc', unmapped_type: 'date' } },
  '_id',
];

export interface EdgesRead {
  readonly edges: EdgeColumns;
  /** The hits in the order of all answers: strongest first, then the latest, then by id. */
  readonly order: readonly number[];
  /** How many there are, read or not. */
  readonly total: number;
}

/** At most `limit` links of the query, the first in the order of all answers. */
export async function readEdges(
  backend: Backend,
  index: string,
  query: JsonObject,
  limit: number,
): Promise<EdgesRead> {
  const { total, hits, columns } = await backend.columns({
    index,
    query,
    columns: [...STRONGEST_FIRST, ...toColumns(EDGE)],
    size: limit,
  });
  const edges = new EdgeColumns(columns.slice(STRONGEST_FIRST.length));
  const order = Array.from({ length: hits }, (_, hit) => hit);
  const [strengths] = columns;
  if (hits > 0 && strengths?.(0) === UNKNOWN) sortByStrength(order, edges);
  return { edges, order, total };
}

function sortByStrength(order: number[], edges: EdgeColumns): void {
  const keys = order.map((hit) => {
    const { confidence, weight, valid_at, edge_id } = edges.edge(hit);
    return { strength: confidence * weight, at: valid_at ?? 0, edge_id };
  });
  order.sort((i, j) => {
    const a = keys[i];
    const b = keys[j];
    if (a === undefined || b === undefined) return 0;
    return b.strength - a.strength || b.at - a.at || (a.edge_id < b.edge_id ? -1 : 1);
  });
}

export interface TypesRead {
  /** Type -> links. */
  readonly types: ReadonlyMap<string, number>;
  /** Links beyond `limit`. */
  readonly unread: number;
}

/** How many links of each type there are, of the first `limit`. */
export async function readTypes(
  backend: Backend,
  index: string,
  query: JsonObject,
  limit: number,
): Promise<TypesRead> {
  const { total, hits, columns } = await backend.columns({
    index,
    query,
    columns: ['_doc', ...toColumns(['type'])],
    size: limit,
  });
  const types = new Map<string, number>();
  for (let hit = 0; hit < hits; hit++) countOne(types, String(columns[1]?.(hit) ?? ''));
  return { types, unread: total - hits };
}

export function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The same links with their evidence. */
export async function withEvidence<T extends Edge>(
  backend: Backend,
  index: string,
  edges: readonly T[],
): Promise<readonly T[]> {
  const found = edges.filter((edge) => edge.evidenced).map(({ edge_id }) => edge_id);
  if (found.length === 0) return edges;
  const sources = await sourcesOf(backend, index, found, { includes: ['evidence'] });
  return edges.map((edge) => {
    const source = sources.get(edge.edge_id);
    if (source === undefined) return edge;
    return { ...edge, evidence: fromSource(edge.edge_id, source).evidence };
  });
}
