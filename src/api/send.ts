// Answers and errors to HTTP replies: status, headers, media type, `filter_path` and `pretty`.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QuarryError, toEnvelope } from '../errors.js';
import { afterRest } from './discard.js';
import { filterPath } from './filter-path.js';
import { translate } from './http-errors.js';
import { decodeUtf8, reread, toJson } from './json.js';
import { answerType, isYaml } from './media-types.js';
import { identify } from './observe.js';
import { UrlParams } from './params.js';
import type { Answer, ApiDeps, ApiRequest } from './routes.js';
import { toYaml } from './yaml-text.js';

/** Below it an answer is sent however much is held. */
const SMALL_ANSWER = 64 * 1024;

/**
 * `type`: the media type that the client takes. es_rejected_execution_exception when too many bytes are held that other
 * clients have not taken yet; `always`: sent all the same.
 */
export function send(
  deps: ApiDeps,
  reply: FastifyReply,
  request: ApiRequest,
  answer: Answer,
  type: string,
  always: boolean,
): FastifyReply {
  const { held } = reply.request;
  const counted = (bytes: Buffer): Buffer => {
    if (always || bytes.length < SMALL_ANSWER) held.keep(bytes.length);
    else {
      deps.inFlight.checkAnswer(bytes.length, 'documents');
      held.take(bytes.length);
    }
    return bytes;
  };
  reply.status(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.text !== undefined) {
    return reply.type(answer.contentType ?? 'text/plain; charset=UTF-8').send(answer.text);
  }
  if (answer.stream !== undefined) {
    return reply.type(answer.contentType ?? type).send(Readable.from(answer.stream));
  }
  if (answer.raw === undefined && answer.body === undefined) return reply.send();
  reply.header('Content-Type', type);
  const filter = request.params.text('filter_path');
  const pretty = request.params.flag('pretty') ?? false;
  const asIs = filter === undefined && !pretty && !isYaml(type);
  if (answer.raw !== undefined && asIs) return reply.send(counted(answer.raw));
  const value = answer.raw === undefined ? answer.body : reread(decodeUtf8(answer.raw));
  const kept = filter === undefined ? value : filterPath(value, filter);
  return reply.send(counted(print(kept, pretty, type)));
}

/** The envelope of anything that was thrown; what is our own bug is logged and stays unnamed. */
export function sendError(
  deps: ApiDeps,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = translate(thrown, request.headers['content-encoding']);
  const envelope = toEnvelope(error);
  if (!(error instanceof QuarryError)) {
    const ids = deps.requests.logMembers(request.context);
    deps.logger.error({ ...ids, err: thrown }, 'request failed by an internal error');
  }
  identify(deps, request, reply);
  // The rest of a body that was refused is read and thrown away: a client that is still sending would not see an answer on
  // a closed connection. What would have to be unpacked for that is cut off.
  if ([413, 429].includes(envelope.status) && request.headers['content-encoding'] === undefined) {
    reply.removeHeader('connection');
  }
  if (envelope.status === 429 || envelope.status === 503) reply.header('Retry-After', '1');
  if (error instanceof QuarryError) reply.headers(error.headers);
  const params = new UrlParams(request.query);
  const pretty = ['', 'true'].includes(params.text('pretty') ?? 'false');
  const type = errorType(request.headers.accept, params.text('format'));
  reply.status(envelope.status).header('Content-Type', type);
  afterRest(request.raw, reply.raw, () => reply.send(print(envelope, pretty, type)));
  return reply;
}

/** As bytes: Fastify rewrites the media type of texts. */
function print(value: unknown, pretty: boolean, type: string): Buffer {
  if (isYaml(type)) return Buffer.from(toYaml(value));
  return Buffer.from(`${toJson(value, pretty)}${pretty ? '\n' : ''}`);
}

/** An error is JSON even for a client that takes none. */
function errorType(accept: string | undefined, format: string | undefined): string {
  try {
    return answerType(accept, format);
  } catch {
    return 'application/json';
  }
}
