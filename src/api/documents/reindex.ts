// `_reindex`: copies the documents of some indexes of this server or of another one, or those that
// match a query, into an index of this server.
import type { Json, JsonObject, ReindexTarget } from '../../backend/index.js';
import { asText, printValue } from '../../base/json-text.js';
import { QuarryError } from '../../errors.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import { DOCUMENTS } from '../schemas/search.js';
import {
  answerByQuery,
  BY_QUERY_PARAMS,
  byQueryOptions,
  checkSlicing,
  illegal,
  invalid,
  invalidAll,
  refusePipeline,
} from './by-query-options.js';
import { readSearch, refuseWithoutSource } from './by-query-search.js';
import { checkRemoteIndex, readRemote } from './remote-source.js';

const BODY_KEYS = ['source', 'dest', 'script', 'conflicts', 'max_docs', 'size'];
const DEST_KEYS = ['index', 'op_type', 'version_type', 'routing', 'pipeline'];
const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;

export function reindexRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DOCUMENTS.reindex,
      methods: ['POST'],
      privilege: 'read&write',
      paths: ['/_reindex'],
      params: [...BY_QUERY_PARAMS, 'require_alias', 'pipeline'],
      handler: (request) => reindex(deps, request),
    },
  ];
}

async function reindex(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const body = await requiredBody(request);
  checkKeys('reindex', body, BODY_KEYS);
  const { index, remote: _remote, ...source } = objectAt(body, 'source');
  const remote = readRemote(objectAt(body, 'source'));
  const dest = objectAt(body, 'dest');
  checkNames(index, dest['index']);
  checkKeys('dest', dest, DEST_KEYS);
  const { params } = request;
  if (params.has('pipeline')) {
    throw illegal(
      "_reindex doesn't support [pipeline] as a query parameter. Specify it in the [dest] object instead.",
    );
  }
  const options = byQueryOptions(params, { ...body, ...readMaxDocs(body) });
  const search = readSearch(source, 'source', ['index', 'remote']);
  refuseWithoutSource(search.body);
  checkSlicing(source['slice'], options);
  request.names?.add(asText(dest['index']));
  if (remote === undefined) request.names?.add(sourceIndex(index));
  else checkRemoteIndex(sourceIndex(index));
  const { script } = body;
  return answerByQuery(deps, request, {
    ...options,
    batchSize: search.batchSize,
    search: { index: sourceIndex(index), body: search.body },
    ...(remote === undefined ? {} : { remote }),
    change: {
      kind: 'reindex',
      dest: readDest(dest, params.flag('require_alias') ?? false),
      ...(script === undefined ? {} : { script }),
    },
  });
}

/** `size` is the name of `max_docs` before version 8. */
function readMaxDocs({ max_docs: most, size }: JsonObject): JsonObject {
  if (most !== undefined && size !== undefined && most !== size) {
    throw illegal(
      `[max_docs] set to two different values [${printValue(most)}] and [${printValue(size)}]`,
    );
  }
  const value = most ?? size;
  return value === undefined ? {} : { max_docs: value };
}

/** Reports all missing names in one error. */
function checkNames(source: Json | undefined, dest: Json | undefined): void {
  const wrong: string[] = [];
  if (sourceIndex(source) === '') {
    wrong.push('use _all if you really want to copy from all existing indexes');
  }
  if (typeof dest !== 'string' || dest === '') wrong.push('index must be specified');
  if (wrong.length > 0) throw invalidAll(wrong);
}

function objectAt(body: JsonObject, name: string): JsonObject {
  const value = body[name] ?? {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  throw new QuarryError('x_content_parse_exception', `[reindex] [${name}] must be an object`);
}

function checkKeys(where: string, value: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new QuarryError(
    'x_content_parse_exception',
    `[${where}] unknown field [${unknown}], it takes [${known.join(', ')}]`,
  );
}

function sourceIndex(value: Json | undefined): string {
  const names = Array.isArray(value) ? (value as readonly Json[]) : [value ?? ''];
  if (!names.every((name) => typeof name === 'string')) {
    throw illegal('[source] [index] must be a name or a list of names');
  }
  return names.join(',');
}

function readDest(dest: JsonObject, requireAlias: boolean): ReindexTarget {
  const { index, op_type: opType = 'index', version_type: type = 'internal', routing } = dest;
  refusePipeline(dest['pipeline']);
  if (opType !== 'index' && opType !== 'create') {
    throw illegal(`opType must be 'create' or 'index', found: [${asText(opType)}]`);
  }
  const versionType = VERSION_TYPES.find((name) => name === type);
  if (versionType === undefined) {
    throw illegal(
      `No version type match [${asText(type)}], it is one of [${VERSION_TYPES.join(', ')}]`,
    );
  }
  if (opType === 'create' && versionType !== 'internal') {
    throw invalid('create operations only support internal versioning. use index instead');
  }
  return { index: asText(index), opType, versionType, routing: readRouting(routing), requireAlias };
}

function readRouting(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return 'keep';
  if (value === 'keep' || value === 'discard') return value;
  if (typeof value === 'string' && value.startsWith('=')) return value;
  throw invalid(
    `routing must be unset, [keep], [discard] or [=<some new value>] but was [${asText(value)}]`,
  );
}
