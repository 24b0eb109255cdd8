// Every request on its way to its answer, whatever its transport and thread: admit, read, route, check,
// run, render, send.
import { Readable } from 'node:stream';
import { Client } from '../../api/kit/client.js';
import { isSeven, withDocumentTypes } from '../../api/kit/compatible-seven.js';
import { inWords } from '../../api/kit/human.js';
import type { InnerAnswer, InnerRequest } from '../../api/kit/inner.js';
import { withLongBody } from '../../api/kit/long-answers.js';
import { UrlParams } from '../../api/kit/params.js';
import { validateRequest } from '../../api/kit/request-check.js';
import type { Answer, ApiDeps, ApiRequest, Method, Route } from '../../api/kit/routes.js';
import { beforeTimeSlices } from '../../base/cooperative-task.js';
import { withDateNames } from '../../base/date-names.js';
import {
  awaitMaybe,
  type MaybePromise,
  runSyncFirst,
  type SyncFirstTask,
  thenMaybe,
} from '../../base/maybe-promise.js';
import { compressed } from './compression.js';
import { answerOrigin } from './cors.js';
import type { Exchange, Reply } from './exchange.js';
import { Guard } from './guard.js';
import { Outbox } from './outbox.js';
import { checkReady } from './ready.js';
import { refusal, rendered } from './render.js';
import { readBody } from './request-body.js';
import { RequestLog, type RequestRecord } from './request-log.js';
import type { Routed, RouteTarget } from './targets.js';

export interface PipelineOptions {
  /** Makes all routes of this thread, in the same order every time. */
  readonly routesOf: (deps: ApiDeps) => readonly Route[];
  /** Sends a request to another route on behalf of the caller of `outer`. */
  readonly inner: (outer: Exchange, request: InnerRequest) => Promise<InnerAnswer>;
  /**
   * Passes a request to another thread, with the body that was read, if its handler fails here.
   * Absent on the thread that answers everything.
   */
  readonly handOver?: (exchange: Exchange, body: Buffer | undefined) => void;
}

export class Pipeline {
  readonly log: RequestLog;
  readonly #deps: ApiDeps;
  readonly #options: PipelineOptions;
  readonly #guard: Guard;
  readonly #outbox = new Outbox();
  readonly #forget: () => void;

  constructor(deps: ApiDeps, options: PipelineOptions) {
    this.#deps = deps;
    this.#options = options;
    this.log = new RequestLog(deps);
    this.#guard = new Guard(deps, options.routesOf);
    this.#forget = beforeTimeSlices(() => this.#outbox.flush());
  }

  close(): void {
    this.#forget();
  }

  handle(exchange: Exchange, routed: Routed): void {
    this.#outbox.hurry();
    const record = this.log.open(exchange, routed);
    const call = new Call(record, routed);
    const send = (reply: Reply): void => this.#outbox.add(() => this.#send(record, reply));
    const fail = (error: unknown): void => {
      const { handOver } = this.#options;
      if (handOver !== undefined && record.hasBegun && !record.isGone) {
        record.handOver();
        handOver(exchange, call.body);
      } else send(this.#refusal(record, error));
    };
    try {
      const reply = runSyncFirst(this.#answer(call));
      if (reply instanceof Promise) reply.then(send).catch(fail);
      else send(reply);
    } catch (error) {
      fail(error);
    }
  }

  /** Answers a request whose path no router understands. */
  refuse(exchange: Exchange, error: unknown): void {
    const record = this.log.open(exchange, undefined);
    this.#send(record, this.#refusal(record, error));
  }

  *#answer(call: Call): SyncFirstTask<Reply> {
    const { record, routed, exchange } = call;
    exchange.validate();
    const origins = this.#deps.live.get('cors.allow_origins');
    const early = answerOrigin(exchange, record.headers, origins);
    if (early !== undefined) return early;
    const { target } = routed;
    record.grant = yield* awaitMaybe(this.#guard.authenticate(exchange, target));
    this.#guard.checkPrivilege(record.grant, exchange, target);
    call.body = yield* awaitMaybe(this.#read(record, target));
    if (target.kind === 'fixed') {
      return this.#rendered(
        call,
        target.answer(exchange.method, routed.url),
        'application/json',
        false,
      );
    }
    record.begins();
    if (target.route.gated !== false) checkReady(this.#deps);
    const request = this.#request(call);
    const type = validateRequest(target.route, request);
    const made = yield* awaitMaybe(this.#run(call, target, request, type));
    const answer = yield* awaitMaybe(withLongBody(made));
    record.held.drop();
    const reply = this.#rendered(call, answer, type, target.route.alwaysAnswers === true);
    const packed = yield* awaitMaybe(compressed(reply, exchange.headers));
    if (packed.body instanceof Readable) {
      packed.body.on('error', (error) => this.#broken(error));
      yield* awaitMaybe(firstPiece(packed.body));
    }
    return packed;
  }

  #read(
    { exchange, held }: RequestRecord,
    target: Routed['target'],
  ): MaybePromise<Buffer | undefined> {
    const { method, body } = exchange;
    if (body === undefined || method === 'HEAD') return undefined;
    this.#deps.guard.check('search');
    const isBulk = target.kind === 'route' && target.route.ndjson === true;
    const setting = isBulk ? 'limits.bulk_bytes' : 'limits.body_bytes';
    return readBody(exchange, { setting, bytes: this.#deps.live.get(setting) }, held);
  }

  #request({ record, routed, exchange, body }: Call): ApiRequest {
    const { method, headers } = exchange;
    const { url } = routed;
    const end = url.indexOf('?');
    return {
      key: record.grant,
      method: method as Method,
      address: url,
      path: end < 0 ? url : url.slice(0, end),
      parts: withDateNames(routed.parts, this.#deps.nowMs),
      params: routed.params,
      headers,
      accept: headers.accept,
      contentType: headers['content-type'],
      body,
      waiter: new Client(this.#deps.requests, exchange.response, record.held),
      names: record.names,
      inner: (inner) => this.#options.inner(exchange, inner),
    };
  }

  #run(
    { record }: Call,
    { route, at }: RouteTarget,
    request: ApiRequest,
    type: string,
  ): MaybePromise<Answer> {
    const { requests, inFlight } = this.#deps;
    const { handler } = this.#guard.route(record.grant, at, route);
    const work = (): MaybePromise<Answer> => requests.run(record.context, () => handler(request));
    const made = route.gated === false ? work() : inFlight.request(work);
    const typed = isSeven(type) ? thenMaybe(made, withDocumentTypes) : made;
    const isHuman = route.statistics === true && request.params.flag('human') === true;
    return isHuman ? thenMaybe(typed, inWords) : typed;
  }

  #rendered({ record, routed }: Call, answer: Answer, type: string, always: boolean): Reply {
    const { headers, held } = record;
    return rendered(this.#deps, answer, { headers, params: routed.params, type, held, always });
  }

  #refusal(record: RequestRecord, error: unknown): Reply {
    const { exchange, routed, context, held } = record;
    const params = routed?.params ?? new UrlParams({});
    const { status, headers, body } = refusal(this.#deps, error, {
      headers: exchange.headers,
      params,
      context,
    });
    held.drop();
    held.keep(body.length);
    return { status, headers: { ...record.headers, ...headers }, body };
  }

  #send(record: RequestRecord, reply: Reply): void {
    const { body } = reply;
    if (!record.worked(reply.status)) {
      if (body instanceof Readable) body.destroy();
      return;
    }
    const { exchange } = record;
    const sent = (): void => record.answered();
    try {
      exchange.send(reply, sent);
    } catch (error) {
      // A header that no transport can carry.
      const refused = this.#refusal(record, error);
      record.worked(refused.status);
      exchange.send(refused, sent);
    }
  }

  /** If the status was sent, all that is left is to end the connection, which the transport does. */
  #broken(error: NodeJS.ErrnoException): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    this.#deps.logger.warn({ err: error }, 'an answer in pieces failed');
  }
}

/** One request in the pipeline. */
class Call {
  readonly record: RequestRecord;
  readonly routed: Routed;
  body: Buffer | undefined;

  constructor(record: RequestRecord, routed: Routed) {
    this.record = record;
    this.routed = routed;
  }

  get exchange(): Exchange {
    return this.record.exchange;
  }
}

/** Rejects if the stream fails before it yields anything, so that a status can still say so. */
function firstPiece(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      body.off('readable', end).off('end', end).off('error', end);
      if (error instanceof Error) reject(error);
      else resolve();
    };
    body.on('readable', end).on('end', end).on('error', end);
  });
}
