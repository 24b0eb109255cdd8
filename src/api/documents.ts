// Single documents: index, create, get, source, exists, delete, update.
import type { GetRequest, SourceSpec, WriteOperation } from '../backend.js';
import { QuarryError } from '../errors.js';
import { checkWaits, refreshParam, SOURCE_PARAMS, sourceParam, type UrlParams } from './params.js';
import { getReply, writeReply } from './reply.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  part,
  type Route,
  requiredBytes,
} from './routes.js';

const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const;
const MAX_ID_BYTES = 512;
const WRITE_PARAMS = [
  'refresh',
  'routing',
  'timeout',
  'wait_for_active_shards',
  'if_seq_no',
  'if_primary_term',
  'version',
  'version_type',
];
const INDEX_PARAMS = [
  ...WRITE_PARAMS,
  'op_type',
  'require_alias',
  'pipeline',
  'include_source_on_error',
];
const UPDATE_PARAMS = [
  'refresh',
  'routing',
  'timeout',
  'wait_for_active_shards',
  'if_seq_no',
  'if_primary_term',
  'retry_on_conflict',
  'require_alias',
  'lang',
  ...SOURCE_PARAMS,
];
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

export function documentRoutes(deps: ApiDeps): readonly Route[] {
  const write = (op: 'index' | 'create') => (request: ApiRequest) => index(deps, request, op);
  return [
    { methods: ['POST'], paths: ['/:index/_doc'], params: INDEX_PARAMS, handler: write('index') },
    {
      methods: ['PUT', 'POST'],
      paths: ['/:index/_doc/:id'],
      params: INDEX_PARAMS,
      handler: write('index'),
    },
    {
      methods: ['PUT', 'POST'],
      paths: ['/:index/_create/:id'],
      params: INDEX_PARAMS,
      handler: write('create'),
    },
    {
      methods: ['GET'],
      paths: ['/:index/_doc/:id'],
      params: GET_PARAMS,
      handler: (r) => get(deps, r),
    },
    {
      methods: ['HEAD'],
      paths: ['/:index/_doc/:id'],
      params: GET_PARAMS,
      handler: (r) => exists(deps, r, false),
    },
    {
      methods: ['GET'],
      paths: ['/:index/_source/:id'],
      params: GET_PARAMS,
      handler: (r) => source(deps, r),
    },
    {
      methods: ['HEAD'],
      paths: ['/:index/_source/:id'],
      params: GET_PARAMS,
      handler: (r) => exists(deps, r, true),
    },
    {
      methods: ['DELETE'],
      paths: ['/:index/_doc/:id'],
      params: WRITE_PARAMS,
      handler: (r) => remove(deps, r),
    },
    {
      methods: ['POST'],
      paths: ['/:index/_update/:id'],
      params: UPDATE_PARAMS,
      handler: (r) => update(deps, r),
    },
  ];
}

/** The id of the path, checked for length. */
function documentId(request: ApiRequest): string {
  const id = part(request, 'id');
  const bytes = Buffer.byteLength(id);
  if (bytes > MAX_ID_BYTES) {
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: id is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes};`,
    );
  }
  return id;
}

type Conditions = Pick<
  WriteOperation,
  'ifSeqNo' | 'ifPrimaryTerm' | 'version' | 'versionType' | 'routing'
>;

function conditions(params: UrlParams): Conditions {
  checkWaits(params);
  const ifSeqNo = nonNegative(params, 'if_seq_no');
  const ifPrimaryTerm = nonNegative(params, 'if_primary_term');
  const version = params.long('version');
  const versionType = params.choice('version_type', VERSION_TYPES);
  const routing = params.text('routing');
  if ((ifSeqNo === undefined) !== (ifPrimaryTerm === undefined)) {
    const [given, missing] =
      ifSeqNo === undefined ? ['if_primary_term', 'ifSeqNo'] : ['if_seq_no', 'primary term'];
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: ${given} is set, but ${missing} is [0]; set both or none;`,
    );
  }
  if (version !== undefined && (versionType ?? 'internal') === 'internal') {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;',
    );
  }
  if (versionType !== undefined && versionType !== 'internal' && (version ?? -1n) < 0n) {
    throw new QuarryError(
      'action_request_validation_exception',
      `Validation Failed: 1: illegal version value [${version ?? 'missing'}] for version type [${versionType.toUpperCase()}];`,
    );
  }
  return {
    ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
    ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
    ...(version === undefined ? {} : { version }),
    ...(versionType === undefined ? {} : { versionType }),
    ...(routing === undefined ? {} : { routing }),
  };
}

function nonNegative(params: UrlParams, name: string): bigint | undefined {
  const value = params.long(name);
  if (value !== undefined && value < 0n) {
    throw new QuarryError(
      'illegal_argument_exception',
      `${name === 'if_seq_no' ? 'sequence numbers' : 'primary terms'} must be non negative. got [${value}].`,
    );
  }
  return value;
}

async function index(deps: ApiDeps, request: ApiRequest, op: 'index' | 'create'): Promise<Answer> {
  const { params } = request;
  const pipeline = params.text('pipeline');
  if (pipeline !== undefined && pipeline !== '_none') {
    throw new QuarryError(
      'illegal_argument_exception',
      `pipeline with id [${pipeline}] does not exist`,
    );
  }
  const hasId = request.parts['id'] !== undefined;
  const opType = params.choice('op_type', ['index', 'create'] as const) ?? op;
  const checked = conditions(params);
  if (
    opType === 'create' &&
    (checked.ifSeqNo !== undefined || (checked.versionType ?? 'internal') !== 'internal')
  ) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: create operations only support internal versioning and no compare and set. use index instead;',
    );
  }
  const result = await deps.backend.write(
    {
      op: opType,
      index: part(request, 'index'),
      source: requiredBytes(request),
      requireAlias: params.flag('require_alias') ?? false,
      ...(hasId ? { id: documentId(request) } : {}),
      ...checked,
    },
    { refresh: refreshParam(params) },
  );
  const location = `/${encodeURIComponent(result.index)}/_doc/${encodeURIComponent(result.id)}`;
  return {
    status: result.status,
    raw: Buffer.from(writeReply(result)),
    ...(result.status === 201 ? { headers: { Location: location } } : {}),
  };
}

async function remove(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const result = await deps.backend.write(
    { op: 'delete', index: part(request, 'index'), id: documentId(request), ...conditions(params) },
    { refresh: refreshParam(params) },
  );
  return { status: result.status, raw: Buffer.from(writeReply(result)) };
}

async function update(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const retries = params.integer('retry_on_conflict');
  if (retries !== undefined && retries < 0) {
    throw new QuarryError(
      'illegal_argument_exception',
      `retry_on_conflict must not be negative, got [${retries}]`,
    );
  }
  const getSource = sourceParam(params);
  const checked = conditions(params);
  if (retries !== undefined && retries > 0 && checked.ifSeqNo !== undefined) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: compare and write operations can not be retried;',
    );
  }
  const result = await deps.backend.write(
    {
      op: 'update',
      index: part(request, 'index'),
      id: documentId(request),
      source: requiredBytes(request),
      requireAlias: params.flag('require_alias') ?? false,
      ...checked,
      ...(retries === undefined ? {} : { retryOnConflict: retries }),
      ...(getSource === undefined ? {} : { getSource }),
    },
    { refresh: refreshParam(params) },
  );
  return { status: result.status, raw: Buffer.from(writeReply(result)) };
}

function getRequest(request: ApiRequest, source: SourceSpec): GetRequest {
  const { params } = request;
  refuseStoredFields(params);
  const routing = params.text('routing');
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

/** No field is stored apart from `_source`; only the forms that mean just that are taken. */
export function refuseStoredFields(params: UrlParams): void {
  const fields = params.text('stored_fields');
  if (fields !== undefined && fields !== '_none_' && fields !== '_source') {
    throw new QuarryError(
      'illegal_argument_exception',
      `parameter [stored_fields] is not supported, no field is stored apart from _source: use [_source_includes=${fields}]`,
    );
  }
}

async function get(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const found = await deps.backend.get(getRequest(request, sourceParam(request.params) ?? true));
  return { status: found.found ? 200 : 404, raw: getReply(found) };
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
