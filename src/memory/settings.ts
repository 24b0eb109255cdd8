// What a namespace may choose: how its texts are read and embedded (before its first memory), and what storing does beside
// storing (at any time). Kept as a document for each namespace that chose anything.

import type { Backend, JsonObject } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { printExact } from '../base/exact-json.js';
import { NAMESPACES_INDEX } from '../base/state-indexes.js';
import { ensureIndex } from '../graph/edges-index.js';
import { illegal } from '../graph/names.js';
import { isDamaged, readState } from '../graph/state-document.js';
import { readFlag, readObject, readText, readWhole, refuseUnknown } from './body-fields.js';
import { type IndexChoices, memoryBody, TEXT_DIMS } from './memory-index.js';
import { memoryIndex } from './names.js';

export interface NamespaceSettings extends IndexChoices {
  /** Memories of one session are linked in the order in which they are stored. */
  readonly link_sessions: boolean;
  /** Links are looked for in every memory that is stored. */
  readonly detect: boolean;
}

/** Of the configuration. */
export type SettingDefaults = Pick<NamespaceSettings, 'analyzer' | 'link_sessions' | 'detect'>;

/** These decide how memories are stored, and cannot change under those that are. */
const FINAL = ['analyzer', 'dims', 'inference_id', 'inference_endpoint'] as const;
const KEYS = [...FINAL, 'link_sessions', 'detect'];
const MAX_DIMS = 4096;
/** Namespaces that are remembered. */
const REMEMBERED = 10_000;

const SETTINGS_BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: { dynamic: false, properties: {} },
};

/** Its texts are embedded by a model of the caller's. */
export function isRemote({ inference_id, inference_endpoint }: Partial<IndexChoices>): boolean {
  return inference_id !== undefined || inference_endpoint !== undefined;
}

export function readSettingsBody(body: JsonObject): Partial<NamespaceSettings> {
  refuseUnknown(body, KEYS, 'the settings of a namespace');
  const analyzer = readText(body, 'analyzer');
  const dims = readWhole(body, 'dims', 1, MAX_DIMS);
  const inference_id = readText(body, 'inference_id');
  const inference_endpoint =
    typeof body['inference_endpoint'] === 'string'
      ? readText(body, 'inference_endpoint')
      : readObject(body, 'inference_endpoint');
  const link_sessions = readFlag(body, 'link_sessions');
  const detect = readFlag(body, 'detect');
  return {
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(dims === undefined ? {} : { dims }),
    ...(inference_id === undefined ? {} : { inference_id }),
    ...(inference_endpoint === undefined ? {} : { inference_endpoint }),
    ...(link_sessions === undefined ? {} : { link_sessions }),
    ...(detect === undefined ? {} : { detect }),
  };
}

/** What the namespace chose; undefined: nothing. corrupt_index_exception for what no request could have chosen. */
export async function readStored(
  backend: Backend,
  namespace: string,
): Promise<Partial<NamespaceSettings> | undefined> {
  if (!backend.exists(NAMESPACES_INDEX, {})) return undefined;
  const [index, id] = [NAMESPACES_INDEX, namespace];
  const { source } = await backend.get({ index, id, source: true });
  if (source === undefined) return undefined;
  const remedy = `choose the settings anew by PUT /_memory/${namespace}`;
  return readState({ index, id, source, remedy }, readSettingsBody);
}

/** The settings of all namespaces, remembered as long as their index is the same one. */
export class SettingsStore {
  readonly #backend: Backend;
  readonly #defaults: SettingDefaults;
  readonly #known = new BoundedMap<string, Partial<NamespaceSettings>>(REMEMBERED);
  #index: number | undefined;

  constructor(backend: Backend, defaults: SettingDefaults) {
    this.#backend = backend;
    this.#defaults = defaults;
  }

  /** With the defaults where it chose nothing. */
  async of(namespace: string): Promise<NamespaceSettings> {
    return this.#complete(await this.#chosen(namespace));
  }

  async #chosen(namespace: string): Promise<Partial<NamespaceSettings>> {
    const number = this.#number();
    if (number !== this.#index) this.#known.clear();
    this.#index = number;
    if (number === undefined) return {};
    const known = this.#known.get(namespace);
    if (known !== undefined) return known;
    const chosen = (await readStored(this.#backend, namespace)) ?? {};
    this.#known.set(namespace, chosen);
    return chosen;
  }

  /** Must run alone for the namespace. Makes the index, so that a bad choice is refused now. */
  async put(namespace: string, requested: Partial<NamespaceSettings>): Promise<NamespaceSettings> {
    const backend = this.#backend;
    const before = await this.#chosen(namespace).catch((error: unknown) => {
      if (isDamaged(error)) return {};
      throw error;
    });
    const index = memoryIndex(namespace);
    const chosen = { ...before, ...requested };
    if (isRemote(requested)) {
      // A model is named whole: by its id, its endpoint, or both.
      if (requested.inference_endpoint === undefined) delete chosen.inference_endpoint;
      if (requested.inference_id === undefined) delete chosen.inference_id;
    }
    const [was, will] = [this.#complete(before), this.#complete(chosen)];
    const change = FINAL.find((key) => printExact(was[key]) !== printExact(will[key]));
    if (backend.exists(index, {}) && change !== undefined) {
      await this.#refuseLate(namespace, index, change);
      await backend.deleteIndices(index, {});
    }
    if (!backend.exists(index, {})) await backend.createIndex(index, memoryBody(will));
    await ensureIndex(backend, NAMESPACES_INDEX, SETTINGS_BODY);
    const source = Buffer.from(printExact(chosen));
    await backend.write(
      { op: 'index', index: NAMESPACES_INDEX, id: namespace, source },
      { refresh: 'false' },
    );
    this.#known.delete(namespace);
    return will;
  }

  async drop(namespace: string): Promise<void> {
    this.#known.delete(namespace);
    if (this.#number() === undefined) return;
    await this.#backend.write(
      { op: 'delete', index: NAMESPACES_INDEX, id: namespace },
      { refresh: 'false' },
    );
  }

  /** Of the index, which is never used twice. */
  #number(): number | undefined {
    if (!this.#backend.exists(NAMESPACES_INDEX, {})) return undefined;
    return this.#backend.resolve(NAMESPACES_INDEX, {})[0]?.number;
  }

  #complete(chosen: Partial<NamespaceSettings>): NamespaceSettings {
    // A model of the caller's has dims of its own.
    const dims = isRemote(chosen) ? {} : { dims: TEXT_DIMS };
    return { ...this.#defaults, ...dims, ...chosen };
  }

  async #refuseLate(namespace: string, index: string, change: string): Promise<void> {
    await this.#backend.publish(index);
    const { count } = await this.#backend.count({ index, body: {} });
    if (count === 0) return;
    throw illegal(
      `[${change}] decides how memories are stored, and namespace [${namespace}] has ${count}; store them in a namespace that was set up before its first memory`,
    );
  }
}
