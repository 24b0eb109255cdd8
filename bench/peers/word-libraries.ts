// Compares word searches with libraries in one process: the commits of the shared folder, with each
// library loaded and queried as its manual recommends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../lab/service.ts';
import { type Commit, readCommits } from '../words/corpus.ts';
import { Oracle, readWorkload, toBody, type WorkloadQuery } from '../words/workload.ts';
import { type Contender, contest, figureLine, type Line } from './contest.ts';
import { Core } from './core.ts';
import type { Libraries } from './libraries.ts';

const FAMILIES = ['term_high', 'term_low', 'and2', 'or2', 'phrase2', 'prefix3'];
const QUERIES = 20;
const BATCH = 1000;

interface Loaded {
  readonly name: string;
  readonly perSecond: number;
  search(query: WorkloadQuery): readonly string[];
  close(): void;
}

export async function wordLibraries(
  libraries: Libraries,
  shared: string,
  docs: number,
): Promise<readonly Line[]> {
  const commits = readCommits(shared, docs);
  const queries = readWorkload(shared);
  const us = await loadOurs(commits);
  const peers = [loadMiniSearch(libraries, commits), loadFts5(libraries, commits)].filter(
    (one) => one !== undefined,
  );
  const oracle = new Oracle(commits);
  const lines: Line[] = peers.map(({ name, perSecond }) =>
    figureLine('load words', 'documents/s', true, [us.perSecond, name, perSecond]),
  );
  for (const family of FAMILIES) {
    const mine = queries.filter((query) => query.family === family).slice(0, QUERIES);
    const able = peers.filter(({ name }) => family !== 'phrase2' || name !== 'MiniSearch');
    const verify = (at: number, found: readonly string[]): void => {
      const query = mine[at];
      const wanted = query === undefined ? 0 : Math.min(10, oracle.count(query));
      if (found.length !== wanted) throw new Error(`${query?.id}: ${found.length}, not ${wanted}`);
    };
    const asking = ({ name, search }: Loaded): Contender => {
      const none: WorkloadQuery = { id: '', family, kind: 'term' };
      return { name, ask: (at) => search(mine[at] ?? none) };
    };
    const task = { name: `words, ${family}, in process`, questions: mine.length, verify };
    lines.push(...(await contest(task, asking(us), able.map(asking))));
  }
  for (const one of [us, ...peers]) one.close();
  return lines;
}

/**
 * The bulk bodies of a client. Every contender gets the documents in its own format, created before
 * the measurement starts.
 */
function bulksOf(commits: readonly Commit[]): readonly Buffer[] {
  const lines = commits.map(
    ({ id, text }) => `{"index":{"_index":"w","_id":"${id}"}}\n${JSON.stringify({ text })}\n`,
  );
  return Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, batch) =>
    Buffer.from(lines.slice(batch * BATCH, (batch + 1) * BATCH).join('')),
  );
}

async function loadOurs(commits: readonly Commit[]): Promise<Loaded> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-peers-'));
  const service = await Service.start(dataDir);
  const mappings = { properties: { text: { type: 'text' } } };
  await service.ask('PUT', '/w', JSON.stringify({ settings: { number_of_shards: 1 }, mappings }));
  const bulks = bulksOf(commits);
  const started = performance.now();
  for (const bulk of bulks) await service.bulk(bulk);
  await service.ask('POST', '/w/_refresh');
  const perSecond = (commits.length * 1000) / (performance.now() - started);
  await service.ask('POST', '/w/_forcemerge?max_num_segments=1');
  await service.stop();
  const core = new Core(dataDir);
  return {
    name: 'Quarry',
    perSecond,
    search: (query) => core.search('w', toBody(query)),
    close() {
      core.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function loadMiniSearch({ MiniSearch }: Libraries, commits: readonly Commit[]): Loaded | undefined {
  if (MiniSearch === undefined) return undefined;
  const index = new MiniSearch({ fields: ['text'], storeFields: ['text'] });
  const documents = commits.map(({ id, text }) => ({ id, text }));
  const started = performance.now();
  index.addAll(documents);
  const perSecond = (commits.length * 1000) / (performance.now() - started);
  return {
    name: 'MiniSearch',
    perSecond,
    search({ kind, terms, prefix }) {
      const options = { combineWith: kind === 'and' ? 'AND' : 'OR', prefix: kind === 'prefix' };
      const hits = index.search((terms ?? [prefix]).join(' '), options).slice(0, 10);
      return hits.map(({ id }) => id);
    },
    close: () => undefined,
  };
}

function loadFts5({ Sqlite }: Libraries, commits: readonly Commit[]): Loaded | undefined {
  if (Sqlite === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'quarry-fts5-'));
  const db = new Sqlite(join(folder, 'words.db'));
  // A durable commit for every batch, as in this project.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec(`CREATE VIRTUAL TABLE w USING fts5(id UNINDEXED, text, tokenize = 'unicode61')`);
  const insert = db.prepare('INSERT INTO w (id, text) VALUES (?, ?)');
  const addAll = db.transaction((rows: readonly Commit[]) => {
    for (const { id, text } of rows) insert.run(id, text);
  });
  const started = performance.now();
  for (let at = 0; at < commits.length; at += BATCH) addAll(commits.slice(at, at + BATCH));
  const perSecond = (commits.length * 1000) / (performance.now() - started);
  db.exec(`INSERT INTO w (w) VALUES ('optimize')`);
  const select = db.prepare('SELECT id, text FROM w WHERE w MATCH ? ORDER BY rank LIMIT 10');
  return {
    name: 'SQLite FTS5',
    perSecond,
    search: (query) => select.all(toMatch(query)).map(({ id }) => id),
    close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toMatch({ kind, terms = [], prefix = '' }: WorkloadQuery): string {
  if (kind === 'prefix') return `"${prefix}" *`;
  if (kind === 'phrase') return `"${terms.join(' ')}"`;
  return terms.map((term) => `"${term}"`).join(kind === 'and' ? ' AND ' : ' OR ');
}
