// The HTTP server of the main thread: limits of connections and requests, and the table of routes. What
// is routed is answered by the pipeline.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { addressOf } from '../api/kit/addresses.js';
import { askInside } from '../api/kit/inner.js';
import { UrlParams } from '../api/kit/params.js';
import type { ApiDeps } from '../api/kit/routes.js';
import { allRoutes } from '../api/route-table.js';
import { QuarryError } from '../errors.js';
import { KEEP_ALIVE_MS } from '../ops/keep-alive.js';
import type { Exchange } from './pipeline/exchange.js';
import { Pipeline } from './pipeline/pipeline.js';
import {
  type FixedTarget,
  type RouteTarget,
  type TargetTable,
  targetTable,
} from './pipeline/targets.js';
import { answerInTurn } from './transports/in-turn.js';
import { NodeExchange } from './transports/node-exchange.js';
import { serverLimits } from './transports/node-server.js';
import { ReadAddresses } from './transports/read-addresses.js';
import { type RefusedConnections, refuseBeforeRoutes } from './transports/rejected-connections.js';

/**
 * The method of every path in the router. A path is one route of Fastify, whose target depends on
 * the method of the request: a route for each method would take a third of a start to register.
 */
const ROUTED_METHOD = 'GET';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent for paths that no route has. */
    readonly targets?: PathTargets;
  }
}

/** What answers a path, by method. */
interface PathTargets {
  readonly byMethod: ReadonlyMap<string, RouteTarget>;
  readonly others: FixedTarget;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  readonly pipeline: Pipeline;
  readonly refusing: RefusedConnections;
  /** Answers a request that another transport or thread has read. */
  readonly handle: (exchange: Exchange) => void;
  /** From now on connections are closed behind their answers. */
  readonly drain: () => void;
  readonly isClosing: () => boolean;
}

/** Stands in the router for the connection of another transport. */
const NO_SOCKET = new Socket().on('error', () => {});

/** Builds the server; the caller listens and closes. */
export function createServer(deps: ApiDeps): HttpServer {
  const requestTimeout = deps.live.get('server.request_timeout_ms');
  /** Methods of requests that are being routed. */
  const methods = new WeakMap<IncomingMessage, string>();
  const app = Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    rewriteUrl: (request) => {
      const raw = request as IncomingMessage;
      const url = addressOf(raw, deps);
      methods.set(raw, raw.method ?? '');
      raw.method = ROUTED_METHOD;
      return url;
    },
    // Log lines of a request name it themselves.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout,
    connectionTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...transport(deps, requestTimeout),
    routerOptions: {
      maxParamLength: 4096,
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
    },
    exposeHeadRoutes: false,
    // No route has a schema of Fastify's, whose compilers take a tenth of a start to load.
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) =>
      pipeline.refuse(exchangeOf(request, reply as FastifyReply), error),
    clientErrorHandler: (error, socket) => refusing.connection(error, socket),
  });
  answerInTurn(app.server);
  const pipeline = new Pipeline(deps, {
    routesOf: allRoutes,
    inner: ({ headers, connection }, request) =>
      askInside(deps.requests, app, { headers, address: connection.remoteAddress }, request),
  });
  const refusing = refuseBeforeRoutes(app.server, pipeline.log);
  let isDraining = false;
  const drain = (): void => {
    isDraining = true;
  };
  // Connections that are made before there are other threads would all stay on this one.
  const isClosing = (): boolean => isDraining || deps.readiness.state === 'starting';
  app.addHook('preClose', async () => drain());
  app.addHook('onClose', async () => pipeline.close());
  const options = {
    stalledMs: deps.live.get('server.request_timeout_ms'),
    isClosing,
  };
  /** Exchanges of other transports, by what stands for them in the router. */
  const others = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = ({ raw }: FastifyRequest, reply: FastifyReply): Exchange => {
    raw.method = methods.get(raw) ?? '';
    return others.get(raw) ?? new NodeExchange(raw, reply.raw, options);
  };
  // The pipeline reads bodies and writes answers itself: nothing of Fastify follows its routing.
  app.addHook('onRequest', (request, reply) => {
    reply.hijack();
    const exchange = exchangeOf(request, reply);
    const { targets } = request.routeOptions.config;
    const target = targets?.byMethod.get(exchange.method) ?? targets?.others ?? NOT_FOUND;
    const parts = (request.params ?? {}) as Record<string, string>;
    const params = new UrlParams(request.query);
    pipeline.handle(exchange, { target, url: request.url, parts, params });
  });
  const table = targetTable(allRoutes(deps));
  addTargets(app, table);
  const reads = new ReadAddresses(table);
  const handle = (exchange: Exchange): void => {
    const routed = reads.of(exchange.method, exchange.url);
    if (routed !== undefined) {
      pipeline.handle(exchange, routed);
      return;
    }
    const request = new IncomingMessage(NO_SOCKET);
    request.method = exchange.method;
    request.url = exchange.url;
    request.headers = exchange.headers;
    others.set(request, exchange);
    app.routing(request, new ServerResponse(request));
  };
  return { app, pipeline, handle, drain, isClosing, refusing };
}

function noSchemas(): never {
  throw new Error('routes validate requests themselves: give them no schema');
}

/** Fastify types servers by their transport, of which nothing here depends. */
function transport(deps: ApiDeps, timeoutMs: number): { http: object } {
  const limits = serverLimits(timeoutMs);
  if (deps.tls === undefined) return { http: limits };
  const https = { ...limits, ...deps.tls, handshakeTimeout: timeoutMs };
  return { https } as object as { http: object };
}

function addTargets(app: FastifyInstance, table: TargetTable): void {
  for (const [pattern, byMethod] of table) {
    const targets = { byMethod, others: wrongMethod(pattern, [...byMethod.keys()].join(', ')) };
    app.route({ method: ROUTED_METHOD, url: pattern, config: { targets }, handler: unreachable });
  }
  app.setNotFoundHandler(unreachable);
}

function unreachable(): never {
  throw new Error('a request was routed past the pipeline');
}

/** Answers methods that a path lacks: 405 with `Allow`, and OPTIONS with `Allow` alone. */
function wrongMethod(pattern: string, allow: string): FixedTarget {
  return {
    kind: 'fixed',
    rule: 'any',
    pattern,
    answer: (method, url) => {
      if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow } };
      throw new QuarryError(
        'illegal_argument_exception',
        `Incorrect HTTP method for uri [${url}] and method [${method}], allowed: [${allow}]`,
        { status: 405, headers: { Allow: allow } },
      );
    },
  };
}

const NOT_FOUND: FixedTarget = {
  kind: 'fixed',
  rule: 'any',
  pattern: undefined,
  answer: (method, url) => {
    throw new QuarryError(
      'illegal_argument_exception',
      `no handler found for uri [${url}] and method [${method}]`,
      { status: 404 },
    );
  },
};
