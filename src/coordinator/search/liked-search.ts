// The indexes of a search with `more_like_this`: the documents that the caller names, as far as it
// may see them, the terms of texts in the fields, and the counts of terms.
import type {
  FoundDocument,
  GetRequest,
  JsonObject,
  MaybePromise,
  SearchRequest,
  SearchResult,
} from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { Clause } from '../../query/clauses/index.js';
import { defaultFields } from '../../query/clauses/multi-match.js';
import { type LikedDocument, MORE_LIKE_THIS } from '../../query/more-like-this.js';
import { readAliasFilter } from '../../query/queries.js';
import type { TermsAsk, TextTerm } from '../../wire/suggest.js';
import type { Catalog } from '../catalog/catalog.js';
import { checkAccess } from '../catalog/index-expression.js';
import { parseJson } from '../catalog/json-text.js';
import { TextFields } from '../catalog/text-fields.js';
import type { PoolScopes, ScopedPool } from '../shards/scoped-pool.js';
import { planSetting } from '../shards/search-plans.js';
import { type SearchedIndex, searchTargets, type TargetGroup } from '../shards/search-targets.js';
import {
  type FieldCounts,
  SuggestClient,
  type SuggestClientOptions,
} from '../suggest/suggest-client.js';
import type { PinnedSearch } from './search-contexts.js';

export interface LikedSearchOptions extends Omit<SuggestClientOptions, 'pool'> {
  readonly catalog: Catalog;
  readonly scopes: Pick<PoolScopes, 'open'>;
  /** The mappings of the index of that number. */
  readonly mappings: (index: number) => JsonObject;
  /** The snapshots of a search whose body names a point in time. */
  readonly pinned: (request: SearchRequest) => PinnedSearch;
  readonly get: (request: GetRequest) => Promise<FoundDocument>;
  readonly search: (request: SearchRequest) => MaybePromise<SearchResult>;
}

/** A document, and the index whose mapping applies to it. */
export interface LikedSource {
  readonly index: SearchedIndex;
  readonly source: JsonObject;
}

type Terms = Omit<TermsAsk, 'kind'>;

/** What a selection of terms reads. */
export interface LikedIndexes {
  readonly searched: readonly SearchedIndex[];
  fieldsIn(index: SearchedIndex): TextFields;
  defaultFields(): readonly string[];
  /** None: there is no such document, or the caller may not see it. */
  read(document: LikedDocument): Promise<readonly LikedSource[]>;
  /** Undefined: by the first searched index that maps the field. */
  terms(
    index: SearchedIndex | undefined,
    asks: readonly Terms[],
  ): Promise<readonly (readonly TextTerm[])[]>;
  /** Of the documents that the search may find. */
  counts(
    asks: readonly { readonly field: string; readonly terms: readonly string[] }[],
  ): Promise<readonly FieldCounts[]>;
}

/** Documents of one id that a search over several indexes finds. */
const MOST_DOCUMENTS = 100;

export class LikedSearch implements LikedIndexes {
  readonly #options: LikedSearchOptions;
  readonly #request: SearchRequest;
  readonly #pool: ScopedPool;
  readonly #groups: readonly TargetGroup[];
  readonly #pinned: PinnedSearch | undefined;
  readonly #fields = new Map<number, TextFields>();
  readonly searched: readonly SearchedIndex[];

  /** Throws for names that the caller may not use. */
  constructor(options: LikedSearchOptions, request: SearchRequest) {
    this.#options = options;
    this.#request = request;
    this.#pinned = request.body['pit'] === undefined ? undefined : options.pinned(request);
    this.#groups = this.#pinned?.groups ?? searchTargets(options.catalog, request.index, request);
    this.searched = this.#groups.flatMap(({ entries }) => entries);
    // Without the time limit of the search, under which too few terms might be counted.
    this.#pool = options.scopes.open({ body: {}, waiter: request.waiter });
  }

  end(): void {
    this.#pool.end();
  }

  fieldsIn({ number }: SearchedIndex): TextFields {
    const known = this.#fields.get(number);
    if (known !== undefined) return known;
    const fields = new TextFields(this.#options.mappings(number));
    this.#fields.set(number, fields);
    return fields;
  }

  defaultFields(): readonly string[] {
    const { queryDefaults } = planSetting(this.#groups);
    const fields = defaultFields(MORE_LIKE_THIS, { defaults: queryDefaults });
    return fields.length === 0 ? ['*'] : fields.map(({ field }) => field);
  }

  async read(document: LikedDocument): Promise<readonly LikedSource[]> {
    const { doc, id, index } = document;
    this.#request.waiter?.check();
    try {
      if (doc !== undefined) return this.#given(doc, index);
      if (id === undefined) return [];
      const only = this.#onlyIndex();
      if (index === undefined && only === undefined) return await this.#found(document, id);
      const { access } = this.#request;
      return await this.#stored(document, id, {
        index: index ?? only ?? '',
        // The search itself was admitted to its index, by whatever name.
        ...(index === undefined ? {} : { access }),
      });
    } catch (error) {
      if (error instanceof QuarryError && isMissing(error)) return [];
      throw error;
    }
  }

  /** The searched index, if it is one and the caller sees all of it. */
  #onlyIndex(): string | undefined {
    const [first, second] = this.searched;
    const isWhole = this.#pinned === undefined && this.#groups[0]?.filters.length === 0;
    return isWhole && second === undefined ? first?.name : undefined;
  }

  #given(doc: JsonObject, name: string | undefined): readonly LikedSource[] {
    if (name !== undefined) checkAccess(this.#request.access, name);
    const [first] = this.searched;
    const index = name === undefined ? first : this.#options.catalog.single(name).entry;
    return index === undefined ? [] : [{ index, source: doc }];
  }

  async #stored(
    { routing, version, versionType }: LikedDocument,
    id: string,
    where: Pick<GetRequest, 'index' | 'access'>,
  ): Promise<readonly LikedSource[]> {
    const found = await this.#options.get({
      ...where,
      id,
      source: true,
      ...(routing === undefined ? {} : { routing }),
      ...(version === undefined ? {} : { version }),
      ...(versionType === undefined ? {} : { versionType }),
    });
    return this.#sources([found]);
  }

  /** Of every searched index, as far as the search sees it. */
  async #found({ routing, version }: LikedDocument, id: string): Promise<readonly LikedSource[]> {
    const { index, body, access, only, waiter, ...options } = this.#request;
    const { pit } = body;
    const { hits } = await this.#options.search({
      ...options,
      index,
      access,
      only,
      waiter,
      hitsJson: false,
      routing: pit === undefined ? (routing ?? options.routing) : undefined,
      body: {
        query: { ids: { values: [id] } },
        size: MOST_DOCUMENTS,
        version: true,
        track_total_hits: false,
        ...(pit === undefined ? {} : { pit }),
      },
    });
    return this.#sources(hits.filter((hit) => version === undefined || hit.version === version));
  }

  #sources(
    documents: readonly { readonly index: string; readonly source?: Uint8Array | undefined }[],
  ): readonly LikedSource[] {
    return documents.flatMap(({ index, source }) => {
      if (source === undefined) return [];
      const { entry } = this.#options.catalog.single(index);
      const text = Buffer.from(source).toString('utf8');
      return [{ index: entry, source: parseJson(text) as JsonObject }];
    });
  }

  terms(
    index: SearchedIndex | undefined,
    asks: readonly Terms[],
  ): Promise<readonly (readonly TextTerm[])[]> {
    const entries = index === undefined ? this.searched : [index];
    // Only mappings are needed.
    return this.#client(entries.map((entry) => ({ ...entry, searched: [] }))).terms(asks);
  }

  counts(
    asks: readonly { readonly field: string; readonly terms: readonly string[] }[],
  ): Promise<readonly FieldCounts[]> {
    return this.#client(this.searched).countsOf(asks);
  }

  #client(entries: readonly SearchedIndex[]): SuggestClient {
    const { limits } = planSetting(this.#groups);
    const filters = new Map<number, Clause>();
    for (const group of this.#groups) {
      const filter = readAliasFilter(group.filters, limits);
      if (filter === undefined) continue;
      for (const { number } of group.entries) filters.set(number, filter);
    }
    return new SuggestClient(
      { ...this.#options, pool: this.#pool },
      { entries, filterOf: (number) => filters.get(number), pinned: this.#pinned, timeoutUs: 0 },
    );
  }
}

/** There is no such index or document, or not in this version. */
function isMissing({ status }: QuarryError): boolean {
  return status === 404 || status === 409;
}
