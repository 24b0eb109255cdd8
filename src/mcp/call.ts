// The one seam between MCP and the service: a request to a route of it, with the rights of whoever called. Over HTTP for
// a server on stdio, inside the process for /mcp.

export type CallMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface CallRequest {
  readonly method: CallMethod;
  /** Encoded, with its query string. */
  readonly path: string;
  readonly body?: object;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

export interface CallAnswer {
  readonly status: number;
  /** The body as it came, JSON in all routes that are called here. */
  readonly text: string;
}

/** Rejects with a Refusal when nothing answers. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

/** What the service, or this server before it, refuses; told to the model as the result of the tool. */
export class Refusal extends Error {
  readonly type: string;
  readonly status: number;
  /** What to do about it, where this side knows. */
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

/** The parsed answer, a Refusal for an error. `also`: further statuses that are answers. */
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
  // A search that failed everywhere says why in its root cause alone.
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

/** Path parts, encoded. Parts that would lead elsewhere in the path are refused: a dot, two, or nothing. */
export function path(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(checkedPart(part))}`).join('');
}

/** An expression of names as a path part; its commas and stars stay as they are. */
export function namesPath(expression: string): string {
  return `/${checkedPart(expression).split(',').map(encodeURIComponent).join(',')}`;
}

function checkedPart(part: string): string {
  if (!/^\.{0,2}$/.test(part)) return part;
  throw new Refusal('illegal_argument_exception', 400, `[${part}] is no name and no id`);
}

/** `?a=b`, without what is undefined. */
export function query(values: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) params.set(name, Array.isArray(value) ? value.join(',') : `${value}`);
  }
  return params.size === 0 ? '' : `?${params}`;
}
