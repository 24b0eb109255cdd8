// The declaration of routes: each route is a function from a validated request to an answer.
// src/http registers them with Fastify, so that handlers do not depend on the HTTP library.

import type { IncomingHttpHeaders } from 'node:http';
import type { Grant } from '../../auth/grant.js';
import type { KeyRing } from '../../auth/key-ring.js';
import type { PrivilegeRule } from '../../auth/privilege-rule.js';
import type {
  AsyncSearches,
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
import type { ConfigDescription } from '../../config/describe.js';
import type { Finding } from '../../doctor/findings.js';
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
import type { SlowSearches } from '../../ops/slow-searches.js';
import type { TlsOptions } from '../../ops/tls.js';
import type { Tracing } from '../../ops/tracing.js';
import type { Snapshots } from '../../snapshot/snapshots.js';
import type { McpHandler } from '../agents/mcp.js';
import type { ClusterMode } from '../cluster-mode.js';
import type { RouteSchema, UNSUPPORTED } from '../schemas/kinds.js';
import type { PreparedRequests } from '../search/prepared-requests.js';
import type { InnerAnswer, InnerRequest } from './inner.js';
import { readObject } from './json.js';
import { checkContentType } from './media-types.js';
import { indexOptions, type UrlParams } from './params.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The methods of the graph and memory services that routes use. */
export type GraphService = Pick<
  Graph,
  | 'put'
  | 'brains'
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
  | 'put'
  | 'store'
  | 'bulk'
  | 'recall'
  | 'recallMany'
  | 'list'
  | 'namespaces'
  | 'audit'
  | 'changes'
  | 'get'
  | 'edit'
  | 'forget'
  | 'forgetMatching'
  | 'drop'
> & { readonly transfer: Pick<Memory['transfer'], 'export' | 'import'> };

export interface ApiDeps {
  readonly backend: Backend;
  readonly inference: InferenceEndpoints;
  readonly searchContexts: SearchContextBackend;
  readonly asyncSearches: AsyncSearches;
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
  /** Searches that this thread has prepared. */
  readonly prepared: PreparedRequests;
  /** The API keys; undefined if keys are not required. */
  readonly keys: KeyRing | undefined;
  readonly audit: AuditLog;
  readonly inFlight: InFlight;
  readonly guard: Pick<MemoryGuard, 'check'>;
  /** Undefined for plain HTTP. */
  readonly tls: TlsOptions | undefined;
  /** Undefined: storage and search are those of this node. */
  readonly clusterMode?: ClusterMode | undefined;
  /** Undefined if MCP is switched off. */
  readonly mcp: McpHandler | undefined;
  readonly slowSearches: SlowSearches;
  /** The configuration with the origin of each value; `file` is null if none was given. */
  readonly describedConfig: () => {
    readonly file: string | null;
    readonly settings: Readonly<Record<string, ConfigDescription>>;
  };
  /** What is right and wrong with this service and its machine. */
  readonly findings: () => readonly Finding[];
  readonly version: string;
  /** Identifies this node and its data in GET / and _nodes. */
  readonly node: { readonly name: string; readonly clusterUuid: string; readonly nodeId: string };
  readonly nowMs: () => number;
  /** Monotonic clock in milliseconds, for durations. */
  readonly now: () => number;
}

export interface ApiRequest {
  /** The grant of the key that was sent; null if keys are not required. */
  readonly key: Grant | null;
  readonly method: Method;
  /** The request target as it was sent: path and query string. */
  readonly address: string;
  /** The request path without the query string. */
  readonly path: string;
  /** Decoded path parameters by name (`index`, `id` …). */
  readonly parts: Readonly<Record<string, string>>;
  readonly params: UrlParams;
  readonly headers: IncomingHttpHeaders;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  /** Decompressed body; undefined if it is absent or empty. */
  readonly body: Buffer | undefined;
  /** Signals that the client disconnected before its answer. */
  readonly waiter: Waiter;
  /**
   * Receives the names of permitted indexes that the body mentions; absent if no caller needs them.
   */
  readonly names?: Set<string> | undefined;
  /** Sends an inner request to another route as the same caller. */
  readonly inner: (request: InnerRequest) => Promise<InnerAnswer>;
}

/**
 * The body is one of: `body` (a JSON value), `raw` (JSON bytes), `text` with its content type,
 * `stream`; or none.
 */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** JSON bytes, sent unchanged unless filter_path, pretty or YAML is requested. */
  readonly raw?: Buffer;
  readonly text?: string;
  /** Sent in chunks as they are produced; `filter_path` and `pretty` do not apply. */
  readonly stream?: AsyncIterable<string>;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** Description for the OpenAPI document; a test fails for a route without one. */
  readonly schema?: RouteSchema | typeof UNSUPPORTED;
  readonly methods: readonly Method[];
  /** The privilege that a key needs. */
  readonly privilege: PrivilegeRule;
  /** Fastify path patterns such as `/:index/_doc/:id`. */
  readonly paths: readonly string[];
  /** URL parameters that the handler reads, in addition to the common ones. */
  readonly params: readonly string[];
  /** Parameters are not checked, because the route always answers with an error. */
  readonly anyParams?: true;
  /**
   * False for probes and node information, which are answered while the write-ahead log is being
   * replayed.
   */
  readonly gated?: false;
  /** Statistics: `human` adds readable sizes and times. */
  readonly statistics?: true;
  /** The route accepts NDJSON; its body limit is limits.bulk_bytes. */
  readonly ndjson?: true;
  /**
   * The answer reports a change that was already made, so it is sent even if the limit of held
   * bytes is exceeded.
   */
  readonly alwaysAnswers?: true;
  readonly handler: (request: ApiRequest) => Promise<Answer> | Answer;
}

export function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

export const ACKNOWLEDGED: Answer = { status: 200, body: { acknowledged: true } };

/**
 * The body as an object; `{}` if it is absent. A long body is parsed by a cooperative task, as are
 * all that routes read.
 */
export function optionalBody(request: ApiRequest): JsonObject | Promise<JsonObject> {
  if (request.body === undefined) return {};
  checkContentType(request.contentType, false);
  return readObject(request.body);
}

/** The body as an object; parse_exception if it is absent. */
export function requiredBody(request: ApiRequest): JsonObject | Promise<JsonObject> {
  return readObject(requiredBytes(request));
}

/** The body as bytes; parse_exception if it is absent. */
export function requiredBytes(request: ApiRequest): Buffer {
  if (request.body === undefined)
    throw new QuarryError('parse_exception', 'request body is required');
  checkContentType(request.contentType, false);
  return request.body;
}

/** A path parameter that the route's pattern guarantees. */
export function part(request: ApiRequest, name: string): string {
  return request.parts[name] ?? '';
}

/** The indexes that the path expression and the URL options select. */
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
 * Like resolveIndices() for statistics, which count all documents of an index: skips indexes that
 * the caller sees only through a filtered alias. An alias that is named explicitly is kept; its
 * statistics are then rejected.
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
