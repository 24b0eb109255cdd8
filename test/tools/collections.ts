// The judged collections of the shared folder: documents, queries, judgments, and golden scores of
// a reference engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Collection {
  readonly name: string;
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Query id -> document id -> grade. */
  readonly judgements: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface GoldenRow {
  readonly query: string;
  readonly id: string;
  readonly score: number;
  readonly total: number;
}

interface Line {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

function readLines(path: string): readonly string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

export function readCollection(shared: string, name: string): Collection {
  const parse = (file: string): readonly Line[] =>
    readLines(join(shared, name, file)).map((line) => JSON.parse(line) as Line);
  const judgements = new Map<string, Map<string, number>>();
  for (const row of readLines(join(shared, name, 'qrels.tsv')).slice(1)) {
    const [query = '', id = '', grade = '0'] = row.split('\t');
    const grades = judgements.get(query) ?? new Map<string, number>();
    grades.set(id, Number(grade));
    judgements.set(query, grades);
  }
  return {
    name,
    documents: parse('corpus.ndjson').map((line) => ({
      id: line._id,
      text: [line.title ?? '', line.text].join(' ').trim(),
    })),
    queries: parse('queries.ndjson').map((line) => ({ id: line._id, text: line.text })),
    judgements,
  };
}

export function readGolden(shared: string, name: string): readonly GoldenRow[] {
  return readLines(join(shared, 'golden', `bm25.${name}.tsv`))
    .slice(1)
    .map((row) => {
      const [query = '', , id = '', score = '', total = ''] = row.split('\t');
      return { query, id, score: Number(score), total: Number(total) };
    });
}

/** nDCG@10 with the grade as gain and log2 discount, as trec_eval computes ndcg_cut_10. */
export function ndcgAt10(ranked: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (grade: number, rank: number): number => grade / Math.log2(rank + 2);
  const dcg = ranked
    .slice(0, 10)
    .reduce((sum, id, rank) => sum + gain(Math.max(0, grades.get(id) ?? 0), rank), 0);
  const ideal = [...grades.values()]
    .filter((grade) => grade > 0)
    .sort((a, b) => b - a)
    .slice(0, 10)
    .reduce((sum, grade, rank) => sum + gain(grade, rank), 0);
  return ideal === 0 ? 0 : dcg / ideal;
}
