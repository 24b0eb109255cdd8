// Asks what `index.sort` is worth: the first page of sorted searches over the same documents in an
// index with that order and in one without, in the same segments. Both must answer the same page.
// BENCH_DOCS sets the number of documents (default 100,000).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Question, timeQuestions, verifyAll } from '../lab/ask.ts';
import type { SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';
import { seeded } from '../tools/seeded.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 100_000);
const DAYS = 30;
const REPEATS = 20;
const INDEXES = {
  plain: {},
  sorted: { 'index.sort.field': ['day', 'size'], 'index.sort.order': ['desc', 'asc'] },
} as const;
const ALL = [{ day: 'desc' }, { size: 'asc' }];
const SEARCHES: Readonly<Record<string, object>> = {
  'all keys': { sort: ALL },
  'first key': { sort: [{ day: 'desc' }] },
  'all keys, one in ten match': { sort: ALL, query: { term: { kind: 'k3' } } },
  'ties by another key': { sort: [{ day: 'desc' }, { name: 'asc' }] },
  'another order': { sort: [{ size: 'asc' }, { name: 'asc' }] },
};

export async function sortedSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-sorted-'));
  const service = await Service.start(dataDir);
  try {
    for (const [index, settings] of Object.entries(INDEXES)) await load(service, index, settings);
    const questions = Object.entries(SEARCHES).flatMap(([name, body]) =>
      Object.keys(INDEXES).map(
        (index): Question => ({
          name: `${name}, ${index}`,
          path: `/${index}/_search?request_cache=false`,
          bodies: Array.from({ length: REPEATS }, () => ({
            ...body,
            track_total_hits: false,
            _source: false,
          })),
        }),
      ),
    );
    await verify(service, questions);
    return {
      facts: [
        `${DOCS} documents over ${DAYS} days, in both indexes; their pages have the same values`,
      ],
      rows: await timeQuestions(service, questions),
    };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Ties have any order: pages are compared by their sort values. */
async function verify(service: Service, questions: readonly Question[]): Promise<void> {
  const pages = new Map<string, string>();
  await verifyAll(service, questions, ({ name }, _, text) => {
    const hits: readonly { readonly sort: unknown }[] = JSON.parse(text).hits.hits;
    pages.set(name, JSON.stringify(hits.map(({ sort }) => sort)));
  });
  for (const name of Object.keys(SEARCHES)) {
    if (pages.get(`${name}, plain`) !== pages.get(`${name}, sorted`))
      throw new Error(`${name}: the pages differ`);
  }
}

async function load(service: Service, index: string, settings: object): Promise<void> {
  const random = seeded(11);
  const below = (end: number): number => Math.floor(random() * end);
  const keyword = { type: 'keyword' };
  const properties = {
    day: { type: 'date' },
    size: { type: 'integer' },
    kind: keyword,
    name: keyword,
  };
  const body = { settings: { number_of_shards: 1, ...settings }, mappings: { properties } };
  await service.ask('PUT', `/${index}`, JSON.stringify(body));
  for (let at = 0; at < DOCS; at += 2000) {
    const lines = Array.from({ length: Math.min(2000, DOCS - at) }, () => {
      const day = new Date(Date.UTC(2026, 0, 1 + below(DAYS))).toISOString();
      const source = { day, size: below(10_000), kind: `k${below(10)}`, name: `n${below(1e9)}` };
      return `{"index":{}}\n${JSON.stringify(source)}\n`;
    });
    await service.bulk(Buffer.from(lines.join('')), `/${index}/_bulk`);
  }
  await service.ask('POST', `/${index}/_refresh`);
  await service.ask('POST', `/${index}/_forcemerge?max_num_segments=3`);
}
