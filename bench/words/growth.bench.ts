// Measures how the time per query and per document grows with the number of documents: the first
// commits of the shared folder, and four and sixteen times as many, in one segment each. Queries
// and aggregations run inside the core; CPU time is reported with the work that explains it.
// BENCH_DOCS sets the smallest number.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row, SuiteResult, Values } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { processorMs } from '../lab/work.ts';
import { Core } from '../peers/core.ts';
import type { QueryFamily } from '../peers/duel.ts';
import { aggregationFamilies, wordFamilies } from '../peers/families.ts';
import { toCorpus } from '../peers/server-load.ts';
import { folderBytes } from '../vectors/http-target.ts';
import { type Commit, MAPPINGS, readCommits } from './corpus.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const BASE = Number(process.env['BENCH_DOCS'] ?? 5000);
const TIMES = [1, 4, 16];
const PASSES = 7;

/** The results for one number of documents. */
interface Grown {
  readonly times: number;
  readonly loading: Values;
  /** By family. */
  readonly queries: ReadonlyMap<string, { readonly us: number; readonly work: Values }>;
}

export async function growthSuite(): Promise<SuiteResult> {
  const lexical = join(SHARED, 'lexical');
  if (!existsSync(lexical)) return { facts: [`skipped: ${lexical} is not there`], rows: [] };
  const commits = readCommits(lexical, BASE * Math.max(...TIMES));
  const grown: Grown[] = [];
  for (const times of TIMES) {
    const some = commits.slice(0, BASE * times);
    if (some.length < BASE * times) break;
    const families = [...wordFamilies(lexical, some), ...aggregationFamilies(lexical)];
    grown.push(await measure(times, some, families));
  }
  const counts = grown.map(({ times }) => BASE * times).join(', ');
  return {
    facts: [`${counts} commits, one segment; microseconds of processor inside the core`],
    rows: [...loadingRows(grown), ...queryRows(grown)],
  };
}

async function measure(
  times: number,
  commits: readonly Commit[],
  families: readonly QueryFamily[],
): Promise<Grown> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-growth-'));
  try {
    const loading = await load(dataDir, commits);
    const core = new Core(dataDir);
    const queries = new Map(families.map((family) => [family.name, ask(core, family)]));
    core.close();
    return { times, loading, queries };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** By one client; with and without the merge to one segment. */
async function load(dataDir: string, commits: readonly Commit[]): Promise<Values> {
  const documents = commits.map(({ id, ...source }) => [id, JSON.stringify(source)] as const);
  const { bodies } = toCorpus('words', MAPPINGS, documents);
  const service = await Service.start(dataDir);
  const settings = { number_of_shards: 1 };
  await service.ask('PUT', '/words', JSON.stringify({ settings, mappings: MAPPINGS }));
  const { pid } = service.server;
  const [started, before] = [performance.now(), processorMs(pid)];
  for (const body of bodies) await service.bulk(Buffer.from(body), '/words/_bulk');
  await service.ask('POST', '/words/_refresh');
  const [seconds, loaded] = [(performance.now() - started) / 1000, processorMs(pid)];
  await service.ask('POST', '/words/_forcemerge?max_num_segments=1');
  await service.ask('POST', '/words/_flush');
  const merged = processorMs(pid);
  await service.stop();
  return {
    'documents/s': commits.length / seconds,
    'us of processor': ((loaded - before) * 1000) / commits.length,
    'with the merge': ((merged - before) * 1000) / commits.length,
    'bytes on disk': folderBytes(join(dataDir, 'indices')) / commits.length,
  };
}

/**
 * The minimum over several passes over all queries of the family, per query; each query is verified
 * first.
 */
function ask(core: Core, family: QueryFamily): { readonly us: number; readonly work: Values } {
  const bodies = family.bodies.map((body) => JSON.parse(body));
  for (const [at, body] of bodies.entries()) family.verify?.(at, core.search('words', body));
  const plans = bodies.map((body) => core.plan(body));
  const passes = Array.from({ length: PASSES }, () => {
    const before = process.cpuUsage();
    for (const plan of plans) core.run('words', plan);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / plans.length;
  });
  const work: Record<string, number> = {};
  for (const plan of plans)
    for (const [name, count] of Object.entries(core.work('words', plan)))
      work[name] = (work[name] ?? 0) + count / plans.length;
  return { us: Math.min(...passes), work };
}

function loadingRows(grown: readonly Grown[]): readonly Row[] {
  return grown.map(({ times, loading }) => ({
    name: `${BASE * times} documents`,
    unit: 'a document',
    values: loading,
  }));
}

/**
 * A row for every family: times and their growth, and the work at the smallest and at the largest
 * number.
 */
function queryRows(grown: readonly Grown[]): readonly Row[] {
  const [first] = grown;
  return [...(first?.queries.keys() ?? [])].map((name) => {
    const us = grown.map(({ queries }) => queries.get(name)?.us);
    const [least, most] = [us[0], us.at(-1)];
    const growth = least === undefined || most === undefined ? undefined : most / least;
    return {
      name,
      unit: 'us',
      values: {
        ...Object.fromEntries(grown.map(({ times }, i) => [`${times} x`, us[i]])),
        'grows by': growth,
      },
      counters: workOf(name, grown),
    };
  });
}

/** The work at the smallest and at the largest number. */
function workOf(name: string, grown: readonly Grown[]): Values {
  const ends = [grown[0], grown.at(-1)].filter((one) => one !== undefined);
  const kinds = Object.keys(ends[0]?.queries.get(name)?.work ?? {});
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      ends.map(({ times, queries }) => [`${kind} ${times} x`, queries.get(name)?.work[kind]]),
    ),
  );
}
