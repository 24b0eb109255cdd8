// What the service itself stores in the cluster: documents that are read by their ids only, such as
// lists of entries (templates, endpoints).
import type { JsonObject } from '../backend/index.js';
import type { EntryStore } from '../base/entry-file.js';
import { QuarryError } from '../errors.js';
import type { ClusterClient } from './cluster-client.js';
import { isObject, readAnswer } from './errors.js';

/** An index of one shard with documents that are read by their ids only. */
const STATE_INDEX = '.svc-state';
const BODY: JsonObject = {
  settings: { index: { number_of_shards: '1', hidden: 'true' } },
  mappings: { dynamic: false, properties: {} },
};

export interface Version {
  readonly seqNo: number;
  readonly term: number;
}

export interface StoredDocument extends Version {
  readonly source: JsonObject;
}

/** Documents of an index that is created with the first of them. */
export class OwnDocuments {
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
