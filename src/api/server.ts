// The HTTP server: limits, media types, compression, the readiness gate, error envelopes, and the adapter that turns
// declared routes into Fastify routes. The only file that knows Fastify.
import compress from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { QuarryError, toEnvelope } from '../errors.js';
import { aliasRoutes } from './aliases.js';
import { bulkRoutes } from './bulk.js';
import { catRoutes } from './cat.js';
import { clusterRoutes } from './cluster.js';
import { clusterHealthRoutes } from './cluster-health.js';
import { documentRoutes } from './documents.js';
import { filterPath } from './filter-path.js';
import { healthRoutes } from './health.js';
import { indexRoutes } from './indices.js';
import { decodeUtf8, reread, toJson } from './json.js';
import { answerType } from './media-types.js';
import { multiGetRoutes } from './multi-get.js';
import { multiSearchRoutes } from './multi-search.js';
import { UrlParams } from './params.js';
import type { Answer, ApiDeps, ApiRequest, Method, Route } from './routes.js';
import { searchRoutes } from './search.js';
import { statsRoutes } from './stats.js';

const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
/** Bytes from which an answer is worth compressing. */
const COMPRESS_FROM = 1024;

/** Builds the server with every route; the caller listens and closes. */
export async function createServer(deps: ApiDeps): Promise<FastifyInstance> {
  const { config } = deps;
  const app = Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    disableRequestLogging: true,
    bodyLimit: config['limits.body_bytes'],
    requestTimeout: config['server.request_timeout_ms'],
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: config['server.request_timeout_ms'] },
    routerOptions: {
      maxParamLength: 4096,
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
    },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => sendError(deps, error, reply as FastifyReply),
  });
  app.addHttpMethod('GET', { hasBody: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Elastic-Product', 'Elasticsearch');
    const opaque = request.headers['x-opaque-id'];
    if (typeof opaque === 'string') reply.header('X-Opaque-Id', opaque);
  });
  app.addHook('onResponse', async (request, reply) => observe(deps, request, reply));
  app.setErrorHandler<FastifyError>((error, _request, reply) => sendError(deps, error, reply));
  await app.register(compress, {
    threshold: COMPRESS_FROM,
    encodings: ['gzip', 'deflate', 'br'],
    requestEncodings: ['gzip', 'deflate', 'br', 'identity'],
    onUnsupportedRequestEncoding: (encoding) =>
      new QuarryError(
        'media_type_header_exception',
        `Content-Encoding [${encoding}] is not supported, send gzip, deflate or br`,
        { status: 415 },
      ),
    onInvalidRequestPayload: (encoding) =>
      new QuarryError('parse_exception', `request body is not valid ${encoding}`),
  });
  const routes = allRoutes(deps);
  for (const route of routes) addRoute(app, deps, route);
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

function allRoutes(deps: ApiDeps): readonly Route[] {
  return [
    ...healthRoutes(deps),
    ...clusterHealthRoutes(deps),
    ...clusterRoutes(deps),
    ...statsRoutes(deps),
    ...catRoutes(deps),
    ...aliasRoutes(deps),
    ...searchRoutes(deps),
    ...multiSearchRoutes(deps),
    ...bulkRoutes(deps),
    ...documentRoutes(deps),
    ...multiGetRoutes(deps),
    ...indexRoutes(deps),
  ];
}

function addRoute(app: FastifyInstance, deps: ApiDeps, route: Route): void {
  for (const url of route.paths) {
    app.route({
      method: [...route.methods],
      url,
      bodyLimit: deps.config[route.ndjson === true ? 'limits.bulk_bytes' : 'limits.body_bytes'],
      handler: async (request, reply) => {
        if (route.gated !== false) checkReady(deps);
        const contentType = answerType(request.headers.accept);
        const asked = toApiRequest(request);
        asked.params.refuseUnknown(route.params, asked.path);
        const answer = await route.handler(asked);
        return send(reply, asked, answer, contentType);
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
    const rest = METHODS.filter((method) => !methods.has(method));
    if (rest.length === 0) continue;
    app.route({
      method: rest,
      url,
      handler: (request) => {
        throw new QuarryError(
          'illegal_argument_exception',
          `Incorrect HTTP method for uri [${request.url}] and method [${request.method}], allowed: [${allow}]`,
          { status: 405, headers: { Allow: allow } },
        );
      },
    });
  }
}

function checkReady(deps: ApiDeps): void {
  if (deps.readiness.state !== 'starting') return;
  const { shardsDone, shardsTotal } = deps.readiness.progress;
  throw new QuarryError(
    'node_not_ready_exception',
    `the log is being replayed, ${shardsDone} of ${shardsTotal} shards are ready; retry shortly`,
    { headers: { 'Retry-After': '1' } },
  );
}

function toApiRequest(request: FastifyRequest): ApiRequest {
  const body = request.body as Buffer | undefined;
  const url = request.url;
  const end = url.indexOf('?');
  return {
    method: request.method as Method,
    path: end < 0 ? url : url.slice(0, end),
    parts: request.params as Record<string, string>,
    params: new UrlParams(request.query),
    accept: request.headers.accept,
    contentType: request.headers['content-type'],
    body: body === undefined || body.length === 0 ? undefined : body,
  };
}

function send(
  reply: FastifyReply,
  request: ApiRequest,
  answer: Answer,
  type: string,
): FastifyReply {
  reply.status(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.text !== undefined) {
    return reply.type(answer.contentType ?? 'text/plain; charset=UTF-8').send(answer.text);
  }
  if (answer.raw === undefined && answer.body === undefined) return reply.send();
  reply.type(type);
  const filter = request.params.text('filter_path');
  const pretty = request.params.flag('pretty') ?? false;
  if (answer.raw !== undefined && filter === undefined && !pretty) return reply.send(answer.raw);
  const value = answer.raw === undefined ? answer.body : reread(decodeUtf8(answer.raw));
  const kept = filter === undefined ? value : filterPath(value, filter);
  return reply.send(`${toJson(kept, pretty)}${pretty ? '\n' : ''}`);
}

function sendError(deps: ApiDeps, thrown: unknown, reply: FastifyReply): FastifyReply {
  const error = translate(thrown);
  const envelope = toEnvelope(error);
  if (envelope.status >= 500 && !(thrown instanceof QuarryError)) {
    deps.logger.error({ err: thrown }, 'request failed by an internal error');
  }
  if (error instanceof QuarryError) reply.headers(error.headers);
  return reply.status(envelope.status).type('application/json').send(toJson(envelope));
}

/** Fastify's own refusals in our terms. */
function translate(thrown: unknown): unknown {
  if (thrown instanceof QuarryError) return thrown;
  const error = thrown as Partial<FastifyError>;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new QuarryError(
        'content_too_large_exception',
        'request body is larger than the limit [limits.body_bytes], or [limits.bulk_bytes] for bulk',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new QuarryError(
        'illegal_argument_exception',
        'Content-Length does not fit the request body',
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new QuarryError('media_type_header_exception', 'Content-Type header is not valid', {
        status: 415,
      });
    case 'FST_ERR_BAD_URL':
      return new QuarryError(
        'illegal_argument_exception',
        'the request path is not valid percent-encoded UTF-8',
      );
    case 'FST_ERR_MAX_LIMIT':
    case 'FST_ERR_PARAM_LENGTH':
      return new QuarryError(
        'illegal_argument_exception',
        'a part of the request path is too long',
      );
    default:
      break;
  }
  if (
    error.code === 'Z_DATA_ERROR' ||
    error.code === 'Z_BUF_ERROR' ||
    error.code === 'ERR__ERROR_FORMAT_PADDING_1'
  ) {
    return new QuarryError('parse_exception', 'request body does not match its Content-Encoding');
  }
  const status = error.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    return new QuarryError('illegal_argument_exception', error.message ?? 'bad request', {
      status,
    });
  }
  return thrown;
}

function observe(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): void {
  deps.metrics.httpSeconds.observe(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: `${Math.floor(reply.statusCode / 100)}xx`,
    },
    reply.elapsedTime / 1000,
  );
}
