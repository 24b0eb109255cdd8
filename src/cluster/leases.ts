// Leases of what only one of several replicas may do at a time: each is a document, which is created,
// renewed while the work runs, and deleted. One that is not renewed for LEASE_MS is taken over.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../backend/index.js';
import { KeyedQueue, type Turn, type Turns } from '../base/keyed-queue.js';
import { QuarryError } from '../errors.js';
import type { ClusterClient } from './cluster-client.js';
import { OwnDocuments, type StoredDocument, type Version } from './state-documents.js';
import { UnknownOutcome } from './transport.js';

const LEASES_INDEX = '.svc-leases';
/** How long a lease stands without being renewed, as each replica measures it. */
const LEASE_MS = 15_000;
const POLL_MS = 25;
const LONGEST_WAIT_MS = 60_000;
const AS_LONG = 'for as long as a request may wait';
/** The owner of a lease that nobody holds, kept for the id that the next holder gets. */
const NO_OWNER = '';

/**
 * The id is for the one document that the work creates. It passes to the next holder where it is not
 * known whether the document was created, or will be yet: then one of the two creations fails.
 */
class Lease implements Turn {
  readonly name: string;
  /** Of this holding alone: what an attempt without an answer has written is recognized by it. */
  readonly owner: string;
  readonly id: string;
  version: Version;
  #isInherited: boolean;
  #isTaken = false;

  constructor(name: string, owner: string, { source, ...version }: StoredDocument) {
    this.name = name;
    this.owner = owner;
    this.id = idOf(source) ?? owner;
    this.version = version;
    this.#isInherited = this.id !== owner;
  }

  get source(): JsonObject {
    return { owner: this.owner, id: this.id };
  }

  get isInherited(): boolean {
    return this.#isInherited;
  }

  takeId(): string {
    this.#isTaken = true;
    return this.id;
  }

  dropId(): void {
    this.#isInherited = false;
    this.#isTaken = false;
  }

  /** Whether the next holder needs the id; `error`: what the work has failed with. */
  passesOn(error: unknown): boolean {
    if (this.#isTaken && error === undefined) return false;
    if (this.#isInherited) return true;
    const isRefused = error instanceof QuarryError && error.status < 500;
    return this.#isTaken && !isRefused;
  }
}

function idOf({ id }: JsonObject): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

export class Leases {
  readonly #client: ClusterClient;
  readonly #documents: OwnDocuments;
  readonly #now: () => number;
  /** Leases of others: the version that was seen, and since when. */
  readonly #seen = new Map<string, { readonly seqNo: number; readonly since: number }>();

  /** `now` is a monotonic clock in milliseconds: clocks of other machines do not matter. */
  constructor(client: ClusterClient, now: () => number = () => performance.now()) {
    this.#client = client;
    this.#documents = new OwnDocuments(client, LEASES_INDEX);
    this.#now = now;
  }

  /** Runs the work unless another replica holds the lease; undefined: it does. */
  async tryRun<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    const held = await this.#acquireInTime(name, randomUUID());
    return held === undefined ? undefined : this.#during(held, work);
  }

  /**
   * Runs the work once no other replica holds the lease. Work that has taken the id writes nothing
   * else.
   */
  async run<T>(name: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const started = this.#now();
    const { deadlines } = this.#client;
    const owner = randomUUID();
    for (let isWaiting = false; ; isWaiting = true) {
      const held = await this.#acquireInTime(name, owner).catch((error: unknown) => {
        throw isWaiting && deadlines.left() <= POLL_MS ? busy(name, AS_LONG) : error;
      });
      if (held !== undefined) return this.#during(held, work);
      if (deadlines.left() <= POLL_MS) throw busy(name, AS_LONG);
      if (this.#now() - started > LONGEST_WAIT_MS) {
        throw busy(name, `for more than ${LONGEST_WAIT_MS} ms`);
      }
      await pause(POLL_MS);
    }
  }

  /** A lease that comes when the request has ended is given back: nobody would renew it. */
  async #acquireInTime(name: string, owner: string): Promise<Lease | undefined> {
    const { deadlines } = this.#client;
    const acquired = deadlines.apart(() => this.#acquire(name, owner));
    try {
      return await deadlines.wait(acquired);
    } catch (error) {
      acquired
        .then((held) => (held === undefined ? undefined : this.#during(held, async () => {})))
        .catch(() => {});
      throw error;
    }
  }

  async #acquire(name: string, owner: string): Promise<Lease | undefined> {
    const source = { owner, id: owner };
    const created = await this.#documents.put(name, source, undefined, true);
    if (created !== undefined) return this.#got(name, owner, { ...created, source });
    const found = await this.#documents.get(name);
    if (found === undefined) return undefined;
    if (found.source['owner'] === owner) return this.#got(name, owner, found);
    if (found.source['owner'] !== NO_OWNER && !this.#isOver(name, found)) return undefined;
    const next = { owner, id: idOf(found.source) ?? owner };
    const taken = await this.#documents.put(name, next, found, true);
    return taken === undefined ? undefined : this.#got(name, owner, { ...taken, source: next });
  }

  /** Whether the lease of another one was not renewed for so long that it has ended. */
  #isOver(name: string, { seqNo }: Version): boolean {
    const seen = this.#seen.get(name);
    if (seen?.seqNo === seqNo) return this.#now() - seen.since >= LEASE_MS;
    this.#seen.set(name, { seqNo, since: this.#now() });
    return false;
  }

  #got(name: string, owner: string, stored: StoredDocument): Lease {
    this.#seen.delete(name);
    return new Lease(name, owner, stored);
  }

  async #during<T>(held: Lease, work: (turn: Turn) => Promise<T>): Promise<T> {
    const { deadlines } = this.#client;
    const timer = setInterval(() => {
      deadlines.apart(() => this.#renew(held)).catch(() => {});
    }, LEASE_MS / 3).unref();
    let failure: unknown;
    try {
      return await work(held);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      clearInterval(timer);
      // A lease that cannot be given back ends by itself. The answer does not wait for it in vain.
      const end = deadlines.apart(() => this.#end(held, failure));
      await deadlines.wait(end).catch(() => {});
    }
  }

  async #renew(held: Lease): Promise<void> {
    const { name, source, version } = held;
    const renewed = await this.#documents.put(name, source, version, true);
    const now = renewed ?? (await this.#own(held));
    if (now !== undefined) held.version = now;
  }

  async #end(held: Lease, failure: unknown): Promise<void> {
    const isPassed = held.passesOn(failure);
    // What may be executed yet is, or never will be, once the lease has ended by itself.
    if (!isPassed && failure instanceof UnknownOutcome) return;
    if (await this.#giveBack(held, isPassed)) return;
    const own = await this.#own(held);
    if (own === undefined) return;
    held.version = own;
    await this.#giveBack(held, isPassed);
  }

  /** False: the lease has another version. */
  async #giveBack({ name, id, version }: Lease, isPassed: boolean): Promise<boolean> {
    if (!isPassed) return this.#documents.remove(name, version);
    const given = await this.#documents.put(name, { owner: NO_OWNER, id }, version, true);
    return given !== undefined;
  }

  /** The version that the lease has now; undefined: it was taken over. */
  async #own({ name, owner }: Lease): Promise<Version | undefined> {
    const found = await this.#documents.get(name);
    return found?.source['owner'] === owner ? found : undefined;
  }
}

function busy(name: string, howLong: string): QuarryError {
  return new QuarryError(
    'es_rejected_execution_exception',
    `rejected execution: [${name}] is held by another replica ${howLong}, retry later`,
    { headers: { 'Retry-After': '1' } },
  );
}

/** Turns that hold among all replicas. */
export class ClusterTurns implements Turns {
  readonly #leases: Leases;
  readonly #queue = new KeyedQueue();

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  take<T>(key: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    return this.#queue.take(key, () => this.#leases.run(`turn-${key}`, work));
  }
}
