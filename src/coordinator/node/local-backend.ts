// The local implementation of Backend: the request paths over an engine in this process, and its
// administration.
import { join } from 'node:path';
import type {
  Access,
  AsyncSearches,
  Backend,
  DamagedEntry,
  IndexCopies,
  IndexDescription,
  IndexOptions,
  InferenceEndpoints,
  JsonObject,
  MaybePromise,
  SearchContextBackend,
  SearchRequest,
} from '../../backend/index.js';
import { rejecting, thenMaybe } from '../../base/maybe-promise.js';
import type { QuarryError } from '../../errors.js';
import type { HeldBytes } from '../../ops/in-flight.js';
import { checkAliasFilter } from '../../query/queries.js';
import { IndexAdmin, type IndexAdminOptions } from '../admin/index-admin.js';
import { LocalCopies } from '../admin/index-copies.js';
import { IndexReports } from '../admin/index-reports.js';
import { LocalTemplates } from '../admin/index-templates.js';
import { type TemplateFile, templateFile } from '../admin/template-store.js';
import { CatalogChanges } from '../catalog/catalog-change.js';
import { withoutCompanions } from '../catalog/companion-fields.js';
import { jsonText, parseJson } from '../catalog/json-text.js';
import { withoutKnnVectors } from '../catalog/knn-vectors.js';
import { createSettings, nest } from '../catalog/settings.js';
import { checkRegistered, completeField } from '../inference/field-embedder.js';
import { InferenceNode } from '../inference/inference-node.js';
import { checkFieldCount, completeMappings } from '../inference/mapped-embedders.js';
import { observeCaches } from '../search/cache-metrics.js';
import { LocalSearchTemplates } from '../search/search-templates.js';
import type { SearchWatch } from '../search/search-watch.js';
import { Searches } from '../search/searches.js';
import { analyzeShort, NO_INDEX } from '../search/short-analysis.js';
import { resolveLookups } from '../search/terms-lookup.js';
import { InlineExecution } from '../shards/inline-execution.js';
import { searchedOf } from '../shards/search-targets.js';
import { WriteMarks } from '../shards/write-marks.js';
import { AliasDocuments } from '../write/alias-documents.js';
import { LocalOperations } from '../write/by-query/operations.js';
import { remoteReaders } from '../write/by-query/remote-readers.js';
import { Getter } from '../write/get.js';
import { Writes } from '../write/writes.js';
import { type CatalogFeed, followedOf } from './catalog-feed.js';
import { DamagedEntries } from './damaged-entries.js';
import { EngineNode, type EngineNodeOptions } from './engine-node.js';
import { filterCounts } from './node-metrics.js';
import { Upkeep } from './upkeep.js';

export interface LocalBackendOptions extends EngineNodeOptions {
  readonly watch: SearchWatch;
  /**
   * Replaces clauses that a service resolves (`graph`) by their results; the same request where it
   * has none.
   */
  readonly resolveClauses: (request: SearchRequest) => MaybePromise<SearchRequest>;
  readonly bodyOfNew: IndexAdminOptions['bodyOfNew'];
  readonly rules: IndexAdminOptions['rules'];
  /** Damaged entries of lists that services store. */
  readonly damagedElsewhere?: () => readonly DamagedEntry[];
  /** A reservation for one unit of work, counted against limits.in_flight_bytes. */
  readonly hold: () => HeldBytes;
}

export class LocalBackend implements Backend {
  readonly #options: LocalBackendOptions;
  readonly #node: EngineNode;
  readonly #inference: InferenceNode;
  readonly #admin: IndexAdmin;
  readonly #getter: Getter;
  readonly #searches: Searches;
  readonly operations: LocalOperations;
  readonly searchContexts: SearchContextBackend;
  readonly #writes: Writes;
  readonly #reports: IndexReports;
  readonly #upkeep: Upkeep;
  readonly #marks: WriteMarks;
  readonly copies: IndexCopies;
  readonly templates: LocalTemplates;
  readonly searchTemplates: LocalSearchTemplates;
  readonly #templateFile: TemplateFile;
  readonly #damaged: DamagedEntries;

  constructor(options: LocalBackendOptions) {
    const { addon, errors, pools, live, guard, metrics, bodyOfNew, rules } = options;
    this.#options = options;
    this.#marks = new WriteMarks(options.engineUse.marks);
    const opcodes = addon.opcodes();
    const node = new EngineNode(options);
    this.#node = node;
    const { catalog } = node;
    const toError = (type: number, reason: string, cause: string): QuarryError =>
      errors.toError(type, reason, cause);
    const completed = (mappings: JsonObject): JsonObject => {
      checkFieldCount(mappings);
      return completeMappings(withoutKnnVectors(withoutCompanions(mappings)), (field, path) =>
        completeField(field, path, this.#inference.endpoints),
      );
    };
    const dataDir = live.get('data_dir');
    this.#templateFile = templateFile(join(dataDir, 'templates.json'));
    this.templates = new LocalTemplates(
      this.#templateFile,
      checkAliasFilter,
      async ({ settings = {}, mappings = {}, aliases = {} }) => {
        const spec = {
          settings: nest(createSettings(settings as JsonObject)),
          mappings: completed(mappings as JsonObject),
          aliases,
        };
        await pools.write.run('checkIndex', { spec: jsonText(spec) });
      },
    );
    this.searchTemplates = new LocalSearchTemplates(join(dataDir, 'search-templates.json'));
    this.#admin = new IndexAdmin({
      templates: this.templates,
      catalog,
      changes: new CatalogChanges({
        catalog,
        tasks: pools.write,
        putOutOfService: (index, reason) => addon.putOutOfService(index, reason),
      }),
      nowMs: Date.now,
      checkFilter: checkAliasFilter,
      onSettings: (entry) => node.refresh.rescheduled(entry.number),
      bodyOfNew,
      rules,
      completeMappings: completed,
      checkRegistered: (mappings) => {
        completeMappings(mappings, (field, path) => {
          checkRegistered(field, path);
          return field;
        });
      },
    });
    const alone: IndexAdmin['alone'] = (change) => this.#admin.alone(change);
    this.#inference = new InferenceNode({ addon, catalog, live, metrics, alone });
    const inline = new InlineExecution({ core: addon, engineUse: options.engineUse });
    const fanOut = { pool: pools.search, inline };
    const filtered = new AliasDocuments({
      search: (request) => this.#searches.search(request),
      publish: (shards) => node.refresh.settled(shards),
    });
    this.#getter = new Getter({
      catalog,
      tasks: pools.search,
      inline,
      filtered,
      guard,
      reserve: options.hold,
      opcodes,
      refresh: (shards) => node.refresh.now(shards),
      toError,
      nowMs: Date.now,
    });
    this.#writes = new Writes({
      addon,
      node,
      marks: this.#marks,
      pool: pools.write,
      live,
      guard,
      metrics,
      engineUse: options.engineUse,
      endpoints: this.#inference.endpoints,
      autoCreate: (name) => this.#admin.autoCreate(name),
      get: (request) => this.#getter.get(request),
      read: (requests) => this.#getter.read(requests),
      filtered,
      toError,
      nowMs: Date.now,
      hold: options.hold,
    });
    this.#searches = new Searches({
      addon,
      dateTable: errors.converting((request) => addon.dateTable(request)),
      catalog,
      pool: pools.search,
      fanOut,
      resolveClauses: (request) =>
        thenMaybe(options.resolveClauses(request), (one) => resolveLookups(one, this.get)),
      get: (request) => this.#getter.get(request),
      mappings: (index) => this.#reports.mappings(index),
      engineUse: options.engineUse,
      flush: (shard) => node.flush(shard),
      live,
      guard,
      metrics,
      watch: options.watch,
      queryEmbedder: this.#inference.endpoints,
      rerankers: this.#inference.endpoints,
      toError,
      nowMs: Date.now,
      reserve: options.hold,
    });
    const { cache } = this.#searches;
    this.#reports = new IndexReports({
      addon,
      errors,
      catalog,
      cache,
      engineStats: (index) => pools.search.run('indexStats', { index }),
    });
    this.#upkeep = new Upkeep({
      addon,
      node,
      cache,
      damage: () => this.#reports.damage(),
      threads: pools.write.threads,
    });
    this.#damaged = new DamagedEntries({
      catalog,
      damage: () => this.#reports.damage(),
      checkFilter: checkAliasFilter,
      lists: [
        this.#templateFile,
        this.searchTemplates,
        this.#inference,
        { damaged: () => options.damagedElsewhere?.() ?? [] },
      ],
    });
    observeCaches(metrics, {
      filter: filterCounts(() => node.engineStats()),
      request: () => cache.totals,
    });
    this.searchContexts = this.#searches.searchContexts;
    this.operations = new LocalOperations({
      searchContexts: this.searchContexts,
      remotes: remoteReaders(live, options.hold),
      bulk: (request) => this.bulk(request),
      refresh: (expression) => this.refresh(expression, { ignoreUnavailable: true }),
      resolve: (expression, options) =>
        catalog.resolve(expression, options).map(({ index }) => index),
      writtenTo: (name) => catalog.writeTarget(name)?.entry.name,
      nowMs: Date.now,
      hold: options.hold,
      mostScriptCharacters: () => live.get('limits.body_bytes'),
    });
    this.copies = new LocalCopies({
      catalog,
      admin: this.#admin,
      pools,
      flush: (shard) => node.flush(shard),
      rename: (...requested) => {
        try {
          return addon.rename(...requested);
        } catch (thrown) {
          throw errors.fromThrown(thrown);
        }
      },
    });
  }

  /** Rejects when the data cannot be served. Until it resolves no other method may be called. */
  async start(): Promise<void> {
    await this.#node.start();
    await this.#templateFile.load();
    await this.#inference.load();
    await this.searchTemplates.load();
  }
  damaged(access?: Access): readonly DamagedEntry[] {
    return this.#damaged.list(access);
  }
  /** What a ReadOnlyBackend over this engine follows. */
  get followed(): CatalogFeed {
    return followedOf(this.#node.catalog, this.#admin);
  }
  /** Flushes the writes that exist only in memory and the log. */
  relieveMemory(): void {
    this.#node.relieveMemory();
  }
  /** Fails the requests that wait for an embeddings service. */
  stopWaiting(): void {
    this.#inference.giveUp();
  }
  /** Requests must have ended. */
  async close(): Promise<void> {
    await this.#inference.close();
    await this.operations.close();
    await this.#searches.close();
    await this.#node.close();
  }

  get asyncSearches(): AsyncSearches {
    return this.#searches.asyncSearches;
  }
  get inference(): InferenceEndpoints {
    return this.#inference.endpoints;
  }
  readonly write: Backend['write'] = (operation, options) => this.#writes.write(operation, options);
  readonly bulk: Backend['bulk'] = (request) => this.#writes.bulk(request);
  readonly get: Backend['get'] = async (request) => this.#getter.get(request);
  readonly mget: Backend['mget'] = async (requests, waiter) => this.#getter.mget(requests, waiter);
  readonly search: Backend['search'] = (request) => rejecting(() => this.#searches.search(request));
  readonly prepareSearch: Backend['prepareSearch'] = (request) => this.#searches.prepare(request);
  readonly count: Backend['count'] = (request) => rejecting(() => this.#searches.count(request));
  readonly columns: Backend['columns'] = (request) => this.#searches.columns(request);
  /** Makes the log durable; resolves to the durable position. */
  logDurable(): Promise<bigint> {
    return this.#node.syncLog();
  }
  readonly walkLinks: Backend['walkLinks'] = (request) => this.#searches.links.walk(request);
  readonly countLinks: Backend['countLinks'] = (request) => this.#searches.links.count(request);

  async createIndex(
    name: string,
    body: JsonObject,
    options: Pick<IndexOptions, 'access'> = {},
  ): Promise<IndexDescription> {
    return this.#reports.describe(await this.#admin.create(name, body, options));
  }
  readonly deleteIndices: Backend['deleteIndices'] = (expression, options) =>
    this.#admin.drop(expression, options);
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[] {
    const damage = this.#reports.damage();
    return this.#node.catalog
      .resolve(expression, options)
      .map(({ index }) => this.#reports.describe(index, damage, options.access));
  }
  readonly searchedShards: Backend['searchedShards'] = (expression, options) =>
    searchedOf(this.#node.catalog, expression, options);
  exists(expression: string, options: IndexOptions): boolean {
    return this.#node.catalog.exists(expression, options);
  }
  readonly putMapping: Backend['putMapping'] = (expression, body, options) =>
    this.#admin.putMapping(expression, body, options);
  readonly putSettings: Backend['putSettings'] = (expression, body, options) =>
    this.#admin.putSettings(expression, body, options);
  readonly updateAliases: Backend['updateAliases'] = (actions, options = {}) =>
    this.#admin.updateAliases(actions, options);
  readonly rollover: Backend['rollover'] = async (rollover, options = {}) =>
    this.#reports.describe(await this.#admin.rollover(rollover, options));
  readonly setState: Backend['setState'] = (expression, state, options) =>
    this.#admin.setState(expression, state, options);

  readonly refresh: Backend['refresh'] = (expression, options) =>
    this.#upkeep.refresh(expression, options);
  readonly publish: Backend['publish'] = (expression) => this.#upkeep.publish(expression);
  writeMark(index: string): string {
    return this.#marks.of(this.#node.catalog.single(index).entry.number);
  }
  readonly flush: Backend['flush'] = (expression, options) =>
    this.#upkeep.flush(expression, options);
  readonly clearCache: Backend['clearCache'] = (expression, options) =>
    this.#upkeep.clearCache(expression, options);
  readonly forceMerge: Backend['forceMerge'] = (expression, maxSegments, options) =>
    this.#upkeep.forceMerge(expression, maxSegments, options);

  readonly stats: Backend['stats'] = (index) => this.#reports.stats(index);
  nodeStats(): JsonObject {
    return parseJson(this.#options.addon.nodeStats()) as JsonObject;
  }
  async analyze(index: string | undefined, body: JsonObject): Promise<string> {
    const { pools } = this.#options;
    if (index === undefined) {
      const here = analyzeShort(this.#options, body);
      if (here !== undefined) return here;
    }
    const number = index === undefined ? NO_INDEX : this.#node.catalog.single(index).entry.number;
    return pools.search.run('analyze', { index: number, request: jsonText(body) });
  }
}
