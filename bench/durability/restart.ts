// (a) A restart after kill -9 with a full log, and after a clean stop: the time until the service
// is ready, and its responses until then.
import { setTimeout as pause } from 'node:timers/promises';
import { BATCH, type Documents } from '../lab/documents.ts';
import { Service } from '../lab/service.ts';
import { quantile } from '../tools/figures.ts';

const PROBE_MS = 5;
const MIB = 1024 * 1024;
/** Size of the log at the kill, of a wal.flush_bytes of 256 MiB. */
const FULL_LOG_MIB = 240;
const MOST_BATCHES = 2_000_000 / BATCH;
/** By default the memory limit causes a flush earlier, which removes the log. */
export const KEEPS_LOG = [`--memtable.flush_bytes=${4096 * MIB}`];

export interface RestartReport {
  readonly readyMs: number;
  /** CPU time of all threads until the service is ready. */
  readonly processorMs: number;
  readonly logMib: number;
  readonly liveP99: number;
  readonly liveMax: number;
  readonly probes: number;
  /** Requests to data routes during the replay: all of them must return 503 with Retry-After. */
  readonly refused: number;
  readonly progress: readonly string[];
}

/** Writes until the log nearly reaches its limit; returns the number of documents written. */
export async function fillLog(
  service: Service,
  documents: Documents,
  from: number,
): Promise<number> {
  let batch = Math.ceil(from / BATCH);
  const first = batch;
  // At most two million: a document has 400 bytes here.
  while ((await logMib(service)) < FULL_LOG_MIB && batch < first + MOST_BATCHES) {
    await Promise.all([0, 1, 2, 3].map((i) => service.bulk(documents.body(batch + i, 'bench'))));
    batch += 4;
  }
  return batch * BATCH;
}

export async function logMib(service: Service): Promise<number> {
  return ((await service.metrics()).get('quarry_wal_bytes') ?? 0) / MIB;
}

/**
 * Starts the service on a folder and sends requests until it is ready; then checks the number of
 * documents.
 */
export async function restart(
  dataDir: string,
  log: number,
  docs: number,
): Promise<{ readonly service: Service; readonly report: RestartReport }> {
  const started = performance.now();
  const service = await Service.start(dataDir, false);
  const live: number[] = [];
  const progress = new Set<string>();
  let refused = 0;
  let readyMs = 0;
  let ready = false;
  const liveness = (async () => {
    while (!ready) {
      const requested = performance.now();
      const { status } = await service.ask('GET', '/v1/health');
      live.push(performance.now() - requested);
      if (status !== 200) throw new Error(`liveness answered ${status}`);
      await pause(PROBE_MS);
    }
  })();
  while (!ready) {
    const data = await service.ask('POST', '/bench/_search', '{}');
    const answer = await service.ask('GET', '/v1/health/ready');
    ready = answer.status === 200;
    readyMs = performance.now() - started;
    if (!ready) progress.add(JSON.stringify(JSON.parse(answer.text).replay));
    if (data.status === 503 && data.retryAfter !== undefined) refused += 1;
    else if (!ready) throw new Error(`a search while replaying answered ${data.status}`);
    await pause(PROBE_MS);
  }
  const processorMs = service.processorMs();
  await liveness;
  const { text } = await service.ask('GET', '/bench/_count');
  const { count } = JSON.parse(text) as { count: number };
  if (count !== docs) throw new Error(`${count} documents of ${docs} are there`);
  return {
    service,
    report: {
      readyMs,
      processorMs,
      logMib: log,
      liveP99: quantile(live, 0.99),
      liveMax: Math.max(...live),
      probes: live.length,
      refused,
      progress: [...progress],
    },
  };
}
