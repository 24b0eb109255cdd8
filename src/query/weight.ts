// Estimates the cost of a search: roughly, passes over the documents of a shard in the worst case.
// The coordinator runs cheap searches of small indexes inline instead of on the worker pool.
import { FETCH_EXPLAIN } from '../wire/plan-writer.js';
import type { Clause } from './clauses/index.js';
import type { QueryParts } from './compiled-query.js';

/** The largest page of an inline search. Each of its documents has to be read. */
const MOST_HITS = 20;
/** Longer texts exclude inline execution, as each word costs a pass. */
const LETTERS = 100;
/** Passes for each word of a phrase, whose positions have to be read. */
const PHRASE_WORD = 4;
/**
 * Passes for a prefix by its length in characters. An empty prefix may match a large part of all
 * terms.
 */
const PREFIX = [Infinity, 16, 8, 4];
/** Passes for the terms within one or two edits of a word, with the usual number of expansions. */
const FUZZY = 12;
/** The length from which a literal inside a pattern is selective: few terms contain it. */
const INNER_LETTERS = 3;
const INNER = 16;
/** Passes for a vector clause: a fixed cost, and MORE_CANDIDATES for each CANDIDATES candidates. */
const NEIGHBOURS = 8;
const CANDIDATES = 100;
const MORE_CANDIDATES = 4;
const SORT = 4;
const AGGREGATION = 12;

/** Aggregations whose number of buckets or documents read is set by the request. */
const HEAVY_AGGS: ReadonlySet<string> = new Set([
  'composite',
  'top_hits',
  'significant_terms',
  'rare_terms',
  'auto_date_histogram',
  'filters',
  'adjacency_matrix',
]);

/** Infinity: not suitable for inline execution. */
export function weightOf(parts: QueryParts): number {
  const { header, legs, postFilter, semantic, sort, fetch } = parts;
  const { aggs = [], highlight = [], collapse, rescores = [] } = parts;
  const more = semantic.length + highlight.length + rescores.length;
  if (more > 0 || collapse !== undefined || header.window > MOST_HITS) return Infinity;
  if ((fetch.flags & FETCH_EXPLAIN) !== 0 || sort.some(({ script }) => script !== undefined))
    return Infinity;
  const queries = sum(legs) + (postFilter === undefined ? 0 : weightOfClause(postFilter));
  const found = queries + (sort.length > 0 ? SORT : 0);
  if (aggs.length === 0) return found;
  const inner = aggs.flatMap(({ children }) => children);
  const heavy = [...aggs, ...inner].some(({ type }) => HEAVY_AGGS.has(type));
  if (heavy || inner.some(({ children }) => children.length > 0)) return Infinity;
  const passes = [...aggs, ...inner].reduce((all, one) => all + (one.passes ?? 1), 0);
  return found + passes * AGGREGATION;
}

function sum(clauses: readonly Clause[]): number {
  return clauses.reduce((all, clause) => all + weightOfClause(clause), 0);
}

function weightOfClause(clause: Clause): number {
  switch (clause.kind) {
    case 'match_all':
    case 'match_none':
    case 'exists':
    case 'range':
      return 1;
    case 'term':
      return clause.caseInsensitive ? Infinity : 1;
    case 'terms':
    case 'ids':
      return clause.values.length;
    case 'match':
      return wordsOf(clause.text.text) * (clause.options.fuzziness === '' ? 1 : FUZZY);
    case 'match_phrase':
      return PHRASE_WORD * wordsOf(clause.text.text);
    case 'prefix':
      return clause.caseInsensitive ? Infinity : prefixOf(clause.value.length);
    case 'wildcard':
      return clause.caseInsensitive ? Infinity : patternOf(clause.pattern);
    case 'fuzzy':
      return FUZZY;
    case 'bool':
      return sum(clause.must) + sum(clause.filter) + sum(clause.should) + sum(clause.mustNot);
    case 'constant_score':
      return weightOfClause(clause.filter);
    case 'dis_max':
      return sum(clause.queries);
    case 'knn':
      return (
        neighboursOf(clause.numCandidates) + sum(clause.filter === undefined ? [] : [clause.filter])
      );
    default:
      return Infinity;
  }
}

function prefixOf(characters: number): number {
  return PREFIX[Math.min(characters, PREFIX.length - 1)] ?? Infinity;
}

function patternOf(pattern: string): number {
  const runs = pattern.split(/[*?\\]/);
  const first = runs[0]?.length ?? 0;
  return first > 0 || runs.every(({ length }) => length < INNER_LETTERS) ? prefixOf(first) : INNER;
}

function neighboursOf(candidates: number): number {
  return NEIGHBOURS + Math.ceil(candidates / CANDIDATES) * MORE_CANDIDATES;
}

function wordsOf(text: string): number {
  if (text.length > LETTERS) return Infinity;
  let words = 1;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) words++;
  return words;
}
