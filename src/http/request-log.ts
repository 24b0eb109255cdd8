// What is said of every request, once, however it ends: a line of the audit log, a count, a span. A request ends with its answer; or,
// where its client hangs up before, with its work, which goes on; or before it is one, where what came is not HTTP.
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../api/kit/routes.js';
import { type AuditEntry, NO_AUDIT } from '../ops/audit.js';
import type { RequestContext } from '../ops/request-context.js';
import { CLIENT_GONE, observeAnswer, observeRequest, openContext } from './observe.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request line and headers were read; absent where the path is none. */
    record: RequestRecord | undefined;
  }
}

/** Names out of one body that a line holds, and characters of one. */
const MOST_NAMES = 100;
const MOST_NAME = 256;

export class RequestRecord {
  readonly #deps: ApiDeps;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  /** Told when it is written. */
  readonly #onEnd: (record: RequestRecord) => void;
  #names: Set<string> | undefined;
  #hasBegun = false;
  #isGone = false;
  #isOver = false;

  constructor(
    deps: ApiDeps,
    request: FastifyRequest,
    reply: FastifyReply,
    onEnd: (record: RequestRecord) => void,
  ) {
    this.#deps = deps;
    this.#request = request;
    this.#reply = reply;
    this.#onEnd = onEnd;
  }

  get context(): RequestContext {
    return openContext(this.#deps, this.#request);
  }

  /** All of it was read. */
  get isWhole(): boolean {
    return this.#request.raw.complete;
  }

  /** Its route's handler begins. */
  begins(): void {
    this.#hasBegun = true;
  }

  /** Takes names of indexes out of the body, which were allowed; undefined where nobody wants them. */
  get names(): Set<string> | undefined {
    if (this.#deps.audit === NO_AUDIT) return undefined;
    this.#names ??= new Set();
    return this.#names;
  }

  /** The answer is on its way, all of it. */
  answered(): void {
    const { statusCode } = this.#reply;
    this.#end(statusCode, outcomeOf(statusCode, this.#hasBegun));
  }

  /** There is an answer, or a refusal, for whoever is still there. */
  worked(): void {
    if (this.#isGone) this.#end(this.#reply.statusCode, 'client_gone');
  }

  /** The connection is closed. Where its handler is still at work, the line tells how that ended. */
  gone(): void {
    this.#isGone = true;
    const { sent, statusCode } = this.#reply;
    if (sent) this.#end(statusCode, 'client_gone');
    else if (!this.isWhole) this.#end(undefined, 'client_gone');
  }

  /** What came behind its headers is not HTTP, or came too slowly: it was answered with `status`, and hung up on. */
  refused(status: number): void {
    this.#end(status, 'refused');
  }

  #end(status: number | undefined, outcome: AuditEntry['outcome']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(this);
    const counted = outcome === 'client_gone' ? CLIENT_GONE : (status ?? 0);
    observeRequest(this.#deps, this.#request, counted, this.#reply.elapsedTime);
    if (this.#deps.audit !== NO_AUDIT) this.#deps.audit.write(this.#entry(status, outcome));
  }

  #entry(status: number | undefined, outcome: AuditEntry['outcome']): AuditEntry {
    const { grant, method, routeOptions, ip: address, params, headers } = this.#request;
    const { index, namespace, brain } = (params ?? {}) as Record<string, string | undefined>;
    const opaque = headers['x-opaque-id'];
    return {
      event: 'request',
      outcome,
      key: grant == null ? undefined : { id: grant.id, name: grant.name },
      method,
      route: routeOptions.url,
      index: index ?? namespace ?? brain,
      ...(outcome === 'denied' ? {} : shownNames(this.#names)),
      ...(status === undefined ? {} : { status }),
      address,
      request_id: this.context.requestId,
      opaque_id: typeof opaque === 'string' ? opaque : undefined,
    };
  }
}

/** The requests of one server that have not ended. */
export class RequestLog {
  readonly #deps: ApiDeps;
  readonly #open = new WeakMap<Socket, Set<RequestRecord>>();

  constructor(deps: ApiDeps) {
    this.#deps = deps;
  }

  open(request: FastifyRequest, reply: FastifyReply): RequestRecord {
    const { socket } = request.raw;
    let records = this.#open.get(socket);
    if (records === undefined) {
      const all = new Set<RequestRecord>();
      records = all;
      this.#open.set(socket, all);
      socket.once('close', () => {
        for (const record of [...all]) record.gone();
      });
    }
    const its = records;
    const record = new RequestRecord(this.#deps, request, reply, (ended) => its.delete(ended));
    its.add(record);
    request.record = record;
    return record;
  }

  /** Of the request that is read from a connection, or of what is none: `headers`, where they were read. */
  contextOf(socket: Socket, headers: IncomingHttpHeaders = {}): RequestContext {
    const unfinished = this.#unfinished(socket);
    if (unfinished !== undefined) return unfinished.context;
    const requestId = headers['x-request-id'];
    const opaqueId = headers['x-opaque-id'];
    return this.#deps.requests.open({
      requestId: typeof requestId === 'string' ? requestId : undefined,
      opaqueId: typeof opaqueId === 'string' ? opaqueId : undefined,
    });
  }

  /** What came on a connection was no request, or the rest of one that is none, and was answered. `method`: where it is known. */
  refused(socket: Socket, status: number, context: RequestContext, method?: string): void {
    const unfinished = this.#unfinished(socket);
    if (unfinished !== undefined) {
      unfinished.refused(status);
      return;
    }
    const known = { method: method ?? 'unknown', route: 'unknown', status, tookMs: 0 };
    observeAnswer(this.#deps, known, context);
    this.#deps.audit.write({
      event: 'request',
      outcome: 'refused',
      ...(method === undefined ? {} : { method }),
      status,
      address: socket.remoteAddress,
      request_id: context.requestId,
    });
  }

  /** Whether the headers of a request were read, and its body not yet. */
  isReading(socket: Socket): boolean {
    return this.#unfinished(socket) !== undefined;
  }

  #unfinished(socket: Socket): RequestRecord | undefined {
    const last = [...(this.#open.get(socket) ?? [])].at(-1);
    return last?.isWhole === false ? last : undefined;
  }

  /** Connections that are refused: there are too many, or they agree on no cipher. */
  watch(server: Server): void {
    const refused = (address: string | undefined): void => {
      this.#deps.metrics.rejected.inc({ kind: 'connection' });
      this.#deps.audit.write({ event: 'connection', outcome: 'refused', address });
    };
    server.on('drop', (data) => refused(data?.remoteAddress));
    server.on('tlsClientError', (_error: Error, socket: Socket) => refused(socket.remoteAddress));
  }
}

/** The line of an answer. */
function outcomeOf(status: number, hasBegun: boolean): AuditEntry['outcome'] {
  if (status === 401 || status === 403) return 'denied';
  return hasBegun || status < 400 ? 'allowed' : 'refused';
}

function shownNames(
  names: ReadonlySet<string> | undefined,
): Pick<AuditEntry, 'indices' | 'indices_left_out'> {
  if (names === undefined || names.size === 0) return {};
  const indices = [...names].slice(0, MOST_NAMES).map((name) => name.slice(0, MOST_NAME));
  const leftOut = names.size - indices.length;
  return { indices, ...(leftOut > 0 ? { indices_left_out: leftOut } : {}) };
}
