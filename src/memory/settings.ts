// The settings of a namespace: how its texts are analyzed and embedded (fixed with its first
// memory), and what a store does in addition to storing (changeable at any time). They are stored
// as a document per namespace that chose any.

import type { Backend, JsonObject } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { BUILTIN_ID, type BuiltinId, isBuiltin } from '../base/builtin-embedders.js';
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
  /** Links are detected in every memory that is stored. */
  readonly detect: boolean;
  readonly quota?: Quota & JsonObject;
  /** Milliseconds after which a memory that is stored from now on expires at the latest. */
  readonly retention_ms?: number;
}

/** What a namespace takes; undefined: without a limit. */
export interface Quota {
  readonly memories?: number;
  /** Of the index of the memories, as GET /_memory shows it. */
  readonly bytes?: number;
  readonly stores_per_minute?: number;
}

/** Defaults from the configuration. */
export type SettingDefaults = Pick<NamespaceSettings, 'analyzer' | 'link_sessions' | 'detect'>;

/** These decide how memories are stored and cannot change once there are any. */
const FINAL = ['analyzer', 'dims', 'inference_id', 'inference_endpoint'] as const;
const KEYS = [...FINAL, 'link_sessions', 'detect', 'quota', 'retention_ms'];
const QUOTA_KEYS = ['memories', 'bytes', 'stores_per_minute'];
const MAX_DIMS = 4096;
/** A hundred years. */
const MAX_RETENTION_MS = 100 * 365 * 86_400_000;
/** Namespaces whose settings are cached. */
const REMEMBERED = 10_000;

const SETTINGS_BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: { dynamic: false, properties: {} },
};

/**
 * The built-in embedder of the texts; undefined: a model that the client chose. A namespace that
 * names `svc-lex-1` has always been treated as one with a model of 512 dims.
 */
export function builtinOf(choices: Partial<IndexChoices>): BuiltinId | undefined {
  const { inference_id: id, inference_endpoint: endpoint } = choices;
  if (endpoint !== undefined) return undefined;
  if (id === undefined) return BUILTIN_ID;
  return id !== BUILTIN_ID && isBuiltin(id) ? id : undefined;
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
  const quota = readQuota(body);
  const retention_ms = readWhole(body, 'retention_ms', 1, MAX_RETENTION_MS);
  return {
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(dims === undefined ? {} : { dims }),
    ...(inference_id === undefined ? {} : { inference_id }),
    ...(inference_endpoint === undefined ? {} : { inference_endpoint }),
    ...(link_sessions === undefined ? {} : { link_sessions }),
    ...(detect === undefined ? {} : { detect }),
    ...(quota === undefined ? {} : { quota }),
    ...(retention_ms === undefined ? {} : { retention_ms }),
  };
}

/** An empty quota limits nothing. */
function readQuota(body: JsonObject): (Quota & JsonObject) | undefined {
  const given = readObject(body, 'quota');
  if (given === undefined) return undefined;
  refuseUnknown(given, QUOTA_KEYS, '[quota]');
  const limits = QUOTA_KEYS.flatMap((key): [string, number][] => {
    const limit = readWhole(given, key, 1, Number.MAX_SAFE_INTEGER, `quota.${key}`);
    return limit === undefined ? [] : [[key, limit]];
  });
  return Object.fromEntries(limits);
}

/**
 * The settings that the namespace chose; undefined: none. Throws corrupt_index_exception for a
 * document that no request could have written.
 */
export async function readStored(
  backend: Backend,
  namespace: string,
): Promise<Partial<NamespaceSettings> | undefined> {
  if (!backend.exists(NAMESPACES_INDEX, {})) return undefined;
  const [index, id] = [NAMESPACES_INDEX, namespace];
  const { source } = await backend.get({ index, id, source: true });
  if (source === undefined) return undefined;
  const remedy = `choose the settings again by PUT /_memory/${namespace}`;
  return readState({ index, id, source, remedy }, readSettingsBody);
}

/** The settings of all namespaces, cached as long as their index is the same one. */
export class SettingsStore {
  readonly #backend: Backend;
  readonly #defaults: SettingDefaults;
  readonly #known = new BoundedMap<string, Partial<NamespaceSettings>>(REMEMBERED);
  readonly #remembers: boolean;
  #index: number | undefined;

  /** `remembers`: false where other processes change them, too. */
  constructor(backend: Backend, defaults: SettingDefaults, remembers = true) {
    this.#backend = backend;
    this.#remembers = remembers;
    this.#defaults = defaults;
  }

  /** The chosen settings, completed by the defaults. */
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
    if (this.#remembers) this.#known.set(namespace, chosen);
    return chosen;
  }

  /**
   * Must run in the turn of the namespace. Creates the index, so that an invalid choice fails
   * immediately.
   */
  async put(namespace: string, requested: Partial<NamespaceSettings>): Promise<NamespaceSettings> {
    const backend = this.#backend;
    const before = await this.#chosen(namespace).catch((error: unknown) => {
      if (isDamaged(error)) return {};
      throw error;
    });
    const index = memoryIndex(namespace);
    const chosen = { ...before, ...requested };
    if (requested.inference_id !== undefined || requested.inference_endpoint !== undefined) {
      // A request names a model completely: by its id, its endpoint, or both.
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

  /** Number of the settings index, which is never reused. */
  #number(): number | undefined {
    if (!this.#backend.exists(NAMESPACES_INDEX, {})) return undefined;
    return this.#backend.resolve(NAMESPACES_INDEX, {})[0]?.number;
  }

  #complete(chosen: Partial<NamespaceSettings>): NamespaceSettings {
    // A remote model has dims of its own.
    const dims = builtinOf(chosen) === undefined ? {} : { dims: TEXT_DIMS };
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
