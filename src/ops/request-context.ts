// Which request the running code works for: its ids for log lines and, where traces are on, the span that new ones belong
// to. It follows promises by itself, so that no function has to hand it on.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface RequestContext {
  /** The client's `X-Request-Id`, or its trace id, or one of our own, both 32 hex digits. */
  readonly requestId: string;
  /** The client's `X-Opaque-Id`, cut to a sane length. */
  readonly opaqueId?: string;
  /** What the client sent as `traceparent`, when it is well formed. */
  readonly parent?: TraceParent;
  /** Set while a traced part of the request runs; tracing.ts alone looks inside. */
  readonly span?: unknown;
}

/** https://www.w3.org/TR/trace-context: version 00. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Longer opaque ids are cut: they are for people and log lines. */
const MAX_OPAQUE_ID = 256;
/** What may come back in a header and stand in a log line as it is. */
const SANE_REQUEST_ID = /^[ -~]{1,128}$/;
const TRACE_PARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Undefined for what the standard calls invalid: such a header is ignored. */
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
  /** Ids of requests: random for the process, counted within it. */
  readonly #prefix = randomBytes(10).toString('hex');
  #last = 0;

  get current(): RequestContext | undefined {
    return this.#storage.getStore();
  }

  /** The context of a new request. Headers as they came. */
  open(headers: {
    readonly requestId?: string | undefined;
    readonly opaqueId?: string | undefined;
    readonly traceParent?: string | undefined;
  }): RequestContext {
    const { requestId, opaqueId, traceParent } = headers;
    // As of most requests.
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

  /** Everything that `work` starts belongs to `context`. */
  run<T>(context: RequestContext, work: () => T): T {
    return this.#storage.run(context, work);
  }

  /** Whoever waits for the work of a request inside another one: aborted when he does no more. */
  get waiting(): AbortSignal | undefined {
    return this.#waiting.getStore();
  }

  /** Requests that `work` makes inside this process end when `signal` says so. */
  runFor<T>(signal: AbortSignal | undefined, work: () => T): T {
    return this.#waiting.run(signal, work);
  }

  /** Members for a log line. */
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
