// (d) The cost of an acknowledgement that waits for stable storage: sixteen bulk clients, compared
// with durability async, alternately.

import type { Documents } from '../lab/documents.ts';
import type { Service } from '../lab/service.ts';
import { quantile } from '../tools/figures.ts';

const CLIENTS = 16;
const ROUNDS = 6;
const SLICE_MS = 3000;
/** Smaller than other bulks, so that the wait has more weight. */
const DOCUMENTS = 100;

export interface AcknowledgeReport {
  readonly durable: number;
  readonly async: number;
  /** The share of documents per second that is lost by waiting. */
  readonly cost: number;
  readonly bulksPerSync: number;
}

export async function acknowledgements(
  service: Service,
  documents: Documents,
): Promise<AcknowledgeReport> {
  const rates: Record<'request' | 'async', number[]> = { request: [], async: [] };
  const kinds = ['request', 'async'] as const;
  for (const kind of kinds) {
    const settings = { 'index.translog.durability': kind, 'index.number_of_replicas': 0 };
    await service.ask('PUT', `/acknowledged-${kind}`, JSON.stringify({ settings }));
  }
  let batch = 0;
  const next = (kind: string): Buffer => firstOf(documents.body(batch++, `acknowledged-${kind}`));
  let bulks = 0;
  let syncs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const before = await syncCount(service);
      const sent = await slice(service, () => next(kind));
      rates[kind].push(sent.bulks / sent.seconds);
      if (kind === 'async') continue;
      bulks += sent.bulks;
      syncs += (await syncCount(service)) - before;
    }
  }
  const median = (values: readonly number[]): number => quantile(values, 0.5) * DOCUMENTS;
  const [durable, async] = [median(rates.request), median(rates.async)];
  return { durable, async, cost: 1 - durable / async, bulksPerSync: bulks / syncs };
}

async function slice(
  service: Service,
  next: () => Buffer,
): Promise<{ readonly bulks: number; readonly seconds: number }> {
  const started = performance.now();
  let bulks = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - started < SLICE_MS) {
      await service.bulk(next());
      bulks += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { bulks, seconds: (performance.now() - started) / 1000 };
}

function firstOf(body: Buffer): Buffer {
  let end = -1;
  for (let line = 0; line < 2 * DOCUMENTS; line++) end = body.indexOf(10, end + 1);
  return body.subarray(0, end + 1);
}

async function syncCount(service: Service): Promise<number> {
  return (await service.metrics()).get('quarry_wal_sync_duration_seconds_count') ?? 0;
}
