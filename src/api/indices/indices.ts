// Routes of indexes as a whole: create, delete, exists, get, open, close, and analyze.

import { QuarryError } from '../../errors.js';
import { pageInstead } from '../kit/addresses.js';
import {
  checkWaits,
  INDEX_OPTIONS,
  INDEX_READ_PARAMS,
  INDEX_WAITS,
  indexOptions,
} from '../kit/params.js';
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
  resolveIndices,
} from '../kit/routes.js';
import { INDEXES } from '../schemas/indexes.js';
import { analyze } from './analyze.js';
import { settingsBody } from './index-settings.js';

const FEATURES = ['aliases', 'mappings', 'settings'] as const;

/**
 * `routeAt` returns the route of a path, which tells an index name from a reserved path
 * (addresses.ts).
 */
export function indexRoutes(
  deps: ApiDeps,
  routeAt: (path: string) => Route | undefined,
): readonly Route[] {
  return [
    {
      schema: INDEXES.create,
      methods: ['PUT'],
      privilege: 'manage',
      paths: ['/:index'],
      params: INDEX_WAITS,
      handler: (r) => create(deps, r),
    },
    {
      schema: INDEXES.delete,
      methods: ['DELETE'],
      privilege: 'manage',
      paths: ['/:index'],
      params: [...INDEX_WAITS, ...INDEX_OPTIONS],
      handler: (r) => remove(deps, r),
    },
    {
      schema: INDEXES.exists,
      methods: ['HEAD'],
      privilege: 'any',
      paths: ['/:index'],
      params: [...INDEX_READ_PARAMS, 'flat_settings', 'include_defaults'],
      handler: (r) => exists(deps, r),
    },
    {
      schema: INDEXES.get,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/:index'],
      params: [...INDEX_READ_PARAMS, 'flat_settings', 'include_defaults', 'features'],
      handler: (r) => {
        const page = pageInstead(deps, part(r, 'index'), r.accept);
        return (page === undefined ? undefined : routeAt(page))?.handler(r) ?? get(deps, r);
      },
    },
    {
      schema: INDEXES.open,
      methods: ['POST'],
      privilege: 'manage',
      paths: ['/:index/_open'],
      params: [...INDEX_WAITS, ...INDEX_OPTIONS],
      handler: (r) => setState(deps, r, 'open'),
    },
    {
      schema: INDEXES.close,
      methods: ['POST'],
      privilege: 'manage',
      paths: ['/:index/_close'],
      params: [...INDEX_WAITS, ...INDEX_OPTIONS],
      handler: (r) => setState(deps, r, 'close'),
    },
    {
      schema: INDEXES.analyze,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_analyze', '/:index/_analyze'],
      params: ['index'],
      handler: async (r) => {
        const index = r.parts['index'] ?? r.params.text('index');
        return analyze(deps, index, await requiredBody(r));
      },
    },
  ];
}

async function create(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const description = await deps.backend.createIndex(
    part(request, 'index'),
    await optionalBody(request),
  );
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

function get(deps: ApiDeps, request: ApiRequest): Answer {
  const requested = readFeatures(request);
  // A feature that was not requested is present and empty.
  const entries = resolveIndices(deps, request).map((index) => [
    index.name,
    {
      aliases: requested.includes('aliases') ? index.aliases : {},
      mappings: requested.includes('mappings') ? index.mappings : {},
      settings: requested.includes('settings')
        ? settingsBody(request, index, undefined).settings
        : {},
    },
  ]);
  return ok(Object.fromEntries(entries));
}

/** All features if none is named. */
function readFeatures({ params }: ApiRequest): readonly string[] {
  if (!params.has('features')) return FEATURES;
  const requested = params.list('features') ?? [];
  const unknown = requested.filter((feature) => !(FEATURES as readonly string[]).includes(feature));
  if (requested.length > 0 && unknown.length === 0) return requested;
  throw new QuarryError(
    'illegal_argument_exception',
    `Unknown feature [${unknown.join(', ')}], expected one of [${FEATURES.join(', ')}]`,
  );
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
  return ok({ acknowledged: true, shards_acknowledged: names.length > 0, indices });
}
