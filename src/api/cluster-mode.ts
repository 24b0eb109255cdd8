// What becomes of each route in cluster mode, from one table: most are served over the cluster, some
// are its own answers, and what a cluster cannot do is refused by name.
import type { MaybePromise } from '../backend/index.js';
import { ERROR_STATUS, QuarryError } from '../errors.js';
import { type Answer, type ApiDeps, type ApiRequest, part, type Route } from './kit/routes.js';

/** The cluster behind this node. */
export interface ClusterMode {
  /** Resolves when the table of indexes is as the cluster has it now. */
  current(): Promise<void>;
  /** Undefined where the table was read within `ms` and has all of the names. */
  within(ms: number, names: readonly string[]): Promise<void> | undefined;
  /** Resolves when templates, scripts and endpoints are as the cluster has them. */
  statesCurrent(): Promise<void>;
  /** [green], [yellow] or [red]; undefined: it does not answer. */
  health(): Promise<string | undefined>;
  /** The answer of the cluster to a question about itself. `path` is encoded. */
  ask(path: string, accept: string): Promise<{ readonly status: number; readonly body: Buffer }>;
  /** Runs the work of a request, which waits for the cluster as long as one call may take. */
  inTime<T>(work: () => T): T;
  /** The path segment for indexes. */
  pathOf(indexes: readonly string[]): string;
}

type Treatment =
  /** `named`: a request for indexes that are known may use the table of the last seconds. */
  | {
      readonly kind: 'served';
      readonly names: 'named' | 'current' | 'none';
      readonly states?: true;
    }
  | { readonly kind: 'passed' }
  | { readonly kind: 'refused'; readonly what: string; readonly remedy: string };

/** What works in many parts, each of which may take as long as a call. */
const LONG =
  /_by_query$|^\/_reindex|^\/_memory\/:namespace\/_(?:bulk|import|export|forget)$|\/(?:detect|verify)$|_msearch|_rank_eval|_forcemerge/;

/** How old the table of names may be for a request that names indexes that are in it. */
const NAMES_MS = 2000;

const SERVED: Treatment = { kind: 'served', names: 'current' };
const NAMED: Treatment = { kind: 'served', names: 'named' };
const NAMELESS: Treatment = { kind: 'served', names: 'none' };
const STATES: Treatment = { kind: 'served', names: 'current', states: true };
const PASSED: Treatment = { kind: 'passed' };

function refused(what: string, remedy: string): Treatment {
  return { kind: 'refused', what, remedy };
}

const FILES = refused('snapshots of files', 'take and restore them at the cluster itself');
const SHARDS = refused('segments, shards and their places', 'ask the cluster itself');
const STATISTICS = refused('statistics of the engine', 'ask the cluster itself');
const ASYNC = refused(
  'asynchronous searches',
  'send a [_search], or send them to the cluster itself',
);
const SETTINGS = refused('changes of cluster settings', 'make them at the cluster itself');

/** The first row whose pattern fits a path of the route, and whose methods it has, applies. */
const TABLE: readonly (readonly [RegExp, Treatment, methods?: readonly string[]])[] = [
  [/^\/_snapshot/, FILES],
  [/^\/_cat\/(?:snapshots|repositories)/, FILES],
  [/^\/(?::index\/)?_(?:segments|recovery|search_shards|shard_stores)$/, SHARDS],
  [/^\/_cat\/(?:segments|shards|recovery|allocation)/, SHARDS],
  [/^\/_cluster\/(?:allocation|reroute|state)/, SHARDS],
  [/^\/_dangling/, SHARDS],
  [/^\/(?::index\/)?_stats/, STATISTICS],
  [/^\/_health_report/, refused('the health report of a node', 'ask [GET /_cluster/health]')],
  [/^\/_cluster\/settings/, PASSED, ['GET']],
  [/^\/_cluster\/settings/, SETTINGS],
  [/^\/_cluster\/(?:health|stats|pending_tasks)/, PASSED],
  [/^\/_cluster\/nodes|^\/_nodes\/.*(?:reload|shutdown|repositories_metering)/, STATISTICS],
  [/^\/_nodes/, PASSED, ['GET']],
  [/^\/_nodes/, STATISTICS],
  [
    /^\/_cat\/(?:health|nodes|master|cluster_manager|pending_tasks|plugins|nodeattrs|thread_pool|fielddata)/,
    PASSED,
  ],
  [/^\/_cat\/(?:circuit_breaker|ml)/, STATISTICS],
  [/_async_search/, ASYNC],
  // Before the searches, whose pattern fits too.
  [/^\/(?::index\/)?_m?search\/template$/, STATES],
  [
    /^\/(?::index\/)?_(?:doc|create|update|source|bulk|mget|search|count|msearch|explain|pit|knn_search|refresh|analyze)(?:\/|$)/,
    NAMED,
  ],
  [/^\/_(?:index_template|component_template|template|scripts|inference|render)/, STATES],
  [/^\/:index\/_rollover|^\/_cat\/(?:templates|component_templates)/, STATES],
  [/^\/(?:$|v1\/|mcp|_license|_xpack|_security|_tasks|_cat$|openapi)/, NAMELESS],
  [/^\//, SERVED],
];

/** The row of the table for a route. */
export function treatmentOf({ paths, methods }: Pick<Route, 'paths' | 'methods'>): Treatment {
  for (const [pattern, treatment, only] of TABLE) {
    if (only !== undefined && !methods.some((method) => only.includes(method))) continue;
    if (paths.some((path) => pattern.test(path))) return treatment;
  }
  throw new Error(`[${paths.join(', ')}] is not in the table of cluster mode`);
}

/** The routes as they are in cluster mode; the same ones on a single node. */
export function inClusterMode(deps: ApiDeps, routes: readonly Route[]): readonly Route[] {
  const { clusterMode } = deps;
  if (clusterMode === undefined) return routes;
  return routes.map((route) => {
    const handler = handlerOf(deps, clusterMode, route);
    if (route.paths.some((path) => LONG.test(path))) return { ...route, handler };
    return { ...route, handler: (request) => clusterMode.inTime(() => handler(request)) };
  });
}

function handlerOf(deps: ApiDeps, cluster: ClusterMode, route: Route): Route['handler'] {
  if (route.paths.includes('/v1/health/ready')) return (request) => ready(cluster, route, request);
  const treatment = treatmentOf(route);
  switch (treatment.kind) {
    case 'refused':
      return () => {
        throw refusal(treatment.what, treatment.remedy);
      };
    case 'passed':
      return (request) => passed(deps, cluster, request);
    case 'served': {
      const { names, states } = treatment;
      if (names === 'none') return route.handler;
      if (names === 'named') return (request) => namedFirst(cluster, route, request);
      return async (request) => {
        await cluster.current();
        if (states === true) await cluster.statesCurrent();
        return route.handler(request);
      };
    }
  }
}

function refusal(what: string, remedy: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `${what} are not available in cluster mode, where storage is that of the cluster: ${remedy}`,
    { status: 501 },
  );
}

function namedFirst(cluster: ClusterMode, route: Route, request: ApiRequest): MaybePromise<Answer> {
  const expression = request.parts['index'];
  const waiting = cluster.within(NAMES_MS, expression === undefined ? [] : expression.split(','));
  return waiting === undefined
    ? route.handler(request)
    : waiting.then(() => route.handler(request));
}

/** Parameters that shape our answer and not that of the cluster. */
const OURS: ReadonlySet<string> = new Set([
  'pretty',
  'filter_path',
  'format',
  'human',
  'error_trace',
]);

async function passed(deps: ApiDeps, cluster: ClusterMode, request: ApiRequest): Promise<Answer> {
  const isTable = request.path.startsWith('/_cat');
  const [, query = ''] = request.address.split('?');
  const params = new URLSearchParams(query);
  const wantsJson = params.get('format') === 'json' || request.accept?.includes('json') === true;
  if (!isTable) for (const name of OURS) params.delete(name);
  const named = request.parts['index'];
  let path = request.path;
  if (named !== undefined) {
    await cluster.current();
    // Only what the caller may see, by the names of the cluster.
    const found = deps.backend.resolve(part(request, 'index'), { expandWildcards: ['all'] });
    const segment = cluster.pathOf(found.map(({ name }) => name));
    path = `${path.slice(0, path.lastIndexOf('/'))}/${segment}`;
  }
  const search = params.size === 0 ? '' : `?${params}`;
  const asText = isTable && !wantsJson;
  const answer = await cluster.ask(`${path}${search}`, asText ? 'text/plain' : 'application/json');
  if (!asText) return { status: answer.status, raw: answer.body };
  const text = answer.body.toString('utf8');
  return { status: answer.status, text, contentType: 'text/plain; charset=UTF-8' };
}

/** Ready is what answers and whose cluster is yellow or better. */
async function ready(cluster: ClusterMode, route: Route, request: ApiRequest): Promise<Answer> {
  const own = await route.handler(request);
  if (own.status !== 200) return own;
  const status = await cluster.health();
  const body = { ...(own.body as object), cluster: status ?? 'unreachable' };
  if (status === 'green' || status === 'yellow') return { ...own, body };
  const reason =
    status === undefined ? 'the cluster does not answer' : `the cluster is [${status}]`;
  return {
    status: ERROR_STATUS.node_not_ready_exception,
    body: { ...body, status: 'waiting', reason },
    headers: { 'Retry-After': '1' },
  };
}
