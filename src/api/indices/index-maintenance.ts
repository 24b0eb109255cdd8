// Routes of shard maintenance: refresh, flush, force-merge, cache clearing.
import type { ForceMergeOptions, JsonObject, ShardsAnswer } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import { INDEX_OPTIONS, indexOptions } from '../kit/params.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
  resolveIndices,
} from '../kit/routes.js';
import { INDEXES } from '../schemas/indexes.js';

export function indexMaintenanceRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: INDEXES.refresh,
      methods: ['GET', 'POST'],
      privilege: 'write|manage',
      paths: ['/_refresh', '/:index/_refresh'],
      params: INDEX_OPTIONS,
      handler: async (r) =>
        shards(await deps.backend.refresh(part(r, 'index'), indexOptions(r.params))),
    },
    {
      schema: INDEXES.flush,
      methods: ['GET', 'POST'],
      privilege: 'manage',
      paths: ['/_flush', '/:index/_flush'],
      params: [...INDEX_OPTIONS, 'force', 'wait_if_ongoing'],
      handler: (r) => flush(deps, r),
    },
    {
      schema: INDEXES.forceMerge,
      methods: ['POST'],
      privilege: 'manage',
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
      schema: INDEXES.clearCache,
      methods: ['POST'],
      privilege: 'manage',
      paths: ['/_cache/clear', '/:index/_cache/clear'],
      params: [...INDEX_OPTIONS, 'request', 'query', 'fielddata', 'fields', 'index'],
      handler: (r) => clearCache(deps, r),
    },
  ];
}

async function flush(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  if (params.flag('force') === true && params.flag('wait_if_ongoing') === false) {
    throw new QuarryError(
      'action_request_validation_exception',
      'Validation Failed: 1: wait_if_ongoing must be true for a force flush;',
    );
  }
  return shards(await deps.backend.flush(part(request, 'index'), indexOptions(params)));
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
  const expression = part(request, 'index');
  const options = indexOptions(params);
  const segments = max ?? 1;
  const flushes = params.flag('flush') !== false;
  const merge = async (requested: ForceMergeOptions): Promise<Answer> => {
    const answer = await deps.backend.forceMerge(expression, segments, requested);
    if (flushes) await deps.backend.flush(expression, options);
    return shards(answer);
  };
  if (params.flag('wait_for_completion') !== false) return merge(options);
  const names = resolveIndices(deps, request).map(({ name }) => name);
  const { id } = deps.operations.begin({
    action: 'indices:admin/forcemerge',
    description: `Force-merge indices [${names.join(', ')}], maxSegments[${segments}], onlyExpungeDeletes[${expunge}], flush[${flushes}]`,
    run: async (isCancelled) => (await merge({ ...options, isCancelled })).body as JsonObject,
  });
  return ok({ task: `${deps.node.nodeId}:${id}` });
}

/**
 * Clears the request cache whatever the flags say. It is the only cache to clear: filter cache
 * entries belong to segments and are dropped with them.
 */
async function clearCache(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  for (const name of ['request', 'query', 'fielddata']) params.flag(name);
  const index = request.parts['index'] ?? params.text('index') ?? '';
  return shards(await deps.backend.clearCache(index, indexOptions(params)));
}

function shards(answer: ShardsAnswer): Answer {
  return ok({ _shards: answer });
}
