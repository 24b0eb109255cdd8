// What a resource file declares: a list of routes, each a plain function from a checked request to an answer.
// server.ts turns them into Fastify routes, so that no handler knows the HTTP library.

import type { IncomingHttpHeaders } from 'node:http';
import type { Grant } from '../../auth/grant.js';
import type { KeyRing } from '../../auth/key-ring.js';
import type { PrivilegeRule } from '../../auth/privilege-rule.js';
import type {
  Backend,
  IndexDescription,
  IndexOptions,
  IndexTemplates,
  InferenceEndpoints,
  JsonObject,
  Operations,
  Printers,
  SearchContextBackend,
  SearchTemplates,
  Waiter,
} from '../../backend/index.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { QuarryError } from '../../errors.js';
import type { Graph } from '../../graph/graph.js';
import type { Memory } from '../../memory/memory.js';
import type { AuditLog } from '../../ops/audit.js';
import type { ClusterSettings } from '../../ops/cluster-settings.js';
import type { InFlight } from '../../ops/in-flight.js';
import type { LiveConfig } from '../../ops/live-config.js';
import type { Logger } from '../../ops/logger.js';
import type { MemoryGuard } from '../../ops/memory-guard.js';
import type { Metrics } from '../../ops/metrics.js';
import type { NodeActivity } from '../../ops/node-activity.js';
import type { Readiness } from '../../ops/readiness.js';
import type { RequestContexts } from '../../ops/request-context.js';
import type { TlsOptions } from '../../ops/tls.js';
import type { Tracing } from '../../ops/tracing.js';
import type { Snapshots } from '../../snapshot/snapshots.js';
import type { McpHandler } from '../agents/mcp.js';
import type { RouteSchema, UNSUPPORTED } from '../schemas/kinds.js';
import type { InnerAnswer, InnerRequest } from './inner.js';
import { parseObject, readObject } from './json.js';
import { checkContentType } from './media-types.js';
import { indexOptions, type UrlParams } from './params.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** What the routes use of the graph and of the memory. */
export type GraphService = Pick<
  Graph,
  | 'put'
  | 'link'
  | 'unlink'
  | 'ego'
  | 'overview'
  | 'startDetection'
  | 'detection'
  | 'verify'
  | 'suggestions'
  | 'accept'
  | 'reject'
>;
export type MemoryService = Pick<
  Memory,
  'put' | 'store' | 'recall' | 'list' | 'forget' | 'drop'
> & { readonly transfer: Pick<Memory['transfer'], 'export' | 'import'> };

export interface ApiDeps {
  readonly backend: Backend;
  readonly inference: InferenceEndpoints;
  readonly searchContexts: SearchContextBackend;
  readonly cluster: ClusterSettings;
  readonly activity: NodeActivity;
  readonly templates: IndexTemplates;
  readonly searchTemplates: SearchTemplates;
  readonly operations: Operations;
  readonly printers: Printers;
  readonly graph: GraphService & Pick<Graph, 'nodesIndex'>;
  readonly memory: MemoryService;
  readonly snapshots: Snapshots;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly requests: RequestContexts;
  readonly tracing: Tracing;
  readonly logger: Logger;
  readonly live: LiveConfig;
  /** Who may do what; undefined: everybody everything. */
  readonly keys: KeyRing | undefined;
  readonly audit: AuditLog;
  readonly inFlight: InFlight;
  readonly guard: Pick<MemoryGuard, 'check'>;
  /** Undefined: plain HTTP. */
  readonly tls: TlsOptions | undefined;
  /** Undefined: switched off. */
  readonly mcp: McpHandler | undefined;
  readonly version: string;
  /** Names this node and its data in GET / and _nodes. */
  readonly node: { readonly name: string; readonly clusterUuid: string; readonly nodeId: string };
  readonly nowMs: () => number;
  /** Milliseconds of a clock that nobody sets: for what lasts so long. */
  readonly now: () => number;
}

export interface ApiRequest {
  /** That was shown; null: nobody asked for one. */
  readonly key: Grant | null;
  readonly method: Method;
  /** The path as it was asked for, without the query string. */
  readonly path: string;
  /** Decoded path parts by name (`index`, `id` …). */
  readonly parts: Readonly<Record<string, string>>;
  readonly params: UrlParams;
  readonly headers: IncomingHttpHeaders;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  /** Of the same method, address and body, as they came before and may come again; absent: nobody knows. */
  readonly memo?: RequestMemo | undefined;
  /** Raw bytes, decompressed; undefined when there was no body or an empty one. */
  readonly body: Buffer | undefined;
  /** Gone when the client hangs up before its answer. */
  readonly waiter: Waiter;
  /** Takes the names of indexes that the body mentions and that were allowed; absent: nobody wants to know. */
  readonly names?: Set<string> | undefined;
  /** Asks another route as the same caller. */
  readonly inner: (request: InnerRequest) => Promise<InnerAnswer>;
}

/** What handlers made of a request, for when it comes again. */
export interface RequestMemo {
  /** Of a search: its body, with what the address says. Never changed. */
  search?: JsonObject;
  /** Answers it once more, for somebody who may see everything; undefined: it has to be asked for as before. */
  again?: () => MaybePromise<Answer> | undefined;
}

/** `body`: a JSON value, or bytes that are JSON already, or text with its own content type; undefined: no body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** JSON bytes, sent as they are unless filter_path, pretty or YAML is asked for. */
  readonly raw?: Buffer;
  readonly text?: string;
  /** Sent piece by piece as it comes; `filter_path` and `pretty` do not concern it. */
  readonly stream?: AsyncIterable<string>;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** What the document of the API says of it; a test fails for a route without. */
  readonly schema?: RouteSchema | typeof UNSUPPORTED;
  readonly methods: readonly Method[];
  /** What a key needs for it. */
  readonly privilege: PrivilegeRule;
  /** Fastify patterns: `/:index/_doc/:id`. */
  readonly paths: readonly string[];
  /** URL parameters that the handler reads, beside the common ones. */
  readonly params: readonly string[];
  /** Refused whatever is sent along. */
  readonly anyParams?: true;
  /** False for probes and node information: answered while the log is being replayed. */
  readonly gated?: false;
  /** Statistics: `human` shows sizes and times in words as well. */
  readonly statistics?: true;
  /** Reads NDJSON; its body limit is limits.bulk_bytes. */
  readonly ndjson?: true;
  /** The answer says what has happened already: it is sent however much is held. */
  readonly alwaysAnswers?: true;
  readonly handler: (request: ApiRequest) => Promise<Answer> | Answer;
}

export function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

export const ACKNOWLEDGED: Answer = { status: 200, body: { acknowledged: true } };

/** Refuses a body that is not said to be JSON. */
export function checkBodyType({ body, contentType }: ApiRequest): void {
  if (body !== undefined) checkContentType(contentType, false);
}

/** The body as an object; an absent one is `{}`. */
export function optionalBody(request: ApiRequest): JsonObject {
  if (request.body === undefined) return {};
  checkContentType(request.contentType, false);
  return parseObject(request.body);
}

/** The same; a long one is read in stretches. */
export function anyBody(request: ApiRequest): JsonObject | Promise<JsonObject> {
  if (request.body === undefined) return {};
  checkContentType(request.contentType, false);
  return readObject(request.body);
}

/** The body as an object; parse_exception when there is none. */
export function requiredBody(request: ApiRequest): JsonObject {
  return parseObject(requiredBytes(request));
}

/** The same; a long one is read in stretches. */
export function neededBody(request: ApiRequest): JsonObject | Promise<JsonObject> {
  return readObject(requiredBytes(request));
}

/** The body as bytes; parse_exception when there is none. */
export function requiredBytes(request: ApiRequest): Buffer {
  if (request.body === undefined)
    throw new QuarryError('parse_exception', 'request body is required');
  checkContentType(request.contentType, false);
  return request.body;
}

/** A path part that the route's pattern guarantees. */
export function part(request: ApiRequest, name: string): string {
  return request.parts[name] ?? '';
}

/** The indexes that the path's expression and the URL's options name. */
export function resolveIndices(
  deps: ApiDeps,
  request: ApiRequest,
  defaults: IndexOptions = {},
): readonly IndexDescription[] {
  return deps.backend.resolve(part(request, 'index'), {
    ...defaults,
    ...indexOptions(request.params),
  });
}

/**
 * The same for statistics, which are of all documents: without indexes of which whoever asks sees what aliases show, and no more.
 * An alias that is named outright stays; its statistics are refused.
 */
export function countedIndices(
  deps: ApiDeps,
  request: ApiRequest,
  defaults: IndexOptions = {},
): readonly IndexDescription[] {
  const named = new Set(part(request, 'index').split(','));
  return resolveIndices(deps, request, defaults).filter(
    ({ filteredBy }) => filteredBy?.every((alias) => !named.has(alias)) !== true,
  );
}
