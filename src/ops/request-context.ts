// The request for which the current code runs: its ids for log lines and, if tracing is enabled,
// the parent of new spans. It is passed along asynchronous calls implicitly.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface RequestContext {
  /**
   * The client's `X-Request-Id`, else its trace id, else a generated id; the latter two are 32
   * hexadecimal digits.
   */
  readonly requestId: string;
  /** The client's `X-Opaque-Id`, truncated. */
  readonly opaqueId?: string;
  /** The client's `traceparent`, if it is valid. */
  readonly parent?: TraceParent;
  /** Set while a traced part of the request runs; only tracing.ts uses it. */
  readonly span?: unknown;
}

/** A trace parent of https://www.w3.org/TR/trace-context, version 00. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Maximum length of opaque ids; longer ones are truncated. */
const MAX_OPAQUE_ID = 256;
/** Request ids that can be repeated unchanged in a header and a log line. */
const SANE_REQUEST_ID = /^[ -~]{1,128}$/;
const TRACE_PARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Undefined for a header that the standard defines as invalid; it is ignored. */
export function parseTraceParent(header: string): TraceParent | undefined {
  const match = TRACE_PARENT.exec(header.trim());
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** One per process. */
export class RequestContexts {
  readonly #storage = new AsyncLocalStorage<RequestContext>();
  readonly #waiting = new AsyncLocalStorage<AbortSignal | undefined>();
  /** Generated ids consist of a random prefix of the process and a counter. */
  readonly #prefix = randomBytes(10).toString('hex');
  #last = 0;

  get current(): RequestContext | undefined {
    return this.#storage.getStore();
  }

  /** Makes the context of a new request from its raw headers. */
  open(headers: {
    readonly requestId?: string | undefined;
    readonly opaqueId?: string | undefined;
    readonly traceParent?: string | undefined;
  }): RequestContext {
    const { requestId, opaqueId, traceParent } = headers;
    // Fast path for most requests.
    if (requestId === undefined && opaqueId === undefined && traceParent === undefined) {
      return { requestId: this.#nextId() };
    }
    const own = requestId !== undefined && SANE_REQUEST_ID.test(requestId) ? requestId : undefined;
    const parent = traceParent === undefined ? undefined : parseTraceParent(traceParent);
    return {
      requestId: own ?? parent?.traceId ?? this.#nextId(),
      ...(opaqueId === undefined ? {} : { opaqueId: opaqueId.slice(0, MAX_OPAQUE_ID) }),
      ...(parent === undefined ? {} : { parent }),
    };
  }

  /** Runs `work`; everything that it starts belongs to `context`. */
  run<T>(context: RequestContext, work: () => T): T {
    return this.#storage.run(context, work);
  }

  /**
   * The signal of the outer request during an inner request; aborted when the outer client
   * disconnects.
   */
  get waiting(): AbortSignal | undefined {
    return this.#waiting.getStore();
  }

  /** Runs `work`; inner requests that it makes end when `signal` is aborted. */
  runFor<T>(signal: AbortSignal | undefined, work: () => T): T {
    return this.#waiting.run(signal, work);
  }

  /** The ids as members of a log line. */
  logMembers(context = this.current): Readonly<Record<string, string>> {
    if (context === undefined) return {};
    const { requestId, opaqueId } = context;
    return {
      request_id: requestId,
      ...(opaqueId === undefined ? {} : { opaque_id: opaqueId }),
    };
  }

  #nextId(): string {
    this.#last += 1;
    return this.#prefix + this.#last.toString(16).padStart(12, '0');
  }
}
