// A request that a route makes to another route of this server for its caller: with the caller's key, so that it passes the
// same guard and sees the same as if the caller had sent it.
import type { FastifyRequest } from 'fastify';
import { plainJson } from '../../base/json-text.js';
import type { RequestContexts } from '../../ops/request-context.js';
import type { Method } from './routes.js';

export interface InnerRequest {
  readonly method: Method;
  /** Encoded, with its query string. */
  readonly path: string;
  readonly body?: object;
  /** Aborted when nobody waits for the answer any more: the inner request ends as if its client had hung up. */
  readonly signal?: AbortSignal;
}

export interface InnerAnswer {
  readonly status: number;
  readonly text: string;
}

/** Of the caller: who it is, and what its log lines are found by. */
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
