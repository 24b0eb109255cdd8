// Measures the disk space of documents, in total and by section. The documents are those of the
// scorecard against servers (commits, and vectors of 384 dimensions with a text), each in one
// merged segment; the CPU time of loading, merging and fetching is measured as well. BENCH_DOCS
// sets the number of commits (default 40,000; the vectors are a quarter as many), BENCH_KEEP a
// folder that keeps the data.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row, SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { vectorCorpus, wordCorpus } from '../peers/corpora.ts';
import type { Corpus } from '../peers/server-load.ts';
import { readVectors } from '../peers/vector-truth.ts';
import { readCommits } from '../words/corpus.ts';
import { sectionBytes } from './sections.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const DOCS = Number(process.env['BENCH_DOCS'] ?? 40_000);
const FETCHES = 2000;
const PAGE = 10;

export async function diskSuite(): Promise<SuiteResult> {
  const lexical = join(SHARED, 'lexical');
  if (!existsSync(lexical)) return { facts: ['skipped: there is no ../shared/lexical'], rows: [] };
  const commits = readCommits(lexical, DOCS);
  const texts = commits.map(({ text }) => text);
  const { base } = readVectors(SHARED, Math.floor(DOCS / 4), 0);
  const corpora = [
    wordCorpus(commits),
    vectorCorpus(base, (row) => texts[row % texts.length] ?? 'none'),
  ];
  const rows: Row[] = [];
  for (const corpus of corpora) rows.push(...(await measure(corpus)));
  return {
    facts: [`${commits.length} commits; ${base.count} vectors of ${base.dims} dimensions`],
    rows,
  };
}

async function measure(corpus: Corpus): Promise<readonly Row[]> {
  const { index, count } = corpus;
  const kept = process.env['BENCH_KEEP'];
  const dataDir =
    kept === undefined ? mkdtempSync(join(tmpdir(), 'quarry-disk-')) : join(kept, index);
  const service = await Service.start(dataDir);
  try {
    const loading = await load(service, corpus);
    const merging = await merge(service, index);
    const fetching = await fetchPages(service, corpus);
    const sections = sectionBytes(join(dataDir, 'indices'));
    const total = [...sections.values()].reduce((sum, bytes) => sum + bytes, 0);
    const times: Row = {
      name: index,
      unit: 'processor time',
      values: {
        'ms of loading 1,000': (loading / count) * 1000,
        'ms of merging 1,000': (merging / count) * 1000,
        [`us of getting ${PAGE}`]: (fetching / FETCHES) * 1000,
      },
    };
    return [times, ...sectionRows(index, count, new Map([['all', total], ...sections]))];
  } finally {
    await service.stop();
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

async function load(service: Service, { index, mappings, bodies, count }: Corpus): Promise<number> {
  const settings = { number_of_shards: 1 };
  await service.ask('PUT', `/${index}`, JSON.stringify({ settings, mappings }));
  const before = service.processorMs();
  for (const body of bodies) await service.bulk(Buffer.from(body), `/${index}/_bulk`);
  await service.ask('POST', `/${index}/_refresh`);
  const spent = service.processorMs() - before;
  const { text } = await service.ask('GET', `/${index}/_count`);
  const found = JSON.parse(text).count;
  if (found !== count) throw new Error(`${count} documents are not there: ${text.slice(0, 300)}`);
  return spent;
}

/** Merges to one segment on disk. */
async function merge(service: Service, index: string): Promise<number> {
  const before = service.processorMs();
  for (const verb of ['_forcemerge?max_num_segments=1', '_refresh', '_flush'])
    await service.ask('POST', `/${index}/${verb}`);
  return service.processorMs() - before;
}

/** Fetches pages of documents that are far from each other. */
async function fetchPages(service: Service, { index, bodies }: Corpus): Promise<number> {
  const all = bodies.flatMap((body) => [...body.matchAll(/"_id":"([^"]+)"\}\}$/gm)]);
  const pages = Array.from({ length: FETCHES }, (_, i) =>
    Array.from({ length: PAGE }, (_, j) => all[(i * 7919 + j * 104_729) % all.length]?.[1]),
  );
  const before = service.processorMs();
  for (const ids of pages) {
    const { text } = await service.ask('POST', `/${index}/_mget`, JSON.stringify({ ids }));
    if (text.split('"found":true').length !== PAGE + 1) throw new Error(text.slice(0, 300));
  }
  return service.processorMs() - before;
}

function sectionRows(
  index: string,
  count: number,
  sections: ReadonlyMap<string, number>,
): readonly Row[] {
  return [...sections].map(([section, bytes]) => ({
    name: `${index}: ${section}`,
    unit: 'bytes on disk',
    values: { bytes, 'each document': bytes / count },
  }));
}
