// Measures the cost of ten thousand indexes (BENCH_INDEXES): creating them, a start until the
// service is ready, the memory of each in a process that has only started, and the deletion of the
// approximately one in eight whose name begins with idx-1. CPU time is that of all threads,
// compared with an empty node. The number of indexes is checked after every step.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';

const INDEXES = Number(process.env['BENCH_INDEXES'] ?? 10_000);
const AT_ONCE = 8;
const PATTERN = 'idx-1*';

interface Cost {
  readonly seconds: number;
  readonly processor: number;
}

export async function indexesSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-indexes-'));
  try {
    const empty = await started(dataDir, 0);
    const making = await cost(empty.service, () => make(empty.service));
    await empty.service.stop();
    const full = await started(dataDir, INDEXES);
    const dropping = await cost(full.service, () => drop(full.service));
    const left = await count(full.service);
    await full.service.stop();
    const kib = ((full.mebibytes - empty.mebibytes) * 1024) / INDEXES;
    return {
      facts: [
        `${INDEXES} indexes of one shard without documents, ${INDEXES - left} of them deleted`,
      ],
      rows: [
        row('an empty node starts', empty.start),
        { ...row('a start with all', full.start), goal: atMost('processor', 5) },
        row('all are made, 8 at once', making),
        { ...row(`DELETE ${PATTERN}`, dropping), goal: atMost('seconds', 5) },
        {
          name: 'an index in a node that has only started',
          unit: 'KiB',
          values: { resident: kib },
          goal: atMost('resident', 40),
        },
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function started(
  dataDir: string,
  indexes: number,
): Promise<{ readonly service: Service; readonly start: Cost; readonly mebibytes: number }> {
  const began = performance.now();
  const service = await Service.start(dataDir);
  const start = {
    seconds: (performance.now() - began) / 1000,
    processor: service.processorMs() / 1000,
  };
  const there = await count(service);
  if (there !== indexes) throw new Error(`${there} indexes after the start, made ${indexes}`);
  return { service, start, mebibytes: service.memory().resident };
}

async function make(service: Service): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < INDEXES) await expectOk(service, 'PUT', `/idx-${next++}`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function drop(service: Service): Promise<void> {
  await expectOk(service, 'DELETE', `/${PATTERN}`);
}

async function expectOk(service: Service, method: string, path: string): Promise<void> {
  const { status, text } = await service.ask(method, path);
  if (status !== 200)
    throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
}

async function count(service: Service): Promise<number> {
  const { text } = await service.ask('GET', '/_cluster/health');
  return (JSON.parse(text) as { active_primary_shards: number }).active_primary_shards;
}

async function cost(service: Service, work: () => Promise<void>): Promise<Cost> {
  const [began, before] = [performance.now(), service.processorMs()];
  await work();
  return {
    seconds: (performance.now() - began) / 1000,
    processor: (service.processorMs() - before) / 1000,
  };
}

function row(name: string, { seconds, processor }: Cost): Row {
  return { name, unit: 's', values: { seconds, processor } };
}

function atMost(value: string, target: number): NonNullable<Row['goal']> {
  return { value, target, lower: true };
}
