// Answers of routes and errors as replies: status, headers, media type, and how they are printed.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { translate } from '../../api/kit/http-errors.js';
import { jsonOf } from '../../api/kit/json.js';
import { answerType, isYaml } from '../../api/kit/media-types.js';
import type { UrlParams } from '../../api/kit/params.js';
import { PrintedPieces, printAtOnce, printOf, startPrinting } from '../../api/kit/printed.js';
import type { Answer, ApiDeps } from '../../api/kit/routes.js';
import { QuarryError, toEnvelope } from '../../errors.js';
import type { HeldBytes } from '../../ops/in-flight.js';
import type { RequestContext } from '../../ops/request-context.js';
import type { Reply } from './exchange.js';

/** Size in bytes below which an answer is sent regardless of how many bytes are held. */
const SMALL_ANSWER = 64 * 1024;

export interface RenderOptions {
  /** Headers of every answer to the request; the type of this one is added to them. */
  readonly headers: Record<string, string>;
  readonly params: UrlParams;
  /** The media type that the client accepts. */
  readonly type: string;
  readonly held: HeldBytes;
  /** The answer is sent even if too many bytes are held. */
  readonly always: boolean;
}

/**
 * Throws es_rejected_execution_exception if too many bytes are held that other clients have not
 * taken yet.
 */
export function rendered(deps: ApiDeps, answer: Answer, options: RenderOptions): Reply {
  const { type } = options;
  const reply = (contentType: string | undefined, body: Reply['body']): Reply => {
    const { status, headers: own } = answer;
    const headers = own === undefined ? options.headers : { ...options.headers, ...inLower(own) };
    if (contentType !== undefined) headers['content-type'] = contentType;
    return { status, headers, body };
  };
  if (answer.text !== undefined) {
    const bytes = Buffer.from(answer.text);
    return reply(answer.contentType ?? 'text/plain; charset=UTF-8', bytes);
  }
  if (answer.stream !== undefined) {
    return reply(answer.contentType ?? type, Readable.from(answer.stream));
  }
  if (answer.raw === undefined && answer.body === undefined) return reply(undefined, undefined);
  return reply(type, printedJson(deps, jsonOf(answer), options));
}

function inLower(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(lower);
}

function printedJson(
  deps: ApiDeps,
  json: Buffer,
  { params, type, held, always }: RenderOptions,
): Buffer | PrintedPieces {
  const print = printOf(params, type);
  const printed = print === undefined ? json : startPrinting(deps.printers, print, json);
  try {
    const isStream = printed instanceof PrintedPieces;
    const bytes = isStream ? json.length + printed.heldBytes : printed.length;
    holdAnswer(deps, held, bytes, always);
  } catch (error) {
    if (printed instanceof PrintedPieces) printed.destroy();
    throw error;
  }
  return printed;
}

function holdAnswer(deps: ApiDeps, held: HeldBytes, bytes: number, always: boolean): void {
  if (always || bytes < SMALL_ANSWER) held.keep(bytes);
  else {
    deps.inFlight.checkAnswer(bytes, 'documents');
    held.take(bytes);
  }
}

/** What a refusal is told in. */
export interface RefusedRequest {
  readonly headers: Pick<IncomingHttpHeaders, 'accept' | 'content-encoding'>;
  readonly params: UrlParams;
  readonly context: RequestContext;
}

/** The error envelope of anything that was thrown; errors of our own are logged and stay unnamed. */
export function refusal(
  deps: ApiDeps,
  thrown: unknown,
  { headers, params, context }: RefusedRequest,
): Reply & { readonly body: Buffer } {
  const error = translate(thrown, headers['content-encoding']);
  const envelope = toEnvelope(error);
  if (!(error instanceof QuarryError)) {
    const ids = deps.requests.logMembers(context);
    deps.logger.error({ ...ids, err: thrown }, 'request failed by an internal error');
  }
  const all: Record<string, string> = {};
  if (envelope.status === 429 || envelope.status === 503) all['retry-after'] = '1';
  if (error instanceof QuarryError) {
    for (const [name, value] of Object.entries(error.headers ?? {}))
      all[name.toLowerCase()] = value;
  }
  const type = errorType(headers.accept, params.text('format'));
  all['content-type'] = type;
  const json = jsonOf({ body: envelope });
  const isPretty = ['', 'true'].includes(params.text('pretty') ?? 'false');
  const style = isYaml(type) ? 'yaml' : isPretty ? 'indented' : undefined;
  const body = style === undefined ? json : printAtOnce(deps.printers, { style, filter: '' }, json);
  return { status: envelope.status, headers: all, body };
}

/** An error is JSON even for a client that accepts none. */
function errorType(accept: string | undefined, format: string | undefined): string {
  try {
    return answerType(accept, format);
  } catch {
    return 'application/json';
  }
}
