// One request that is sent to both servers, and short ways to write the usual ones.

export type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** What not every peer has: modules that its package leaves out, or types that are another company's. */
export type Capability =
  | 'aggregations'
  | 'by-query'
  /** Every peer has it, and scores by weights alone: to be asked of all. */
  | 'completion'
  | 'elasticsearch'
  | 'extras'
  | 'scripts'
  | 'templates'
  | 'vectors';

export interface PeerRequest {
  readonly name: string;
  readonly needs: readonly Capability[];
  /** What is compared: an answer, or a list of them for requests that follow each other. */
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

/** A search of the logs: three shards, whose statistics the peer is asked to add up. */
export function logs(name: string, body: object, needs: readonly Capability[] = []): PeerRequest {
  const path = '/logs/_search?search_type=dfs_query_then_fetch';
  return request(name, 'POST', path, { _source: false, size: 15, ...body }, needs);
}

/** More than there are: the order of ties at a page's end is nobody's. */
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
