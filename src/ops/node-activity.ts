// Activity of this process in numbers that it counts itself: thread pools, garbage collections of
// the main thread, and accounted memory.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import type { Metrics } from './metrics.js';

/** The performance entry of a garbage collection, which Node's own types do not describe. */
interface NodeGCPerformanceEntry extends PerformanceEntry {
  readonly detail: { readonly kind?: number };
}

export interface PoolActivity {
  readonly name: string;
  readonly threads: number;
  readonly active: number;
  readonly queue: number;
  /** Maximum number of threads that were active at the same time. */
  readonly largest: number;
  readonly completed: number;
}

export interface Collections {
  readonly count: number;
  readonly ms: number;
}

/** A limit and its current use. */
export interface Breaker {
  readonly limit: number;
  readonly used: number;
  /** Number of requests that it rejected. */
  readonly tripped: number;
}

export interface NodeActivity {
  readonly pools: () => readonly PoolActivity[];
  readonly collections: () => { readonly young: Collections; readonly old: Collections };
  /** Rejections by kind, as in quarry_rejected_total. */
  readonly rejected: () => Promise<ReadonlyMap<string, number>>;
  readonly breakers: () => Promise<Readonly<Record<string, Breaker>>>;
  readonly close: () => void;
}

interface ActivityOptions {
  readonly pools: () => readonly PoolActivity[];
  readonly metrics: Metrics;
  readonly memory: () => { readonly limit: number; readonly used: number };
  readonly inFlight: () => { readonly limit: number; readonly used: number };
}

export function startActivity(options: ActivityOptions): NodeActivity {
  const { pools, metrics, memory, inFlight } = options;
  const young = { count: 0, ms: 0 };
  const old = { count: 0, ms: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, detail } = entry as NodeGCPerformanceEntry;
      const { kind } = detail;
      const collections = kind === constants.NODE_PERFORMANCE_GC_MINOR ? young : old;
      collections.count += 1;
      collections.ms += duration;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const rejected = async (): Promise<ReadonlyMap<string, number>> => {
    const { values } = await metrics.rejected.get();
    return new Map(values.map(({ labels, value }) => [String(labels.kind), value]));
  };
  return {
    pools,
    collections: () => ({ young: { ...young }, old: { ...old } }),
    rejected,
    breakers: async () => {
      const counts = await rejected();
      const of = (kind: string): number => counts.get(kind) ?? 0;
      return {
        parent: { ...memory(), tripped: of('write_memory') + of('search_memory') },
        inflight_requests: { ...inFlight(), tripped: of('request') },
      };
    },
    close: () => observer.disconnect(),
  };
}
