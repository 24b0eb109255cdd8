// Routes of index settings: read nested or flat, with or without defaults, and change.
import type { IndexDescription, Json, JsonObject } from '../../backend/index.js';
import { nestDotted } from '../../base/dotted-names.js';
import { wildcardMatch } from '../../base/wildcard.js';
import {
  checkWaits,
  INDEX_OPTIONS,
  INDEX_READ_PARAMS,
  INDEX_WAITS,
  indexOptions,
  splitList,
} from '../kit/params.js';
import {
  ACKNOWLEDGED,
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
  requiredBody,
  resolveIndices,
} from '../kit/routes.js';
import { COMPATIBLE_VERSION } from '../kit/versions.js';
import { INDEXES } from '../schemas/indexes.js';
import { unsetDefaults } from './setting-defaults.js';

export function indexSettingRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: INDEXES.getSettings,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_settings', '/:index/_settings', '/_settings/:name', '/:index/_settings/:name'],
      params: [...INDEX_READ_PARAMS, 'flat_settings', 'include_defaults'],
      handler: (r) => getSettings(deps, r),
    },
    {
      schema: INDEXES.putSettings,
      methods: ['PUT'],
      privilege: 'manage',
      paths: ['/_settings', '/:index/_settings'],
      params: [...INDEX_WAITS, ...INDEX_OPTIONS, 'preserve_existing', 'flat_settings', 'reopen'],
      handler: (r) => putSettings(deps, r),
    },
  ];
}

function getSettings(deps: ApiDeps, request: ApiRequest): Answer {
  const name = request.parts['name'];
  const names = name === undefined ? undefined : splitList(name);
  const bodies = resolveIndices(deps, request)
    .map((index) => [index.name, settingsBody(request, index, names)] as const)
    // Leaves out an index that has none of the requested settings.
    .filter(
      ([, { settings, defaults = {} }]) =>
        Object.keys(settings).length + Object.keys(defaults).length > 0,
    );
  return ok(Object.fromEntries(bodies));
}

export function settingsBody(
  request: ApiRequest,
  index: IndexDescription,
  names: readonly string[] | undefined,
): { settings: JsonObject; defaults?: JsonObject } {
  const flat = request.params.flag('flat_settings') ?? false;
  const shape = (settings: JsonObject): JsonObject => {
    const leaves = [...leavesOf(settings, '')].filter(
      ([key]) =>
        names === undefined ||
        names.some((pattern) => pattern === '_all' || wildcardMatch(pattern, key)),
    );
    return flat ? Object.fromEntries(leaves) : nestDotted(leaves);
  };
  const settings = shape(request.params.flag('human') === true ? readable(index) : index.settings);
  if (request.params.flag('include_defaults') !== true) return { settings };
  const unset = unsetDefaults(new Map(leavesOf(index.settings, '')));
  return { settings, defaults: shape(nestDotted(unset)) };
}

/** The settings with the readable forms that `human` adds. */
function readable(index: IndexDescription): JsonObject {
  const own = (index.settings['index'] ?? {}) as JsonObject;
  const version = (own['version'] ?? {}) as JsonObject;
  return {
    index: {
      ...own,
      creation_date_string: new Date(index.creationDate).toISOString(),
      version: { ...version, created_string: COMPATIBLE_VERSION },
    },
  };
}

function* leavesOf(tree: JsonObject, prefix: string): Generator<readonly [string, Json]> {
  for (const [key, value] of Object.entries(tree)) {
    const isTree = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isTree) yield* leavesOf(value as JsonObject, `${prefix}${key}.`);
    else yield [`${prefix}${key}`, value];
  }
}

async function putSettings(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const preserveExisting = request.params.flag('preserve_existing');
  const reopen = request.params.flag('reopen');
  await deps.backend.putSettings(part(request, 'index'), await requiredBody(request), {
    ...indexOptions(request.params),
    ...(preserveExisting === undefined ? {} : { preserveExisting }),
    ...(reopen === undefined ? {} : { reopen }),
  });
  return ACKNOWLEDGED;
}
