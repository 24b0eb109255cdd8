// Question: what does durability cost? Memory while many documents are loaded, the time of a restart with a full log and of
// one after a clean stop, searches beside a writer, acknowledgements that wait for the disk. Documents are counted after every
// restart. BENCH_DOCS sets another number than 100,000; the promises are for 1,000,000.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../tools/figures.ts';
import { acknowledgements } from './acknowledge.ts';
import { bulkLoad } from './bulk-load.ts';
import { Documents } from './documents.ts';
import { readBesideWrites } from './readers.ts';
import { fillLog, logMib, type RestartReport, restart } from './restart.ts';
import { Service } from './service.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 100_000);

type Row = readonly [what: string, measured: string, promised: string];

export async function durabilitySuite(): Promise<object> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-durability-'));
  try {
    const documents = new Documents();
    console.log(`${DOCS} documents: ${documents.name}`);
    let service = await Service.start(dataDir);
    const load = await bulkLoad(service, documents, DOCS);
    const docs = await fillLog(service, documents, DOCS);
    const log = await logMib(service);
    await service.kill();
    const killed = await restart(dataDir, log, docs);
    await killed.service.stop();
    const stopped = await restart(dataDir, 0, docs);
    service = stopped.service;
    const reads = await readBesideWrites(service, documents);
    const writes = await acknowledgements(service, documents);
    await service.stop();
    printTable(
      ['', 'measured', 'promised'],
      [
        ['bulk by 8 clients', `${Math.round(load.docsPerSecond)} documents/s`, ''],
        ...restartRows(killed.report, stopped.report),
        [
          'most resident memory while loading, of what is allowed',
          `${load.peakMib.toFixed(0)} MiB, ${(100 * load.share).toFixed(0)} %`,
          '100 %',
        ],
        ['index', `${load.indexMib.toFixed(0)} MiB`, ''],
        ['syncs of the log while loading', String(load.fsyncs), ''],
        ['search alone, p99', `${reads.quiet.p99.toFixed(2)} ms`, ''],
        [
          'search beside a writer, p99',
          `${reads.busy.p99.toFixed(2)} ms, ${reads.ratio.toFixed(2)} x`,
          '3 x',
        ],
        ['written beside searches', `${Math.round(reads.docsPerSecond)} documents/s`, ''],
        ['16 clients, async', `${Math.round(writes.async)} documents/s`, ''],
        [
          '16 clients, durable',
          `${Math.round(writes.durable)} documents/s, ${(100 * writes.cost).toFixed(0)} % less`,
          '30 % less',
        ],
        ['bulks that share a sync', writes.bulksPerSync.toFixed(1), ''],
      ],
    );
    return { docs, load, killed: killed.report, stopped: stopped.report, reads, writes };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function restartRows(killed: RestartReport, stopped: RestartReport): readonly Row[] {
  const seconds = ({ readyMs, processorMs }: RestartReport): string =>
    `${(readyMs / 1000).toFixed(2)} s, ${(processorMs / 1000).toFixed(2)} s of processor time`;
  return [
    [`ready after kill -9, ${killed.logMib.toFixed(0)} MiB of log`, seconds(killed), '15 s'],
    [
      `meanwhile live, p99 of ${killed.probes}`,
      `${killed.liveP99.toFixed(1)} ms, most ${killed.liveMax.toFixed(0)} ms`,
      '50 ms',
    ],
    ['data routes refused meanwhile, with Retry-After', String(killed.refused), ''],
    ['states of progress seen', String(killed.progress.length), ''],
    ['ready after a clean stop', seconds(stopped), '2 s'],
  ];
}
