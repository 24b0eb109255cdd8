// Writing single documents: index, create, delete, update.
import type { JsonObject, WriteOperation, WriteResult } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { documentId, VERSION_TYPES } from '../kit/document-address.js';
import { parseObject } from '../kit/json.js';
import {
  checkWaits,
  refreshParam,
  SOURCE_PARAMS,
  sourceParam,
  type UrlParams,
} from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  part,
  type Route,
  requiredBytes,
} from '../kit/routes.js';
import { DOCUMENTS } from '../schemas/search.js';
import { writeReply } from './bulk-reply.js';

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
export function documentWriteRoutes(deps: ApiDeps): readonly Route[] {
  const write = (op: 'index' | 'create') => (request: ApiRequest) => index(deps, request, op);
  return [
    {
      schema: DOCUMENTS.add,
      methods: ['POST'],
      privilege: 'write',
      paths: ['/:index/_doc'],
      params: INDEX_PARAMS,
      handler: write('index'),
    },
    {
      schema: DOCUMENTS.index,
      methods: ['PUT', 'POST'],
      privilege: 'write',
      paths: ['/:index/_doc/:id'],
      params: INDEX_PARAMS,
      handler: write('index'),
    },
    {
      schema: DOCUMENTS.create,
      methods: ['PUT', 'POST'],
      privilege: 'write',
      paths: ['/:index/_create/:id'],
      params: INDEX_PARAMS,
      handler: write('create'),
    },
    {
      schema: DOCUMENTS.delete,
      methods: ['DELETE'],
      privilege: 'write',
      paths: ['/:index/_doc/:id'],
      params: WRITE_PARAMS,
      handler: (r) => remove(deps, r),
    },
    {
      schema: DOCUMENTS.update,
      methods: ['POST'],
      privilege: 'write',
      paths: ['/:index/_update/:id'],
      params: UPDATE_PARAMS,
      handler: (r) => update(deps, r),
    },
  ];
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

/** Rejects conditions on an earlier version, which a create does not have. */
function checkCreate(conditions: Conditions): void {
  const problem =
    conditions.ifSeqNo !== undefined
      ? 'create operations do not support compare and set'
      : (conditions.versionType ?? 'internal') !== 'internal'
        ? 'create operations only support internal versioning'
        : undefined;
  if (problem === undefined) return;
  throw new QuarryError(
    'action_request_validation_exception',
    `Validation Failed: 1: ${problem}. use index instead;`,
  );
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
  params.flag('include_source_on_error');
  const hasId = request.parts['id'] !== undefined;
  const opType = params.choice('op_type', ['index', 'create'] as const) ?? op;
  const checked = conditions(params);
  if (opType === 'create') checkCreate(checked);
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
    ...written(result),
    ...(result.status === 201 ? { headers: { Location: location } } : {}),
  };
}

function written(result: WriteResult): Answer {
  return { status: result.status, raw: Buffer.from(writeReply(result)) };
}

async function remove(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  const result = await deps.backend.write(
    { op: 'delete', index: part(request, 'index'), id: documentId(request), ...conditions(params) },
    { refresh: refreshParam(params) },
  );
  return written(result);
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
  const source = requiredBytes(request);
  if (checked.ifSeqNo !== undefined) refuseUpsert(parseObject(source));
  const result = await deps.backend.write(
    {
      op: 'update',
      index: part(request, 'index'),
      id: documentId(request),
      source,
      requireAlias: params.flag('require_alias') ?? false,
      ...checked,
      ...(retries === undefined ? {} : { retryOnConflict: retries }),
      ...(getSource === undefined ? {} : { getSource }),
    },
    { refresh: refreshParam(params) },
  );
  return written(result);
}

/** Rejects upserts together with `if_seq_no`: the condition requires that the document exists. */
function refuseUpsert({ upsert, doc_as_upsert: asUpsert }: JsonObject): void {
  if (upsert === undefined && asUpsert !== true && asUpsert !== 'true') return;
  throw new QuarryError(
    'action_request_validation_exception',
    "Validation Failed: 1: upsert requests don't support `if_seq_no` and `if_primary_term`;",
  );
}
