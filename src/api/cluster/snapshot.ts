// Routes of snapshots: repositories, their snapshots, and restores. Clones and searchable snapshots
// are rejected by name; policies are in snapshot-policies.ts.
import { parseTime } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { choose } from '../../snapshot/choose.js';
import { policyOf } from '../../snapshot/policies/retention.js';
import { type SnapshotView, snapshotInfo, snapshotStatus } from '../../snapshot/views.js';
import { splitList } from '../kit/params.js';
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
} from '../kit/routes.js';
import { UNSUPPORTED } from '../schemas/kinds.js';
import { SNAPSHOTS } from '../schemas/node.js';
import { snapshotPage } from './snapshot-page.js';

const WAITS = ['timeout', 'master_timeout'];
const REPOSITORY = ['/_snapshot/:repository'];
const SNAPSHOT = ['/_snapshot/:repository/:snapshot'];

export function snapshotRoutes(deps: ApiDeps): readonly Route[] {
  return [
    ...repositoryRoutes(deps),
    ...statusRoutes(deps),
    ...oneSnapshotRoutes(deps),
    ...refusedRoutes(),
  ];
}

function repositoryRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SNAPSHOTS.getRepositories,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/_snapshot', ...REPOSITORY],
      params: ['local', 'master_timeout'],
      handler: (r) => getRepositories(deps, r),
    },
    {
      schema: SNAPSHOTS.putRepository,
      methods: ['PUT', 'POST'],
      privilege: 'node:manage',
      paths: REPOSITORY,
      params: [...WAITS, 'verify'],
      handler: (r) => putRepository(deps, r),
    },
    {
      schema: SNAPSHOTS.deleteRepository,
      methods: ['DELETE'],
      privilege: 'node:manage',
      paths: REPOSITORY,
      params: WAITS,
      handler: async (r) => {
        checkTimes(r);
        await deps.snapshots.repositories.delete(namesIn(r, 'repository'));
        return ACKNOWLEDGED;
      },
    },
    {
      schema: SNAPSHOTS.verify,
      methods: ['POST'],
      privilege: 'node:manage',
      paths: ['/_snapshot/:repository/_verify'],
      params: WAITS,
      handler: async (r) => {
        checkTimes(r);
        await deps.snapshots.repositories.verify(part(r, 'repository'));
        const { nodeId, name } = deps.node;
        return ok({ nodes: { [nodeId]: { name } } });
      },
    },
    {
      schema: SNAPSHOTS.cleanup,
      methods: ['POST'],
      privilege: 'node:manage',
      paths: ['/_snapshot/:repository/_cleanup'],
      params: WAITS,
      handler: async (r) => {
        checkTimes(r);
        const { files, bytes } = await deps.snapshots.cleanUp(part(r, 'repository'));
        return ok({ results: { deleted_bytes: bytes, deleted_blobs: files } });
      },
    },
  ];
}

function statusRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SNAPSHOTS.status,
      statistics: true,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: [
        '/_snapshot/_status',
        '/_snapshot/:repository/_status',
        '/_snapshot/:repository/:snapshot/_status',
      ],
      params: ['master_timeout', 'ignore_unavailable'],
      handler: (r) => status(deps, r),
    },
  ];
}

function oneSnapshotRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SNAPSHOTS.create,
      methods: ['PUT', 'POST'],
      privilege: 'node:manage',
      paths: SNAPSHOT,
      params: ['master_timeout', 'wait_for_completion'],
      handler: (r) => create(deps, r),
    },
    {
      schema: SNAPSHOTS.get,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: SNAPSHOT,
      params: [
        'master_timeout',
        'ignore_unavailable',
        'verbose',
        'index_details',
        'index_names',
        'include_repository',
        'sort',
        'size',
        'offset',
        'order',
        'after',
        'from_sort_value',
        'slm_policy_filter',
      ],
      handler: (r) => list(deps, r),
    },
    {
      schema: SNAPSHOTS.delete,
      methods: ['DELETE'],
      privilege: 'node:manage',
      paths: SNAPSHOT,
      params: ['master_timeout', 'wait_for_completion'],
      handler: (r) => remove(deps, r),
    },
    {
      schema: SNAPSHOTS.restore,
      methods: ['POST'],
      privilege: 'node:manage',
      paths: ['/_snapshot/:repository/:snapshot/_restore'],
      params: ['master_timeout', 'wait_for_completion'],
      handler: (r) => restore(deps, r),
    },
  ];
}

function refusedRoutes(): readonly Route[] {
  return [
    {
      schema: UNSUPPORTED,
      methods: ['PUT'],
      privilege: 'node:manage',
      paths: ['/_snapshot/:repository/:snapshot/_clone/:target'],
      params: WAITS,
      handler: () => {
        throw notSupported(
          'clones of snapshots',
          'make another snapshot, which copies nothing twice',
        );
      },
    },
    {
      schema: UNSUPPORTED,
      methods: ['POST'],
      privilege: 'node:manage',
      paths: ['/_snapshot/:repository/:snapshot/_mount'],
      params: ['master_timeout', 'wait_for_completion', 'storage'],
      handler: () => {
        throw notSupported('searchable snapshots', 'restore the index');
      },
    },
  ];
}

async function putRepository(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkTimes(request);
  const verify = request.params.flag('verify') ?? true;
  const body = await requiredBody(request);
  await deps.snapshots.repositories.put(part(request, 'repository'), body, verify);
  return ACKNOWLEDGED;
}

function getRepositories(deps: ApiDeps, request: ApiRequest): Answer {
  checkTimes(request);
  const found = deps.snapshots.repositories.list(namesIn(request, 'repository'));
  return ok(
    Object.fromEntries(
      [...found].map(([name, { place, printed }]) => [
        name,
        { type: place.type, settings: printed },
      ]),
    ),
  );
}

async function create(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkTimes(request);
  const wait = request.params.flag('wait_for_completion') ?? false;
  const repository = part(request, 'repository');
  const body = await optionalBody(request);
  const { done } = await deps.snapshots.create(repository, part(request, 'snapshot'), body);
  if (!wait) return ok({ accepted: true });
  return ok({ snapshot: snapshotInfo(repository, await done) });
}

async function list(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkTimes(request);
  const { params } = request;
  const ignore = params.flag('ignore_unavailable') ?? false;
  const verbose = params.flag('verbose') ?? true;
  const names = namesIn(request, 'snapshot');
  const tokens = names.length === 1 && names[0] === '_all' ? [] : names;
  const page = snapshotPage(params);
  const wanted = policyFilter(splitList(params.text('slm_policy_filter') ?? ''));
  const repositories = new Map<SnapshotView, string>();
  for (const name of deps.snapshots.repositories.list(namesIn(request, 'repository')).keys()) {
    for (const shown of await deps.snapshots.list(name, tokens, ignore)) {
      if (wanted(shown)) repositories.set(shown, name);
    }
  }
  const { shown, next, total, remaining } = page([...repositories.keys()]);
  return ok({
    snapshots: shown.map((one) => snapshotInfo(repositories.get(one) ?? '', one, verbose)),
    ...(next === undefined ? {} : { next }),
    total,
    remaining,
  });
}

/** Names, patterns and exclusions of policies; `_none` stands for snapshots without one. */
function policyFilter(tokens: readonly string[]): (shown: SnapshotView) => boolean {
  if (tokens.length === 0) return () => true;
  const named = tokens.filter((token) => token !== '_none');
  return (shown) => {
    const policy = policyOf(shown);
    if (policy === undefined) return named.length < tokens.length;
    return named.length > 0 && choose([policy], named, () => {}).length > 0;
  };
}

async function status(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkTimes(request);
  const { repository, snapshot } = request.parts;
  const now = deps.nowMs();
  if (repository === undefined || snapshot === undefined) {
    const running = deps.snapshots.running(repository);
    return ok({ snapshots: running.map((one) => snapshotStatus(one.repository, one.shown, now)) });
  }
  const ignore = request.params.flag('ignore_unavailable') ?? false;
  const found = await deps.snapshots.list(repository, splitList(snapshot), ignore);
  return ok({ snapshots: found.map((shown) => snapshotStatus(repository, shown, now)) });
}

async function remove(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkTimes(request);
  const wait = request.params.flag('wait_for_completion') ?? true;
  const names = namesIn(request, 'snapshot');
  const tokens = names.map((name) => (name === '_all' ? '*' : name));
  const removed = deps.snapshots.delete(part(request, 'repository'), tokens);
  if (wait) await removed;
  else removed.catch((err: unknown) => deps.logger.error({ err }, 'deleting a snapshot failed'));
  return ACKNOWLEDGED;
}

async function restore(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  checkTimes(request);
  const wait = request.params.flag('wait_for_completion') ?? false;
  const snapshot = part(request, 'snapshot');
  const body = await optionalBody(request);
  const started = await deps.snapshots.restores.start(part(request, 'repository'), snapshot, body);
  if (!wait) return ok({ accepted: true });
  await started.done;
  const { indices, shards } = started;
  return ok({
    snapshot: { snapshot, indices, shards: { total: shards, failed: 0, successful: shards } },
  });
}

function namesIn(request: ApiRequest, name: string): readonly string[] {
  return splitList(request.parts[name] ?? '');
}

function checkTimes(request: ApiRequest): void {
  for (const name of WAITS) {
    const value = request.params.text(name);
    if (value !== undefined) parseTime(value, name);
  }
}

function notSupported(what: string, remedy: string): QuarryError {
  return new QuarryError('illegal_argument_exception', `${what} are not supported, ${remedy}`);
}
