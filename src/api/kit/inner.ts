// Requests that one route makes to another route of this server on behalf of its caller. They carry
// the caller's key and pass the same guard, so they see what the caller would see.
import type { FastifyRequest } from 'fastify';
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

export async function askInside(
  requests: RequestContexts,
  request: FastifyRequest,
  { method, path, body, signal }: InnerRequest,
): Promise<InnerAnswer> {
  const headers: Record<string, string> = { host: request.headers.host ?? 'localhost' };
  for (const name of PASSED) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  const work = async () =>
    request.server.inject({
      method,
      url: path,
      headers,
      remoteAddress: request.ip,
      ...(body === undefined ? {} : { payload: plainJson(body) }),
    });
  const answer = await requests.runFor(signal, work);
  return { status: answer.statusCode, text: answer.payload };
}
