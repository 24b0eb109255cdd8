// What scores need of whole indexes and the engine does not give with a search: how common the words
// of a query are, and the best scores of groups.
import type { JsonObject, Waiter } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { printExact } from '../base/exact-json.js';
import type { ClusterClient } from './cluster-client.js';
import type { MadeField } from './cluster-mappings.js';
import { isObject } from './errors.js';
import type { TextAnalysis } from './text-analysis.js';

/** How long counts are used again, in milliseconds. */
const FRESH_MS = 1000;
const REMEMBERED = 1000;
/** Groups that one query finds. */
const MOST_GROUPS = 10_000;

interface Counts {
  readonly at: number;
  readonly weights: Promise<Readonly<Record<string, number>>>;
}

export class ClusterStatistics {
  readonly #client: ClusterClient;
  readonly #analysis: TextAnalysis;
  readonly #now: () => number;
  readonly #known = new BoundedMap<string, Counts>(REMEMBERED);

  constructor(client: ClusterClient, analysis: TextAnalysis, now: () => number) {
    this.#client = client;
    this.#analysis = analysis;
    this.#now = now;
  }

  /** sqrt(idf) of each word among the documents of `path` that have the field. */
  weights(
    path: string,
    field: MadeField,
    words: readonly string[],
  ): Promise<Readonly<Record<string, number>>> {
    if (words.length === 0) return Promise.resolve({});
    const key = printExact([path, field.path, words]);
    const known = this.#known.get(key);
    if (known !== undefined && this.#now() - known.at < FRESH_MS) return known.weights;
    const weights = this.#count(path, field, words);
    this.#known.set(key, { at: this.#now(), weights });
    weights.catch(() => this.#known.delete(key));
    return weights;
  }

  async #count(
    path: string,
    field: MadeField,
    words: readonly string[],
  ): Promise<Readonly<Record<string, number>>> {
    const filters = Object.fromEntries(
      words.map((word, at) => [`w${at}`, this.#having(field, word)]),
    );
    const exists = { exists: { field: field.words?.field ?? field.path } };
    const body = {
      size: 0,
      track_total_hits: true,
      query: { bool: { filter: [exists] } },
      aggs: { words: { filters: { filters } } },
    };
    const answer = await this.#client.json('POST', `${path}/_search`, { body, repeatable: true });
    const hits = isObject(answer['hits']) ? answer['hits'] : {};
    const total = isObject(hits['total']) ? Number(hits['total']['value'] ?? 0) : 0;
    const aggregations = isObject(answer['aggregations']) ? answer['aggregations'] : {};
    const counted = isObject(aggregations['words']) ? aggregations['words']['buckets'] : {};
    const buckets = isObject(counted) ? counted : {};
    return Object.fromEntries(
      words.map((word, at) => {
        const bucket = buckets[`w${at}`];
        const found = isObject(bucket) ? Number(bucket['doc_count'] ?? 0) : 0;
        return [word, Math.sqrt(inverseFrequency(found, total))];
      }),
    );
  }

  /** A word that the analyzer drops is in every document. */
  #having({ path, words }: MadeField, word: string): JsonObject {
    const query = words === undefined ? word : this.#analysis.words(words.analyzer, word);
    const options = { query, operator: 'and', zero_terms_query: 'all' };
    return { match: { [words?.field ?? path]: options } };
  }

  /**
   * For each value of the field the sum over the queries of the best score that each has among its
   * documents.
   */
  async groups(
    path: string,
    field: string,
    queries: readonly JsonObject[],
    filter: JsonObject | undefined,
    waiter: Waiter | undefined,
  ): Promise<ReadonlyMap<string, number>> {
    const found = await Promise.all(
      queries.map((query) =>
        this.#client.json('POST', `${path}/_search`, {
          body: {
            size: MOST_GROUPS,
            track_total_hits: false,
            _source: false,
            query: {
              bool: {
                must: [query],
                filter: [{ exists: { field } }, ...(filter === undefined ? [] : [filter])],
              },
            },
            collapse: { field },
          },
          repeatable: true,
          waiter,
        }),
      ),
    );
    const sums = new Map<string, number>();
    for (const answer of found) {
      const hits = isObject(answer['hits']) ? answer['hits']['hits'] : [];
      for (const hit of hits as unknown as readonly JsonObject[]) {
        const fields = isObject(hit['fields']) ? hit['fields'] : {};
        const [value] = (fields[field] ?? []) as readonly unknown[];
        const score = Number(hit['_score'] ?? 0);
        if (value !== undefined) sums.set(String(value), (sums.get(String(value)) ?? 0) + score);
      }
    }
    return sums;
  }
}

/** BM25's, as in the core. */
function inverseFrequency(found: number, total: number): number {
  return Math.log(1 + (total - found + 0.5) / (found + 0.5));
}
