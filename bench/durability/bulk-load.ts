// (b) Memory while eight clients load: the resident set must stay below twice the mapped index plus
// 300 MB in every sample.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BATCH, type Documents } from '../lab/documents.ts';
import type { Service } from '../lab/service.ts';
import { toSvg } from '../soak/curve.ts';

const CLIENTS = 8;
const SAMPLE_MS = 250;
const MIB = 1024 * 1024;
const REPORT = join('bench', 'report');
/** Limit on the resident set: FACTOR x index + SLACK. */
const FACTOR = 2;
const SLACK_MIB = 300;

interface Sample {
  readonly resident: number;
  readonly anonymous: number;
  readonly index: number;
}

export interface LoadReport {
  readonly docsPerSecond: number;
  readonly refused: number;
  readonly peakMib: number;
  readonly indexMib: number;
  /** The largest used share of the limit. */
  readonly share: number;
  /** Size of the index at that time. */
  readonly shareAtMib: number;
  readonly fsyncs: number;
}

export async function bulkLoad(
  service: Service,
  documents: Documents,
  docs: number,
): Promise<LoadReport> {
  const samples: Sample[] = [];
  let done = false;
  const sampling = (async () => {
    while (!done) {
      samples.push(await sample(service));
      await pause(SAMPLE_MS);
    }
  })();
  const started = performance.now();
  const refused = await loadAll(service, documents, docs);
  const seconds = (performance.now() - started) / 1000;
  done = true;
  await sampling;
  samples.push(await sample(service));
  draw(samples, seconds);
  const fsyncs = (await service.metrics()).get('quarry_wal_sync_duration_seconds_count') ?? 0;
  return {
    docsPerSecond: docs / seconds,
    refused,
    peakMib: Math.max(...samples.map(({ resident }) => resident)),
    indexMib: samples.at(-1)?.index ?? 0,
    ...worst(samples),
    fsyncs,
  };
}

function worst(samples: readonly Sample[]): {
  readonly share: number;
  readonly shareAtMib: number;
} {
  let [share, shareAtMib] = [0, 0];
  for (const { resident, index } of samples) {
    const part = resident / (FACTOR * index + SLACK_MIB);
    if (part > share) [share, shareAtMib] = [part, index];
  }
  return { share, shareAtMib };
}

async function loadAll(service: Service, documents: Documents, docs: number): Promise<number> {
  let next = 0;
  let refused = 0;
  const client = async (): Promise<void> => {
    while (next < docs / BATCH) refused += await service.bulk(documents.body(next++, 'bench'));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return refused;
}

async function sample(service: Service): Promise<Sample> {
  const index = ((await service.metrics()).get('quarry_disk_bytes') ?? 0) / MIB;
  return { ...service.memory(), index };
}

function draw(samples: readonly Sample[], seconds: number): void {
  const line = (name: string, read: (sample: Sample) => number) => ({
    name,
    unit: 'MiB',
    values: samples.map(read),
    quantile: 0.5,
    share: Number.POSITIVE_INFINITY,
    slack: 0,
  });
  const lines = [
    line('Resident', (s) => s.resident),
    line('Of it in no file', (s) => s.anonymous),
    line('Mapped index', (s) => s.index),
    line('Allowed', (s) => FACTOR * s.index + SLACK_MIB),
  ];
  mkdirSync(REPORT, { recursive: true });
  writeFileSync(join(REPORT, 'bulk-load-memory.svg'), toSvg(lines, seconds));
}
