// Measures the cost of durability: memory while many documents are loaded, the time of a restart
// with a full log and after a clean stop, searches during writes, acknowledgements that wait for
// the disk. Documents are counted after every restart. BENCH_DOCS sets the number of documents
// (default 100,000); the goals apply to 1,000,000.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Documents } from '../lab/documents.ts';
import type { Row, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { type AcknowledgeReport, acknowledgements } from './acknowledge.ts';
import { bulkLoad, type LoadReport } from './bulk-load.ts';
import { type ReadReport, readDuringWrites } from './readers.ts';
import { fillLog, KEEPS_LOG, logMib, type RestartReport, restart } from './restart.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 100_000);

export async function durabilitySuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-durability-'));
  try {
    const documents = new Documents();
    let service = await Service.start(dataDir);
    const load = await bulkLoad(service, documents, DOCS);
    await service.stop();
    service = await Service.start(dataDir, true, KEEPS_LOG);
    const docs = await fillLog(service, documents, DOCS);
    const log = await logMib(service);
    await service.kill();
    const killed = await restart(dataDir, log, docs);
    await killed.service.stop();
    const stopped = await restart(dataDir, 0, docs);
    service = stopped.service;
    const reads = await readDuringWrites(service, documents);
    const writes = await acknowledgements(service, documents);
    await service.stop();
    return {
      facts: [`${docs} documents: ${documents.name}; counted after every restart`],
      rows: [
        ...restartRows(killed.report, stopped.report),
        ...loadRows(load),
        ...readRows(reads),
        ...acknowledgeRows(writes),
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function restartRows(killed: RestartReport, stopped: RestartReport): readonly Row[] {
  const start = (name: string, { readyMs, processorMs }: RestartReport, target: number): Row => ({
    name,
    unit: 's',
    values: { ready: readyMs / 1000, processor: processorMs / 1000 },
    goal: { value: 'ready', target, lower: true },
  });
  return [
    start(`after kill -9, ${killed.logMib.toFixed(0)} MiB of log`, killed, 15),
    start('after a clean stop', stopped, 2),
    {
      name: `liveness while it replays, ${killed.probes} probes`,
      unit: 'ms',
      values: { p99: killed.liveP99, most: killed.liveMax },
      counters: { 'data routes refused': killed.refused, 'states seen': killed.progress.length },
      goal: { value: 'p99', target: 50, lower: true },
    },
  ];
}

function loadRows(load: LoadReport): readonly Row[] {
  const { docsPerSecond, fsyncs, peakMib, indexMib, share, shareAtMib } = load;
  const allowed = 2 * indexMib + 300;
  return [
    {
      name: 'bulk by 8 clients',
      unit: 'documents/s',
      values: { rate: docsPerSecond },
      counters: { syncs: fsyncs },
    },
    {
      name: 'most resident memory while loading',
      unit: 'MiB',
      values: {
        resident: peakMib,
        index: indexMib,
        '% of what is allowed': (100 * peakMib) / allowed,
      },
      goal: { value: '% of what is allowed', target: 100, lower: true },
    },
    {
      name: 'most against twice the index of the same moment and 300 MiB',
      unit: '%',
      values: { share: 100 * share, 'index then, MiB': shareAtMib },
    },
  ];
}

function readRows({ quiet, busy, ratio, docsPerSecond }: ReadReport): readonly Row[] {
  return [
    { name: 'search alone', unit: 'ms', values: { ...quiet } },
    {
      name: 'search beside a writer',
      unit: 'ms',
      values: { ...busy, 'p99, x alone': ratio },
      goal: { value: 'p99, x alone', target: 3, lower: true },
    },
    { name: 'written beside searches', unit: 'documents/s', values: { rate: docsPerSecond } },
  ];
}

function acknowledgeRows(writes: AcknowledgeReport): readonly Row[] {
  return [
    { name: '16 clients, async', unit: 'documents/s', values: { rate: writes.async } },
    {
      name: '16 clients, durable',
      unit: 'documents/s',
      values: { rate: writes.durable, '% less': 100 * writes.cost },
      counters: { 'bulks that share a sync': writes.bulksPerSync },
      goal: { value: '% less', target: 30, lower: true },
    },
  ];
}
