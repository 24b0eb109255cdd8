// What goes wrong, as classes: by the status of the answer, or that there was none.
import { BEHAVIOUR } from './generated.js';

export interface ErrorDetails {
  /** 0: there was no answer. */
  readonly status: number;
  /** The type that the service gives, such as `illegal_argument_exception`. */
  readonly type: string;
  readonly reason: string;
  /** The member or parameter that the reason is about, where it names one first. */
  readonly field?: string | undefined;
  /** Seconds after which the service asks to be called again. */
  readonly retryAfter?: number | undefined;
  /** The quota that was reached. */
  readonly quota?: string | undefined;
  /** The body of the answer. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

export class QuarryError extends Error {
  readonly status: number;
  readonly type: string;
  readonly reason: string;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly quota: string | undefined;
  readonly body: unknown;

  constructor({ status, type, reason, field, retryAfter, quota, body, cause }: ErrorDetails) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.status = status;
    this.type = type;
    this.reason = reason;
    this.field = field;
    this.retryAfter = retryAfter;
    this.quota = quota;
    this.body = body;
  }
}

export class BadRequestError extends QuarryError {}
export class AuthenticationError extends QuarryError {}
export class PermissionError extends QuarryError {}
export class NotFoundError extends QuarryError {}
export class ConflictError extends QuarryError {}
export class TooLargeError extends QuarryError {}
/** A limit or a quota; nothing was done. */
export class RateLimitError extends QuarryError {}
/** The service or what it depends on does not work now. */
export class ServerError extends QuarryError {}
/** No answer came: the service cannot be reached, or closed the connection. */
export class ConnectionError extends QuarryError {
  /** The connection was refused, so that the request did not arrive. */
  readonly refused: boolean;

  constructor(reason: string, refused: boolean, cause: unknown) {
    super({ status: 0, type: 'connection_error', reason, cause });
    this.refused = refused;
  }
}
/** No answer came in time. */
export class TimeoutError extends QuarryError {
  constructor(timeoutMs: number) {
    const reason = `no answer within ${timeoutMs} ms`;
    super({ status: 0, type: 'timeout_error', reason });
  }
}

const BY_STATUS: Readonly<Record<number, typeof QuarryError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  429: RateLimitError,
};

/** The error of an answer. `retryAfter`: the header. */
export function errorOf(status: number, text: string, retryAfter: string | null): QuarryError {
  const body = parsed(text);
  const {
    type = 'http_error',
    reason = `status ${status}`,
    ...cause
  } = causeOf(body, text, status);
  const quota = typeof cause['quota'] === 'string' ? cause['quota'] : undefined;
  const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
  const named = quota === undefined ? fieldOf(String(reason)) : `quota.${quota}`;
  const details: ErrorDetails = {
    status,
    type: String(type),
    reason: String(reason),
    field: named,
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
    quota,
    body,
  };
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : BadRequestError);
  return new Kind(details);
}

/** The field that a reason names first; undefined: it begins in another way. */
export function fieldOf(reason: string): string | undefined {
  return new RegExp(BEHAVIOUR.fieldPattern).exec(reason)?.[1];
}

type Cause = { readonly type?: unknown; readonly reason?: unknown; readonly quota?: unknown };

/** Where a search failed on every shard, only the root cause says why. */
function causeOf(body: unknown, text: string, status: number): Cause & Record<string, unknown> {
  const error = isObject(body) ? body['error'] : undefined;
  if (!isObject(error)) return { reason: text.slice(0, 500) || `status ${status}` };
  const roots = error['root_cause'];
  const root: unknown = Array.isArray(roots) ? roots[0] : undefined;
  return isObject(root) && typeof root['reason'] === 'string' ? { ...error, ...root } : error;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
