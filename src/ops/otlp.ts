// Exports traces by OTLP over HTTP with the official SDK. Loaded only if tracing is enabled.
import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

export interface OtlpOptions {
  /** The URL to which spans are posted, such as `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  /**
   * Percentage of sampled traces among those that start here; otherwise the client's decision
   * applies.
   */
  readonly samplePercent: number;
  readonly version: string;
}

export interface Exporting {
  readonly tracer: Tracer;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

export function exportTraces({ endpoint, samplePercent, version }: OtlpOptions): Exporting {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'quarry', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplePercent / 100) }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }))],
  });
  return { tracer: provider.getTracer('quarry', version), close: () => provider.shutdown() };
}
