// How fast do documents with 384-dimensional vectors come from another server, by `quarry import` and
// by `_reindex`, compared with the same documents as NDJSON from a file? The source is a second
// server; the three ways run in turns, each into an index of its own, and every count is checked.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importCluster } from '../../src/migration/cluster-import.ts';
import { importNdjson } from '../../src/migration/file-import.ts';
import { call, startServer, type TestServer } from '../../test/tools/server.ts';
import type { Row, SuiteOptions, SuiteResult } from '../lab/result.ts';

const DOCUMENTS = Number(process.env['BENCH_DOCS'] ?? 20_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const DIMS = 384;
const GOAL = 0.5;
const BULK = 500;
const INDEX = 'notes';
const MAPPINGS = {
  properties: {
    title: { type: 'text' },
    group: { type: 'keyword' },
    v: { type: 'dense_vector', dims: DIMS, similarity: 'cosine' },
  },
};

/** A linear congruential generator: the same numbers in every run. */
function* numbers(): Generator<number, never> {
  for (let state = 7; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 30 - 1;
  }
}

function documentOf(n: number, random: Generator<number, never>): string {
  const v = Array.from({ length: DIMS }, () => Number(random.next().value.toFixed(6)));
  return JSON.stringify({ id: `d${n}`, title: `note ${n} about ships`, group: `g${n % 9}`, v });
}

/** Writes the documents to a file, and to the source. */
async function makeSource(source: Source, file: string): Promise<void> {
  await source.call('DELETE', `/${INDEX}`);
  await source.call('PUT', `/${INDEX}`, { mappings: MAPPINGS });
  const random = numbers();
  const descriptor = openSync(file, 'w');
  for (let from = 0; from < DOCUMENTS; from += BULK) {
    const lines = Array.from({ length: Math.min(BULK, DOCUMENTS - from) }, (_, i) =>
      documentOf(from + i, random),
    );
    writeSync(descriptor, `${lines.join('\n')}\n`);
    const body = lines.map((line, i) => `{"index":{"_id":"d${from + i}"}}\n${line}\n`).join('');
    const reply = await source.call('POST', `/${INDEX}/_bulk`, body, {
      'content-type': 'application/x-ndjson',
    });
    if (reply.json.errors !== false) throw new Error(`the source refused: ${reply.text}`);
  }
  closeSync(descriptor);
  await source.call('POST', `/${INDEX}/_refresh`);
}

async function checkedCount(server: TestServer): Promise<void> {
  await server.call('POST', `/${INDEX}/_refresh`);
  const { count } = (await server.call('GET', `/${INDEX}/_count`)).json;
  if (count !== DOCUMENTS) throw new Error(`${count} documents arrived, not ${DOCUMENTS}`);
}

/** The server that documents come from. */
type Source = Pick<TestServer, 'base' | 'call'> & { stop(): Promise<unknown> };

function sourceAt(base: string): Source {
  return { base, call: (...args) => call(base, ...args), stop: async () => {} };
}

type Way = 'file' | 'import' | 'reindex';

async function rateOf(
  way: Way,
  sides: { readonly source: Source; readonly service: TestServer; readonly file: string },
): Promise<number> {
  const { source, service, file } = sides;
  const stateFolder = mkdtempSync(join(tmpdir(), 'quarry-bench-state-'));
  const { signal } = new AbortController();
  const common = { to: service.base, apiKey: undefined, stateFolder, signal, onProgress: () => {} };
  await service.call('DELETE', `/${INDEX}`);
  if (way !== 'import') await service.call('PUT', `/${INDEX}`, { mappings: MAPPINGS });
  const start = performance.now();
  if (way === 'file') {
    await importNdjson({ ...common, files: [file] }, { index: INDEX, idField: 'id' });
  } else if (way === 'import') {
    await importCluster({
      ...common,
      from: 'elasticsearch',
      url: source.base,
      credentials: { apiKey: undefined, username: undefined, password: undefined },
      indexes: INDEX,
      dryRun: false,
      intoExisting: false,
    });
  } else {
    const body = {
      source: { index: INDEX, remote: { host: source.base } },
      dest: { index: INDEX },
    };
    const reply = await service.call('POST', '/_reindex', body);
    if (reply.status !== 200) throw new Error(reply.text);
  }
  const seconds = (performance.now() - start) / 1000;
  await checkedCount(service);
  rmSync(stateFolder, { recursive: true, force: true });
  return DOCUMENTS / seconds;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export async function importSuite({ peer }: SuiteOptions): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-import-'));
  const source = peer === undefined ? await startServer() : sourceAt(peer);
  const service = await startServer({
    args: ['--reindex.remote.whitelist', new URL(source.base).host],
  });
  try {
    const file = join(folder, 'notes.ndjson');
    await makeSource(source, file);
    const rates: Record<Way, number[]> = { file: [], import: [], reindex: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ['file', 'import', 'reindex'] as const) {
        rates[way].push(await rateOf(way, { source, service, file }));
      }
    }
    const ratio = (way: Way): number =>
      medianOf(rates[way].map((rate, i) => rate / (rates.file[i] ?? Number.NaN)));
    const rows: Row[] = [
      {
        name: 'documents with a vector',
        unit: 'documents/s',
        values: {
          file: medianOf(rates.file),
          import: medianOf(rates.import),
          reindex: medianOf(rates.reindex),
        },
      },
      ...(['import', 'reindex'] as const).map((way) => ({
        name: `${way} relative to the file`,
        unit: 'ratio',
        values: { ratio: ratio(way) },
        goal: { value: 'ratio', target: GOAL, lower: false },
      })),
    ];
    if (peer !== undefined) await source.call('DELETE', `/${INDEX}`);
    const fact = `${DOCUMENTS} documents with ${DIMS} numbers each, ${ROUNDS} rounds in turns; every count was checked; from ${peer ?? 'a second service'}.`;
    return { facts: [fact], rows };
  } finally {
    await Promise.all([source.stop(), service.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
