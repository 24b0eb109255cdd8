// Replaces `more_like_this` clauses by the terms that are selected from their examples, before a
// search is compiled: the examples are read and analysed, one exchange with the shards counts the
// documents of their terms, and the clause becomes a bool of the best terms.
import type { Json, JsonObject, MaybePromise, SearchRequest } from '../../backend/index.js';
import { mentionsClause, replaceClauses } from '../../base/search-clauses.js';
import {
  frequentWords,
  type InterestingTerm,
  interestingTerms,
  type WordDocuments,
} from '../../query/interesting-terms.js';
import { checkLength } from '../../query/list-limits.js';
import { MORE_LIKE_THIS, type MoreLikeThis, readMoreLikeThis } from '../../query/more-like-this.js';
import { malformed } from '../../query/values.js';
import type { FieldCounts } from '../suggest/suggest-client.js';
import { checkTerms, ExampleTerms, type FieldWords } from './example-terms.js';
import { type LikedIndexes, LikedSearch, type LikedSearchOptions } from './liked-search.js';

export class MoreLikeThisClauses {
  readonly #options: LikedSearchOptions;

  constructor(options: LikedSearchOptions) {
    this.#options = options;
  }

  /** The same request object if the body has no such clause. */
  resolve(request: SearchRequest): MaybePromise<SearchRequest> {
    return mentionsClause(request.body, MORE_LIKE_THIS) ? this.#replace(request) : request;
  }

  async #replace(request: SearchRequest): Promise<SearchRequest> {
    let count = 0;
    const search = new LikedSearch(this.#options, request);
    try {
      const body = await replaceClauses(request.body, MORE_LIKE_THIS, (value, isNested) => {
        count += 1;
        checkLength('[more_like_this] clauses of a search', count, 'send several searches');
        return queryOf(value, isNested, search);
      });
      return { ...request, body };
    } finally {
      search.end();
    }
  }
}

async function queryOf(value: Json, isNested: boolean, indexes: LikedIndexes): Promise<JsonObject> {
  if (isNested) {
    throw malformed(
      `[${MORE_LIKE_THIS}] is not supported inside [nested], put it beside the [nested] query`,
    );
  }
  const clause = readMoreLikeThis(value);
  const terms = new ExampleTerms(clause, indexes);
  await terms.read();
  const groups = await selectedTerms(clause, terms, indexes);
  return boolOf(clause, groups);
}

/** The terms of the documents, and those of the texts; each list has its own minimum of matches. */
async function selectedTerms(
  clause: MoreLikeThis,
  { byField, ofTexts, fields }: ExampleTerms,
  indexes: LikedIndexes,
): Promise<readonly (readonly JsonObject[])[]> {
  const asks = [...byField].map(([field, words]) => ({
    field,
    terms: frequentWords(words, clause),
  }));
  const textTerms = frequentWords(ofTexts, clause);
  const every = [...asks, ...fields.map((field) => ({ field, terms: textTerms }))].filter(
    ({ terms }) => terms.length > 0,
  );
  checkTerms(every.reduce((sum, { terms }) => sum + terms.length, 0));
  const counts = every.length === 0 ? [] : await indexes.counts(every);
  const [{ liveDocuments } = { liveDocuments: 0 }] = counts;
  const documentsIn = (among: readonly number[]): ReadonlyMap<string, WordDocuments> =>
    mostFrequent(
      among.map((at) => ({ ...(every[at] ?? { field: '', terms: [] }), counts: counts[at] })),
    );
  const select = (words: FieldWords, among: readonly number[]): readonly JsonObject[] =>
    clausesOf(interestingTerms(words, documentsIn(among), liveDocuments, clause), clause);
  let next = 0;
  const ofDocuments = asks.flatMap(({ field, terms }) => {
    const words = byField.get(field);
    return words === undefined || terms.length === 0 ? [] : select(words, [next++]);
  });
  const left = every.slice(next).map((_, at) => next + at);
  return [ofDocuments, select(ofTexts, left)].filter((list) => list.length > 0);
}

interface CountedTerms {
  readonly field: string;
  readonly terms: readonly string[];
  readonly counts: FieldCounts | undefined;
}

/** The first field in which each term is most frequent. */
function mostFrequent(lists: readonly CountedTerms[]): ReadonlyMap<string, WordDocuments> {
  const found = new Map<string, WordDocuments>();
  for (const { field, terms, counts } of lists) {
    for (const [at, term] of terms.entries()) {
      const documents = counts?.terms[at]?.documents ?? 0;
      if (documents > (found.get(term)?.documents ?? -1)) found.set(term, { field, documents });
    }
  }
  return found;
}

/** Boosts are relative to the least score, as in Lucene, and 32-bit floats. */
function clausesOf(
  terms: readonly InterestingTerm[],
  { boostTerms }: MoreLikeThis,
): readonly JsonObject[] {
  const least = terms[0]?.score ?? 1;
  return terms.map(({ field, term, score }) => {
    const boost = Math.fround(Math.fround(Math.fround(boostTerms) * score) / least);
    return { term: { [field]: boostTerms === 0 ? { value: term } : { value: term, boost } } };
  });
}

function boolOf(
  { like, include, minimumShouldMatch, rest }: MoreLikeThis,
  groups: readonly (readonly JsonObject[])[],
): JsonObject {
  if (groups.length === 0) return { match_none: rest };
  const ids = include ? [] : like.documents.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const should = groups.map((terms) => ({
    bool: { should: terms, minimum_should_match: minimumShouldMatch },
  }));
  const excluded = ids.length === 0 ? {} : { must_not: [{ ids: { values: ids } }] };
  return { bool: { should, ...excluded, ...rest } };
}
