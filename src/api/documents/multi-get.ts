// Multi-get: many documents by id in one request, answered in request order.

import type { GetRequest, Json, JsonObject, SourceSpec } from '../../backend/index.js';
import { mapCooperatively } from '../../base/cooperative-task.js';
import { asText } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import { speaksSeven } from '../kit/compatible-seven.js';
import { VERSION_TYPES } from '../kit/document-address.js';
import { refuseManyItems } from '../kit/item-limit.js';
import { readObject } from '../kit/json.js';
import { sourceParam, UrlParams } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  part,
  type Route,
  requiredBytes,
} from '../kit/routes.js';
import { DOCUMENTS } from '../schemas/search.js';
import { mgetReply } from '../search/reply.js';
import { readStoredFields, withStoredFields } from '../search/stored-fields.js';
import { GET_PARAMS } from './document-reads.js';

/** The parameters of a get except those about versions, which apply to a single document. */
const MGET_PARAMS = GET_PARAMS.filter((name) => !name.startsWith('version'));

export function multiGetRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DOCUMENTS.mget,
      methods: ['GET', 'POST'],
      privilege: 'read',
      paths: ['/_mget', '/:index/_mget'],
      params: MGET_PARAMS,
      handler: (request) => multiGet(deps, request),
    },
  ];
}

async function multiGet(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await readObject(requiredBytes(request));
  const named = [body['docs'], body['ids']].flatMap((list) => (Array.isArray(list) ? list : []));
  refuseManyItems(deps, named.length, 'documents');
  const requested = await readMultiGet(request, body);
  const found = await deps.backend.mget(
    requested.map(({ get }) => get),
    request.waiter,
  );
  for (const [i, item] of request.names === undefined ? [] : found.entries()) {
    if (!('error' in item && item.status === FORBIDDEN))
      request.names?.add(requested[i]?.get.index ?? '');
  }
  // Most requests show no stored fields; awaiting up to ten thousand documents would then take a
  // time slice for nothing.
  if (requested.every(({ stored }) => stored.length === 0)) {
    return { status: 200, raw: await mgetReply(found) };
  }
  const shown = await Promise.all(
    await mapCooperatively(found, (item, i) => {
      const one = requested[i];
      if (one === undefined || !('found' in item) || one.stored.length === 0) return item;
      return withStoredFields(deps, one.get, item, one.stored);
    }),
  );
  return { status: 200, raw: await mgetReply(shown) };
}

/** Status of a document whose index the key may not use. */
const FORBIDDEN = 403;
const MGET_KEYS = new Set(['docs', 'ids']);
const MGET_DOC_KEYS = new Set([
  '_index',
  '_id',
  'routing',
  '_source',
  '_source_includes',
  '_source_excludes',
  'version',
  'version_type',
  'stored_fields',
]);

const SOURCE_KEYS = new Set(['includes', 'include', 'excludes', 'exclude']);

/** One requested document and the stored fields to show of it. */
interface RequestedDocument {
  readonly get: GetRequest;
  readonly stored: readonly string[];
}

async function readMultiGet(
  request: ApiRequest,
  body: JsonObject,
): Promise<readonly RequestedDocument[]> {
  const unknown = Object.keys(body).find((key) => !MGET_KEYS.has(key));
  if (unknown !== undefined) {
    throw new QuarryError(
      'parsing_exception',
      `unknown key [${unknown}] in the mget body, expected [docs] or [ids]`,
    );
  }
  const source = sourceParam(request.params);
  const isTyped = speaksSeven(request);
  const requestedDocs = await mapCooperatively(listOf(body, 'docs'), (doc, i) =>
    requestedFor(request, docFields(doc, i, isTyped), source),
  );
  const requestedIds = await mapCooperatively(listOf(body, 'ids'), (id) => {
    if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') {
      throw new QuarryError(
        'illegal_argument_exception',
        'ids array element should only contain ids',
      );
    }
    return requestedFor(request, { _id: id }, source);
  });
  // Documents are answered in the order of the body's members.
  const idsFirst = Object.keys(body)[0] === 'ids';
  const all = idsFirst ? [...requestedIds, ...requestedDocs] : [...requestedDocs, ...requestedIds];
  const found = (await mapCooperatively(all, problemsOf)).filter(({ length }) => length > 0);
  const problems =
    all.length === 0 ? ['no documents to get'] : found.slice(0, SHOWN_PROBLEMS).flat();
  if (problems.length > 0) {
    const text = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
    const more = found.length - SHOWN_PROBLEMS;
    const rest = more > 0 ? ` and of ${more} more documents` : '';
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: ${text}${rest}`,
    );
  }
  return all;
}

/** Maximum number of documents whose problems an error message lists. */
const SHOWN_PROBLEMS = 1000;

function problemsOf({ get }: RequestedDocument, i: number): readonly string[] {
  return [
    ...(get.index === '' ? [`index is missing for doc ${i}`] : []),
    ...(get.id === '' ? [`id is missing for doc ${i}`] : []),
  ];
}

/** Checks the keys of one element of `docs`. With `isTyped`, it may name its mapping type. */
function docFields(doc: Json, i: number, isTyped: boolean): JsonObject {
  if (typeof doc !== 'object' || doc === null || Array.isArray(doc)) {
    throw new QuarryError(
      'illegal_argument_exception',
      'docs array element should include an object',
    );
  }
  const isUnknown = (key: string): boolean =>
    !MGET_DOC_KEYS.has(key) && !(isTyped && (key === '_type' || key === 'type'));
  const unknown = Object.keys(doc).find(isUnknown);
  if (unknown !== undefined) {
    throw new QuarryError(
      'parse_exception',
      `failed to parse multi get request: unknown key [${unknown}] in doc ${i} of the mget body`,
    );
  }
  return doc as JsonObject;
}

/** What a document says of its version is read as the parameters of a get are. */
function readVersion(
  version: string | undefined,
  versionType: string | undefined,
): Pick<GetRequest, 'version' | 'versionType'> {
  if (version === undefined && versionType === undefined) return {};
  const own = new UrlParams({
    ...(version === undefined ? {} : { version }),
    ...(versionType === undefined ? {} : { version_type: versionType }),
  });
  const number = own.long('version');
  const type = own.choice('version_type', VERSION_TYPES);
  return {
    ...(number === undefined ? {} : { version: number }),
    ...(type === undefined ? {} : { versionType: type }),
  };
}

/**
 * One element of `docs` with the URL parameters as defaults; `source` is the source filter of the
 * URL.
 */
function requestedFor(
  request: ApiRequest,
  doc: JsonObject,
  source: SourceSpec | undefined,
): RequestedDocument {
  const { params } = request;
  const text = (name: string): string | undefined => {
    const value = doc[name];
    return value === undefined || value === null ? undefined : asText(value);
  };
  const routing = text('routing') ?? params.text('routing');
  const ownFields = doc['stored_fields'] === undefined ? undefined : names(doc['stored_fields']);
  const stored = readStoredFields(ownFields ?? params.list('stored_fields'));
  return {
    get: {
      index: text('_index') ?? part(request, 'index'),
      id: text('_id') ?? '',
      source: readSource(doc) ?? source ?? stored?.source ?? true,
      realtime: params.flag('realtime') ?? true,
      refresh: params.flag('refresh') ?? false,
      ...(routing === undefined ? {} : { routing }),
      ...readVersion(text('version'), text('version_type')),
    },
    stored: stored?.names ?? [],
  };
}

function readSource(fields: JsonObject): SourceSpec | undefined {
  const source = fields['_source'] ?? undefined;
  const includes = fields['_source_includes'];
  const excludes = fields['_source_excludes'];
  if (source === undefined && includes === undefined && excludes === undefined) return undefined;
  if (typeof source === 'boolean') return source;
  if (source === 'true' || source === 'false') return source === 'true';
  if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
    const spec = source as JsonObject;
    const unknown = Object.keys(spec).find((key) => !SOURCE_KEYS.has(key));
    if (unknown !== undefined) {
      throw new QuarryError(
        'parsing_exception',
        `[_source] does not support [${unknown}], expected [includes] or [excludes]`,
      );
    }
    return {
      includes: names(spec['includes'] ?? spec['include']),
      excludes: names(spec['excludes'] ?? spec['exclude']),
    };
  }
  return { includes: [...names(source), ...names(includes)], excludes: names(excludes) };
}

function names(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((name) => {
    if (typeof name === 'string') return name;
    throw new QuarryError(
      'parsing_exception',
      '[_source] must be true, false, a field name or a list of field names',
    );
  });
}

function listOf(body: JsonObject, key: string): readonly Json[] {
  const value = body[key];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new QuarryError('parsing_exception', `[${key}] of the mget body must be an array`);
}
