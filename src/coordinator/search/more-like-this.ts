// Replaces `more_like_this` clauses by the terms that are selected from their examples, before a
// search is compiled: the examples are read and analysed, one exchange with the shards counts the
// documents of their terms, and the clause becomes a bool of the best terms.
import type { Json, JsonObject, MaybePromise, SearchRequest } from '../../backend/index.js';
import { turn } from '../../base/cooperative-task.js';
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
import { isGone, MOST_RETRIES } from '../shards/retry.js';
import type { FieldCounts } from '../suggest/suggest-client.js';
import { checkTerms, ExampleTerms } from './example-terms.js';
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

  /** Repeats if an index was dropped meanwhile, so that its name is resolved again. */
  async #replace(request: SearchRequest): Promise<SearchRequest> {
    const { catalog } = this.#options;
    for (let left = MOST_RETRIES; ; left--) {
      const { version } = catalog;
      try {
        return await this.#replaceOnce(request);
      } catch (error) {
        if (left === 0 || !isGone(error, catalog, version)) throw error;
      }
    }
  }

  async #replaceOnce(request: SearchRequest): Promise<SearchRequest> {
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
  const lists = [
    ...[...byField].map(([field, words]) => ({ words, fields: [field] })),
    { words: ofTexts, fields },
  ].map((list) => ({ ...list, terms: frequentWords(list.words, clause) }));
  const asks = lists.flatMap(({ terms, fields: among }) =>
    terms.length === 0 ? [] : among.map((field) => ({ field, terms })),
  );
  checkTerms(asks.reduce((sum, { terms }) => sum + terms.length, 0));
  const counts = await indexes.counts(asks);
  // The counts of so many terms have been read in one step; so are the terms selected.
  if (asks.length > 0) await turn();
  const documents = counts[0]?.liveDocuments ?? 0;
  const selected = lists.map(({ words, terms }) => {
    const own = asks.flatMap((ask, at) => (ask.terms === terms ? [{ ...ask, at }] : []));
    const documentsOf = mostFrequent(
      terms,
      own.map(({ field, at }) => ({ field, counts: counts[at] })),
    );
    const best = interestingTerms(terms, words, documentsOf, documents, clause);
    return clausesOf(best, clause);
  });
  return [selected.slice(0, -1).flat(), ...selected.slice(-1)].filter(({ length }) => length > 0);
}

interface CountedField {
  readonly field: string;
  readonly counts: FieldCounts | undefined;
}

/** The first field in which each term is most frequent. */
function mostFrequent(
  terms: readonly string[],
  fields: readonly CountedField[],
): ReadonlyMap<string, WordDocuments> {
  const found = new Map<string, WordDocuments>();
  for (const { field, counts } of fields) {
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
