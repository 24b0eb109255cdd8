// Calls a running service over HTTP, for a stdio server.

import { plainJson } from '../base/json-text.js';
import { trimEndOf } from '../base/trim-end.js';
import { type Call, Refusal } from './call.js';

const TIMEOUT_MS = 60_000;

/** `url` is the address of the service; `key` is sent as a bearer token if defined. */
export function callOverHttp(url: string, key: string | undefined): Call {
  const base = trimEndOf(url, '/');
  return async ({ method, path, body, signal }) => {
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const reply = await fetch(base + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: plainJson(body) }),
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Refusal(
        'no_service',
        0,
        `no service answers at ${base}: ${reason}`,
        'start it with: quarry serve, or give its address with --url',
      );
    });
    return { status: reply.status, text: await reply.text() };
  };
}
