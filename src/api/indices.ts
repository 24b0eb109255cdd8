// Index administration: create, delete, exists, get, mapping, settings, refresh, flush, force-merge, open, close, analyze.
import type { IndexDescription, Json, JsonObject, ShardsAnswer } from '../backend.js';
import { QuarryError } from '../errors.js';
import { wildcardMatch } from '../wildcard.js';
import { checkWaits, INDEX_OPTIONS, indexOptions, splitList } from './params.js';
import {
  ACKNOWLEDGED,
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
  requiredBody,
} from './routes.js';

const WAITS = ['timeout', 'master_timeout', 'wait_for_active_shards'];
const READ = [...INDEX_OPTIONS, 'local', 'master_timeout'];
const FEATURES = ['aliases', 'mappings', 'settings'] as const;

export function indexRoutes(deps: ApiDeps): readonly Route[] {
  return [
    { methods: ['PUT'], paths: ['/:index'], params: WAITS, handler: (r) => create(deps, r) },
    {
      methods: ['DELETE'],
      paths: ['/:index'],
      params: [...WAITS, ...INDEX_OPTIONS],
      handler: (r) => remove(deps, r),
    },
    {
      methods: ['HEAD'],
      paths: ['/:index'],
      params: [...READ, 'flat_settings', 'include_defaults'],
      handler: (r) => exists(deps, r),
    },
    {
      methods: ['GET'],
      paths: ['/:index'],
      params: [...READ, 'flat_settings', 'include_defaults', 'features'],
      handler: (r) => get(deps, r),
    },
    {
      methods: ['GET'],
      paths: ['/_mapping', '/:index/_mapping'],
      params: READ,
      handler: (r) => getMapping(deps, r),
    },
    {
      methods: ['PUT', 'POST'],
      paths: ['/:index/_mapping'],
      params: [...WAITS, ...INDEX_OPTIONS, 'write_index_only'],
      handler: (r) => putMapping(deps, r),
    },
    {
      methods: ['GET'],
      paths: ['/_mapping/field/:fields', '/:index/_mapping/field/:fields'],
      params: [...READ, 'include_defaults'],
      handler: (r) => getFieldMapping(deps, r),
    },
    {
      methods: ['GET'],
      paths: ['/_settings', '/:index/_settings', '/_settings/:name', '/:index/_settings/:name'],
      params: [...READ, 'flat_settings', 'include_defaults'],
      handler: (r) => getSettings(deps, r),
    },
    {
      methods: ['PUT'],
      paths: ['/_settings', '/:index/_settings'],
      params: [...WAITS, ...INDEX_OPTIONS, 'preserve_existing', 'flat_settings', 'reopen'],
      handler: (r) => putSettings(deps, r),
    },
    {
      methods: ['GET', 'POST'],
      paths: ['/_refresh', '/:index/_refresh'],
      params: INDEX_OPTIONS,
      handler: async (r) =>
        shards(await deps.backend.refresh(part(r, 'index'), indexOptions(r.params))),
    },
    {
      methods: ['GET', 'POST'],
      paths: ['/_flush', '/:index/_flush'],
      params: [...INDEX_OPTIONS, 'force', 'wait_if_ongoing'],
      handler: async (r) =>
        shards(await deps.backend.flush(part(r, 'index'), indexOptions(r.params))),
    },
    {
      methods: ['POST'],
      paths: ['/_forcemerge', '/:index/_forcemerge'],
      params: [
        ...INDEX_OPTIONS,
        'max_num_segments',
        'flush',
        'only_expunge_deletes',
        'wait_for_completion',
      ],
      handler: (r) => forceMerge(deps, r),
    },
    {
      methods: ['POST'],
      paths: ['/:index/_open'],
      params: [...WAITS, ...INDEX_OPTIONS],
      handler: (r) => setState(deps, r, 'open'),
    },
    {
      methods: ['POST'],
      paths: ['/:index/_close'],
      params: [...WAITS, ...INDEX_OPTIONS],
      handler: (r) => setState(deps, r, 'close'),
    },
    {
      methods: ['GET', 'POST'],
      paths: ['/_analyze', '/:index/_analyze'],
      params: [],
      handler: async (r) => ok(await deps.backend.analyze(r.parts['index'], requiredBody(r))),
    },
  ];
}

async function create(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const description = await deps.backend.createIndex(part(request, 'index'), optionalBody(request));
  return ok({ acknowledged: true, shards_acknowledged: true, index: description.name });
}

async function remove(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  await deps.backend.deleteIndices(part(request, 'index'), indexOptions(request.params));
  return ACKNOWLEDGED;
}

function exists(deps: ApiDeps, request: ApiRequest): Answer {
  return {
    status: deps.backend.exists(part(request, 'index'), indexOptions(request.params)) ? 200 : 404,
  };
}

function resolve(deps: ApiDeps, request: ApiRequest): readonly IndexDescription[] {
  return deps.backend.resolve(part(request, 'index'), indexOptions(request.params));
}

function get(deps: ApiDeps, request: ApiRequest): Answer {
  const asked = request.params.list('features');
  for (const feature of asked ?? []) {
    if (!(FEATURES as readonly string[]).includes(feature)) {
      throw new QuarryError(
        'illegal_argument_exception',
        `Unknown feature [${feature}], expected one of [${FEATURES.join(', ')}]`,
      );
    }
  }
  const wants = (feature: string): boolean => asked === undefined || asked.includes(feature);
  const entries = resolve(deps, request).map((index) => [
    index.name,
    {
      ...(wants('aliases') ? { aliases: index.aliases } : {}),
      ...(wants('mappings') ? { mappings: index.mappings } : {}),
      ...(wants('settings') ? { settings: settingsBody(request, index, undefined).settings } : {}),
    },
  ]);
  return ok(Object.fromEntries(entries));
}

function getMapping(deps: ApiDeps, request: ApiRequest): Answer {
  return ok(
    Object.fromEntries(
      resolve(deps, request).map((index) => [index.name, { mappings: index.mappings }]),
    ),
  );
}

async function putMapping(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  await deps.backend.putMapping(
    part(request, 'index'),
    requiredBody(request),
    indexOptions(request.params),
  );
  return ACKNOWLEDGED;
}

function getFieldMapping(deps: ApiDeps, request: ApiRequest): Answer {
  const patterns = splitList(part(request, 'fields'));
  const entries = resolve(deps, request).map((index) => {
    const fields = [...fieldMappings(index.mappings, '')].filter(([name]) =>
      patterns.some((pattern) => wildcardMatch(pattern, name)),
    );
    const printed = fields.map(([name, mapping]) => [
      name,
      { full_name: name, mapping: { [name.slice(name.lastIndexOf('.') + 1)]: mapping } },
    ]);
    return [index.name, { mappings: Object.fromEntries(printed) }] as const;
  });
  return ok(Object.fromEntries(entries));
}

/** Leaf fields with their full names; multi-fields follow their field. */
function* fieldMappings(mapping: JsonObject, prefix: string): Generator<[string, JsonObject]> {
  for (const key of ['properties', 'fields'] as const) {
    const children = (mapping[key] ?? {}) as JsonObject;
    for (const [name, value] of Object.entries(children)) {
      const field = value as JsonObject;
      const path = `${prefix}${name}`;
      if (field['type'] !== undefined && field['type'] !== 'object') yield [path, field];
      yield* fieldMappings(field, `${path}.`);
    }
  }
}

function getSettings(deps: ApiDeps, request: ApiRequest): Answer {
  const name = request.parts['name'];
  const entries = resolve(deps, request).map((index) => [
    index.name,
    settingsBody(request, index, name === undefined ? undefined : splitList(name)),
  ]);
  return ok(Object.fromEntries(entries));
}

const DEFAULTS: JsonObject = {
  index: { refresh_interval: '1s', max_result_window: '10000', number_of_replicas: '1' },
};

function settingsBody(
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
    return flat ? Object.fromEntries(leaves) : nest(leaves);
  };
  const settings = shape(index.settings);
  if (request.params.flag('include_defaults') !== true) return { settings };
  return { settings, defaults: shape(DEFAULTS) };
}

function* leavesOf(tree: JsonObject, prefix: string): Generator<readonly [string, Json]> {
  for (const [key, value] of Object.entries(tree)) {
    const isTree = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isTree) yield* leavesOf(value as JsonObject, `${prefix}${key}.`);
    else yield [`${prefix}${key}`, value];
  }
}

function nest(leaves: readonly (readonly [string, Json])[]): JsonObject {
  const root: Record<string, Json> = {};
  for (const [path, value] of leaves) {
    const keys = path.split('.');
    let at = root;
    for (const key of keys.slice(0, -1)) {
      const next = at[key];
      const deeper =
        typeof next === 'object' && next !== null ? (next as Record<string, Json>) : {};
      at[key] = deeper;
      at = deeper;
    }
    at[keys.at(-1) ?? ''] = value;
  }
  return root;
}

async function putSettings(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  if (request.params.flag('reopen') === true) {
    throw new QuarryError(
      'illegal_argument_exception',
      'parameter [reopen] is not supported, close and open the index',
    );
  }
  const preserveExisting = request.params.flag('preserve_existing');
  await deps.backend.putSettings(part(request, 'index'), requiredBody(request), {
    ...indexOptions(request.params),
    ...(preserveExisting === undefined ? {} : { preserveExisting }),
  });
  return ACKNOWLEDGED;
}

async function forceMerge(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const max = params.integer('max_num_segments');
  if (max !== undefined && max < 1) {
    throw new QuarryError(
      'illegal_argument_exception',
      `max_num_segments must be >= 1, got [${max}]`,
    );
  }
  const expunge = params.flag('only_expunge_deletes') ?? false;
  if (expunge && max !== undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters are mutually exclusive;',
    );
  }
  if (params.flag('wait_for_completion') === false) {
    throw new QuarryError(
      'illegal_argument_exception',
      'parameter [wait_for_completion] must be true, there is no task API',
    );
  }
  const options = indexOptions(params);
  const answer = await deps.backend.forceMerge(part(request, 'index'), max ?? 1, options);
  if (params.flag('flush') !== false) await deps.backend.flush(part(request, 'index'), options);
  return shards(answer);
}

async function setState(
  deps: ApiDeps,
  request: ApiRequest,
  state: 'open' | 'close',
): Promise<Answer> {
  checkWaits(request.params);
  const names = await deps.backend.setState(
    part(request, 'index'),
    state,
    indexOptions(request.params),
  );
  if (state === 'open') return ok({ acknowledged: true, shards_acknowledged: true });
  const indices = Object.fromEntries(names.map((name) => [name, { closed: true }]));
  return ok({ acknowledged: true, shards_acknowledged: true, indices });
}

function shards(answer: ShardsAnswer): Answer {
  return ok({ _shards: answer });
}
