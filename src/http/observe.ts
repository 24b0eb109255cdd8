// What is known of every HTTP request, whatever its route: ids that come back to the client and stand in log lines, a span,
// a histogram, and a line of its own at level debug.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../api/kit/routes.js';
import type { RequestContext } from '../ops/request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request line and headers were read. */
    context: RequestContext | undefined;
  }
}

/** Headers that every answer carries: the official clients read the first and refuse to talk without it. */
export const EVERYWHERE = [
  ['X-Elastic-Product', 'Elasticsearch'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
] as const;

/** What every answer says of itself and of its request. */
export function identify(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): void {
  for (const [name, value] of EVERYWHERE) reply.header(name, value);
  const opaque = request.headers['x-opaque-id'];
  if (typeof opaque === 'string') reply.header('X-Opaque-Id', opaque);
  const context = openContext(deps, request);
  reply.header('X-Request-Id', context.requestId);
  const parent = deps.tracing.parentHeader(context);
  if (parent !== undefined) reply.header('traceparent', parent);
}

/** Runs a handler so that what it starts knows which request it is for. */
export function within<T>(deps: ApiDeps, request: FastifyRequest, work: () => T): T {
  return deps.requests.run(openContext(deps, request), work);
}

/** Stands for the status of an answer whose client had hung up. */
export const CLIENT_GONE = 499;

/** Once, when the request has ended. */
export function observeRequest(
  deps: ApiDeps,
  request: FastifyRequest,
  status: number,
  tookMs: number,
): void {
  const { method } = request;
  const context = openContext(deps, request);
  observeAnswer(deps, { method, route: routeOf(request), status, tookMs }, context);
}

export interface Observed {
  readonly method: string;
  /** The pattern: the path itself may hold ids and the query string anything. */
  readonly route: string;
  readonly status: number;
  readonly tookMs: number;
}

export function observeAnswer(
  deps: ApiDeps,
  { method, route, status, tookMs }: Observed,
  context: RequestContext,
): void {
  deps.metrics.httpSeconds.observe(tookMs / 1000, method, route, classOf(status));
  deps.tracing.finish(
    context,
    { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    status >= 500,
  );
  if (!deps.logger.isLevelEnabled('debug')) return;
  const rounded = Math.round(tookMs * 10) / 10;
  const members = { ...deps.requests.logMembers(context), method, route, status, took_ms: rounded };
  deps.logger.debug(members, 'request');
}

/** The context of a request, which begins when it is asked for first. */
export function openContext(deps: ApiDeps, request: FastifyRequest): RequestContext {
  if (request.context !== undefined) return request.context;
  const { headers } = request;
  const context = deps.requests.open({
    requestId: single(headers['x-request-id']),
    opaqueId: single(headers['x-opaque-id']),
    traceParent: single(headers['traceparent']),
  });
  request.context = deps.tracing.begin(
    context,
    `${request.method} ${routeOf(request)}`,
    Date.now(),
  );
  return request.context;
}

const CLASSES = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'];

function classOf(status: number): string {
  if (status === CLIENT_GONE) return 'gone';
  return CLASSES[Math.floor(status / 100)] ?? 'other';
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
