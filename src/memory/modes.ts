// Translates each mode of recall into a search body over the visible memories, and into a query for
// the memories that it could return at all.
import type { Json, JsonObject } from '../backend/index.js';
import { TEXT_VECTOR } from './memory-index.js';
import type { RecallMode } from './recall-body.js';

/** The memories that may be returned: those that match all of `filter` and none of `mustNot`. */
export interface Scope {
  readonly filter: readonly JsonObject[];
  readonly mustNot: readonly JsonObject[];
}

export const EVERYTHING: Scope = { filter: [], mustNot: [] };
/** Newest first; within one millisecond the later document first. */
export const NEWEST_FIRST: readonly Json[] = [{ stored_at: 'desc' }, { _doc: 'desc' }];
/**
 * True if the mode searches for nearest vectors, so that it does not yield a total number of
 * matches.
 */
export function isNear({ kind }: RecallMode): boolean {
  return kind === 'vector' || kind === 'semantic' || kind === 'hybrid';
}

/** A mode that one search ranks; the lists of hybrid mode are fused in fused-pool.ts. */
export type ListMode = Exclude<RecallMode, { kind: 'hybrid' }>;
export type NearMode = Extract<RecallMode, { kind: 'vector' | 'semantic' }>;

/** The list of nearest vectors of hybrid mode. */
export function nearModeOf({ query, vector }: Extract<RecallMode, { kind: 'hybrid' }>): NearMode {
  return vector === undefined ? { kind: 'semantic', query } : { kind: 'vector', vector };
}

/** The body of a search for the best `size`; the caller adds what each hit returns. */
export function searchOf(mode: ListMode, scope: Scope, size: number): JsonObject {
  switch (mode.kind) {
    case 'vector':
      return { knn: knnOf(mode.vector, size, scope), size };
    case 'recent':
      return { query: inScope([], scope), sort: NEWEST_FIRST, size };
    case 'query':
      return { query: inScope([mode.words], scope), size };
    case 'semantic':
      return { query: { semantic: semanticOf(mode.query, size, scope) }, size };
  }
}

/**
 * The body of a search that scores the given memories like the mode, including those that the mode
 * would not find, which score 0. In recent mode hits have no score.
 */
export function scoringOf(mode: ListMode, scope: Scope, ids: readonly string[]): JsonObject {
  const some = { ...scope, filter: [...scope.filter, { ids: { values: ids } }] };
  const scored = (clause: JsonObject): JsonObject => ({
    query: { bool: { should: [clause], filter: some.filter, must_not: some.mustNot } },
    size: ids.length,
  });
  switch (mode.kind) {
    case 'vector':
    case 'semantic':
      return scored(nearQueryOf(mode, some, ids.length));
    case 'query':
      return scored(mode.words);
    case 'recent':
      return { query: inScope([], some), size: ids.length, sort: ['_doc'] };
  }
}

/** The query for the `size` nearest vectors of a scope. */
export function nearQueryOf(mode: NearMode, scope: Scope, size: number): JsonObject {
  return mode.kind === 'vector'
    ? { knn: knnOf(mode.vector, size, scope) }
    : { semantic: semanticOf(mode.query, size, scope) };
}

/** The query for all memories that the mode could return, whatever their rank. */
export function answerableOf(mode: RecallMode): JsonObject {
  switch (mode.kind) {
    case 'vector':
      return { exists: { field: 'vector' } };
    case 'semantic':
      return { exists: { field: TEXT_VECTOR } };
    case 'query':
      return mode.words;
    case 'hybrid': {
      const near = { exists: { field: mode.vector === undefined ? TEXT_VECTOR : 'vector' } };
      return { bool: { should: [mode.words, near] } };
    }
    case 'recent':
      return { match_all: {} };
  }
}

export function inScope(must: readonly JsonObject[], { filter, mustNot }: Scope): JsonObject {
  return {
    bool: {
      ...(must.length === 0 ? {} : { must }),
      ...(filter.length === 0 ? {} : { filter }),
      ...(mustNot.length === 0 ? {} : { must_not: mustNot }),
    },
  };
}

/** Without a filter, a large namespace is searched by its vector graph; with one, exactly. */
function asFilter(scope: Scope): JsonObject {
  const { filter, mustNot } = scope;
  if (mustNot.length > 0 || filter.length > 1) return { filter: inScope([], scope) };
  // Alone it is not wrapped, so that a list of ids, which no other recall has, is not cached.
  const [only] = filter;
  return only === undefined ? {} : { filter: only };
}

function knnOf(vector: readonly number[], k: number, scope: Scope): JsonObject {
  return { field: 'vector', query_vector: vector, k, ...asFilter(scope) };
}

function semanticOf(query: string, k: number, scope: Scope): JsonObject {
  // The vector of the whole text ranks: mixed with passages, long messages were found less well.
  return { field: 'text', query, k, passages: false, ...asFilter(scope) };
}
