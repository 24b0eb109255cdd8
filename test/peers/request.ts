// One request that is sent to both servers, and shorthand functions for the usual ones.

export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Features that not every peer has: modules that its package lacks, or types that belong to another
 * vendor.
 */
export type Capability =
  | 'aggregations'
  | 'analysis'
  | 'by-query'
  /** Every peer has it, and it scores by weights alone, so it can be compared with all peers. */
  | 'completion'
  | 'elasticsearch'
  | 'extras'
  | 'icu'
  | 'scripts'
  | 'templates'
  | 'vectors';

export interface PeerRequest {
  readonly name: string;
  readonly needs: readonly Capability[];
  /** Returns the value to compare: a response, or a list of them for a sequence of requests. */
  readonly run: (send: Send) => Promise<unknown>;
}

export function request(
  name: string,
  method: string,
  path: string,
  body?: unknown,
  needs: readonly Capability[] = [],
): PeerRequest {
  return { name, needs, run: (send) => send(method, path, body) };
}

/** A search of the books: one shard, 120 documents. */
export function books(name: string, body: object, needs: readonly Capability[] = []): PeerRequest {
  return request(name, 'POST', '/books/_search', { _source: false, size: 15, ...body }, needs);
}

/** A search of the logs: three shards, with global statistics requested from the peer. */
export function logs(name: string, body: object, needs: readonly Capability[] = []): PeerRequest {
  const path = '/logs/_search?search_type=dfs_query_then_fetch';
  return request(name, 'POST', path, { _source: false, size: 15, ...body }, needs);
}

/** More than there are, because the choice among ties at a page's end is undefined. */
const ALL = 150;

/** A family of searches with one query each, over the books. */
export function queries(
  family: string,
  rows: Readonly<Record<string, object>>,
): readonly PeerRequest[] {
  return Object.entries(rows).map(([name, query]) =>
    books(`${family}: ${name}`, { query, size: ALL }),
  );
}

/** A family of aggregations without hits. */
export function aggregations(
  family: string,
  index: typeof books,
  rows: Readonly<Record<string, object>>,
  needs: readonly Capability[] = [],
): readonly PeerRequest[] {
  return Object.entries(rows).map(([name, aggs]) =>
    index(`${family}: ${name}`, { size: 0, aggs }, needs),
  );
}
