// Requests to the REST API of the service that served the page, and to nothing else.
import { isObject, jsonText, parseJson } from './json.js';
import { refuseKey, session } from './session.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A refusal of the service, or its silence (status 0). */
export class RequestError extends Error {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
  /** What the user can do, in addition to what the reason says. */
  readonly remedy: string | undefined;

  constructor(status: number, type: string, reason: string) {
    super(reason);
    this.name = 'RequestError';
    this.status = status;
    this.type = type;
    this.reason = reason;
    this.remedy = REMEDIES[status];
  }
}

const REMEDIES: Readonly<Record<number, string>> = {
  0: 'See whether the service runs (quarry doctor), then try again.',
  401: 'Type a key: the button is at the top of the page.',
  403: 'Use a key with that privilege, made by quarry keys create.',
  429: 'The service is busy: try again in a moment.',
  503: 'The service is starting or stopping: try again in a moment.',
};

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Parameters of the URL; those that are undefined are left out. */
  readonly params?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Type of a body that is a string; NDJSON by default. */
  readonly contentType?: string;
}

/**
 * A path whose parts are encoded: path`/${index}/_search`. Throws for a part that browsers would
 * resolve as a folder.
 */
export function path(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): string {
  return texts.reduce((joined, text, at) => {
    const name = String(parts[at - 1]);
    if (name === '.' || name === '..') {
      throw new RequestError(
        400,
        'illegal_argument_exception',
        `[${name}] cannot be in an address`,
      );
    }
    return joined + encodeURIComponent(name) + text;
  });
}

/**
 * Sends a request and returns the parsed answer. A body that is a string is sent as it is. Rejects
 * with a RequestError, or with an AbortError once `signal` is aborted.
 */
export async function call<T>(
  method: Method,
  target: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<T> {
  const text = await callText(method, target, body, options);
  return (text === '' ? undefined : parseJson(text)) as T;
}

/** Like call() for answers that are no JSON. */
export async function callText(
  method: Method,
  target: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<string> {
  const reply = await send(method, target, body, options);
  const text = await reply.text().catch(() => {
    throw silence(options.signal);
  });
  if (reply.ok) return text;
  if (reply.status === 401) refuseKey();
  throw refusalOf(reply.status, text);
}

async function send(
  method: Method,
  target: string,
  body: unknown,
  { signal, params = {}, contentType = 'application/x-ndjson' }: CallOptions,
): Promise<Response> {
  const { key } = session.value;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (key !== undefined) headers['authorization'] = `ApiKey ${key}`;
  if (body !== undefined) {
    headers['content-type'] = typeof body === 'string' ? contentType : 'application/json';
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const url = `${location.origin}${target}${query.size === 0 ? '' : `?${query}`}`;
  try {
    return await fetch(url, {
      method,
      headers,
      body: body === undefined ? null : typeof body === 'string' ? body : jsonText(body, 0),
      signal: signal ?? null,
      mode: 'same-origin',
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch {
    throw silence(signal);
  }
}

function silence(signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return new RequestError(0, 'no_answer', 'The service does not answer.');
}

/** If a search failed on all shards, only the root cause contains the reason. */
function refusalOf(status: number, text: string): RequestError {
  try {
    const { error } = parseJson(text) as { readonly error?: unknown };
    if (typeof error === 'string') return new RequestError(status, 'error', error);
    if (isObject(error)) {
      const causes = error['root_cause'];
      const first = Array.isArray(causes) && isObject(causes[0]) ? causes[0] : error;
      return new RequestError(status, String(first['type']), String(first['reason']));
    }
  } catch {
    // Not an error envelope.
  }
  return new RequestError(
    status,
    'error',
    text.slice(0, 500) || `The answer has status ${status}.`,
  );
}

/** Anything that was thrown as a RequestError. */
export function toRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  return new RequestError(
    -1,
    'console_error',
    thrown instanceof Error ? thrown.message : String(thrown),
  );
}
