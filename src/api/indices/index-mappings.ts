// Routes of mappings: read them as a whole or by field, and extend them.
import type { IndexDescription, JsonObject } from '../../backend/index.js';
import { type CooperativeTask, runCooperatively } from '../../base/cooperative-task.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
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
import { INDEXES } from '../schemas/indexes.js';
import { fieldMatcher } from './mapped-fields.js';
import { withDefaults } from './mapping-defaults.js';

export function indexMappingRoutes(deps: ApiDeps): readonly Route[] {
  const read: Route = {
    schema: INDEXES.getMapping,
    methods: ['GET'],
    privilege: 'any',
    paths: ['/_mapping', '/:index/_mapping'],
    params: INDEX_READ_PARAMS,
    handler: (r) => getMapping(deps, r),
  };
  const add: Route = {
    schema: INDEXES.putMapping,
    methods: ['PUT', 'POST'],
    privilege: 'manage',
    paths: ['/:index/_mapping'],
    params: [...INDEX_WAITS, ...INDEX_OPTIONS, 'write_index_only'],
    handler: (r) => putMapping(deps, r),
  };
  return [
    read,
    add,
    // The same routes under their older paths.
    {
      ...read,
      schema: { ...INDEXES.getMapping, id: 'get_mappings' },
      paths: ['/_mappings', '/:index/_mappings'],
    },
    {
      ...add,
      schema: { ...INDEXES.putMapping, id: 'put_mappings' },
      paths: ['/:index/_mappings'],
    },
    {
      schema: INDEXES.getFieldMapping,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_mapping/field/:fields', '/:index/_mapping/field/:fields'],
      params: [...INDEX_READ_PARAMS, 'include_defaults'],
      handler: (r) => getFieldMapping(deps, r),
    },
  ];
}

function getMapping(deps: ApiDeps, request: ApiRequest): Answer {
  return ok(
    Object.fromEntries(
      resolveIndices(deps, request).map((index) => [index.name, { mappings: index.mappings }]),
    ),
  );
}

async function putMapping(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkWaits(request.params);
  const writeIndexOnly = request.params.flag('write_index_only');
  await deps.backend.putMapping(part(request, 'index'), await requiredBody(request), {
    ...indexOptions(request.params),
    ...(writeIndexOnly === undefined ? {} : { writeIndexOnly }),
  });
  return ACKNOWLEDGED;
}

function getFieldMapping(deps: ApiDeps, request: ApiRequest): MaybePromise<Answer> {
  const wanted = fieldMatcher(splitList(part(request, 'fields')));
  const indexes = resolveIndices(deps, request);
  if (indexes.length === 0) return ok({}, 404);
  const complete = request.params.flag('include_defaults') ?? false;
  return runCooperatively(fieldMappingSteps(indexes, wanted, complete));
}

function* fieldMappingSteps(
  indexes: readonly IndexDescription[],
  wanted: (path: string) => boolean,
  complete: boolean,
): CooperativeTask<Answer> {
  const entries: [string, JsonObject][] = [];
  for (const index of indexes) {
    const printed: [string, JsonObject][] = [];
    for (const [name, mapping, leaf] of mappedFields(index.mappings, '')) {
      yield;
      if (!wanted(name)) continue;
      const shown = complete ? withDefaults(mapping) : mapping;
      printed.push([name, { full_name: name, mapping: { [leaf]: shown } }]);
    }
    entries.push([index.name, { mappings: Object.fromEntries(printed) }]);
  }
  return ok(Object.fromEntries(entries));
}

/**
 * Leaf fields: full path, definition, and name within their object, which may have dots (see
 * `subobjects`). A field is followed by its multi-fields.
 */
export function* mappedFields(
  mapping: JsonObject,
  prefix: string,
): Generator<[string, JsonObject, string]> {
  for (const key of ['properties', 'fields'] as const) {
    const children = (mapping[key] ?? {}) as JsonObject;
    for (const [name, value] of Object.entries(children)) {
      const field = value as JsonObject;
      const path = `${prefix}${name}`;
      if (field['type'] !== undefined && field['type'] !== 'object') yield [path, field, name];
      yield* mappedFields(field, `${path}.`);
    }
  }
}
