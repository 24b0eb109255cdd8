// OpenTelemetry traces; off unless configured, and then every call is a plain call. The parent of a new span is the span of
// the request context that the code runs in.
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { Exporting, OtlpOptions } from './otlp.js';
import type { RequestContext, RequestContexts } from './request-context.js';

/** `options` undefined: traces are off, and the SDK is not even loaded. */
export async function startTracing(
  contexts: RequestContexts,
  options: OtlpOptions | undefined,
): Promise<Tracing> {
  if (options === undefined) return new Tracing(contexts);
  const { exportTraces } = await import('./otlp.js');
  return new Tracing(contexts, exportTraces(options));
}

/** One per process. `close()` sends what is left. */
export class Tracing {
  readonly #contexts: RequestContexts;
  readonly #exporting: Exporting | undefined;

  constructor(contexts: RequestContexts, exporting?: Exporting) {
    this.#contexts = contexts;
    this.#exporting = exporting;
  }

  get isOn(): boolean {
    return this.#exporting !== undefined;
  }

  /** The context of a request with a span of its own, which began `startedMs` (wall clock). The same context when off. */
  begin(context: RequestContext, name: string, startedMs: number): RequestContext {
    if (this.#exporting === undefined) return context;
    const span = this.#start(name, context, startedMs, {}, SpanKind.SERVER);
    return { ...context, requestId: span.spanContext().traceId, span };
  }

  /** Ends the span that begin() opened. */
  finish(context: RequestContext, attributes: Attributes, failed: boolean): void {
    const span = context.span as Span | undefined;
    if (span === undefined) return;
    span.setAttributes(attributes);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /** `traceparent` for whoever asked: ours where traces are on, what was sent otherwise. */
  parentHeader(context: RequestContext): string | undefined {
    const span = context.span as Span | undefined;
    if (span !== undefined) {
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    }
    const { parent } = context;
    if (parent === undefined) return undefined;
    return `00-${parent.traceId}-${parent.spanId}-${parent.sampled ? '01' : '00'}`;
  }

  /** Runs `work` inside a span; what it starts are children of it. */
  run<T>(name: string, attributes: Attributes, work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#exporting === undefined) return work();
    const context = this.#contexts.current;
    return context?.span === undefined ? work() : this.#runTraced(name, context, attributes, work);
  }

  async #runTraced<T>(
    name: string,
    context: RequestContext,
    attributes: Attributes,
    work: () => MaybePromise<T>,
  ): Promise<T> {
    const span = this.#start(name, context, Date.now(), attributes);
    try {
      return await this.#contexts.run({ ...context, span }, work);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  /** A span of something that has just ended after `durationMs`. */
  ended(name: string, durationMs: number, attributes: Attributes = {}): void {
    const context = this.#contexts.current;
    if (this.#exporting === undefined || context?.span === undefined) return;
    const now = Date.now();
    this.#start(name, context, now - durationMs, attributes).end(now);
  }

  /** Never rejects: a collector that is gone is no reason to fail. */
  async close(): Promise<void> {
    await this.#exporting?.close().catch(() => {});
  }

  #start(
    name: string,
    context: RequestContext,
    startTime: number,
    attributes: Attributes,
    kind = SpanKind.INTERNAL,
  ): Span {
    const { tracer } = this.#exporting as Exporting;
    return tracer.startSpan(name, { kind, startTime, attributes }, parentOf(context));
  }
}

function parentOf({ span, parent }: RequestContext): typeof ROOT_CONTEXT {
  if (span !== undefined) return trace.setSpan(ROOT_CONTEXT, span as Span);
  if (parent === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.spanId,
    traceFlags: parent.sampled ? 1 : 0,
    isRemote: true,
  });
}
