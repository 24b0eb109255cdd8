// The speed workload: its queries as search bodies, and the exact number of hits of each by brute
// force.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/backend/index.ts';
import type { Commit } from './corpus.ts';

export interface WorkloadQuery {
  readonly id: string;
  readonly family: string;
  readonly kind: string;
  readonly terms?: readonly string[];
  readonly prefix?: string;
  readonly pattern?: string;
  readonly term?: string;
  readonly gte?: number;
  readonly lt?: number;
  readonly filters?: readonly {
    readonly field: string;
    readonly value?: string;
    readonly gte?: number;
    readonly lt?: number;
  }[];
}

interface AggregationQuery {
  readonly family: string;
  readonly kind: string;
  /** One word; null: all documents. */
  readonly query: string | null;
  readonly agg: WorkloadAggregation;
}

interface WorkloadAggregation {
  readonly terms?: string;
  readonly size?: number;
  readonly sub?: WorkloadAggregation;
  readonly date_histogram?: string;
  readonly interval?: string;
  readonly stats?: string;
  readonly cardinality?: string;
}

function readLines<T extends { readonly kind: string }>(shared: string): readonly T[] {
  return readFileSync(join(shared, 'workload', 'gitlog.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** All queries except the aggregations. */
export function readWorkload(shared: string): readonly WorkloadQuery[] {
  return readLines<WorkloadQuery>(shared).filter(({ kind }) => kind !== 'agg');
}

export function readAggregations(shared: string): readonly AggregationQuery[] {
  return readLines<AggregationQuery>(shared).filter(({ kind }) => kind === 'agg');
}

export function toAggregationBody({ query, agg }: AggregationQuery): JsonObject {
  const a = toAggregation(agg);
  const among = query === null ? {} : { query: { match: { text: query } } };
  return { size: 0, ...among, aggs: { a } };
}

/** The workload's dates are in seconds; the documents contain them as dates as well. */
function toAggregation(agg: WorkloadAggregation): JsonObject {
  const { terms, size = 10, sub, date_histogram: histogram, interval = 'month' } = agg;
  const inner = sub === undefined ? {} : { aggs: { sub: toAggregation(sub) } };
  if (terms !== undefined) return { terms: { field: terms, size }, ...inner };
  if (histogram !== undefined)
    return { date_histogram: { field: 'date', calendar_interval: interval }, ...inner };
  if (agg.stats !== undefined) return { stats: { field: agg.stats } };
  return { cardinality: { field: agg.cardinality ?? '' } };
}

/** The body of one query: top 10 with the default total. */
export function toBody(query: WorkloadQuery): JsonObject {
  const text = (query.terms ?? []).join(' ');
  switch (query.kind) {
    case 'term':
    case 'or':
      return { query: { match: { text } } };
    case 'and':
      return { query: { match: { text: { query: text, operator: 'and' } } } };
    case 'phrase':
      return { query: { match_phrase: { text } } };
    case 'prefix':
      return { query: { prefix: { text: query.prefix ?? '' } } };
    case 'wildcard':
      return { query: { wildcard: { text: query.pattern ?? '' } } };
    case 'fuzzy':
      return {
        query: { fuzzy: { text: { value: query.term ?? '', fuzziness: 1, max_expansions: 1024 } } },
      };
    case 'range_term':
      return {
        query: {
          bool: { must: [{ match: { text } }], filter: [{ range: { ts: bounds(query) } }] },
        },
      };
    case 'filter':
      return { query: { bool: { filter: (query.filters ?? []).map(toFilter) } } };
    case 'sort':
      return { query: { match: { text } }, sort: [{ ts: 'desc' }] };
    default:
      throw new Error(`unknown kind ${query.kind}`);
  }
}

function bounds(range: { readonly gte?: number; readonly lt?: number }): JsonObject {
  return { gte: range.gte ?? 0, lt: range.lt ?? 0 };
}

function toFilter(filter: NonNullable<WorkloadQuery['filters']>[number]): JsonObject {
  return filter.value === undefined
    ? { range: { [filter.field]: bounds(filter) } }
    : { term: { [filter.field]: filter.value } };
}

/** Counts by brute force over word lists; deliberately slow and simple. */
export class Oracle {
  readonly #commits: readonly Commit[];
  readonly #tokens: readonly (readonly string[])[];
  readonly #postings = new Map<string, number[]>();

  constructor(commits: readonly Commit[]) {
    this.#commits = commits;
    this.#tokens = commits.map((commit) => commit.text.split(' '));
    for (const [doc, tokens] of this.#tokens.entries()) {
      for (const token of new Set(tokens)) {
        const docs = this.#postings.get(token);
        if (docs === undefined) this.#postings.set(token, [doc]);
        else docs.push(doc);
      }
    }
  }

  count(query: WorkloadQuery): number {
    const terms = query.terms ?? [];
    switch (query.kind) {
      case 'term':
      case 'or':
      case 'sort':
        return this.#union(terms).size;
      case 'and':
        return this.#all(terms).length;
      case 'phrase':
        return this.#all(terms).filter((doc) => hasPhrase(this.#tokens[doc] ?? [], terms)).length;
      case 'prefix':
        return this.#where((word) => word.startsWith(query.prefix ?? ''));
      case 'wildcard': {
        const parts = (query.pattern ?? '').split('*');
        const regex = new RegExp(`^${parts.join('.*')}$`);
        return this.#where((word) => regex.test(word));
      }
      case 'fuzzy':
        return this.#where((word) => withinOneEdit(word, query.term ?? ''));
      case 'range_term':
        return [...this.#union(terms)].filter((doc) => inRange(this.#commits[doc]?.ts ?? 0, query))
          .length;
      case 'filter':
        return this.#commits.filter((commit) =>
          (query.filters ?? []).every((filter) =>
            filter.value === undefined ? inRange(commit.ts, filter) : commit.repo === filter.value,
          ),
        ).length;
      default:
        throw new Error(`unknown kind ${query.kind}`);
    }
  }

  #union(words: readonly string[]): Set<number> {
    return new Set(words.flatMap((word) => this.#postings.get(word) ?? []));
  }
  #all(words: readonly string[]): readonly number[] {
    const [first = '', ...rest] = words;
    const sets = rest.map((word) => new Set(this.#postings.get(word)));
    return (this.#postings.get(first) ?? []).filter((doc) => sets.every((set) => set.has(doc)));
  }
  #where(test: (word: string) => boolean): number {
    return this.#union([...this.#postings.keys()].filter(test)).size;
  }
}

function inRange(value: number, range: { readonly gte?: number; readonly lt?: number }): boolean {
  return value >= (range.gte ?? 0) && value < (range.lt ?? 0);
}

function hasPhrase(tokens: readonly string[], words: readonly string[]): boolean {
  return tokens.some((_, at) => words.every((word, i) => tokens[at + i] === word));
}

/** One insertion, deletion, substitution or transposition of adjacent characters. */
function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  return (
    restA === restB ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
