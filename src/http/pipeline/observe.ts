// What is recorded of every request, whatever its route: ids that are returned to the client and
// stand in log lines, a span, a histogram, and a log line at level debug.
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiDeps } from '../../api/kit/routes.js';
import type { RequestContext } from '../../ops/request-context.js';

/** The context of a new request. `route` is the path pattern. */
export function openContext(
  deps: ApiDeps,
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  route: string,
): RequestContext {
  const context = deps.requests.open({
    requestId: single(headers['x-request-id']),
    opaqueId: single(headers['x-opaque-id']),
    traceParent: single(headers['traceparent']),
  });
  return deps.tracing.isOn
    ? deps.tracing.begin(context, `${method} ${route}`, Date.now())
    : context;
}

/** The headers that every answer to the request carries. */
export function commonHeaders(
  { tracing }: ApiDeps,
  headers: IncomingHttpHeaders,
  context: RequestContext,
): Record<string, string> {
  const answer: Record<string, string> = {
    // The official clients refuse to work without it.
    'x-elastic-product': 'Elasticsearch',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-request-id': context.requestId,
  };
  const opaqueId = headers['x-opaque-id'];
  if (typeof opaqueId === 'string') answer['x-opaque-id'] = opaqueId;
  const parent = tracing.parentHeader(context);
  if (parent !== undefined) answer['traceparent'] = parent;
  return answer;
}

/** Stands for the status of an answer whose client disconnected before it. */
export const CLIENT_GONE = 499;

export interface Observed {
  readonly method: string;
  /** The path pattern: the path itself may hold ids, and the query string anything. */
  readonly route: string;
  readonly status: number;
  readonly tookMs: number;
}

/** Called once when a request has ended. */
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

const CLASSES = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'];

function classOf(status: number): string {
  if (status === CLIENT_GONE) return 'gone';
  return CLASSES[Math.floor(status / 100)] ?? 'other';
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
