// Answers and errors to HTTP replies: status, headers, media type, and how they are printed.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { translate } from '../api/kit/http-errors.js';
import { jsonOf } from '../api/kit/json.js';
import { answerType, isYaml } from '../api/kit/media-types.js';
import { UrlParams } from '../api/kit/params.js';
import { PrintedPieces, printAtOnce, printOf, startPrinting } from '../api/kit/printed.js';
import type { Answer, ApiDeps, ApiRequest } from '../api/kit/routes.js';
import { QuarryError, toEnvelope } from '../errors.js';
import type { HeldBytes } from '../ops/in-flight.js';
import type { RequestContext } from '../ops/request-context.js';
import { afterRest } from './discard.js';
import { identify } from './observe.js';

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
  const hold = (bytes: number): void => holdAnswer(deps, reply.request.held, bytes, always);
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
  const json = jsonOf(answer);
  const print = printOf(request.params, type);
  const printed = print === undefined ? json : startPrinting(deps.printers, print, json);
  try {
    hold(printed instanceof PrintedPieces ? json.length + printed.heldBytes : printed.length);
  } catch (error) {
    if (printed instanceof PrintedPieces) printed.destroy();
    throw error;
  }
  return reply.send(printed);
}

/** As send(): refuses `bytes` more for which there is no room. */
export function holdAnswer(deps: ApiDeps, held: HeldBytes, bytes: number, always = false): void {
  if (always || bytes < SMALL_ANSWER) held.keep(bytes);
  else {
    deps.inFlight.checkAnswer(bytes, 'documents');
    held.take(bytes);
  }
}

/** The envelope of anything that was thrown; what is our own bug is logged and stays unnamed. */
export function sendError(
  deps: ApiDeps,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { headers, context } = request;
  const query = new UrlParams(request.query);
  const { status, headers: extra, type, bytes } = refusal(deps, thrown, headers, query, context);
  identify(deps, request, reply);
  // The rest of a body that was refused is read and thrown away: a client that is still sending would not see an answer on
  // a closed connection. What would have to be unpacked for that is cut off.
  if ([413, 429].includes(status) && headers['content-encoding'] === undefined) {
    reply.removeHeader('connection');
  }
  reply.headers(extra);
  reply.status(status).header('Content-Type', type);
  afterRest(request.raw, reply.raw, () => reply.send(bytes));
  return reply;
}

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  /** The envelope, printed. */
  readonly bytes: Buffer;
}

/** What the sender of a request with these `headers` and `params` is told of what was thrown; our own bugs are logged. */
export function refusal(
  deps: ApiDeps,
  thrown: unknown,
  headers: Pick<IncomingHttpHeaders, 'accept' | 'content-encoding'>,
  params: UrlParams,
  context: RequestContext | undefined,
): Refusal {
  const error = translate(thrown, headers['content-encoding']);
  const envelope = toEnvelope(error);
  if (!(error instanceof QuarryError)) {
    const ids = deps.requests.logMembers(context);
    deps.logger.error({ ...ids, err: thrown }, 'request failed by an internal error');
  }
  const isLater = envelope.status === 429 || envelope.status === 503;
  const pretty = ['', 'true'].includes(params.text('pretty') ?? 'false');
  const json = jsonOf({ body: envelope });
  const type = errorType(headers.accept, params.text('format'));
  return {
    status: envelope.status,
    headers: {
      ...(isLater ? { 'Retry-After': '1' } : {}),
      ...(error instanceof QuarryError ? error.headers : {}),
    },
    type,
    bytes: isYaml(type)
      ? printAtOnce(deps.printers, { style: 'yaml', filter: '' }, json)
      : pretty
        ? printAtOnce(deps.printers, { style: 'indented', filter: '' }, json)
        : json,
  };
}

/** An error is JSON even for a client that takes none. */
function errorType(accept: string | undefined, format: string | undefined): string {
  try {
    return answerType(accept, format);
  } catch {
    return 'application/json';
  }
}
