// The indexes and settings of a brain.

import type { Backend, JsonObject, WriteOperation } from '../backend/index.js';
import { BoundedMap } from '../base/bounded-map.js';
import { plainJson } from '../base/json-text.js';
import { BRAINS_INDEX } from '../base/state-indexes.js';
import { QuarryError } from '../errors.js';
import { ensureIndex } from './edges-index.js';
import { checkBrain, defaultNodesIndex, edgesIndex, illegal } from './names.js';
import { readState } from './state-document.js';
import { shown } from './times.js';

export interface Brain {
  readonly name: string;
  readonly nodes: string;
  readonly edges: string;
  /** There are nodes, links or settings of that name. */
  readonly exists: boolean;
  readonly hasNodes: boolean;
  readonly hasEdges: boolean;
}

const SETTINGS_BODY: JsonObject = {
  settings: { number_of_shards: 1 },
  mappings: { dynamic: false, properties: { nodes_index: { type: 'keyword' } } },
};

const MAX_INDEX_NAME_BYTES = 255;
/** Brains whose settings are cached. */
const REMEMBERED = 10_000;

/**
 * The brains of a backend. The settings of a brain are read once and cached: every change of them
 * passes through this class or recreates the settings index.
 */
export class Brains {
  readonly #backend: Backend;
  /** Brain -> its nodes index; undefined: the settings name none. */
  readonly #chosen = new BoundedMap<string, string | undefined>(REMEMBERED);
  /** Number of the settings index that the cache was read from; index numbers are never reused. */
  #index: number | undefined;
  #changes = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The indexes of the brain and which of them exist at present. */
  async find(name: string): Promise<Brain> {
    checkBrain(name);
    const backend = this.#backend;
    const set = await this.#nodesIndex(name);
    const nodes = set ?? defaultNodesIndex(name);
    const edges = edgesIndex(name);
    const hasNodes = backend.exists(nodes, {});
    const hasEdges = backend.exists(edges, {});
    const exists = hasNodes || hasEdges || set !== undefined;
    return { name, nodes, edges, hasNodes, hasEdges, exists };
  }

  /** Like find(), but throws resource_not_found_exception when the brain does not exist. */
  async known(name: string): Promise<Brain> {
    const brain = await this.find(name);
    if (brain.exists) return brain;
    throw new QuarryError(
      'resource_not_found_exception',
      `no such brain [${name}]: it has neither nodes in [${brain.nodes}] nor links; store a memory or assert a link first`,
      { extra: { 'resource.type': 'brain', 'resource.id': name } },
    );
  }

  async put(brain: string, nodesIndex: string): Promise<SettingsAnswer> {
    checkBrain(brain);
    const backend = this.#backend;
    await ensureIndex(backend, BRAINS_INDEX, SETTINGS_BODY);
    const source = Buffer.from(plainJson({ nodes_index: nodesIndex }));
    await this.#write({ op: 'index', index: BRAINS_INDEX, id: brain, source });
    return {
      acknowledged: true,
      brain,
      nodes_index: nodesIndex,
      nodes_index_exists: backend.exists(nodesIndex, {}),
    };
  }

  /** Deletes the settings of the brain. */
  async drop(brain: string): Promise<void> {
    if (!this.#backend.exists(BRAINS_INDEX, {})) return;
    await this.#write({ op: 'delete', index: BRAINS_INDEX, id: brain });
  }

  async #write(operation: WriteOperation): Promise<void> {
    try {
      await this.#backend.write(operation, { refresh: 'false' });
    } finally {
      this.#changes++;
      this.#chosen.delete(operation.id ?? '');
    }
  }

  async #nodesIndex(brain: string): Promise<string | undefined> {
    const backend = this.#backend;
    if (!backend.exists(BRAINS_INDEX, {})) return undefined;
    const number = backend.resolve(BRAINS_INDEX, {})[0]?.number;
    if (number !== this.#index) this.#chosen.clear();
    this.#index = number;
    if (this.#chosen.has(brain)) return this.#chosen.get(brain);
    const before = this.#changes;
    const { source } = await backend.get({ index: BRAINS_INDEX, id: brain, source: true });
    const chosen = source === undefined ? undefined : nodesIndexOf(brain, source);
    // A value that was read during a concurrent write may be outdated.
    if (before === this.#changes) this.#chosen.set(brain, chosen);
    return chosen;
  }
}

function nodesIndexOf(id: string, source: Uint8Array): string {
  const remedy = `name the index again by PUT /_graph/${id}`;
  return readState({ index: BRAINS_INDEX, id, source, remedy }, readSettingsBody);
}

/** The nodes index that the body of a settings request names, checked. */
export function readSettingsBody(body: JsonObject): string {
  const unknown = Object.keys(body).find((key) => key !== 'nodes_index');
  if (unknown !== undefined) {
    throw illegal(`unknown key [${unknown}] in the settings of a brain, expected [nodes_index]`);
  }
  const value = body['nodes_index'];
  if (value === undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: [nodes_index] is missing, name the index whose documents are the nodes;',
    );
  }
  if (typeof value !== 'string')
    throw illegal(`[nodes_index] must be a string, got ${shown(value)}`);
  if (
    value === '' ||
    value.startsWith('_') ||
    /[\s\\/*?"<>|,#:\p{Cc}\p{Cs}\p{Lu}]|^[-+]|^\.{1,2}$/u.test(value)
  ) {
    throw illegal(
      `[nodes_index] must be the name of one index, without patterns, commas and capitals, got ${shown(value)}`,
    );
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > MAX_INDEX_NAME_BYTES) {
    throw illegal(
      `[nodes_index] has ${bytes} bytes, the name of an index has at most ${MAX_INDEX_NAME_BYTES}`,
    );
  }
  return value;
}

export interface SettingsAnswer {
  readonly acknowledged: true;
  readonly brain: string;
  readonly nodes_index: string;
  readonly nodes_index_exists: boolean;
}
