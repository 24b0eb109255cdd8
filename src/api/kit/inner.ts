// Requests that one route makes to another route of this server on behalf of its caller. They carry
// the caller's key and pass the same guard, so they see what the caller would see.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { plainJson } from '../../base/json-text.js';
import type { RequestContexts } from '../../ops/request-context.js';
import type { Method } from './routes.js';

export interface InnerRequest {
  readonly method: Method;
  /** URL-encoded path with query string. */
  readonly path: string;
  readonly body?: object;
  /**
   * Aborted when the answer is no longer needed; the inner request then ends as if its client had
   * disconnected.
   */
  readonly signal?: AbortSignal;
}

export interface InnerAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Headers passed on from the outer request: the caller's identity and the ids that correlate log
 * lines.
 */
const PASSED = ['authorization', 'x-request-id', 'x-opaque-id', 'traceparent'] as const;

/** The outer request. */
export interface OuterRequest {
  readonly headers: IncomingHttpHeaders;
  readonly address: string | undefined;
}

/** `app` answers the inner request; it ends as if its client had left if the outer client leaves. */
export async function askInside(
  requests: RequestContexts,
  app: Pick<FastifyInstance, 'inject'>,
  outer: OuterRequest,
  { method, path, body, signal }: InnerRequest,
): Promise<InnerAnswer> {
  const headers: Record<string, string> = { host: outer.headers.host ?? 'localhost' };
  for (const name of PASSED) {
    const value = outer.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  const work = async () =>
    app.inject({
      method,
      url: path,
      headers,
      ...(outer.address === undefined ? {} : { remoteAddress: outer.address }),
      ...(body === undefined ? {} : { payload: plainJson(body) }),
    });
  const answer = await requests.runFor(signal, work);
  return { status: answer.statusCode, text: answer.payload };
}
