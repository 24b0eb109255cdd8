// The exporter of traces, OTLP over HTTP, by the official SDK. Loaded only where traces are on.
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
  /** Where spans are posted: `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  /** Of traces that begin here; what a client has decided holds for its own. */
  readonly samplePercent: number;
  readonly version: string;
}

export interface Exporting {
  readonly tracer: Tracer;
  /** Sends what is left. */
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
