// `_cluster/settings`: persistent and transient settings (ops/cluster-settings.ts), and the
// defaults of all others.
import type { Json, JsonObject } from '../../backend/index.js';
import { asText, printValue } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import type { ClusterValue } from '../../ops/cluster-setting-rows.js';
import type { ClusterChange, ClusterValues } from '../../ops/cluster-settings.js';
import { checkWaits, type UrlParams } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { NODE } from '../schemas/node.js';

export function clusterSettingRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.getClusterSettings,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_cluster/settings'],
      params: ['flat_settings', 'include_defaults', 'timeout', 'master_timeout'],
      handler: ({ params }) => read(deps, params),
    },
    {
      schema: NODE.putClusterSettings,
      methods: ['PUT'],
      privilege: 'node:manage',
      paths: ['/_cluster/settings'],
      params: ['flat_settings', 'timeout', 'master_timeout'],
      handler: (request) => change(deps, request),
    },
  ];
}

function read({ cluster }: ApiDeps, params: UrlParams): Answer {
  const body = {
    persistent: printed(cluster.of('persistent'), params),
    transient: printed(cluster.of('transient'), params),
  };
  if (params.flag('include_defaults') !== true) return ok(body);
  return ok({ ...body, defaults: printed(cluster.defaults(), params) });
}

async function change({ cluster }: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const { persistent, transient, ...unknown } = await requiredBody(request);
  const [first] = Object.keys(unknown);
  if (first !== undefined) {
    throw illegal(`[${first}] is unknown here, known are [persistent] and [transient]`);
  }
  const changes = {
    persistent: section('persistent', persistent),
    transient: section('transient', transient),
  };
  if (changes.persistent.length + changes.transient.length === 0) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: no settings to update;',
    );
  }
  await cluster.change(changes);
  return ok({
    acknowledged: true,
    persistent: printed(kept(changes.persistent), request.params),
    transient: printed(kept(changes.transient), request.params),
  });
}

function kept(changes: ClusterChange): ClusterValues {
  return new Map(changes.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

function section(name: string, value: Json | undefined): ClusterChange {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object' && !Array.isArray(value)) return flat(value, '');
  throw illegal(`[${name}] must be an object of settings, got [${printValue(value)}]`);
}

/** Flattens nested settings into dotted names. */
function flat(value: Json, prefix: string): ClusterChange {
  if (value === null) return [[prefix, null]];
  if (Array.isArray(value)) return [[prefix, value.map((one: Json) => asText(one))]];
  if (typeof value !== 'object') return [[prefix, asText(value)]];
  return Object.entries(value as JsonObject).flatMap(([name, member]) =>
    flat(member, prefix === '' ? name : `${prefix}.${name}`),
  );
}

function printed(settings: ClusterValues, params: UrlParams): JsonObject {
  if (params.flag('flat_settings') === true) return Object.fromEntries(settings);
  const tree: Record<string, Json> = {};
  for (const [name, value] of settings) place(tree, name.split('.'), value);
  return tree;
}

/**
 * Puts a setting into the nested tree. If the path is blocked by a setting with a value of its own
 * (`…watermark.low` above `…watermark.low.max_headroom`), the rest of the path stays a dotted name.
 */
function place(tree: Record<string, Json>, path: readonly string[], value: ClusterValue): void {
  let node = tree;
  for (let at = 0; at < path.length - 1; at++) {
    const name = path[at] ?? '';
    const below = node[name];
    if (below !== undefined && (typeof below !== 'object' || Array.isArray(below))) {
      node[path.slice(at).join('.')] = value;
      return;
    }
    const next = (below ?? {}) as Record<string, Json>;
    node[name] = next as JsonObject;
    node = next;
  }
  node[path.at(-1) ?? ''] = value;
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
