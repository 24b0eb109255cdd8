// The only interface between MCP and the service: a request to one of its routes with the caller's
// rights. It is made over HTTP by a stdio server, and inside the process by /mcp.

export type CallMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface CallRequest {
  readonly method: CallMethod;
  /** URL-encoded path with query string. */
  readonly path: string;
  readonly body?: object;
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

export interface CallAnswer {
  readonly status: number;
  /** The body, which is JSON for all routes that are called here. */
  readonly text: string;
}

/** Rejects with a Refusal if the service does not answer. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

/** An error of the service or of this server, reported to the model as the result of the tool. */
export class Refusal extends Error {
  readonly type: string;
  readonly status: number;
  /** The remedy, if this server knows it. */
  readonly hint: string | undefined;

  constructor(type: string, status: number, reason: string, hint?: string) {
    super(reason);
    this.name = 'Refusal';
    this.type = type;
    this.status = status;
    this.hint = hint;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read member by member
export type Reply = any;

/**
 * Returns the parsed answer; throws a Refusal for an error status. `also` lists further statuses to
 * accept.
 */
export async function ask(
  call: Call,
  method: CallMethod,
  path: string,
  body?: object,
  also: readonly number[] = [],
): Promise<Reply> {
  const answer = await call({ method, path, ...(body === undefined ? {} : { body }) });
  const value = parse(answer.text);
  const isGood = answer.status >= 200 && answer.status < 300;
  if ((isGood || also.includes(answer.status)) && value !== undefined) return value;
  const { error } = (value ?? {}) as { error?: Cause & { root_cause?: readonly Cause[] } };
  // If a search failed on all shards, only the root cause contains the reason.
  const cause = error?.root_cause?.[0] ?? error;
  throw new Refusal(
    cause?.type ?? 'unreadable_answer',
    answer.status,
    cause?.reason ?? `the service answered ${answer.status} to ${method} ${path}`,
  );
}

interface Cause {
  readonly type?: string;
  readonly reason?: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Builds a path from parts, which are encoded. Rejects parts that would change the path's meaning:
 * empty ones, `.` and `..`.
 */
export function path(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(checkedPart(part))}`).join('');
}

/** An index expression as a path part; its commas and stars are kept. */
export function namesPath(expression: string): string {
  return `/${checkedPart(expression).split(',').map(encodeURIComponent).join(',')}`;
}

function checkedPart(part: string): string {
  if (!/^\.{0,2}$/.test(part)) return part;
  throw new Refusal('illegal_argument_exception', 400, `[${part}] is no name and no id`);
}

/** The query string `?a=b`, without undefined values. */
export function query(values: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) params.set(name, Array.isArray(value) ? value.join(',') : `${value}`);
  }
  return params.size === 0 ? '' : `?${params}`;
}
