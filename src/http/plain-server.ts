// Answers plain searches, bytes to bytes: what server.ts does with Fastify for every route, done for the routes of searches in one
// straight line. What it does not know how to answer is left to the other.

import type { Socket } from 'node:net';
import { validateRequest } from '../api/kit/asked.js';
import { tooLarge } from '../api/kit/body.js';
import { Client, OneAnswer } from '../api/kit/client.js';
import { isSeven, withDocumentTypes } from '../api/kit/compatible-seven.js';
import { jsonOf } from '../api/kit/json.js';
import { printJoined, printOf } from '../api/kit/printed.js';
import type { Answer, ApiDeps, ApiRequest } from '../api/kit/routes.js';
import { beforeTimeSlices } from '../base/cooperative-task.js';
import { type MaybePromise, thenMaybe } from '../base/maybe-promise.js';
import { Elsewhere } from '../ops/elsewhere.js';
import type { HeldBytes } from '../ops/in-flight.js';
import type { RequestContext } from '../ops/request-context.js';
import { Guard } from './guard.js';
import { CLIENT_GONE, observeAnswer } from './observe.js';
import { Outbox } from './outbox.js';
import { encodingOf, pack } from './packing.js';
import { PlainAddresses, type Way } from './plain-addresses.js';
import type { Done } from './plain-connections.js';
import { type PlainReply, plainReply } from './plain-reply.js';
import type { AnswerBytes } from './plain-stream.js';
import { readerRoutes } from './reader-routes.js';
import { checkReady } from './ready.js';
import type { PlainRequest } from './request-bytes.js';
import { holdAnswer, refusal } from './send.js';

export interface PlainServerOptions {
  /** Whether refusals are answered here; otherwise they are somebody else's. */
  readonly refuses: boolean;
}

/** What is known of one request. */
interface PendingRequest {
  readonly requested: PlainRequest;
  readonly way: Way;
  readonly held: HeldBytes;
  readonly request: ApiRequest;
  readonly context: RequestContext;
}

export class PlainServer {
  readonly #deps: ApiDeps;
  readonly #refuses: boolean;
  readonly #guard: Guard;
  readonly #outbox = new Outbox();
  readonly #addresses: PlainAddresses;
  readonly #forget: () => void;

  constructor(deps: ApiDeps, { refuses }: PlainServerOptions) {
    this.#deps = deps;
    this.#refuses = refuses;
    this.#guard = new Guard(deps, readerRoutes);
    this.#addresses = new PlainAddresses(readerRoutes(deps));
    this.#forget = beforeTimeSlices(() => this.#outbox.flush());
  }

  close(): void {
    this.#forget();
  }

  /** Calls `done` once, now or later. */
  answer(requested: PlainRequest, client: Socket, done: Done): void {
    this.#outbox.hurry();
    const began = performance.now();
    const held = this.#deps.inFlight.hold();
    const answer = new OneAnswer(client);
    const asking = this.#read(requested, answer, held);
    const end = (bytes: AnswerBytes | undefined): void => {
      answer.finish();
      done(bytes, held);
    };
    if (asking === undefined) {
      end(undefined);
      return;
    }
    const observe = (status: number): void => {
      const tookMs = performance.now() - began;
      const route = asking.way.pattern;
      observeAnswer(
        this.#deps,
        { method: requested.method, route, status, tookMs },
        asking.context,
      );
    };
    const reply = (plain: PlainReply): void => {
      const { requestId } = asking.context;
      const opaqueId = requested.headers['x-opaque-id'];
      const bytes = plainReply(plain, { requestId, opaqueId }, this.#deps.nowMs());
      this.#outbox.add(() => {
        const isGone = client.destroyed;
        end(bytes);
        observe(isGone ? CLIENT_GONE : plain.status);
      });
    };
    const fail = (error: unknown): void => {
      // What has to be sent in pieces is for the HTTP server.
      if (this.#refuses && !(error instanceof Elsewhere)) {
        reply(this.#refusal(asking, error));
        return;
      }
      // Whoever it goes to counts it; of a connection that is gone nobody hears any more.
      if (client.destroyed) observe(CLIENT_GONE);
      end(undefined);
    };
    try {
      const soon = this.#work(asking);
      if (soon instanceof Promise) soon.then(reply).catch(fail);
      else reply(soon);
    } catch (error) {
      fail(error);
    }
  }

  /** Undefined: no route, or a path that is not plain. */
  #read(requested: PlainRequest, answer: OneAnswer, held: HeldBytes): PendingRequest | undefined {
    const { method, headers, body } = requested;
    const address = this.#addresses.of(requested.method, requested.url);
    if (address === undefined) return undefined;
    const { requests } = this.#deps;
    const context = requests.open({
      requestId: headers['x-request-id'],
      opaqueId: headers['x-opaque-id'],
      traceParent: headers.traceparent,
    });
    const request: ApiRequest = {
      key: null,
      method,
      address: requested.url,
      path: address.path,
      parts: address.parts,
      params: address.params,
      headers,
      accept: headers.accept,
      contentType: headers['content-type'],
      body: body.length === 0 ? undefined : body,
      waiter: new Client(requests, answer, held),
      inner: () => Promise.reject(new Error('searches ask no other route')),
    };
    return { requested, way: address.way, held, request, context };
  }

  #work(asking: PendingRequest): MaybePromise<PlainReply> {
    const { requested, way, held, request } = asking;
    const { live, guard } = this.#deps;
    guard.check('search');
    const most = live.get('limits.body_bytes');
    if (requested.body.length > most) throw tooLarge({ setting: 'limits.body_bytes', bytes: most });
    held.take(requested.body.length);
    const grant = this.#guard.admitPlain(requested, way.pattern, way.route.privilege);
    return thenMaybe(grant, (key) =>
      this.#run(asking, key === null ? request : { ...request, key }),
    );
  }

  #run(
    { way, requested, held, context }: PendingRequest,
    request: ApiRequest,
  ): MaybePromise<PlainReply> {
    const { inFlight, requests } = this.#deps;
    checkReady(this.#deps);
    const type = validateRequest(way.route, request);
    const { handler } = this.#guard.route(request.key, way.at, way.route);
    const made = inFlight.request(() => requests.run(context, () => handler(request)));
    const soon = isSeven(type) ? thenMaybe(made, withDocumentTypes) : made;
    return thenMaybe(soon, (answer) => {
      held.drop();
      const accepted = requested.headers['accept-encoding'];
      return thenMaybe(this.#printed(request, answer, type, held), (bytes) =>
        this.#packed({ status: answer.status, type, bytes }, accepted),
      );
    });
  }

  #printed(
    { params }: ApiRequest,
    answer: Answer,
    type: string,
    held: HeldBytes,
  ): MaybePromise<Buffer> {
    const hold = (bytes: number): void => holdAnswer(this.#deps, held, bytes);
    const json = jsonOf(answer);
    const print = printOf(params, type);
    if (print !== undefined) return printJoined(this.#deps.printers, print, json, hold);
    hold(json.length);
    return json;
  }

  #packed(reply: PlainReply, accepted: string | undefined): MaybePromise<PlainReply> {
    const origin = this.#deps.live.get('cors.allow_origins') === '' ? '' : 'Origin';
    const encoding = encodingOf(accepted, reply.bytes.length);
    if (encoding === undefined) {
      return origin === '' ? reply : { ...reply, headers: { Vary: origin } };
    }
    const varies = origin === '' ? 'accept-encoding' : `${origin}, accept-encoding`;
    const headers = { 'Content-Encoding': encoding, Vary: varies };
    return thenMaybe(pack(reply.bytes, encoding), (bytes) => ({ ...reply, headers, bytes }));
  }

  #refusal({ requested, request, held, context }: PendingRequest, error: unknown): PlainReply {
    const refused = refusal(this.#deps, error, requested.headers, request.params, context);
    held.drop();
    held.keep(refused.bytes.length);
    return refused;
  }
}
