// One invalid request with the expected content of its error.

export interface BadCase {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** An object is sent as JSON, a string or bytes unchanged, undefined as no body. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly type: string;
  /** Type of the first root cause; without one, of the cause. */
  readonly cause: string;
  /** Words that the reason, including its cause, must contain. */
  readonly words: readonly string[];
}

export function bad(
  name: string,
  request: readonly [
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ],
  refusal: readonly [status: number, type: string, ...words: string[]],
  cause: string = refusal[1],
): BadCase {
  const [method, path, body, headers] = request;
  const [status, type, ...words] = refusal;
  return {
    name,
    method,
    path,
    status,
    type,
    cause,
    words,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  };
}

export const NDJSON = { 'content-type': 'application/x-ndjson' };
