// One recall over several namespaces: each is recalled as by itself, and the hits are merged by
// score. Scores of one mode are comparable where the namespaces have the same embedder.
import type { Backend, Json, JsonObject } from '../../backend/index.js';
import { isPattern, wildcardMatch } from '../../base/wildcard.js';
import { illegal } from '../../graph/names.js';
import { shown } from '../../graph/times.js';
import { isObject, missing } from '../body-fields.js';
import { type Candidate, collapsed, withinChars } from '../candidates.js';
import type { NotShown } from '../exclusion-counts.js';
import { checkNamespace } from '../names.js';
import type { RecallAnswer, RecallHit } from '../recall.js';
import { readRecallBody } from '../recall-body.js';
import { type NamespaceAccess, namespaceNames } from './namespaces.js';

export interface ManyHit extends RecallHit {
  readonly namespace: string;
}

export interface RecallManyAnswer {
  /** The namespaces that were recalled, in order. */
  readonly namespaces: readonly string[];
  readonly hits: readonly ManyHit[];
  /** Summed over the namespaces. */
  readonly not_shown: NotShown;
  /** The graph was requested, and none of the namespaces has links. */
  readonly no_edges_index?: true;
}

export interface RecallManyRequest {
  /** Names and patterns. */
  readonly names: readonly string[];
  /** The recall of each namespace. */
  readonly body: JsonObject;
}

/** Namespaces of one request, and of those that are recalled at the same time. */
const MAX_NAMESPACES = 100;
const AT_ONCE = 8;

export function readRecallManyBody({ namespaces, ...body }: JsonObject): RecallManyRequest {
  if (namespaces === undefined || namespaces === null) {
    throw missing('[namespaces] is missing, name them; ["*"] is all that you may use');
  }
  const list = typeof namespaces === 'string' ? [namespaces] : namespaces;
  if (!Array.isArray(list) || list.length === 0) {
    throw illegal(`[namespaces] must be a list of names or patterns, got ${shown(namespaces)}`);
  }
  const names = (list as readonly Json[]).map((name, i) => {
    if (typeof name !== 'string') {
      throw illegal(`[namespaces[${i}]] must be a string, got ${shown(name)}`);
    }
    if (!isPattern(name)) checkNamespace(name);
    return name;
  });
  readRecallBody(body);
  const { graph, explain } = body;
  const seeds = isObject(graph) ? graph['seeds'] : undefined;
  if (seeds !== undefined) throw single('graph.seeds');
  if (isObject(explain)) throw single('explain.ids');
  if (body['rerank'] !== undefined && body['rerank'] !== null) {
    throw illegal(
      '[rerank] orders the hits of one namespace: use POST /_memory/{namespace}/_recall, or leave it out',
    );
  }
  return { names, body };
}

function single(field: string): Error {
  return illegal(
    `[${field}] are ids of one namespace: use POST /_memory/{namespace}/_recall, or leave them out`,
  );
}

/** Patterns match what the client may use; a name that it may not use is an error. */
export function namesOf(
  backend: Backend,
  { names }: RecallManyRequest,
  access: NamespaceAccess,
): readonly string[] {
  const existing = names.some(isPattern) ? namespaceNames(backend, access) : [];
  const all = names.flatMap((name) => {
    if (isPattern(name)) return existing.filter((one) => wildcardMatch(name, one));
    access.check(name);
    return [name];
  });
  const distinct = [...new Set(all)];
  if (distinct.length <= MAX_NAMESPACES) return distinct;
  throw illegal(
    `[namespaces] stands for ${distinct.length} namespaces, at most ${MAX_NAMESPACES} are recalled at once; name fewer`,
  );
}

export async function recallMany(
  namespaces: readonly string[],
  body: JsonObject,
  recall: (namespace: string, body: JsonObject) => Promise<RecallAnswer>,
): Promise<RecallManyAnswer> {
  const request = readRecallBody(body);
  const { k, collapse, maxChars } = request;
  // The limit of characters is for the merged hits.
  const { max_chars: _chars, ...each } = body;
  const answers: RecallAnswer[] = [];
  for (let at = 0; at < namespaces.length; at += AT_ONCE) {
    const some = namespaces.slice(at, at + AT_ONCE);
    answers.push(...(await Promise.all(some.map((namespace) => recall(namespace, each)))));
  }
  const merged = answers.flatMap(({ namespace, hits }) =>
    hits.map((hit) => ({ namespace, ...hit })),
  );
  const sorted = [...merged].sort(byScore);
  const ranked = sorted.map(asCandidate);
  const kept = collapse === undefined ? ranked : collapsed(ranked, collapse);
  const first = kept.slice(0, k);
  const { hits, clipped } =
    maxChars === undefined ? { hits: first, clipped: 0 } : withinChars(first, maxChars);
  const sums = answers.map(({ not_shown }) => not_shown);
  const { k: beyond, ...reasons } = sumOf(sums);
  return {
    namespaces,
    hits: hits.flatMap(({ id, entry }) => {
      const hit = sorted[Number(id)];
      return hit === undefined ? [] : [{ ...hit, text: entry?.text ?? '' }];
    }),
    not_shown: {
      k: beyond + kept.length - first.length,
      ...reasons,
      ...(collapse === undefined
        ? {}
        : { collapsed: (reasons.collapsed ?? 0) + ranked.length - kept.length }),
      ...(maxChars === undefined ? {} : { max_chars: clipped }),
    },
    ...(answers.length > 0 && answers.every((one) => one.no_edges_index === true)
      ? { no_edges_index: true }
      : {}),
  };
}

/** Without scores the latest first; equal ones stay in the order of the namespaces. */
function byScore(a: ManyHit, b: ManyHit): number {
  return (
    (b.score ?? 0) - (a.score ?? 0) ||
    (a.score === null && b.score === null ? (b.stored_at ?? 0) - (a.stored_at ?? 0) : 0)
  );
}

/** `at`: the place of the hit, as the id of the candidate. */
function asCandidate({ text, metadata, score, stored_at }: ManyHit, at: number): Candidate {
  const times = { own_time: null, expires_at: null, invalid_at: null, superseded_at: null };
  return {
    id: String(at),
    entry: { text, metadata, vector: null, stored_at, ...times },
    ownTime: null,
    score,
    baseRank: null,
    baseScore: score,
    graph: null,
    context: null,
    parts: null,
  };
}

function sumOf(all: readonly NotShown[]): NotShown {
  const sums: Record<string, number> = {};
  for (const one of all) {
    for (const [reason, count] of Object.entries(one)) sums[reason] = (sums[reason] ?? 0) + count;
  }
  return { k: 0, expired: 0, superseded: 0, filter: 0, ...sums };
}
