// What the service itself stores in the cluster: lists of entries (templates, endpoints), each one
// document, and leases of what only one of several replicas may do at a time.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../backend/index.js';
import type { EntryStore } from '../base/entry-file.js';
import { KeyedQueue, type Turns } from '../base/keyed-queue.js';
import { QuarryError } from '../errors.js';
import type { ClusterClient } from './cluster-client.js';
import { isObject, readAnswer } from './errors.js';
import { UnknownOutcome } from './transport.js';

/** An index of one shard with documents that are read by their ids only. */
const STATE_INDEX = '.svc-state';
const LEASES_INDEX = '.svc-leases';
const BODY: JsonObject = {
  settings: { index: { number_of_shards: '1', hidden: 'true' } },
  mappings: { dynamic: false, properties: {} },
};

interface Version {
  readonly seqNo: number;
  readonly term: number;
}

interface StoredDocument extends Version {
  readonly source: JsonObject;
}

/** Documents of an index that is created with the first of them. */
class OwnDocuments {
  readonly #client: ClusterClient;
  readonly #index: string;
  #isThere = false;

  constructor(client: ClusterClient, index: string) {
    this.#client = client;
    this.#index = index;
  }

  async get(id: string): Promise<StoredDocument | undefined> {
    const path = `/${this.#client.names.path([this.#index])}/_doc/${encodeURIComponent(id)}`;
    const answer = await this.#client.call('GET', path, { repeatable: true, expected: [404] });
    if (answer.status === 404) return undefined;
    const read = readAnswer(answer, this.#client.names);
    const source = read['_source'];
    if (!isObject(source)) return undefined;
    return { source, seqNo: Number(read['_seq_no']), term: Number(read['_primary_term']) };
  }

  /**
   * Undefined: another process has changed it, or an earlier attempt of this one if it is
   * repeatable. `before` undefined: there was none.
   */
  async put(
    id: string,
    source: JsonObject,
    before: Version | undefined,
    repeatable: boolean,
  ): Promise<Version | undefined> {
    await this.#ensure();
    const kind = before === undefined ? '_create' : '_doc';
    const path = `/${this.#client.names.path([this.#index])}/${kind}/${encodeURIComponent(id)}`;
    const answer = await this.#client.call('PUT', path, {
      params: {
        ...(before === undefined ? {} : conditions(before)),
        timeout: this.#client.writeTimeout,
      },
      body: source,
      repeatable,
      expected: [409],
    });
    if (answer.status === 409) return undefined;
    const read = readAnswer(answer, this.#client.names);
    return { seqNo: Number(read['_seq_no']), term: Number(read['_primary_term']) };
  }

  /** False: it is there with another version. */
  async remove(id: string, before: Version): Promise<boolean> {
    const path = `/${this.#client.names.path([this.#index])}/_doc/${encodeURIComponent(id)}`;
    const answer = await this.#client.call('DELETE', path, {
      params: conditions(before),
      repeatable: true,
      expected: [404, 409],
    });
    return answer.status !== 409;
  }

  async #ensure(): Promise<void> {
    if (this.#isThere) return;
    const path = `/${this.#client.names.path([this.#index])}`;
    // 400: it exists already.
    await this.#client.call('PUT', path, { body: BODY, repeatable: true, expected: [400] });
    this.#isThere = true;
  }
}

function conditions({ seqNo, term }: Version): Readonly<Record<string, number>> {
  return { if_seq_no: seqNo, if_primary_term: term };
}

/** A list of entries that all replicas share. */
export class StateDocument implements EntryStore {
  readonly name: string;
  readonly #documents: OwnDocuments;
  #version: Version | undefined;

  constructor(client: ClusterClient, name: string) {
    this.name = name;
    this.#documents = new OwnDocuments(client, STATE_INDEX);
  }

  async read(): Promise<string | undefined> {
    const found = await this.#documents.get(this.name);
    this.#version = found;
    return found === undefined ? undefined : String(found.source['text']);
  }

  /** Whether another replica has changed it since it was read or written here. */
  async hasChanged(): Promise<boolean> {
    const found = await this.#documents.get(this.name);
    return found?.seqNo !== this.#version?.seqNo || found?.term !== this.#version?.term;
  }

  async write(text: string): Promise<void> {
    const version = await this.#documents.put(this.name, { text }, this.#version, false);
    if (version === undefined) {
      throw new QuarryError(
        'version_conflict_engine_exception',
        `[${this.name}] was changed by another replica meanwhile, send the request again`,
      );
    }
    this.#version = version;
  }
}

/** How long a lease stands without being renewed, as each replica measures it. */
const LEASE_MS = 15_000;
const POLL_MS = 25;
const LONGEST_WAIT_MS = 60_000;

interface Lease {
  readonly name: string;
  /** Of this holding alone: what an attempt without an answer has written is recognized by it. */
  readonly owner: string;
  version: Version;
}

/** Leases by name. One that is not renewed for LEASE_MS is taken over. */
export class Leases {
  readonly #documents: OwnDocuments;
  readonly #now: () => number;
  /** Leases of others: the version that was seen, and since when. */
  readonly #seen = new Map<string, { readonly seqNo: number; readonly since: number }>();

  /** `now` is a monotonic clock in milliseconds: clocks of other machines do not matter. */
  constructor(client: ClusterClient, now: () => number = () => performance.now()) {
    this.#documents = new OwnDocuments(client, LEASES_INDEX);
    this.#now = now;
  }

  /** Runs the work unless another replica holds the lease; undefined: it does. */
  async tryRun<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    const held = await this.#acquire(name, randomUUID());
    return held === undefined ? undefined : this.#during(held, work);
  }

  /** Runs the work once no other replica holds the lease. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = this.#now();
    const owner = randomUUID();
    for (;;) {
      const held = await this.#acquire(name, owner);
      if (held !== undefined) return this.#during(held, work);
      if (this.#now() - started > LONGEST_WAIT_MS) {
        throw new QuarryError(
          'es_rejected_execution_exception',
          `rejected execution: [${name}] is held by another replica for more than ${LONGEST_WAIT_MS} ms, retry later`,
          { headers: { 'Retry-After': '1' } },
        );
      }
      await pause(POLL_MS);
    }
  }

  async #acquire(name: string, owner: string): Promise<Lease | undefined> {
    const created = await this.#documents.put(name, { owner }, undefined, true);
    if (created !== undefined) return this.#got(name, owner, created);
    const found = await this.#documents.get(name);
    if (found === undefined) return undefined;
    if (found.source['owner'] === owner) return this.#got(name, owner, found);
    const seen = this.#seen.get(name);
    if (seen?.seqNo !== found.seqNo) {
      this.#seen.set(name, { seqNo: found.seqNo, since: this.#now() });
      return undefined;
    }
    if (this.#now() - seen.since < LEASE_MS) return undefined;
    const taken = await this.#documents.put(name, { owner }, found, true);
    return taken === undefined ? undefined : this.#got(name, owner, taken);
  }

  #got(name: string, owner: string, version: Version): Lease {
    this.#seen.delete(name);
    return { name, owner, version };
  }

  async #during<T>(held: Lease, work: () => Promise<T>): Promise<T> {
    let renewing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = renewing.then(() => this.#renew(held)).catch(() => {});
    }, LEASE_MS / 3).unref();
    let isSettled = true;
    try {
      return await work();
    } catch (error) {
      isSettled = !(error instanceof UnknownOutcome);
      throw error;
    } finally {
      clearInterval(timer);
      await renewing;
      // What may be executed yet is, or never will be, once the lease has ended by itself. So ends
      // one that cannot be given back.
      if (isSettled) await this.#giveBack(held).catch(() => {});
    }
  }

  async #renew(held: Lease): Promise<void> {
    const { name, owner, version } = held;
    const renewed = await this.#documents.put(name, { owner }, version, true);
    const now = renewed ?? (await this.#own(held));
    if (now !== undefined) held.version = now;
  }

  async #giveBack(held: Lease): Promise<void> {
    if (await this.#documents.remove(held.name, held.version)) return;
    const own = await this.#own(held);
    if (own !== undefined) await this.#documents.remove(held.name, own);
  }

  /** The version that the lease has now; undefined: it was taken over. */
  async #own({ name, owner }: Lease): Promise<Version | undefined> {
    const found = await this.#documents.get(name);
    return found?.source['owner'] === owner ? found : undefined;
  }
}

/** Turns that hold among all replicas. */
export class ClusterTurns implements Turns {
  readonly #leases: Leases;
  readonly #queue = new KeyedQueue();

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.take(key, () => this.#leases.run(`turn-${key}`, work));
  }
}
