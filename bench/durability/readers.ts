// (c) Searches during writes at full speed, compared with searches alone, alternately.

import type { Documents } from '../lab/documents.ts';
import type { Service } from '../lab/service.ts';
import { quantile } from '../tools/figures.ts';

const READERS = 2;
const WRITERS = 2;
const ROUNDS = 6;
const SLICE_MS = 3000;

export interface ReadReport {
  readonly quiet: { readonly p50: number; readonly p99: number };
  readonly busy: { readonly p50: number; readonly p99: number };
  readonly ratio: number;
  readonly docsPerSecond: number;
}

export async function readDuringWrites(
  service: Service,
  documents: Documents,
): Promise<ReadReport> {
  const quiet: number[] = [];
  const busy: number[] = [];
  let batches = 0;
  await read(service, documents, SLICE_MS, []);
  for (let round = 0; round < ROUNDS; round++) {
    await read(service, documents, SLICE_MS, quiet);
    let writing = true;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (writing) await service.bulk(documents.body(batches++, 'written'));
    });
    await read(service, documents, SLICE_MS, busy);
    writing = false;
    await Promise.all(writers);
  }
  const of = (times: readonly number[]) => ({
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  });
  return {
    quiet: of(quiet),
    busy: of(busy),
    ratio: of(busy).p99 / of(quiet).p99,
    docsPerSecond: (batches * 1000) / ((ROUNDS * SLICE_MS) / 1000),
  };
}

async function read(
  service: Service,
  documents: Documents,
  ms: number,
  times: number[],
): Promise<void> {
  const end = performance.now() + ms;
  const { words } = documents;
  let requested = times.length;
  const reader = async (): Promise<void> => {
    while (performance.now() < end) {
      const word = (i: number): string => words[(requested * 7 + i * 31) % words.length] ?? '';
      requested += 1;
      const body = JSON.stringify({ query: { match: { body: `${word(0)} ${word(1)}` } } });
      const started = performance.now();
      const { status, text } = await service.ask('POST', '/bench/_search', body);
      times.push(performance.now() - started);
      if (status !== 200) throw new Error(`a search answered ${status}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
}
