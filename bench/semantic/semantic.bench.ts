// Measures the cost of semantic search: texts per second of the built-in embedder on one core; the
// CPU time that it adds to a bulk, by loading the same documents as text and as semantic_text,
// alternating by chunk; and a semantic query compared with the plain knn query of the same vector,
// alternately. Both must find something. BENCH_DOCUMENTS sets the number of loaded commits of the
// shared folder (20,000).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadAddon } from '../../src/native/addon.ts';
import { bulk, startServer, type TestServer } from '../../test/tools/server.ts';
import type { SuiteResult } from '../lab/result.ts';
import { processorMs } from '../lab/work.ts';
import { quantile } from '../tools/figures.ts';
import { readCommits } from '../words/corpus.ts';

const SHARED = join(process.env['SHARED_DIR'] ?? join('..', 'shared'), 'lexical');
const DOCUMENTS = Number(process.env['BENCH_DOCUMENTS'] ?? 20_000);
const CHUNK = 2000;
const QUERIES = 200;
const DIMS = 512;
const ALONE = 20_000; // texts embedded without a server
const LONG_ENOUGH = 12; // minimum characters of a query text

const FIELDS = { words: { type: 'text' }, meaning: { type: 'semantic_text', dims: DIMS } } as const;
type Kind = keyof typeof FIELDS;

export async function semanticSuite(): Promise<SuiteResult> {
  if (!existsSync(SHARED)) return { facts: [`skipped: ${SHARED} is not there`], rows: [] };
  const texts = readCommits(SHARED, DOCUMENTS).map(({ text }) => text);
  const alone = embedAlone(texts.slice(0, ALONE));
  const server = await startServer();
  try {
    const cpu = await load(server, texts);
    const queries = texts.filter((text) => text.length >= LONG_ENOUGH).slice(0, QUERIES);
    const times = await search(server, queries);
    const share = 1 - cpu.words / cpu.meaning;
    const each = (ms: number) => ({ processor: (ms / texts.length) * 1000 });
    const ask = (name: string, p50: number) => ({ name, unit: 'ms', values: { p50 } });
    return {
      facts: [
        `${texts.length} commits; every query found something`,
        `share of embedding and vectors in loading: ${(share * 100).toFixed(0)} %`,
        `a semantic query takes ${(times.semantic / times.knn).toFixed(2)} times as long as knn with its vector`,
      ],
      rows: [
        ask('knn', times.knn),
        ask('semantic', times.semantic),
        { name: 'bulk as text', unit: 'ms per 1,000 documents', values: each(cpu.words) },
        {
          name: 'bulk as semantic_text',
          unit: 'ms per 1,000 documents',
          values: each(cpu.meaning),
        },
        { name: 'embedder alone, one core', unit: 'texts/s', values: { rate: alone } },
      ],
    };
  } finally {
    await server.stop();
  }
}

function embedAlone(texts: readonly string[]): number {
  const addon = loadAddon();
  const started = performance.now();
  for (let at = 0; at < texts.length; at += CHUNK) addon.embed(texts.slice(at, at + CHUNK), DIMS);
  return (texts.length / (performance.now() - started)) * 1000;
}

/** CPU time of the whole service by kind of field. */
async function load(server: TestServer, texts: readonly string[]): Promise<Record<Kind, number>> {
  const cpu = { words: 0, meaning: 0 };
  const kinds = Object.keys(FIELDS) as readonly Kind[];
  for (const kind of kinds) {
    await server.call('PUT', `/${kind}`, { mappings: { properties: { text: FIELDS[kind] } } });
  }
  for (let at = 0; at < texts.length; at += CHUNK) {
    const lines = texts
      .slice(at, at + CHUNK)
      .flatMap((text) => ['{"index":{}}', JSON.stringify({ text })]);
    for (const kind of kinds) {
      const before = processorMs(server.pid);
      await bulk(server, `/${kind}/_bulk`, lines);
      cpu[kind] += processorMs(server.pid) - before;
    }
  }
  for (const kind of kinds) await server.call('POST', `/${kind}/_forcemerge?max_num_segments=1`);
  await server.call('POST', '/_refresh');
  return cpu;
}

async function search(
  server: TestServer,
  queries: readonly string[],
): Promise<{ knn: number; semantic: number }> {
  const addon = loadAddon();
  const times = { knn: [] as number[], semantic: [] as number[] };
  for (let pass = 0; pass < 2; pass++) {
    for (const query of queries) {
      const vector = [...addon.embed([query], DIMS)];
      const bodies = {
        knn: { knn: { field: 'text_vector', query_vector: vector, k: 10 }, _source: false },
        semantic: { query: { semantic: { field: 'text', query, k: 10 } }, _source: false },
      };
      for (const [kind, body] of Object.entries(bodies)) {
        const started = performance.now();
        const reply = await server.call('POST', '/meaning/_search', body);
        if (reply.status !== 200 || reply.json.hits.hits.length === 0) throw new Error(reply.text);
        if (pass > 0) times[kind as keyof typeof times].push(performance.now() - started);
      }
    }
  }
  return { knn: quantile(times.knn, 0.5), semantic: quantile(times.semantic, 0.5) };
}
