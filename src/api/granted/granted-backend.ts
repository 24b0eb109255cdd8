// The backend restricted to the indexes of one key. Expressions resolve to the indexes that the
// key's patterns match; any other name is rejected with the same error, whether or not the index
// exists.
import type {
  Access,
  AliasAction,
  Backend,
  BulkItemError,
  BulkRequest,
  BulkResult,
  ColumnsRequest,
  ForceMergeOptions,
  FoundDocument,
  GetRequest,
  IndexDescription,
  IndexOptions,
  JsonObject,
  LinkCountRequest,
  LinkWalkRequest,
  MaybePromise,
  PutMappingOptions,
  PutSettingsOptions,
  Rollover,
  SearchRequest,
  ShardsAnswer,
  Waiter,
  WriteOperation,
  WriteOptions,
} from '../../backend/index.js';

export class GrantedBackend implements Backend {
  readonly #inner: Backend;
  readonly #access: Access;

  constructor(inner: Backend, access: Access) {
    this.#inner = inner;
    this.#access = access;
  }

  async write(operation: WriteOperation, options: WriteOptions) {
    return this.#inner.write(operation, { ...options, access: this.#access });
  }
  async bulk(request: BulkRequest): Promise<BulkResult> {
    return this.#inner.bulk({ ...request, access: this.#access });
  }
  async get(request: GetRequest): Promise<FoundDocument> {
    return this.#inner.get({ ...request, access: this.#access });
  }
  async mget(
    requests: readonly GetRequest[],
    waiter?: Waiter,
  ): Promise<readonly (FoundDocument | BulkItemError)[]> {
    const access = this.#access;
    return this.#inner.mget(
      requests.map((request) => ({ ...request, access })),
      waiter,
    );
  }

  async search(request: SearchRequest) {
    return this.#inner.search(this.#with(request));
  }
  prepareSearch(request: SearchRequest) {
    return this.#inner.prepareSearch(this.#with(request));
  }
  async count(request: SearchRequest) {
    return this.#inner.count(this.#with(request));
  }
  async columns(request: ColumnsRequest) {
    this.#check(request.index);
    return this.#inner.columns({ ...request, access: this.#access });
  }
  async walkLinks(request: LinkWalkRequest) {
    this.#check(request.index);
    return this.#inner.walkLinks(request);
  }
  async countLinks(request: LinkCountRequest) {
    this.#check(request.index);
    if (request.nodes !== undefined) this.#check(request.nodes);
    return this.#inner.countLinks(request);
  }

  async createIndex(name: string, body: JsonObject): Promise<IndexDescription> {
    this.#check(name);
    for (const alias of Object.keys((body['aliases'] ?? {}) as object)) this.#check(alias);
    return this.#shown(await this.#inner.createIndex(name, body, { access: this.#access }));
  }
  deleteIndices(expression: string, options: IndexOptions) {
    return this.#inner.deleteIndices(expression, this.#with(options));
  }
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[] {
    return this.#inner
      .resolve(expression, this.#with(options))
      .map((description) => this.#shown(description));
  }
  readonly searchedShards: Backend['searchedShards'] = (expression, options) =>
    this.#inner.searchedShards(expression, this.#with(options));
  exists(expression: string, options: IndexOptions): boolean {
    return this.#inner.exists(expression, this.#with(options));
  }
  putMapping(expression: string, body: JsonObject, options: PutMappingOptions) {
    return this.#inner.putMapping(expression, body, this.#with(options));
  }
  putSettings(expression: string, body: JsonObject, options: PutSettingsOptions) {
    return this.#inner.putSettings(expression, body, this.#with(options));
  }
  updateAliases(actions: readonly AliasAction[]) {
    return this.#inner.updateAliases(actions, { access: this.#access });
  }
  async rollover(rollover: Rollover): Promise<IndexDescription> {
    const { alias, from, to, body } = rollover;
    for (const name of [alias, from, to, ...Object.keys((body['aliases'] ?? {}) as object)]) {
      this.#check(name);
    }
    return this.#shown(await this.#inner.rollover(rollover, { access: this.#access }));
  }
  setState(expression: string, state: 'open' | 'close', options: IndexOptions) {
    return this.#inner.setState(expression, state, this.#with(options));
  }
  refresh(expression: string, options: IndexOptions): Promise<ShardsAnswer> {
    return this.#inner.refresh(expression, this.#with(options));
  }
  async publish(expression: string): Promise<void> {
    this.#check(expression);
    return this.#inner.publish(expression);
  }
  writeMark(index: string): string {
    this.#check(index);
    return this.#inner.writeMark(index);
  }
  flush(expression: string, options: IndexOptions): Promise<ShardsAnswer> {
    return this.#inner.flush(expression, this.#with(options));
  }
  clearCache(expression: string, options: IndexOptions): MaybePromise<ShardsAnswer> {
    return this.#inner.clearCache(expression, this.#with(options));
  }
  forceMerge(expression: string, maxSegments: number, options: ForceMergeOptions) {
    return this.#inner.forceMerge(expression, maxSegments, this.#with(options));
  }
  damaged() {
    return this.#inner.damaged(this.#access);
  }
  /**
   * Also accepts an index that the key reaches only through an alias, though the key may not use
   * the index's own name.
   */
  async stats(index: string) {
    if (!this.#access.allows(index)) {
      const reached = this.resolve('*', { expandWildcards: ['all'] });
      const found = reached.find(({ name }) => name === index);
      if (found === undefined) throw this.#access.refusal(index);
      refuseFiltered(found, this.#access);
    }
    return this.#inner.stats(index);
  }
  nodeStats(): JsonObject {
    return this.#inner.nodeStats();
  }
  async analyze(index: string | undefined, body: JsonObject): Promise<string> {
    if (index !== undefined) this.#check(index);
    return this.#inner.analyze(index, body);
  }

  #check(name: string): void {
    if (!this.#access.allows(name)) throw this.#access.refusal(name);
  }

  #with<T extends IndexOptions>(options: T): T & IndexOptions {
    return { ...options, access: this.#access };
  }

  /** The description without the aliases that the key may not use. */
  #shown(description: IndexDescription): IndexDescription {
    const access = this.#access;
    const { name, number, uuid, shards, state, hidden, creationDate } = description;
    const { filteredBy } = description;
    return {
      ...{ name, number, uuid, shards, state, hidden, creationDate },
      ...(filteredBy === undefined ? {} : { filteredBy }),
      get settings() {
        return description.settings;
      },
      get mappings() {
        return description.mappings;
      },
      get aliases() {
        const all = Object.entries(description.aliases);
        return Object.fromEntries(all.filter(([alias]) => access.allows(alias)));
      },
      get damage() {
        return description.damage ?? [];
      },
    };
  }
}

/**
 * Rejects counters of a whole index if the key sees only a part of its documents through a filtered
 * alias.
 */
function refuseFiltered({ name, filteredBy }: IndexDescription, access: Access): void {
  if (filteredBy === undefined) return;
  const aliases = filteredBy.join(',');
  throw access.refusalOf(
    `what counts all documents of an index, of which the filter of the alias [${aliases}] shows a part`,
    name,
  );
}
