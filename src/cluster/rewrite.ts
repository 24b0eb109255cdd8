// Queries of ours in the words of the engine: `semantic` and `knn` as its vector clauses, words of
// our analyzers as the words that documents hold, `group_score` as the scores of its groups. All
// other clauses pass as they are.
import type { Json, JsonObject, Waiter } from '../backend/index.js';
import { isBuiltin } from '../base/builtin-embedders.js';
import { printExact } from '../base/exact-json.js';
import { denseOf } from '../coordinator/catalog/knn-definition.js';
import { QuarryError } from '../errors.js';
import { isFieldKnn, knnOfField } from '../query/clauses/field-knn.js';
import { fieldAndValue } from '../query/params.js';
import type { MadeField, MappedField } from './cluster-mappings.js';
import { type ClusterEngine, isAtLeast } from './engine.js';
import { isObject } from './errors.js';
import type { IndexNames } from './index-names.js';
import type { TextAnalysis } from './text-analysis.js';

/** The indexes that a search reaches, and what it asks of them for its rewriting. */
export interface RewriteContext {
  readonly engine: Pick<ClusterEngine, 'kind' | 'version'>;
  readonly names: IndexNames;
  readonly made: readonly MadeField[];
  /** The field of that full name in one of the indexes; undefined: none maps it. */
  readonly mapped: (path: string) => MappedField | undefined;
  /** Of the alias that is searched: a document has to match any; none: every document matches. */
  readonly aliasFilters: readonly JsonObject[];
  readonly analysis: TextAnalysis;
  /** Weights of the words of a query for the built-in embedder, by word. */
  readonly weights: (
    field: MadeField,
    words: readonly string[],
  ) => Promise<Readonly<Record<string, number>>>;
  /** The best score of each group, for queries of the engine; see group-scores.ts. */
  readonly groups: (
    field: string,
    queries: readonly JsonObject[],
    filter: JsonObject | undefined,
    waiter: Waiter | undefined,
  ) => Promise<ReadonlyMap<string, number>>;
  readonly waiter: Waiter | undefined;
}

/** The engine's limit for the number of candidates. */
const MOST_CANDIDATES = 10_000;
/** Groups whose scores are sent, the best ones. */
const MOST_GROUPS = 500;

const MATCHES: ReadonlySet<string> = new Set([
  'match',
  'match_phrase',
  'match_phrase_prefix',
  'match_bool_prefix',
]);

/** Members of compound clauses that are queries or lists of queries. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  bool: ['must', 'should', 'filter', 'must_not'],
  boosting: ['positive', 'negative'],
  constant_score: ['filter'],
  dis_max: ['queries'],
  function_score: ['query'],
  nested: ['query'],
  script_score: ['query'],
};

export class QueryRewriter {
  readonly #context: RewriteContext;

  constructor(context: RewriteContext) {
    this.#context = context;
  }

  /** A query, or a list of queries. */
  async query(value: Json): Promise<Json> {
    if (Array.isArray(value)) {
      return Promise.all((value as readonly Json[]).map((one) => this.query(one)));
    }
    if (!isObject(value)) return value;
    const [entry] = Object.entries(value);
    if (entry === undefined) return value;
    const [name, body] = entry;
    if (!isObject(body)) return value;
    if (name === 'semantic') return this.#semantic(body);
    if (name === 'knn') return this.knnClause(body);
    if (name === 'group_score') return this.#groupScore(body);
    if (name === 'range') return { range: rangeOf(body) };
    if (body['_index'] !== undefined && this.#context.names.prefix !== '') {
      return { [name]: { ...body, _index: this.#indexNamed(body['_index']) } };
    }
    if (Array.isArray(body['fields'])) this.#refuseIndexField(name, body['fields']);
    if (MATCHES.has(name)) return this.#match(name, body);
    const inner = INNER[name];
    if (inner === undefined) return value;
    const changed: Record<string, Json> = { ...body };
    for (const member of inner) {
      const query = body[member];
      if (query !== undefined) changed[member] = await this.query(query);
    }
    if (name === 'function_score' && Array.isArray(body['functions'])) {
      changed['functions'] = await Promise.all(
        (body['functions'] as readonly Json[]).map(async (one) =>
          isObject(one) && one['filter'] !== undefined
            ? { ...one, filter: await this.query(one['filter']) }
            : one,
        ),
      );
    }
    return { [name]: changed };
  }

  /** Aggregations, whose filters are queries. */
  async aggregations(value: Json): Promise<Json> {
    if (!isObject(value)) return value;
    const entries = await Promise.all(
      Object.entries(value).map(
        async ([name, agg]): Promise<[string, Json]> => [
          name,
          isObject(agg) ? await this.#aggregation(agg) : agg,
        ],
      ),
    );
    return Object.fromEntries(entries);
  }

  async #aggregation(agg: JsonObject): Promise<JsonObject> {
    const changed: Record<string, Json> = { ...agg };
    for (const key of ['aggs', 'aggregations']) {
      const inner = agg[key];
      if (inner !== undefined) changed[key] = await this.aggregations(inner);
    }
    if (agg['filter'] !== undefined) changed['filter'] = await this.query(agg['filter']);
    for (const key of ['filters', 'adjacency_matrix']) {
      const body = agg[key];
      const filters = isObject(body) ? body['filters'] : undefined;
      if (filters === undefined || !isObject(body)) continue;
      changed[key] = { ...body, filters: await this.#named(filters) };
    }
    return changed;
  }

  async #named(filters: Json): Promise<Json> {
    if (!isObject(filters)) return this.query(filters);
    const entries = await Promise.all(
      Object.entries(filters).map(
        async ([name, query]): Promise<[string, Json]> => [name, await this.query(query)],
      ),
    );
    return Object.fromEntries(entries);
  }

  /** `knn` of the top level of a body, one or a list; the engine merges the shards' nearest. */
  async topKnn(value: Json): Promise<Json> {
    if (Array.isArray(value)) {
      return Promise.all((value as readonly Json[]).map((one) => this.topKnn(one)));
    }
    if (!isObject(value)) return value;
    const { vector, ...rest } = value;
    const k = Number(value['k'] ?? DEFAULT_K);
    return {
      ...rest,
      ...(vector === undefined ? {} : { query_vector: vector }),
      k,
      num_candidates: candidatesOf(value, k),
      ...(value['filter'] === undefined ? {} : { filter: await this.query(value['filter']) }),
    };
  }

  async knnClause(body: JsonObject): Promise<JsonObject> {
    const { engine } = this.#context;
    if (isFieldKnn(body)) return this.#fieldKnn(body);
    const { vector, k: given, field, filter, ...rest } = body;
    const query = body['query_vector'] ?? vector ?? null;
    const k = Number(given ?? DEFAULT_K);
    const inner = filter === undefined ? {} : { filter: await this.query(filter) };
    if (engine.kind === 'opensearch') {
      const of = this.#nearestOf(inner.filter);
      // Without it, inner hits are the best one of each document.
      const all = body['inner_hits'] === undefined ? {} : { expand_nested_docs: true };
      return this.#nearest(body, { vector: query, k, ...of, ...all });
    }
    const { num_candidates: _candidates, query_vector: _query, ...options } = rest;
    // Before it had a k, the clause found as many as it had candidates.
    const hasK = isAtLeast(engine, 8, 15);
    const counts = hasK
      ? { k, num_candidates: candidatesOf(body, k) }
      : { num_candidates: Math.min(MOST_CANDIDATES, k) };
    return { knn: { field: field ?? null, query_vector: query, ...counts, ...inner, ...options } };
  }

  /** The clause in the form of OpenSearch, which has more options than the other one. */
  async #fieldKnn(body: JsonObject): Promise<JsonObject> {
    if (this.#context.engine.kind === 'elasticsearch') {
      return (await this.query(knnOfField(body))) as JsonObject;
    }
    const { field, value } = fieldAndValue('knn', body);
    const { filter, ...options } = value as JsonObject;
    const inner = filter === undefined ? undefined : await this.query(filter);
    return { knn: { [field]: { ...options, ...this.#nearestOf(inner) } } };
  }

  /** OpenSearch would take the nearest first, and then those that the alias has. */
  #nearestOf(filter: Json | undefined): { readonly filter?: Json } {
    return filterOf([...listOf(filter), ...anyOf(this.#context.aliasFilters)]);
  }

  /** A vector clause of OpenSearch, which knows neither fields without vectors nor a similarity. */
  #nearest({ field, similarity, boost, _name }: JsonObject, options: JsonObject): JsonObject {
    const path = String(field);
    const named = _name === undefined ? {} : { _name };
    const mapped = this.#context.mapped(path);
    const isMade = this.#context.made.some(({ vector }) => vector?.field === path);
    if (mapped === undefined && !isMade) return { match_none: named };
    const boosted = boost === undefined ? {} : { boost };
    const knn = { [path]: { ...options, ...boosted, ...named } };
    if (similarity === undefined) return { knn };
    const own = mapped?.field ?? {};
    const dense = own['type'] === 'knn_vector' ? denseOf(own, path) : own;
    const metric = String(dense['similarity'] ?? 'cosine');
    const least = scoreOf(metric, Number(similarity)) * Number(boost ?? 1);
    return { function_score: { query: { knn }, min_score: least } };
  }

  /** A vector clause of the top level for OpenSearch: one for vectors of nested objects finds these. */
  async topNearest(body: JsonObject): Promise<JsonObject> {
    const { inner_hits: inner } = body;
    const clause = await this.knnClause(body);
    const path = this.#context.mapped(String(body['field']))?.nested;
    if (path === undefined) return clause;
    const shown = inner === undefined ? {} : { inner_hits: inner };
    return { nested: { path, query: clause, score_mode: 'max', ...shown } };
  }

  async #semantic(body: JsonObject): Promise<JsonObject> {
    const knn = await this.semanticAsKnn(body);
    return knn === undefined ? { match_none: {} } : this.knnClause(knn);
  }

  /** The vector clause that a semantic one stands for; undefined: it matches nothing. */
  async semanticAsKnn(body: JsonObject): Promise<JsonObject | undefined> {
    const { field: name, query: text, passages, ...rest } = body;
    if (passages === true) throw withoutPassages();
    const field = this.#context.made.find(({ path }) => path === name);
    const vector = field?.vector;
    if (field === undefined || vector === undefined) {
      throw new QuarryError(
        'illegal_argument_exception',
        `[semantic] queries are only supported on [semantic_text] fields that were mapped through this server, [${String(name)}] is none`,
      );
    }
    const query = await this.#queryVector(field, vector, String(text));
    if (query === null) return undefined;
    const k = Number(body['k'] ?? DEFAULT_K);
    return { ...rest, k, field: vector.field, query_vector: Array.from(query) };
  }

  async #queryVector(
    field: MadeField,
    { embedder, dims }: NonNullable<MadeField['vector']>,
    text: string,
  ): Promise<Float32Array | null> {
    const { analysis, weights } = this.#context;
    if (!isBuiltin(embedder)) {
      const [made] = await analysis.vectors(embedder, dims, [text]);
      return made ?? null;
    }
    const words = analysis.terms(embedder, text);
    return analysis.queryVector(embedder, dims, text, await weights(field, words));
  }

  /** A text for several fields is not one for names with a prefix. */
  #refuseIndexField(name: string, fields: readonly Json[]): void {
    if (this.#context.names.prefix === '' || !fields.includes('_index')) return;
    throw new QuarryError(
      'illegal_argument_exception',
      `[${name}] has [_index] among its [fields], whose names have the prefix of [cluster.index_prefix] in the cluster: ask for it by [term] or [wildcard]`,
    );
  }

  /** The value of a clause for names of indexes, with the prefix. */
  #indexNamed(value: Json): Json {
    const { names } = this.#context;
    if (typeof value === 'string') return names.inCluster(value);
    if (Array.isArray(value)) return (value as readonly Json[]).map((one) => this.#indexNamed(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        INDEX_VALUES.has(key) ? this.#indexNamed(member) : member,
      ]),
    );
  }

  #match(name: string, body: JsonObject): JsonObject {
    const [entry] = Object.entries(body);
    const [field, given = null] = entry ?? ['', null];
    const words = this.#context.made.find(({ path }) => path === field)?.words;
    if (words === undefined) return { [name]: body };
    const options = isObject(given) ? given : { query: given };
    const { query, analyzer, ...rest } = options;
    const by = typeof analyzer === 'string' ? analyzer : words.analyzer;
    const text = this.#context.analysis.words(by, String(query ?? ''));
    return { [name]: { [words.field]: { ...rest, query: text } } };
  }

  /** Each group's documents get its score, by a clause for each of the best groups. */
  async #groupScore(body: JsonObject): Promise<JsonObject> {
    const { field, queries, filter, boost, _name } = body;
    const list = (Array.isArray(queries) ? queries : [queries]) as readonly Json[];
    const rewritten = (await this.query(list)) as readonly JsonObject[];
    const inner =
      filter === undefined ? undefined : filterOf(listOf(await this.query(filter))).filter;
    const { groups, waiter } = this.#context;
    const found = await groups(
      String(field),
      rewritten,
      isObject(inner) ? inner : undefined,
      waiter,
    );
    const best = [...found].sort(([, a], [, b]) => b - a).slice(0, MOST_GROUPS);
    const should = best.map(([value, score]) => ({
      constant_score: { filter: { term: { [String(field)]: value } }, boost: score },
    }));
    const named = {
      ...(boost === undefined ? {} : { boost }),
      ...(_name === undefined ? {} : { _name }),
    };
    return should.length === 0
      ? { match_none: _name === undefined ? {} : { _name } }
      : { bool: { should, minimum_should_match: 1, ...named } };
  }
}

/** Options of clauses that hold a name. */
const INDEX_VALUES: ReadonlySet<string> = new Set(['value', 'query', 'wildcard', 'prefix']);

/** The k of vector clauses that give none, as in the query language of this service. */
const DEFAULT_K = 10;

function candidatesOf(body: JsonObject, k: number): number {
  const given = body['num_candidates'];
  const usual = Math.max(k, typeof given === 'number' ? given : Math.round(k * 1.5));
  return Math.min(MOST_CANDIDATES, usual);
}

function filterOf(filters: readonly Json[]): { readonly filter?: Json } {
  const [first, second] = filters;
  if (first === undefined) return {};
  return { filter: second === undefined ? first : { bool: { filter: filters } } };
}

function listOf(filter: Json | undefined): readonly Json[] {
  if (filter === undefined) return [];
  return Array.isArray(filter) ? (filter as readonly Json[]) : [filter];
}

function anyOf(filters: readonly JsonObject[]): readonly Json[] {
  return filters.length === 0 ? [] : [{ bool: { should: filters, minimum_should_match: 1 } }];
}

function withoutPassages(): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    '[semantic] [passages] are not available in cluster mode, where the vectors of whole texts rank: leave it out',
  );
}

/** The score of a vector by its similarity, in the scale that all engines have. */
function scoreOf(metric: string, similarity: number): number {
  if (metric === 'l2_norm') return 1 / (1 + similarity * similarity);
  if (metric !== 'max_inner_product') return (1 + similarity) / 2;
  return similarity < 0 ? 1 / (1 - similarity) : similarity + 1;
}

/** Ranges with `from` and `to`, which Elasticsearch does not have from version 9 on. */
function rangeOf(body: JsonObject): JsonObject {
  const changed = Object.entries(body).map(([field, given]): [string, Json] => {
    if (!isObject(given) || (given['from'] === undefined && given['to'] === undefined))
      return [field, given];
    const { from = null, to = null, include_lower: lower, include_upper: upper, ...rest } = given;
    return [
      field,
      {
        ...rest,
        ...(from === null ? {} : { [lower === false ? 'gt' : 'gte']: from }),
        ...(to === null ? {} : { [upper === false ? 'lt' : 'lte']: to }),
      },
    ];
  });
  return Object.fromEntries(changed);
}

/** Members that a body must have to need rewriting, apart from fields that are made here. */
const OURS = /"(?:semantic|knn|group_score|hybrid|retriever|graph|max_analyzed_offset|from|to)"/;

/** Whether a body may have something that the engine does not understand as it is. */
export function needsRewrite(
  body: JsonObject,
  made: readonly MadeField[],
  names: IndexNames,
): boolean {
  if (made.length > 0) return true;
  const text = printExact(body);
  return OURS.test(text) || (names.prefix !== '' && text.includes('"_index"'));
}
