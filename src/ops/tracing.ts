// OpenTelemetry traces. If they are disabled, every call is a plain call. The parent of a new span
// is the span of the current request context.
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

/** `options` is undefined if tracing is disabled; the SDK is then not loaded. */
export async function startTracing(
  contexts: RequestContexts,
  options: OtlpOptions | undefined,
): Promise<Tracing> {
  if (options === undefined) return new Tracing(contexts);
  const { exportTraces } = await import('./otlp.js');
  return new Tracing(contexts, exportTraces(options));
}

/** One per process. `close()` sends the remaining spans. */
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

  /**
   * Returns the context of a request with a new span, which started at `startedMs` (wall clock);
   * the same context if tracing is disabled.
   */
  begin(context: RequestContext, name: string, startedMs: number): RequestContext {
    if (this.#exporting === undefined) return context;
    const span = this.#start(name, context, startedMs, {}, SpanKind.SERVER);
    return { ...context, requestId: span.spanContext().traceId, span };
  }

  /** Ends the span that begin() started. */
  finish(context: RequestContext, attributes: Attributes, failed: boolean): void {
    const span = context.span as Span | undefined;
    if (span === undefined) return;
    span.setAttributes(attributes);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /**
   * The `traceparent` of an outgoing answer: that of the own span if tracing is enabled, else the
   * one of the request.
   */
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

  /** Runs `work` inside a span, which becomes the parent of the spans that it starts. */
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

  /** Records a span that has just ended after `durationMs`. */
  ended(name: string, durationMs: number, attributes: Attributes = {}): void {
    const context = this.#contexts.current;
    if (this.#exporting === undefined || context?.span === undefined) return;
    const now = Date.now();
    this.#start(name, context, now - durationMs, attributes).end(now);
  }

  /** Never rejects; an unreachable collector is ignored. */
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
