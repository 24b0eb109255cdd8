// Single documents in the cluster: writes, reads by id.
import type {
  Access,
  BulkItemError,
  FoundDocument,
  GetRequest,
  Json,
  JsonObject,
  SearchRequest,
  SearchResult,
  SourceSpec,
  Waiter,
  WriteOperation,
  WriteOptions,
  WriteResult,
} from '../backend/index.js';
import { parseExact, printExact } from '../base/exact-json.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { DocumentPlace } from '../coordinator/catalog/catalog.js';
import { AliasDocuments } from '../coordinator/write/alias-documents.js';
import { requireAlias } from '../coordinator/write/bulk-name-table.js';
import { makeDocumentId } from '../coordinator/write/document-ids.js';
import { indexNotFound, QuarryError } from '../errors.js';
import { leavesVectorsOut } from '../remote/peer-version.js';
import type { ClusterCatalog } from './cluster-catalog.js';
import { type ClusterClient, type QueryParams, queryString } from './cluster-client.js';
import { clusterError, isObject, readAnswer, toError } from './errors.js';
import { itemsOf, membersOf } from './json-slices.js';
import { completed, isMadeOf, madeNames, withoutMade } from './made-values.js';
import { textAt } from './search-reader.js';
import type { TextAnalysis } from './text-analysis.js';

export interface DocumentsOptions {
  readonly client: ClusterClient;
  readonly names: ClusterCatalog;
  readonly analysis: TextAnalysis;
  /** Creates the index of a name that does not exist. */
  readonly autoCreate: (name: string) => Promise<void>;
  readonly search: (request: SearchRequest) => MaybePromise<SearchResult>;
  /** Resolves when searches see every acknowledged write. */
  readonly publish: (index: string) => Promise<void>;
  readonly nowMs: () => number;
}

export class ClusterDocuments {
  readonly #options: DocumentsOptions;
  readonly #filtered: AliasDocuments;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#filtered = new AliasDocuments({
      search: options.search,
      publish: async (shards) => {
        const numbers = new Set(shards.map(({ index }) => index));
        for (const number of numbers) {
          const entry = options.names.catalog.byNumber(number);
          if (entry !== undefined) await options.publish(entry.name);
        }
      },
    });
  }

  async write(operation: WriteOperation, options: WriteOptions): Promise<WriteResult> {
    const { client, names, analysis, nowMs } = this.#options;
    const place = await this.target(operation, options.access);
    const { op } = operation;
    const index = names.of(place.entry.number);
    const isAuto = operation.id === undefined;
    const id = operation.id ?? makeDocumentId(nowMs());
    let body = operation.source;
    if (body !== undefined && isMadeOf(index)) {
      const unmade = { source: body, index, id, isUpdate: op === 'update' };
      [body] = await completed([unmade], analysis);
    }
    const kind = op === 'update' ? '_update' : op === 'create' || isAuto ? '_create' : '_doc';
    const path = `/${client.names.path([place.entry.name])}/${kind}/${encodeURIComponent(id)}`;
    const answer = await client.send({
      method: op === 'delete' ? 'DELETE' : op === 'update' ? 'POST' : 'PUT',
      path: `${path}${queryString({ ...writeParams(operation, place, options), timeout: client.writeTimeout })}`,
      body,
      // A repeated one of ours is a conflict with itself; a repeated other one may undo what another
      // client has written in between.
      repeatable: options.repeatable === true || (isAuto && op !== 'update'),
    });
    // Nobody else has the id: an earlier attempt has written it, ours or one of the engine, which
    // repeats writes itself where a primary is lost.
    if (answer.status === 409 && isAuto) return this.#done(operation, place, id);
    const isAnswer = answer.status < 400 || (op === 'delete' && answer.status === 404);
    if (!isAnswer) throw clusterError(answer, client.names);
    const made = readAnswer({ ...answer, status: 200 }, client.names);
    if (made['result'] === undefined) throw clusterError(answer, client.names);
    return toWriteResult(op, answer.status, made, client, place.entry.name);
  }

  /** A document of ours that an earlier attempt has written. */
  async #done(operation: WriteOperation, place: DocumentPlace, id: string): Promise<WriteResult> {
    const found = await this.#read(place, { ...operation, id, source: false });
    return {
      op: operation.op,
      index: place.entry.name,
      id,
      result: 'created',
      status: 201,
      version: found.version ?? 1n,
      seqNo: found.seqNo ?? 0n,
      primaryTerm: found.primaryTerm ?? 1,
      shardsTotal: 1,
      forcedRefresh: false,
    };
  }

  /** The index that a write goes to, created if it does not exist. */
  async target(
    operation: Pick<WriteOperation, 'index' | 'op' | 'routing' | 'requireAlias' | 'versionType'>,
    access: Access | undefined,
  ): Promise<DocumentPlace> {
    const { index, op, routing } = operation;
    if (access?.allows(index) === false) throw access.refusal(index);
    const { catalog } = this.#options.names;
    if (operation.requireAlias === true) requireAlias(catalog, index);
    let place = catalog.writeTarget(index, routing);
    if (place === undefined) {
      await this.#options.names.current();
      place = catalog.writeTarget(index, routing);
    }
    if (place === undefined) {
      const isExternal = (operation.versionType ?? 'internal') !== 'internal';
      if (op === 'delete' && !isExternal) throw indexNotFound(index);
      await this.#options.autoCreate(index);
      place = catalog.writeTarget(index, routing);
    }
    if (place === undefined) throw indexNotFound(index);
    refuseFiltered(place, index);
    return place;
  }

  async get(request: GetRequest): Promise<FoundDocument> {
    const place = await this.#place(request);
    if (place.filter === undefined) return this.#read(place, request);
    const [found] = await this.#readFiltered([[place, request]]);
    if (found instanceof QuarryError) throw found;
    return found ?? { index: place.entry.name, id: request.id, found: false };
  }

  async #place({ index, routing, access }: GetRequest): Promise<DocumentPlace> {
    if (access?.allows(index) === false) throw access.refusal(index);
    const { names } = this.#options;
    try {
      return names.catalog.single(index, routing);
    } catch {
      await names.current();
      return names.catalog.single(index, routing);
    }
  }

  async #read(
    { entry, routing }: DocumentPlace,
    request: Pick<GetRequest, 'id' | 'realtime' | 'refresh' | 'version' | 'versionType'> & {
      readonly source: SourceSpec | undefined | Uint8Array;
    },
  ): Promise<FoundDocument> {
    const { client, names } = this.#options;
    const made = madeNames(names.of(entry.number));
    const source = request.source instanceof Uint8Array ? true : (request.source ?? true);
    const answer = await client.call(
      'GET',
      `/${client.names.path([entry.name])}/_doc/${encodeURIComponent(request.id)}`,
      {
        params: {
          routing,
          realtime: request.realtime,
          refresh: request.refresh,
          version: request.version?.toString(),
          version_type: request.versionType,
          ...sourceParams(withoutMade(source, made)),
          ...withVectors(client),
        },
        repeatable: true,
        expected: [404],
      },
    );
    const text = answer.body.toString('utf8');
    const members = membersOf(text);
    if (members.has('error')) throw clusterError(answer, client.names);
    return readDocument(members, entry.name);
  }

  async mget(
    requests: readonly GetRequest[],
    waiter?: Waiter,
  ): Promise<readonly (FoundDocument | BulkItemError)[]> {
    const answers: (FoundDocument | BulkItemError | undefined)[] = requests.map(() => undefined);
    const direct: { at: number; place: DocumentPlace; request: GetRequest }[] = [];
    const filtered: typeof direct = [];
    for (const [at, request] of requests.entries()) {
      try {
        const place = await this.#place(request);
        (place.filter === undefined ? direct : filtered).push({ at, place, request });
      } catch (error) {
        answers[at] = refusedItem(request, error);
      }
    }
    const read = await this.#readFiltered(filtered.map(({ place, request }) => [place, request]));
    for (const [i, { at, request }] of filtered.entries()) {
      const found = read[i];
      answers[at] = found instanceof QuarryError ? refusedItem(request, found) : found;
    }
    for (const isRealtime of [true, false]) {
      const some = direct.filter(({ request }) => (request.realtime !== false) === isRealtime);
      if (some.length > 0) await this.#readMany(some, isRealtime, answers, waiter);
    }
    return answers.map((answer, at) => {
      if (answer !== undefined) return answer;
      throw new Error(`the cluster answered nothing for document ${at}`);
    });
  }

  async #readMany(
    wanted: readonly { at: number; place: DocumentPlace; request: GetRequest }[],
    isRealtime: boolean,
    answers: (FoundDocument | BulkItemError | undefined)[],
    waiter: Waiter | undefined,
  ): Promise<void> {
    const { client, names } = this.#options;
    const docs = wanted.map(({ place: { entry, routing }, request }): JsonObject => {
      const source = withoutMade(request.source, madeNames(names.of(entry.number)));
      return {
        _index: client.names.inCluster(entry.name),
        _id: request.id,
        ...(routing === undefined ? {} : { routing }),
        ...(request.version === undefined ? {} : { version: request.version }),
        ...(request.versionType === undefined ? {} : { version_type: request.versionType }),
        ...(source === true ? {} : { _source: source === false ? false : { ...source } }),
      };
    });
    const refresh = wanted.some(({ request }) => request.refresh === true);
    const answer = await client.call('POST', '/_mget', {
      params: {
        realtime: isRealtime ? undefined : false,
        refresh: refresh ? true : undefined,
        ...withVectors(client),
      },
      body: { docs },
      repeatable: true,
      waiter,
    });
    const items = itemsOf(membersOf(answer.body.toString('utf8')).get('docs') ?? '[]');
    for (const [i, { at, place, request }] of wanted.entries()) {
      const members = membersOf(items[i] ?? '{}');
      const error = members.get('error');
      if (error === undefined) answers[at] = readDocument(members, place.entry.name);
      else {
        const body = parseExact(error);
        const status = 400;
        answers[at] = refusedItem(
          request,
          toError(isObject(body) ? body : {}, status, client.names),
        );
      }
    }
  }

  #readFiltered(
    reads: readonly (readonly [DocumentPlace, GetRequest])[],
  ): Promise<readonly (FoundDocument | QuarryError)[]> {
    if (reads.length === 0) return Promise.resolve([]);
    return this.#filtered.read(
      reads.map(([{ entry, routing }, request]) => ({ entry, request, routing })),
    );
  }
}

/** The parameter for documents of an index that this service has not created, or no parameter. */
function withVectors({ engine }: ClusterClient): QueryParams {
  return leavesVectorsOut(engine.parts) ? { _source_exclude_vectors: false } : {};
}

function readDocument(members: ReadonlyMap<string, string>, index: string): FoundDocument {
  const id = textAt(members, '_id') ?? '';
  if (members.get('found') !== 'true') return { index, id, found: false };
  const [version, seqNo] = [members.get('_version'), members.get('_seq_no')];
  const [routing, source] = [textAt(members, '_routing'), members.get('_source')];
  return {
    index,
    id,
    found: true,
    ...(version === undefined ? {} : { version: BigInt(version) }),
    ...(seqNo === undefined ? {} : { seqNo: BigInt(seqNo) }),
    primaryTerm: Number(members.get('_primary_term') ?? 1),
    ...(routing === undefined ? {} : { routing }),
    ...(source === undefined ? {} : { source: Buffer.from(source) }),
  };
}

function writeParams(
  operation: WriteOperation,
  { routing }: DocumentPlace,
  { refresh }: WriteOptions,
): QueryParams {
  const { ifSeqNo, ifPrimaryTerm, version, versionType, retryOnConflict, getSource } = operation;
  return {
    routing,
    refresh: refresh === 'false' ? undefined : refresh,
    if_seq_no: ifSeqNo?.toString(),
    if_primary_term: ifPrimaryTerm?.toString(),
    version: version?.toString(),
    version_type: versionType === 'internal' ? undefined : versionType,
    retry_on_conflict: retryOnConflict === 0 ? undefined : retryOnConflict,
    ...(getSource === undefined ? {} : sourceParams(getSource)),
  };
}

/** The parameters of a source filter. */
export function sourceParams(source: SourceSpec): QueryParams {
  if (typeof source === 'boolean') return source ? { _source: true } : { _source: false };
  const { includes, excludes } = source;
  return {
    _source_includes: includes.length === 0 ? undefined : includes.join(','),
    _source_excludes: excludes.length === 0 ? undefined : excludes.join(','),
  };
}

export function toWriteResult(
  op: WriteOperation['op'],
  status: number,
  made: JsonObject,
  client: Pick<ClusterClient, 'names'>,
  index: string,
): WriteResult {
  const shards = isObject(made['_shards']) ? made['_shards'] : {};
  const got = isObject(made['get']) ? made['get'] : undefined;
  const shown = client.names.shown(String(made['_index'] ?? ''));
  return {
    op,
    index: shown ?? index,
    id: String(made['_id'] ?? ''),
    result: made['result'] as WriteResult['result'],
    status,
    version: integerOf(made['_version'], 1n),
    seqNo: integerOf(made['_seq_no'], -1n),
    primaryTerm: Number(made['_primary_term'] ?? 1),
    shardsTotal: Number(shards['total'] ?? 1),
    forcedRefresh: made['forced_refresh'] === true,
    ...(got?.['_source'] === undefined ? {} : { getSource: printExact(got['_source']) }),
  };
}

function integerOf(value: Json | undefined, fallback: bigint): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : fallback;
}

/** The cluster does not check a document that is written through an alias against its filter. */
export function refuseFiltered({ filter, entry }: DocumentPlace, name: string): void {
  if (filter === undefined) return;
  throw new QuarryError(
    'illegal_argument_exception',
    `alias [${name}] has a filter, through which documents are not written in cluster mode: write to an alias without one, or to the index [${entry.name}]`,
  );
}

export function refusedItem(
  request: Pick<GetRequest, 'index' | 'id'>,
  error: unknown,
): BulkItemError {
  if (!(error instanceof QuarryError)) throw error;
  const { index, id } = request;
  const { type, reason, ...extra } = error.toCause();
  return { op: 'index', index, id, status: error.status, error: { type, reason, ...extra } };
}
