// The Backend over a cluster: it has the documents, searches and indexes; names, checks, templates
// and what the engine does not know are added here. The file is long because the interface is: each
// of its methods is a few lines that call the file with the work.
import { setTimeout as pause } from 'node:timers/promises';
import type {
  Backend,
  DamagedEntry,
  IndexDescription,
  IndexOptions,
  IndexStats,
  InferenceEndpoints,
  JsonObject,
  MaybePromise,
  SearchContextBackend,
  SearchRequest,
  SearchResult,
  ShardsAnswer,
} from '../backend/index.js';
import { printExact } from '../base/exact-json.js';
import { rejecting } from '../base/maybe-promise.js';
import { IndexAdmin, type IndexAdminOptions } from '../coordinator/admin/index-admin.js';
import { LocalTemplates } from '../coordinator/admin/index-templates.js';
import { type TemplateFile, templateFile } from '../coordinator/admin/template-store.js';
import { describeEntry, type IndexEntry } from '../coordinator/catalog/catalog.js';
import { withoutCompanions } from '../coordinator/catalog/companion-fields.js';
import { createSettings, nest } from '../coordinator/catalog/settings.js';
import { checkRegistered, completeField } from '../coordinator/inference/field-embedder.js';
import { InferenceNode } from '../coordinator/inference/inference-node.js';
import { checkFieldCount, completeMappings } from '../coordinator/inference/mapped-embedders.js';
import { searchGate } from '../coordinator/search/search-gate.js';
import { LocalSearchTemplates } from '../coordinator/search/search-templates.js';
import { searchedOf } from '../coordinator/shards/search-targets.js';
import { LocalOperations } from '../coordinator/write/by-query/operations.js';
import { remoteReaders } from '../coordinator/write/by-query/remote-readers.js';
import { QuarryError } from '../errors.js';
import type { Addon, NativeErrors } from '../native/addon.js';
import type { HeldBytes } from '../ops/in-flight.js';
import type { LiveConfig } from '../ops/live-config.js';
import type { MemoryGuard } from '../ops/memory-guard.js';
import type { Metrics } from '../ops/metrics.js';
import { checkAliasFilter } from '../query/queries.js';
import { ClusterBulk } from './bulk.js';
import { ClusterCatalog } from './cluster-catalog.js';
import { ClusterChanges } from './cluster-changes.js';
import { ClusterClient, type QueryParams } from './cluster-client.js';
import { mappingsToCheck } from './cluster-mappings.js';
import { ClusterColumns } from './columns.js';
import { ClusterContexts } from './contexts.js';
import type { Deadlines } from './deadlines.js';
import { ClusterDocuments, type DocumentsOptions } from './documents.js';
import type { ClusterEngine } from './engine.js';
import { isObject } from './errors.js';
import { IndexNames } from './index-names.js';
import { Leases } from './leases.js';
import { ClusterLinks } from './links.js';
import { NO_ASYNC_SEARCHES } from './no-async-searches.js';
import { NO_COPIES } from './no-copies.js';
import type { ClusterOptions } from './options.js';
import { Refreshes } from './refreshes.js';
import { ClusterSearch } from './search.js';
import { StateDocument } from './state-documents.js';
import { ClusterStatistics } from './statistics.js';
import { TextAnalysis } from './text-analysis.js';
import { ClusterTransport } from './transport.js';

export interface ClusterBackendOptions {
  readonly cluster: ClusterOptions;
  readonly addon: Addon;
  readonly errors: NativeErrors;
  readonly live: LiveConfig;
  readonly guard: Pick<MemoryGuard, 'check'>;
  readonly metrics: Metrics;
  readonly hold: () => HeldBytes;
  readonly bodyOfNew: IndexAdminOptions['bodyOfNew'];
  readonly rules: IndexAdminOptions['rules'];
  readonly resolveClauses: (request: SearchRequest) => MaybePromise<SearchRequest>;
  /** Whether an index of that name is one of the services, which sort by ids. */
  readonly isOwnIndex: (name: string) => boolean;
  /** Receives why the cluster cannot be reached at the start, at each attempt. */
  readonly onWaiting: (error: Error) => void;
}

/** How often the table of names is read without a request that needs it, in milliseconds. */
const NAMES_PAUSE_MS = 1000;
/** Pause between two attempts to reach the cluster at the start, in milliseconds. */
const START_PAUSE_MS = 1000;
/** Analyzers that the cluster lacks. */
const OWN_ANALYZER = 'memory';
/** Ids of one search. */
const TOGETHER = 1000;

export class ClusterBackend implements Backend {
  readonly names: ClusterCatalog;
  readonly leases: Leases;
  readonly templates: LocalTemplates;
  readonly searchTemplates: LocalSearchTemplates;
  readonly searchContexts: SearchContextBackend;
  readonly operations: LocalOperations;
  readonly #client: ClusterClient;
  readonly #admin: IndexAdmin;
  readonly #documents: ClusterDocuments;
  readonly #bulk: ClusterBulk;
  readonly #search: ClusterSearch;
  readonly #contexts: ClusterContexts;
  readonly #columns: ClusterColumns;
  readonly #links: ClusterLinks;
  readonly #inference: InferenceNode;
  readonly #templateFile: TemplateFile;
  readonly #analysis: TextAnalysis;
  readonly #refreshes: Refreshes;
  readonly #states: readonly {
    readonly state: StateDocument;
    readonly load: () => Promise<void>;
  }[];
  readonly #options: ClusterBackendOptions;
  #isClosed = false;
  #marks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClusterBackendOptions) {
    this.#options = options;
    const { addon, errors, live, metrics, bodyOfNew, rules, cluster } = options;
    const now = (): number => performance.now();
    const client = new ClusterClient(
      new ClusterTransport(cluster),
      new IndexNames(cluster.indexPrefix),
    );
    this.#client = client;
    this.names = new ClusterCatalog(client, now);
    this.leases = new Leases(client);
    const { catalog } = this.names;
    const states = {
      templates: new StateDocument(client, 'templates'),
      scripts: new StateDocument(client, 'search-templates'),
      endpoints: new StateDocument(client, 'inference'),
    };
    const completed = (mappings: JsonObject): JsonObject => {
      checkFieldCount(mappings);
      return completeMappings(withoutCompanions(mappings), (field, path) =>
        completeField(field, path, this.#inference.endpoints),
      );
    };
    const checkSpec = (spec: JsonObject): void => {
      try {
        addon.checkIndex(printExact(spec));
      } catch (thrown) {
        throw errors.fromThrown(thrown);
      }
    };
    this.#templateFile = templateFile(states.templates);
    this.templates = new LocalTemplates(
      this.#templateFile,
      checkAliasFilter,
      async ({ settings = {}, mappings = {}, aliases = {} }) =>
        checkSpec({
          settings: nest(createSettings(settings as JsonObject)),
          mappings: mappingsToCheck(completed(mappings as JsonObject), client.engine),
          aliases,
        }),
    );
    this.searchTemplates = new LocalSearchTemplates(states.scripts);
    this.#admin = new IndexAdmin({
      templates: this.templates,
      catalog,
      changes: new ClusterChanges({
        client,
        names: this.names,
        addon,
        errors,
        hasId: options.isOwnIndex,
      }),
      nowMs: Date.now,
      checkFilter: checkAliasFilter,
      onSettings: () => {},
      bodyOfNew,
      rules: {
        checkDestructive: (expression) => rules.checkDestructive(expression),
        checkAutoCreate: (name) => rules.checkAutoCreate(name),
        // The cluster knows how many fit.
        checkShards: () => {},
      },
      completeMappings: completed,
      checkRegistered: (mappings) => {
        completeMappings(mappings, (field, path) => {
          checkRegistered(field, path);
          return field;
        });
      },
    });
    this.#inference = new InferenceNode({
      addon,
      catalog,
      live,
      metrics,
      alone: (change) => this.#admin.alone(change),
      store: states.endpoints,
    });
    this.#states = [
      { state: states.templates, load: () => this.#templateFile.load() },
      { state: states.scripts, load: () => this.searchTemplates.load() },
      { state: states.endpoints, load: () => this.#inference.load() },
    ];
    this.#analysis = new TextAnalysis({ addon, errors, remote: this.#inference.endpoints });
    this.#refreshes = new Refreshes(client.deadlines, async (index) => {
      await client.call('POST', `/${client.names.path([index])}/_refresh`, { repeatable: true });
    });
    this.#search = new ClusterSearch({
      client,
      names: this.names,
      documents: () => this.#documents,
      analysis: this.#analysis,
      statistics: new ClusterStatistics(client, this.#analysis, now),
      opcodes: addon.opcodes(),
      gate: searchGate(options),
      rerankers: this.#inference.endpoints,
      resolveClauses: options.resolveClauses,
      nowMs: Date.now,
    });
    const documents: DocumentsOptions = {
      client,
      names: this.names,
      analysis: this.#analysis,
      autoCreate: (name) => this.#autoCreate(name),
      search: (request) => this.search(request),
      publish: (index) => this.#refreshes.of(index),
      nowMs: Date.now,
    };
    this.#documents = new ClusterDocuments(documents);
    this.#bulk = new ClusterBulk(documents, this.#documents);
    this.#contexts = new ClusterContexts({
      client,
      names: this.names,
      search: this.#search,
      nowMs: Date.now,
    });
    this.searchContexts = this.#contexts;
    const searchOpen = (request: SearchRequest): Promise<SearchResult> =>
      this.#contexts.searchPointInTime(request);
    this.#columns = new ClusterColumns({
      names: this.names,
      search: async (request) => this.search(request),
      open: async (index) => (await this.#contexts.openPointInTime({ index }, '1m')).id,
      searchOpen,
      close: async (id) => {
        await this.#contexts.closePointInTime(id);
      },
    });
    this.#links = new ClusterLinks({
      search: async (request) => this.search(request),
      columns: (request) => this.#columns.read(request),
      countAll: async (index) => (await this.count({ index, body: {} })).count,
      existing: (index, ids) => this.#existing(index, ids),
    });
    this.operations = new LocalOperations({
      searchContexts: this.searchContexts,
      remotes: remoteReaders(live, options.hold),
      bulk: (request) => this.bulk(request),
      refresh: (expression) => this.refresh(expression, { ignoreUnavailable: true }),
      resolve: (expression, given) => catalog.resolve(expression, given).map(({ index }) => index),
      writtenTo: (name) => catalog.writeTarget(name)?.entry.name,
      nowMs: Date.now,
      hold: options.hold,
      mostScriptCharacters: () => live.get('limits.body_bytes'),
    });
    metrics.observe(
      'quarry_cluster_dead_nodes',
      'Nodes of the cluster that are left out.',
      () => client.dead().length,
    );
    metrics.observe(
      'quarry_cluster_refreshes',
      'Refreshes that were sent to the cluster.',
      () => this.#refreshes.count,
    );
  }

  /**
   * Asks which engine it is and reads what is there, as soon as the cluster answers. Rejects with
   * what is wrong with the cluster or with the credentials.
   */
  async start(): Promise<void> {
    for (;;) {
      try {
        await this.#open();
        return;
      } catch (error) {
        const isAway = error instanceof QuarryError && error.status === 503 && !this.#isClosed;
        if (!isAway) throw error;
        this.#options.onWaiting(error);
        await pause(START_PAUSE_MS);
      }
    }
  }

  async #open(): Promise<void> {
    await this.#client.greet();
    await this.names.current();
    for (const { load } of this.#states) await load();
    this.#timer = setInterval(() => {
      this.names.current().catch(() => {});
    }, NAMES_PAUSE_MS).unref();
  }

  get engine(): ClusterEngine {
    return this.#client.engine;
  }
  /** How long requests wait for the cluster. */
  get deadlines(): Deadlines {
    return this.#client.deadlines;
  }
  /** Nothing is kept that could be freed. */
  relieveMemory(): void {}
  readonly copies = NO_COPIES;
  readonly asyncSearches = NO_ASYNC_SEARCHES;
  /** No other threads read from an engine of this process. */
  readonly followed = {
    watch: (): void => {},
    settled: async (): Promise<void> => {},
    indexes: (): readonly number[] => [],
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.operations.close();
    await this.#inference.close();
    await this.#client.close();
  }

  /** Fails the requests that wait for an embeddings service or for the cluster. */
  stopWaiting(): void {
    this.#inference.giveUp();
    this.#client.giveUp();
  }

  /** Resolves when lists of entries are as the cluster has them. */
  async statesCurrent(): Promise<void> {
    for (const { state, load } of this.#states) if (await state.hasChanged()) await load();
  }

  /** The health of the cluster: `status` of its answer, undefined where it does not answer. */
  async health(): Promise<string | undefined> {
    try {
      const answer = await this.#client.json('GET', '/_cluster/health', { repeatable: true });
      return String(answer['status']);
    } catch {
      return undefined;
    }
  }

  /** The answer of the cluster to a question about itself. */
  ask(path: string, accept: string): Promise<{ readonly status: number; readonly body: Buffer }> {
    return this.#client.call('GET', path, { repeatable: true, accept, expected: [408, 503] });
  }

  /** The path segment for indexes in the cluster. */
  pathOf(indexes: readonly string[]): string {
    return this.#client.names.path(indexes);
  }

  get inference(): InferenceEndpoints {
    return this.#inference.endpoints;
  }

  readonly write: Backend['write'] = (operation, options) =>
    this.#documents.write(operation, options);
  readonly bulk: Backend['bulk'] = (request) => this.#bulk.run(request);
  readonly get: Backend['get'] = (request) => this.#documents.get(request);
  readonly mget: Backend['mget'] = (requests, waiter) => this.#documents.mget(requests, waiter);

  readonly search: Backend['search'] = (request) =>
    rejecting(() =>
      request.body['pit'] === undefined
        ? this.#search.search(request)
        : this.#contexts.searchPointInTime(request),
    );
  readonly prepareSearch: Backend['prepareSearch'] = (request) => {
    if (request.body['pit'] === undefined) return this.#search.prepare(request);
    return {
      isCurrent: () => false,
      run: (waiter) => this.#contexts.searchPointInTime({ ...request, waiter }),
    };
  };
  readonly count: Backend['count'] = (request) => rejecting(() => this.#search.count(request));
  readonly columns: Backend['columns'] = (request) => this.#columns.read(request);
  readonly walkLinks: Backend['walkLinks'] = (request) => this.#links.walk(request);
  readonly countLinks: Backend['countLinks'] = (request) => this.#links.count(request);

  async createIndex(
    name: string,
    body: JsonObject,
    options: Pick<IndexOptions, 'access'> = {},
  ): Promise<IndexDescription> {
    await this.statesCurrent();
    return this.#describe(await this.#admin.create(name, body, options));
  }
  async #autoCreate(name: string): Promise<void> {
    await this.statesCurrent();
    try {
      await this.#admin.autoCreate(name);
    } catch (error) {
      // Another replica was faster.
      const isThere =
        error instanceof QuarryError && error.type === 'resource_already_exists_exception';
      if (!isThere) throw error;
      await this.names.current();
    }
  }
  readonly deleteIndices: Backend['deleteIndices'] = (expression, options) =>
    this.#admin.drop(expression, options);
  resolve(expression: string, options: IndexOptions): readonly IndexDescription[] {
    return this.names.catalog
      .resolve(expression, options)
      .map(({ index }) => this.#describe(index, options));
  }
  readonly searchedShards: Backend['searchedShards'] = (expression, options) =>
    searchedOf(this.names.catalog, expression, options);
  exists(expression: string, options: IndexOptions): boolean {
    return this.names.catalog.exists(expression, options);
  }
  readonly putMapping: Backend['putMapping'] = (expression, body, options) =>
    this.#admin.putMapping(expression, body, options);
  readonly putSettings: Backend['putSettings'] = (expression, body, options) =>
    this.#admin.putSettings(expression, body, options);
  readonly updateAliases: Backend['updateAliases'] = (actions, options = {}) =>
    this.#admin.updateAliases(actions, options);
  readonly rollover: Backend['rollover'] = async (rollover, options = {}) =>
    this.#describe(await this.#admin.rollover(rollover, options));
  readonly setState: Backend['setState'] = (expression, state, options) =>
    this.#admin.setState(expression, state, options);

  readonly refresh: Backend['refresh'] = (expression, options) =>
    this.#onShards(expression, options, '_refresh');
  readonly flush: Backend['flush'] = (expression, options) =>
    this.#onShards(expression, options, '_flush');
  readonly clearCache: Backend['clearCache'] = (expression, options) =>
    this.#onShards(expression, options, '_cache/clear');
  readonly forceMerge: Backend['forceMerge'] = (expression, maxSegments, options) =>
    this.#onShards(expression, options, '_forcemerge', { max_num_segments: maxSegments });

  async #onShards(
    expression: string,
    options: IndexOptions,
    call: string,
    params: QueryParams = {},
  ): Promise<ShardsAnswer> {
    const targets = this.names.catalog.resolve(expression, { ...options, forbidClosed: true });
    if (targets.length === 0) return { total: 0, successful: 0, failed: 0 };
    const path = this.#client.names.path(targets.map(({ index }) => index.name));
    const answer = await this.#client.json('POST', `/${path}/${call}`, {
      params,
      repeatable: true,
    });
    const shards = isObject(answer['_shards']) ? answer['_shards'] : {};
    const count = (key: string): number => Number(shards[key] ?? 0);
    return { total: count('total'), successful: count('successful'), failed: count('failed') };
  }

  async publish(expression: string): Promise<void> {
    const targets = this.names.catalog.resolve(expression, { forbidClosed: true });
    await Promise.all(targets.map(({ index }) => this.#refreshes.of(index.name)));
  }
  /** Other replicas write, too: no two marks are the same, so that nothing is kept by them. */
  writeMark(index: string): string {
    this.names.catalog.single(index);
    this.#marks += 1;
    return `${this.#marks}`;
  }
  damaged(): readonly DamagedEntry[] {
    return [
      ...this.#templateFile.damaged(),
      ...this.searchTemplates.damaged(),
      ...this.#inference.damaged(),
    ];
  }
  async stats(index: string): Promise<IndexStats> {
    const { entry } = this.names.catalog.single(index);
    const path = `/${this.#client.names.path([entry.name])}/_stats/docs,store,segments`;
    const answer = await this.#client.json('GET', path, { repeatable: true });
    const all = isObject(answer['_all']) ? answer['_all'] : {};
    const primaries = isObject(all['primaries']) ? all['primaries'] : {};
    const number = (section: string, key: string): number => {
      const of = primaries[section];
      return isObject(of) ? Number(of[key] ?? 0) : 0;
    };
    const detail = {
      docs: number('docs', 'count'),
      deleted: number('docs', 'deleted'),
      bytes: number('store', 'size_in_bytes'),
      segments: number('segments', 'count'),
    };
    return { ...detail, detail };
  }
  nodeStats(): JsonObject {
    throw new QuarryError('illegal_argument_exception', 'in cluster mode this node has no engine', {
      status: 501,
    });
  }
  async analyze(index: string | undefined, body: JsonObject): Promise<string> {
    const own = this.#ownAnalyzer(index, body);
    if (own !== undefined) {
      const { field: _field, ...rest } = body;
      return this.#analysis.analyze({ ...rest, analyzer: own });
    }
    const name = index === undefined ? undefined : this.names.catalog.single(index).entry.name;
    const path = name === undefined ? '' : `/${this.#client.names.path([name])}`;
    const answer = await this.#client.call('POST', `${path}/_analyze`, { body, repeatable: true });
    return answer.body.toString();
  }

  #ownAnalyzer(index: string | undefined, { analyzer, field }: JsonObject): string | undefined {
    if (analyzer !== undefined) return analyzer === OWN_ANALYZER ? OWN_ANALYZER : undefined;
    if (index === undefined || field === undefined) return undefined;
    const { entry } = this.names.catalog.single(index);
    return this.names.of(entry.number).made.find(({ path }) => path === field)?.words?.analyzer;
  }

  #describe(entry: IndexEntry, { access }: Pick<IndexOptions, 'access'> = {}): IndexDescription {
    const { mappings } = this.names.of(entry.number);
    return describeEntry(
      entry,
      () => mappings,
      () => [],
      this.names.catalog.filteredBy(entry, access),
    );
  }

  async #existing(index: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let at = 0; at < ids.length; at += TOGETHER) {
      const values = ids.slice(at, at + TOGETHER);
      const { hits } = await this.search({
        index,
        body: {
          query: { ids: { values } },
          size: values.length,
          sort: ['_doc'],
          _source: false,
          track_total_hits: false,
        },
      });
      for (const { id } of hits) found.add(id);
    }
    return found;
  }
}
