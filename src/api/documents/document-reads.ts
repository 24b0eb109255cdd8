// Routes that read single documents: get, get source, and their HEAD variants.
import type { GetRequest, SourceSpec } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { documentId, VERSION_TYPES } from '../kit/document-address.js';
import { SOURCE_PARAMS, sourceParam } from '../kit/params.js';
import { preferenceParam } from '../kit/preference.js';
import { type Answer, type ApiDeps, type ApiRequest, part, type Route } from '../kit/routes.js';
import { DOCUMENTS } from '../schemas/search.js';
import { getReply } from '../search/reply.js';
import { readStoredFields, withStoredFields } from '../search/stored-fields.js';

export const GET_PARAMS = [
  'preference',
  'realtime',
  'refresh',
  'routing',
  'stored_fields',
  'version',
  'version_type',
  ...SOURCE_PARAMS,
];

/** The parameters of the source routes. */
const SOURCE_ONLY_PARAMS = GET_PARAMS.filter((name) => name !== 'stored_fields');

export function documentReadRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DOCUMENTS.get,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/:index/_doc/:id'],
      params: GET_PARAMS,
      handler: (r) => get(deps, r),
    },
    {
      schema: DOCUMENTS.exists,
      methods: ['HEAD'],
      privilege: 'read',
      paths: ['/:index/_doc/:id'],
      params: GET_PARAMS,
      handler: (r) => exists(deps, r, false),
    },
    {
      schema: DOCUMENTS.source,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/:index/_source/:id'],
      params: SOURCE_ONLY_PARAMS,
      handler: (r) => source(deps, r),
    },
    {
      schema: DOCUMENTS.sourceExists,
      methods: ['HEAD'],
      privilege: 'read',
      paths: ['/:index/_source/:id'],
      params: SOURCE_ONLY_PARAMS,
      handler: (r) => exists(deps, r, true),
    },
  ];
}

function getRequest(request: ApiRequest, source: SourceSpec): GetRequest {
  const { params } = request;
  const routing = params.text('routing');
  // Only validated: a document has one copy, so there is nothing to prefer.
  preferenceParam(params);
  const version = params.long('version');
  const versionType = params.choice('version_type', VERSION_TYPES);
  return {
    index: part(request, 'index'),
    id: documentId(request),
    source,
    realtime: params.flag('realtime') ?? true,
    refresh: params.flag('refresh') ?? false,
    ...(routing === undefined ? {} : { routing }),
    ...(version === undefined ? {} : { version }),
    ...(versionType === undefined ? {} : { versionType }),
  };
}

async function get(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const stored = readStoredFields(params.list('stored_fields'));
  const requested = getRequest(request, sourceParam(params) ?? stored?.source ?? true);
  const found = await deps.backend.get(requested);
  const shown = await withStoredFields(deps, requested, found, stored?.names ?? []);
  return { status: shown.found ? 200 : 404, raw: getReply(shown) };
}

async function exists(deps: ApiDeps, request: ApiRequest, needsSource: boolean): Promise<Answer> {
  const source = needsSource ? (sourceParam(request.params) ?? true) : false;
  const found = await deps.backend.get(getRequest(request, source));
  return { status: found.found && (!needsSource || found.source !== undefined) ? 200 : 404 };
}

async function source(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const wanted = sourceParam(request.params) ?? true;
  if (wanted === false) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: fetching source can not be disabled;',
    );
  }
  const found = await deps.backend.get(getRequest(request, wanted));
  if (found.source === undefined) {
    const what = found.found ? 'Source' : 'Document';
    throw new QuarryError(
      'resource_not_found_exception',
      `${what} not found [${found.index}]/[${found.id}]`,
    );
  }
  return { status: 200, raw: Buffer.from(found.source) };
}
