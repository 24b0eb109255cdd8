// What is known of every HTTP request, whatever its route: ids that come back to the client and stand in log lines, a span,
// a histogram, and a line of its own at level debug.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../ops/request-context.js';
import type { ApiDeps } from './routes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request line and headers were read. */
    context: RequestContext | undefined;
  }
}

/** Headers that every answer carries: the official clients read the first and refuse to talk without it. */
export function identify(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('X-Elastic-Product', 'Elasticsearch');
  reply.header('X-Content-Type-Options', 'nosniff');
  reply.header('X-Frame-Options', 'DENY');
  reply.header('Referrer-Policy', 'no-referrer');
  const opaque = request.headers['x-opaque-id'];
  if (typeof opaque === 'string') reply.header('X-Opaque-Id', opaque);
  const parent = deps.tracing.parentHeader(openContext(deps, request));
  if (parent !== undefined) reply.header('traceparent', parent);
}

/** Runs a handler so that what it starts knows which request it is for. */
export function within<T>(deps: ApiDeps, request: FastifyRequest, work: () => T): T {
  return deps.requests.run(openContext(deps, request), work);
}

/** After the answer was sent. */
export function observe(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): void {
  const route = routeOf(request);
  const { method } = request;
  const { statusCode: status, elapsedTime } = reply;
  deps.metrics.httpSeconds.observe(elapsedTime / 1000, method, route, classOf(status));
  const context = openContext(deps, request);
  const failed = status >= 500;
  deps.tracing.finish(
    context,
    { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
    failed,
  );
  // The path itself may hold ids and the query string anything: the route says enough.
  if (!deps.logger.isLevelEnabled('debug')) return;
  const took = Math.round(elapsedTime * 10) / 10;
  const members = { ...deps.requests.logMembers(context), method, route, status, took_ms: took };
  deps.logger.debug(members, 'request');
}

function openContext(deps: ApiDeps, request: FastifyRequest): RequestContext {
  if (request.context !== undefined) return request.context;
  const { headers } = request;
  const context = deps.requests.open({
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
  return CLASSES[Math.floor(status / 100)] ?? 'other';
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
