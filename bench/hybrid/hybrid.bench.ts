// Measures the cost of a hybrid search by words and by meaning compared with each of them alone,
// fused by ranks and by scores, plain and filtered. The documents are commits with a semantic
// field; every query is the complete text of a short document, which must be among the hits of nine
// in ten queries. BENCH_DOCS sets the number of documents (default 10,000).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Question, timeQuestions, verifyAll } from '../lab/ask.ts';
import { Documents } from '../lab/documents.ts';
import type { SuiteResult } from '../lab/result.ts';
import { Service } from '../lab/service.ts';

const DOCS = Number(process.env['BENCH_DOCS'] ?? 10_000);
const DIMS = 384;
const QUERIES = 50;
const LEAST_WORDS = 6;
const MOST_WORDS = 40;
const LEAST_FOUND = 0.9;
const FILTER = { range: { n: { lt: DOCS / 10 } } };

interface Doc {
  readonly n: number;
  readonly text: string;
}

export async function hybridSuite(): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarry-hybrid-'));
  const service = await Service.start(dataDir);
  try {
    const docs = new Documents().texts(DOCS).map((text, n) => ({ n, text }));
    await load(service, docs);
    const requested = docs
      .filter(({ text, n }) => isShort(text) && n < DOCS / 10)
      .slice(0, QUERIES);
    const questions = questionsOf(requested);
    await verify(service, questions, requested);
    const rows = await timeQuestions(service, questions);
    return {
      facts: [
        `${docs.length} documents with text and a semantic field of ${DIMS} dims; ${requested.length} queries that quote one, which at least nine in ten find by every way of searching`,
      ],
      rows,
    };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function isShort(text: string): boolean {
  const words = text.split(/\s+/).length;
  return words >= LEAST_WORDS && words <= MOST_WORDS;
}

async function verify(
  service: Service,
  questions: readonly Question[],
  requested: readonly Doc[],
): Promise<void> {
  const found = new Map<string, number>();
  await verifyAll(service, questions, ({ name }, at, text) => {
    const hits: readonly { _source: Doc }[] = JSON.parse(text).hits.hits;
    const isThere = hits.some(({ _source }) => _source.text === requested[at]?.text);
    found.set(name, (found.get(name) ?? 0) + (isThere ? 1 : 0));
  });
  for (const [name, count] of found) {
    if (count < LEAST_FOUND * requested.length)
      throw new Error(`${name}: ${count} of ${requested.length} queries found what they quote`);
  }
}

async function load(service: Service, docs: readonly Doc[]): Promise<void> {
  const fields = { meaning: { type: 'semantic_text', dims: DIMS } };
  const properties = { n: { type: 'integer' }, text: { type: 'text', fields } };
  const settings = { number_of_shards: 1 };
  await service.ask('PUT', '/hybrid', JSON.stringify({ settings, mappings: { properties } }));
  for (let at = 0; at < docs.length; at += 1000) {
    const lines = docs
      .slice(at, at + 1000)
      .map((doc) => `{"index":{"_index":"hybrid"}}\n${JSON.stringify(doc)}\n`);
    await service.bulk(Buffer.from(lines.join('')));
  }
  await service.ask('POST', '/hybrid/_forcemerge?max_num_segments=1');
  await service.ask('POST', '/hybrid/_refresh');
}

function questionsOf(requested: readonly Doc[]): readonly Question[] {
  const words = (query: string): object => ({ match: { text: query } });
  const meaning = (query: string): object => ({
    semantic: { field: 'text.meaning', query, k: 50 },
  });
  const fused = (fusion: string) => (query: string) => ({
    hybrid: { fusion, queries: [{ query: words(query) }, { query: meaning(query) }] },
  });
  const filtered = (query: string): object => ({
    bool: { must: [words(query)], filter: [FILTER] },
  });
  const kinds: Readonly<Record<string, (query: string) => object>> = {
    words,
    meaning,
    'hybrid, rrf': fused('rrf'),
    'hybrid, linear': fused('linear'),
    'words, filter 10 %': filtered,
  };
  return Object.entries(kinds).map(([name, query]) => ({
    name,
    path: '/hybrid/_search?request_cache=false',
    bodies: requested.map(({ text }) => ({ query: query(text), size: 10 })),
  }));
}
