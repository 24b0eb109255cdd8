// The HTTP server: limits, media types, compression, the readiness gate, error envelopes, and the adapter that turns
// declared routes into Fastify routes.

import type { IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { addressOf } from '../api/kit/addresses.js';
import { validateRequest } from '../api/kit/asked.js';
import { type BodyLimit, readBody } from '../api/kit/body.js';
import { Client } from '../api/kit/client.js';
import { isSeven, withDocumentTypes } from '../api/kit/compatible-seven.js';
import { withDateNames } from '../api/kit/date-names.js';
import { checkRequest } from '../api/kit/http-errors.js';
import { inWords } from '../api/kit/human.js';
import { askInside } from '../api/kit/inner.js';
import { UrlParams } from '../api/kit/params.js';
import type { Answer, ApiDeps, ApiRequest, Method, Route } from '../api/kit/routes.js';
import { allRoutes } from '../api/route-table.js';
import { beforeTimeSlices } from '../base/cooperative-task.js';
import { descriptorLimit } from '../base/descriptors.js';
import { type MaybePromise, thenMaybe } from '../base/maybe-promise.js';
import { QuarryError } from '../errors.js';
import { KEEP_ALIVE_MS } from '../ops/keep-alive.js';
import { connectionsFor, limitConnections } from './connections.js';
import { Guard } from './guard.js';
import { startHolding } from './held.js';
import { identify, within } from './observe.js';
import { Outbox } from './outbox.js';
import { COMPRESSION } from './packing.js';
import { checkReady } from './ready.js';
import { refuseBeforeRoutes } from './rejected-connections.js';
import { RequestLog } from './request-log.js';
import { send, sendError } from './send.js';
import { cutWhenStalled } from './stalled.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
declare module 'fastify' {
  interface FastifyContextConfig {
    /** The setting that limits the route's body; absent: limits.body_bytes. */
    readonly bodyLimit?: BodyLimit['setting'];
  }
}

/** Builds the server; the caller listens and closes. */
export async function createServer(deps: ApiDeps): Promise<FastifyInstance> {
  const log = new RequestLog(deps);
  const failed = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    sendError(deps, error, request, reply);
    request.record?.worked();
    return reply;
  };
  const requestTimeout = deps.live.get('server.request_timeout_ms');
  const app = Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    rewriteUrl: (request) => addressOf(request as IncomingMessage, deps),
    // Lines of a request name it themselves.
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
    frameworkErrors: (error, request, reply) => {
      const record = log.open(request, reply as FastifyReply);
      reply.raw.once('finish', () => record.answered());
      return failed(error, request, reply as FastifyReply);
    },
    clientErrorHandler: (error, socket) => refusing.connection(error, socket),
  });
  const refusing = refuseBeforeRoutes(app.server, log, (error) =>
    deps.logger.error({ err: error }, 'a connection could not be accepted'),
  );
  limitConnections(app.server, connectionsFor(descriptorLimit()));
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  // Hooks and readers call back, where Fastify would take promises as well: most have nothing to wait for.
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done) => {
    const { raw, held, routeOptions } = request;
    const setting = routeOptions.config.bodyLimit ?? 'limits.body_bytes';
    const refusal = thrownBy(() => deps.guard.check('search'));
    if (refusal !== undefined) done(refusal);
    else readBody(raw, payload, { setting, bytes: deps.live.get(setting) }, held, done);
  });
  app.decorateRequest('held');
  app.decorateRequest('record');
  const guard = new Guard(deps, allRoutes);
  const outbox = new Outbox();
  const forget = beforeTimeSlices(() => outbox.flush());
  app.addHook('onClose', async () => forget());
  app.decorateRequest('context', undefined);
  app.decorateRequest('grant', null);
  app.addHook('onRequest', (request, reply, done) => {
    outbox.hurry();
    let isAnswered: MaybePromise<boolean> = false;
    const refusal = thrownBy(() => {
      log.open(request, reply);
      startHolding(deps, request, reply);
      identify(deps, request, reply);
      checkRequest(request.raw);
      isAnswered = guard.admit(request, reply);
    });
    const goOn = (answered: boolean): void => {
      if (!answered) done();
    };
    if (refusal !== undefined) done(refusal);
    else thenMaybe(isAnswered, goOn, done);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    done(thrownBy(() => request.record?.answered()));
  });
  app.setErrorHandler<FastifyError>(failed);
  await app.register(compress, COMPRESSION);
  const routes = allRoutes(deps);
  for (const [at, route] of routes.entries()) addRoute(app, deps, guard, outbox, route, at);
  refuseOtherMethods(app, routes);
  app.setNotFoundHandler((request) => {
    throw new QuarryError(
      'illegal_argument_exception',
      `no handler found for uri [${request.url}] and method [${request.method}]`,
      { status: 404 },
    );
  });
  return app;
}

function noSchemas(): never {
  throw new Error('routes check what they are asked themselves: give them no schema');
}

function thrownBy(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Fastify types servers by their transport, of which nothing here depends. */
function transport(deps: ApiDeps, timeoutMs: number): { http: object } {
  const limits = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: timeoutMs,
    connectionsCheckingInterval: 2000,
    // checkRequest() answers in the envelope.
    requireHostHeader: false,
  };
  if (deps.tls === undefined) return { http: limits };
  const https = { ...limits, ...deps.tls, handshakeTimeout: timeoutMs };
  return { https } as object as { http: object };
}

/** `at`: its place among all routes. A method that has no rule is for keys of everything. */
function addRoute(
  app: FastifyInstance,
  deps: ApiDeps,
  guard: Guard,
  outbox: Outbox,
  route: Route,
  at: number,
): void {
  const stalledMs = deps.live.get('server.request_timeout_ms');
  const limit = route.ndjson === true ? { bodyLimit: 'limits.bulk_bytes' as const } : {};
  for (const [method, url] of route.methods.flatMap((m) =>
    route.paths.map((p) => [m, p] as const),
  )) {
    app.route({
      method,
      url,
      config: { ...limit, rule: route.privilege },
      handler: (request, reply) => {
        request.record?.begins();
        if (route.gated !== false) checkReady(deps);
        const requested = toApiRequest(deps, request, reply);
        const contentType = validateRequest(route, requested);
        const own = guard.route(request.grant, at, route);
        const work = (): MaybePromise<Answer> =>
          within(deps, request, () => own.handler(requested));
        const made = route.gated === false ? work() : deps.inFlight.request(work);
        const soon = isSeven(contentType) ? thenMaybe(made, withDocumentTypes) : made;
        const fail = (error: unknown): void => {
          reply.send(error);
        };
        const finish = (answer: Answer): void => {
          request.held.drop();
          cutWhenStalled(reply.raw, stalledMs);
          const human = route.statistics === true && requested.params.flag('human') === true;
          const shown = human ? inWords(answer) : answer;
          send(deps, reply, requested, shown, contentType, route.alwaysAnswers === true);
          request.record?.worked();
        };
        const leave = (answer: Answer): void =>
          outbox.add(() => {
            const refusal = thrownBy(() => finish(answer));
            if (refusal !== undefined) fail(refusal);
          });
        if (soon instanceof Promise) soon.then(leave, fail);
        else leave(soon);
      },
    });
  }
}

/** Every known path answers 405 with `Allow` for the methods that it lacks. */
function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const byPath = new Map<string, Set<Method>>();
  for (const route of routes) {
    for (const url of route.paths) {
      const methods = byPath.get(url) ?? new Set();
      for (const method of route.methods) methods.add(method);
      byPath.set(url, methods);
    }
  }
  for (const [url, methods] of byPath) {
    const allow = [...methods].join(', ');
    const rest = METHODS.filter((method) => !(methods as ReadonlySet<string>).has(method));
    app.route({
      method: rest,
      url,
      handler: (request, reply) => {
        if (request.method === 'OPTIONS') return reply.header('Allow', allow).send();
        throw new QuarryError(
          'illegal_argument_exception',
          `Incorrect HTTP method for uri [${request.url}] and method [${request.method}], allowed: [${allow}]`,
          { status: 405, headers: { Allow: allow } },
        );
      },
    });
  }
}

function toApiRequest(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): ApiRequest {
  const body = request.body as Buffer | undefined;
  const url = request.url;
  const end = url.indexOf('?');
  return {
    key: request.grant,
    method: request.method as Method,
    address: url,
    path: end < 0 ? url : url.slice(0, end),
    parts: withDateNames(request.params as Record<string, string>, deps.nowMs),
    params: new UrlParams(request.query),
    headers: request.headers,
    accept: request.headers.accept,
    contentType: request.headers['content-type'],
    body: body === undefined || body.length === 0 ? undefined : body,
    waiter: new Client(deps.requests, reply.raw, request.held),
    names: request.record?.names,
    inner: (inner) => askInside(deps.requests, request, inner),
  };
}
