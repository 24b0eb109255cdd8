// What belongs to a brain: its indexes and its settings.
import type { Backend, JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { ensureIndex } from './edges-index.js';
import { checkBrain, defaultNodesIndex, edgesIndex, illegal, SETTINGS_INDEX } from './names.js';
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

/** What there is of the brain now. */
export async function findBrain(backend: Backend, name: string): Promise<Brain> {
  checkBrain(name);
  const set = await readSettings(backend, name);
  const nodes = set ?? defaultNodesIndex(name);
  const edges = edgesIndex(name);
  const hasNodes = backend.exists(nodes, {});
  const hasEdges = backend.exists(edges, {});
  return {
    name,
    nodes,
    edges,
    hasNodes,
    hasEdges,
    exists: hasNodes || hasEdges || set !== undefined,
  };
}

/** resource_not_found_exception when there is nothing of that name. */
export async function knownBrain(backend: Backend, name: string): Promise<Brain> {
  const brain = await findBrain(backend, name);
  if (brain.exists) return brain;
  throw new QuarryError(
    'resource_not_found_exception',
    `no such brain [${name}]: it has neither nodes in [${brain.nodes}] nor links; store a memory or assert a link first`,
    { extra: { 'resource.type': 'brain', 'resource.id': name } },
  );
}

async function readSettings(backend: Backend, brain: string): Promise<string | undefined> {
  if (!backend.exists(SETTINGS_INDEX, {})) return undefined;
  const { source } = await backend.get({ index: SETTINGS_INDEX, id: brain, source: true });
  if (source === undefined) return undefined;
  const settings = JSON.parse(Buffer.from(source).toString('utf8')) as JsonObject;
  return typeof settings['nodes_index'] === 'string' ? settings['nodes_index'] : undefined;
}

/** The body of a change of settings, checked. */
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
    /[\s\\/*?"<>|,#:\p{Cc}\p{Lu}]|^[-+]|^\.{1,2}$/u.test(value)
  ) {
    throw illegal(
      `[nodes_index] must be the name of one index, without patterns, commas and capitals, got ${shown(value)}`,
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

export async function putSettings(
  backend: Backend,
  brain: string,
  nodesIndex: string,
): Promise<SettingsAnswer> {
  checkBrain(brain);
  await ensureIndex(backend, SETTINGS_INDEX, SETTINGS_BODY);
  const source = Buffer.from(JSON.stringify({ nodes_index: nodesIndex }));
  await backend.write(
    { op: 'index', index: SETTINGS_INDEX, id: brain, source },
    { refresh: 'false' },
  );
  return {
    acknowledged: true,
    brain,
    nodes_index: nodesIndex,
    nodes_index_exists: backend.exists(nodesIndex, {}),
  };
}
