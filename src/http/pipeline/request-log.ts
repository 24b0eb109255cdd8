// What is recorded of every request, once, however it ends: a line of the audit log, a count, a span.
// A request ends with its answer; if its client disconnects before, with its work, which goes on; and
// if what arrived is not HTTP, with its refusal.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiDeps } from '../../api/kit/routes.js';
import type { Grant } from '../../auth/grant.js';
import { type AuditEntry, NO_AUDIT } from '../../ops/audit.js';
import type { HeldBytes } from '../../ops/in-flight.js';
import type { RequestContext } from '../../ops/request-context.js';
import type { ClientConnection, Exchange } from './exchange.js';
import { CLIENT_GONE, commonHeaders, observeAnswer, openContext } from './observe.js';
import type { Routed } from './targets.js';

/** Maximum number of names of one body in a line, and of characters of one name. */
const MOST_NAMES = 100;
const MOST_NAME = 256;

/** One request from its head to the end of its answer. */
export class RequestRecord {
  readonly exchange: Exchange;
  /** Undefined if the path is invalid. */
  readonly routed: Routed | undefined;
  readonly context: RequestContext;
  /** Headers of the answer, whatever it is. */
  readonly headers: Record<string, string>;
  /** Bytes of the request's body and of its answer. */
  readonly held: HeldBytes;
  /** Of the key that was sent; null if none is required. */
  grant: Grant | null = null;
  readonly #deps: ApiDeps;
  readonly #began = performance.now();
  readonly #onEnd: (record: RequestRecord) => void;
  #names: Set<string> | undefined;
  #hasBegun = false;
  #isGone = false;
  #isOver = false;
  /** Of the answer, once it is known. */
  #status: number | undefined;

  constructor(
    deps: ApiDeps,
    exchange: Exchange,
    routed: Routed | undefined,
    onEnd: (record: RequestRecord) => void,
  ) {
    this.#deps = deps;
    this.exchange = exchange;
    this.routed = routed;
    this.context = openContext(deps, exchange, this.#route);
    this.headers = commonHeaders(deps, exchange.headers, this.context);
    this.held = deps.inFlight.hold();
    this.#onEnd = onEnd;
  }

  get #route(): string {
    return this.routed?.target.pattern ?? 'unknown';
  }

  /** The handler of its route begins. */
  begins(): void {
    this.#hasBegun = true;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Receives names of permitted indexes from the body; undefined if nobody needs them. */
  get names(): Set<string> | undefined {
    if (this.#deps.audit === NO_AUDIT) return undefined;
    this.#names ??= new Set();
    return this.#names;
  }

  /** There is an answer or a refusal. False: the client is gone, and the request has ended. */
  worked(status: number): boolean {
    this.#status = status;
    if (this.#isGone) this.#end(status, 'client_gone');
    return !this.#isGone;
  }

  /** All of the answer was sent. */
  answered(): void {
    const status = this.#status ?? 0;
    this.#end(status, outcomeOf(status, this.#hasBegun));
  }

  /** The connection is closed. If the handler still works, its end decides. */
  gone(): void {
    this.#isGone = true;
    if (this.#status !== undefined) this.#end(this.#status, 'client_gone');
    else if (!this.exchange.isWhole) this.#end(undefined, 'client_gone');
  }

  /** The rest of the request is not HTTP, or came too slowly: it was answered with `status`. */
  refused(status: number): void {
    this.#end(status, 'refused');
  }

  /** Another thread answers the request and records it. */
  handOver(): void {
    this.#isOver = true;
    this.#onEnd(this);
    this.held.release();
  }

  #end(status: number | undefined, outcome: AuditEntry['outcome']): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(this);
    this.held.release();
    const { method } = this.exchange;
    const counted = outcome === 'client_gone' ? CLIENT_GONE : (status ?? 0);
    const tookMs = performance.now() - this.#began;
    observeAnswer(
      this.#deps,
      { method, route: this.#route, status: counted, tookMs },
      this.context,
    );
    if (this.#deps.audit !== NO_AUDIT) this.#deps.audit.write(this.#entry(status, outcome));
  }

  #entry(status: number | undefined, outcome: AuditEntry['outcome']): AuditEntry {
    const { method, headers, connection } = this.exchange;
    const { index, namespace, brain } = this.routed?.parts ?? {};
    const opaque = headers['x-opaque-id'];
    return {
      event: 'request',
      outcome,
      key: this.grant === null ? undefined : { id: this.grant.id, name: this.grant.name },
      method,
      route: this.routed?.target.pattern,
      index: index ?? namespace ?? brain,
      ...(outcome === 'denied' ? {} : shownNames(this.#names)),
      ...(status === undefined ? {} : { status }),
      address: connection.remoteAddress,
      request_id: this.context.requestId,
      opaque_id: typeof opaque === 'string' ? opaque : undefined,
    };
  }
}

/** The requests of one thread that have not ended. */
export class RequestLog {
  readonly #deps: ApiDeps;
  /** Of each connection in the order of their heads. */
  readonly #open = new WeakMap<ClientConnection, RequestRecord[]>();

  constructor(deps: ApiDeps) {
    this.#deps = deps;
  }

  open(exchange: Exchange, routed: Routed | undefined): RequestRecord {
    const records = this.#recordsOf(exchange.connection);
    const record = new RequestRecord(this.#deps, exchange, routed, (ended) => {
      records.splice(records.indexOf(ended), 1);
    });
    records.push(record);
    return record;
  }

  #recordsOf(connection: ClientConnection): RequestRecord[] {
    const known = this.#open.get(connection);
    if (known !== undefined) return known;
    const records: RequestRecord[] = [];
    this.#open.set(connection, records);
    connection.once('close', () => {
      for (const record of [...records]) record.gone();
    });
    return records;
  }

  /**
   * The context of the request that is being read from a connection, or of data that is no request.
   * `headers`: those that were read.
   */
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

  /** Data that is no request, or the rest of one that is none, was answered with `status`. */
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

  /** Whether the head of a request was read and its body was not. */
  isReading(socket: Socket): boolean {
    return this.#unfinished(socket) !== undefined;
  }

  #unfinished(socket: Socket): RequestRecord | undefined {
    const last = this.#open.get(socket)?.at(-1);
    return last?.exchange.isWhole === false ? last : undefined;
  }

  /** A connection was refused: there are too many, or no cipher that both sides have. */
  refusedConnection(address: string | undefined): void {
    this.#deps.metrics.rejected.inc({ kind: 'connection' });
    this.#deps.audit.write({ event: 'connection', outcome: 'refused', address });
  }
}

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
