// Reads the body of a recall and checks it: every member is optional, and an unknown one is an
// error that names it.
import type { Json, JsonObject } from '../backend/index.js';
import type { ContextWeights } from '../fusion/context-score.js';
import { illegal } from '../graph/names.js';
import { readTime, shown } from '../graph/times.js';
import {
  isAbsent,
  isObject,
  missing,
  readFlag,
  readIds,
  readObject,
  readShare,
  readText,
  readVector,
  readWhole,
  refuseUnknown,
} from './body-fields.js';
import { matching } from './context/question.js';

/**
 * The mode that ranks, in the order of precedence of the body's members. `words` is the query that
 * ranks by the words of the question.
 */
export type RecallMode =
  | { readonly kind: 'vector'; readonly vector: readonly number[] }
  | { readonly kind: 'semantic'; readonly query: string }
  | { readonly kind: 'query'; readonly query: string; readonly words: JsonObject }
  /**
   * Ranks by words and by meaning, with the namespace's embedder or with a vector of the client.
   */
  | {
      readonly kind: 'hybrid';
      readonly query: string;
      readonly words: JsonObject;
      readonly vector: readonly number[] | undefined;
    }
  | { readonly kind: 'recent' };

/** A rounded middle of the best settings of three public sets of dialogues. */
export const RECIPE: ContextWeights = {
  neighbours: 0.3,
  session: 0.5,
  speaker: 0.3,
  phrase: 0.2,
};

/** The first hits are put in order by a registered reranker. */
export interface RerankChoice {
  readonly inferenceId: string;
  /** What the reranker compares the memories with. */
  readonly query: string;
  readonly top: number;
}

export interface GraphRequest {
  readonly mode: 'restrict' | 'blend';
  /** Undefined: the best hits. */
  readonly seeds: readonly string[] | undefined;
  /** 1 or more; above 2 counts as 2. */
  readonly hops: number;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  readonly weight: number;
  readonly asOf: number | undefined;
}

export interface RecallRequest {
  readonly mode: RecallMode;
  readonly k: number;
  /** Undefined: only the memory itself counts. */
  readonly context: ContextWeights | undefined;
  readonly filter: JsonObject | undefined;
  readonly recencyWeight: number;
  readonly graph: GraphRequest | undefined;
  readonly explain: boolean;
  /** Ids whose rank is to be explained, returned or not. */
  readonly explainIds: readonly string[];
  /** Name of a member of metadata. */
  readonly collapse: string | undefined;
  readonly maxChars: number | undefined;
  readonly rerank: RerankChoice | undefined;
  readonly asOf: number | undefined;
  readonly knownAt: number | undefined;
}

/** True if more than the mode ranks, so that more candidates than hits are needed. */
export function isPooled(request: RecallRequest): boolean {
  const { recencyWeight, graph, collapse, rerank } = request;
  const isRanked = recencyWeight > 0 || graph?.mode === 'blend' || rerank !== undefined;
  return isFused(request) || isRanked || collapse !== undefined;
}

/** True if several scores of a memory are added, so that a pool of candidates is scored. */
export function isFused({ mode, context }: RecallRequest): boolean {
  return mode.kind === 'hybrid' || context !== undefined;
}

/** Candidates per hit, and the minimum number of candidates, where more than the mode ranks. */
const POOL_FACTOR = 4;
/** The same for each list of a pool whose candidates are scored anew. */
const FUSED_FACTOR = 2;
const MIN_POOL = 50;
/** Number of seeds for a blend that names none. */
export const BEST_HITS = 5;

export interface PoolRequest {
  readonly size: number;
  /** What is read of each candidate: see candidates.ts. */
  readonly brings: 'documents' | 'times' | 'ids';
}

/**
 * The candidates to search for. Explaining and collapsing need documents; recency needs times. A
 * blend searches for the linked memories by id and scores them, because an unlinked memory after
 * the best k cannot reach the front. In recent mode, which gives no scores, the pool has to contain
 * them.
 */
export function poolOf(request: RecallRequest): PoolRequest {
  const { k, collapse, explain, explainIds, mode, recencyWeight, rerank } = request;
  if (!isPooled(request)) return { size: k, brings: 'documents' };
  const fused = isFused(request);
  const size = Math.max((fused ? FUSED_FACTOR : POOL_FACTOR) * k, MIN_POOL, rerank?.top ?? 0);
  const isLookedAt = explain || explainIds.length > 0 || collapse !== undefined;
  if (isLookedAt) return { size, brings: 'documents' };
  if (recencyWeight > 0) return { size, brings: 'times' };
  if (fused || mode.kind === 'recent' || rerank !== undefined) return { size, brings: 'ids' };
  return { size: Math.max(k, BEST_HITS), brings: 'documents' };
}

const KEYS = [
  'query',
  'vector',
  'semantic',
  'hybrid',
  'context',
  'k',
  'filter',
  'recency_weight',
  'graph',
  'explain',
  'collapse',
  'max_chars',
  'rerank',
  'as_of',
  'known_at',
];
const CONTEXT_KEYS = Object.keys(RECIPE) as readonly (keyof ContextWeights)[];
const GRAPH_KEYS = ['mode', 'seeds', 'hops', 'types', 'weight', 'as_of'];
const DEFAULT_K = 10;
/** The maximum depth of a search. */
export const MAX_K = 10_000;
const RERANK_KEYS = ['inference_id', 'top'];
/** Memories that are sent to a reranker. */
const DEFAULT_TOP = 50;
const MAX_TOP = 200;
const MAX_SEEDS = 100;
const MAX_IDS = 100;
const DEFAULT_WEIGHT = 0.3;

export function readRecallBody(body: JsonObject): RecallRequest {
  refuseUnknown(body, KEYS, 'a recall');
  const explain = body['explain'];
  const mode = readMode(body);
  const graph = readGraph(body['graph']);
  return {
    mode,
    context: readContext(body['context'], mode, graph?.mode === 'blend'),
    k: readWhole(body, 'k', 1, MAX_K) ?? DEFAULT_K,
    filter: readObject(body, 'filter'),
    recencyWeight: readShare(body, 'recency_weight') ?? 0,
    graph,
    explain: isObject(explain) || (readFlag(body, 'explain') ?? false),
    explainIds: isObject(explain) ? readExplainIds(explain) : [],
    collapse: readCollapse(body),
    maxChars: readWhole(body, 'max_chars', 1, Number.MAX_SAFE_INTEGER),
    rerank: readRerank(body),
    asOf: readInstant(body, 'as_of'),
    knownAt: readInstant(body, 'known_at'),
  };
}

function readMode(body: JsonObject): RecallMode {
  const query = readText(body, 'query') ?? '';
  const vector = readVector(body, 'vector');
  const semantic = readFlag(body, 'semantic') ?? false;
  const hybrid = readFlag(body, 'hybrid') ?? false;
  const blank = query.trim() === '';
  if (hybrid) {
    if (blank) throw missing('[hybrid] needs a [query] that is not blank');
    return { kind: 'hybrid', query, words: matching('text', query), vector };
  }
  if (vector !== undefined) return { kind: 'vector', vector };
  if (semantic && blank) throw missing('[semantic] needs a [query] that is not blank');
  if (blank) return { kind: 'recent' };
  if (semantic) return { kind: 'semantic', query };
  return { kind: 'query', query, words: matching('text', query) };
}

/**
 * Absent: the recipe in hybrid mode, none in the others. Members that it lacks are the recipe's;
 * with a blend, which counts the links itself, neighbours count only where they are named.
 */
function readContext(
  value: Json | undefined,
  { kind }: RecallMode,
  isBlended: boolean,
): ContextWeights | undefined {
  const recipe = isBlended ? { ...RECIPE, neighbours: 0 } : RECIPE;
  if (isAbsent(value)) return kind === 'hybrid' ? recipe : undefined;
  if (value === false) return undefined;
  if (value !== true && !isObject(value)) {
    throw illegal(
      `[context] must be true, false or an object of [${CONTEXT_KEYS.join(', ')}], got ${shown(value)}`,
    );
  }
  if (kind !== 'query' && kind !== 'hybrid') {
    throw illegal(
      `[context] needs words: give [query], alone or with [hybrid], and not [semantic] or [vector] alone`,
    );
  }
  if (value === true) return recipe;
  refuseUnknown(value, CONTEXT_KEYS, '[context]');
  const weights = CONTEXT_KEYS.map(
    (key) => [key, readShare(value, key, `context.${key}`)] as const,
  );
  const given = Object.fromEntries(weights.filter(([, weight]) => weight !== undefined));
  return { ...recipe, ...given };
}

function readRerank(body: JsonObject): RerankChoice | undefined {
  const value = readObject(body, 'rerank');
  if (value === undefined) return undefined;
  refuseUnknown(value, RERANK_KEYS, '[rerank]');
  const inferenceId = readText(value, 'inference_id', 'rerank.inference_id');
  if (inferenceId === undefined) {
    throw missing(
      '[rerank.inference_id] is missing, name an endpoint of PUT /_inference/rerank/{id}',
    );
  }
  const query = readText(body, 'query') ?? '';
  if (query.trim() === '') throw missing('[rerank] needs a [query] that is not blank');
  const top = readWhole(value, 'top', 1, MAX_TOP, 'rerank.top') ?? DEFAULT_TOP;
  return { inferenceId, query, top };
}

function readGraph(value: Json | undefined): GraphRequest | undefined {
  if (isAbsent(value)) return undefined;
  if (!isObject(value)) {
    throw illegal(`[graph] must be an object of [${GRAPH_KEYS.join(', ')}], got ${shown(value)}`);
  }
  refuseUnknown(value, GRAPH_KEYS, '[graph]');
  const { mode } = value;
  if (isAbsent(mode)) throw missing('[graph.mode] is missing, give [restrict] or [blend]');
  if (mode !== 'restrict' && mode !== 'blend') {
    throw illegal(`[graph.mode] must be [restrict] or [blend], got ${shown(mode)}`);
  }
  const seeds = readIds(value['seeds'], 'graph.seeds', MAX_SEEDS);
  if (mode === 'restrict' && seeds === undefined) {
    throw missing('[graph.seeds] is missing, [restrict] needs the nodes to start from');
  }
  return {
    mode,
    seeds,
    hops: readWhole(value, 'hops', 1, Number.MAX_SAFE_INTEGER, 'graph.hops') ?? 1,
    types: readIds(value['types'], 'graph.types', MAX_SEEDS),
    weight: readShare(value, 'weight', 'graph.weight') ?? DEFAULT_WEIGHT,
    asOf: readInstant(value, 'as_of', 'graph.as_of'),
  };
}

function readExplainIds(explain: JsonObject): readonly string[] {
  refuseUnknown(explain, ['ids'], '[explain]');
  const ids = readIds(explain['ids'], 'explain.ids', MAX_IDS);
  if (ids === undefined) throw missing('[explain.ids] is missing, name the memories to explain');
  return ids;
}

function readCollapse(body: JsonObject): string | undefined {
  const name = readText(body, 'collapse');
  if (name === undefined) return undefined;
  const match = /^metadata\.(.+)$/s.exec(name);
  if (match?.[1] !== undefined) return match[1];
  throw illegal(
    `[collapse] must name a member of the metadata such as [metadata.session], got ${shown(name)}`,
  );
}

function readInstant(body: JsonObject, field: string, name = field): number | undefined {
  const value = body[field];
  return isAbsent(value) ? undefined : readTime(value, name);
}
