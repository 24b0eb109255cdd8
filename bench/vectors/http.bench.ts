// Measures 20,000 x 384 vectors (BENCH_DOCS) over HTTP: loading and searching, unfiltered and
// filtered, compared with a real Elasticsearch if BENCH_PEER is set. Recall is measured against
// double precision before anything is timed; the servers alternate.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteResult } from '../lab/result.ts';
import { drawRanks, NearestVectors, readEmbeddings } from './embeddings.ts';
import { type Loaded, load, toBulk } from './http-load.ts';
import { report } from './http-report.ts';
import { makeCases, measureRecalls, timeAll } from './http-search.ts';
import { startOurs, startPeer } from './http-target.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const SET = process.env['BENCH_SET'] ?? 'neural';
const ROWS = Number(process.env['BENCH_DOCS'] ?? 20_000);
const PROBES = 200;

export async function vectorsHttpSuite(): Promise<SuiteResult> {
  const folder = join(SHARED, 'vector');
  if (!existsSync(join(folder, `${SET}.base.f16bin`))) {
    return { facts: [`skipped: ${folder} has no set ${SET}`], rows: [] };
  }
  const base = readEmbeddings(folder, `${SET}.base.f16bin`, ROWS);
  const probes = readEmbeddings(folder, `${SET}.query.f16bin`, PROBES);
  const ranks = drawRanks(base.count);
  const cases = makeCases(probes, base.count);
  const queries = cases[0]?.bodies ?? [];
  const bodies = toBulk(base, ranks);
  const peer = process.env['BENCH_PEER'] === undefined ? undefined : startPeer(SHARED);
  const targets = [await startOurs(), ...(peer === undefined ? [] : [peer])];
  try {
    const loaded = new Map<string, Loaded>();
    for (const target of targets)
      loaded.set(target.name, await load(target, bodies, base.dims, queries));
    const recalls = await measureRecalls(
      targets,
      cases,
      new NearestVectors(base, probes, ranks),
      probes,
    );
    const timings = await timeAll(targets, cases);
    return report({ set: SET, base, loaded, recalls, timings });
  } finally {
    for (const target of targets) await target.stop();
  }
}
