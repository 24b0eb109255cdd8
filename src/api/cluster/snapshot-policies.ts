// Routes of snapshot policies (_slm), with the members of Elasticsearch 8.

import { parseTime, printTime } from '../../base/units.js';
import type { PolicyView } from '../../snapshot/policies/policies.js';
import type { PolicyRun } from '../../snapshot/policies/policy-file.js';
import { splitList } from '../kit/params.js';
import {
  ACKNOWLEDGED,
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  part,
  type Route,
  requiredBody,
} from '../kit/routes.js';
import type { RouteSchema } from '../schemas/kinds.js';
import { SNAPSHOT_POLICIES } from '../schemas/node.js';

const WAITS = ['timeout', 'master_timeout'];
const POLICY = ['/_slm/policy/:policy'];

export function snapshotPolicyRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: SNAPSHOT_POLICIES.get,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/_slm/policy', ...POLICY],
      params: WAITS,
      handler: (r) => getPolicies(deps, r),
    },
    {
      schema: SNAPSHOT_POLICIES.put,
      methods: ['PUT'],
      privilege: 'node:manage',
      paths: POLICY,
      params: WAITS,
      handler: async (r) => {
        checkTimes(r);
        await deps.snapshots.policies.put(part(r, 'policy'), await requiredBody(r));
        return ACKNOWLEDGED;
      },
    },
    {
      schema: SNAPSHOT_POLICIES.delete,
      methods: ['DELETE'],
      privilege: 'node:manage',
      paths: POLICY,
      params: WAITS,
      handler: async (r) => {
        checkTimes(r);
        await deps.snapshots.policies.delete(part(r, 'policy'));
        return ACKNOWLEDGED;
      },
    },
    {
      schema: SNAPSHOT_POLICIES.execute,
      methods: ['PUT', 'POST'],
      privilege: 'node:manage',
      paths: ['/_slm/policy/:policy/_execute'],
      params: WAITS,
      handler: async (r) => {
        checkTimes(r);
        return ok({ snapshot_name: await deps.snapshots.policies.execute(part(r, 'policy')) });
      },
    },
    acknowledging(SNAPSHOT_POLICIES.retain, '/_slm/_execute_retention', () =>
      deps.snapshots.policies.retain(),
    ),
    acknowledging(SNAPSHOT_POLICIES.start, '/_slm/start', () => deps.snapshots.policies.start()),
    acknowledging(SNAPSHOT_POLICIES.stop, '/_slm/stop', () => deps.snapshots.policies.stop()),
    {
      schema: SNAPSHOT_POLICIES.status,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/_slm/status'],
      params: WAITS,
      handler: (r) => {
        checkTimes(r);
        return ok({ operation_mode: deps.snapshots.policies.isStopped ? 'STOPPED' : 'RUNNING' });
      },
    },
    {
      schema: SNAPSHOT_POLICIES.stats,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/_slm/stats'],
      params: WAITS,
      handler: (r) => {
        checkTimes(r);
        return ok(statsOf(deps));
      },
    },
  ];
}

function acknowledging(schema: RouteSchema, path: string, work: () => Promise<void>): Route {
  return {
    schema,
    methods: ['POST'],
    privilege: 'node:manage',
    paths: [path],
    params: WAITS,
    handler: async (r) => {
      checkTimes(r);
      await work();
      return ACKNOWLEDGED;
    },
  };
}

function getPolicies(deps: ApiDeps, request: ApiRequest): Answer {
  checkTimes(request);
  const found = deps.snapshots.policies.list(splitList(request.parts['policy'] ?? ''));
  return ok(Object.fromEntries(found.map((view) => [view.id, policyInfo(view)])));
}

function policyInfo(view: PolicyView): object {
  const { version, modifiedMs, policy, lastSuccess, lastFailure, nextMs, running } = view;
  return {
    version,
    modified_date_millis: modifiedMs,
    policy: policy.printed,
    ...(lastSuccess === undefined ? {} : { last_success: runInfo(lastSuccess) }),
    ...(lastFailure === undefined ? {} : { last_failure: runInfo(lastFailure) }),
    ...(nextMs === undefined ? {} : { next_execution_millis: nextMs }),
    ...(running === undefined
      ? {}
      : {
          in_progress: {
            name: running.snapshot,
            state: 'STARTED',
            start_time_millis: running.startMs,
          },
        }),
    stats: countsInfo(view),
  };
}

function runInfo({ snapshot, startMs, endMs, details }: PolicyRun): object {
  return {
    snapshot_name: snapshot,
    start_time: startMs,
    time: endMs,
    ...(details === undefined ? {} : { details }),
  };
}

function countsInfo({ id, counts }: PolicyView) {
  return {
    policy: id,
    snapshots_taken: counts.taken,
    snapshots_failed: counts.failed,
    snapshots_deleted: counts.deleted,
    snapshot_deletion_failures: counts.deletionFailures,
  };
}

function statsOf({ snapshots: { policies } }: ApiDeps): object {
  const { retentionRuns, retentionFailed, retentionMs } = policies.node;
  const all = policies.list([]).map(countsInfo);
  const total = (key: Exclude<keyof (typeof all)[number], 'policy'>): number =>
    all.reduce((sum, one) => sum + one[key], 0);
  return {
    retention_runs: retentionRuns,
    retention_failed: retentionFailed,
    retention_timed_out: 0,
    retention_deletion_time: printTime(retentionMs),
    retention_deletion_time_millis: retentionMs,
    total_snapshots_taken: total('snapshots_taken'),
    total_snapshots_failed: total('snapshots_failed'),
    total_snapshots_deleted: total('snapshots_deleted'),
    total_snapshot_deletion_failures: total('snapshot_deletion_failures'),
    policy_stats: all,
  };
}

function checkTimes(request: ApiRequest): void {
  for (const name of WAITS) {
    const value = request.params.text(name);
    if (value !== undefined) parseTime(value, name);
  }
}
