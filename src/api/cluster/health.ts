// Health probes, metrics, and the root endpoint by which clients identify the server.

import { didYouMean } from '../../base/similar-names.js';
import { ERROR_STATUS, QuarryError } from '../../errors.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { VERSION } from '../kit/versions.js';
import { NODE } from '../schemas/node.js';

export function healthRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: NODE.live,
      methods: ['GET'],
      privilege: 'open',
      paths: ['/v1/health'],
      params: [],
      gated: false,
      handler: () => ok(live(deps)),
    },
    {
      schema: NODE.ready,
      methods: ['GET'],
      privilege: 'open',
      paths: ['/v1/health/ready'],
      params: [],
      gated: false,
      handler: () => ready(deps),
    },
    {
      schema: NODE.metrics,
      methods: ['GET'],
      privilege: 'metrics',
      paths: ['/v1/metrics'],
      params: ['name'],
      gated: false,
      handler: (request) => metrics(deps, request),
    },
    {
      schema: NODE.greeting,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/'],
      params: [],
      gated: false,
      handler: () => ok(greeting(deps)),
    },
    {
      schema: NODE.ping,
      methods: ['HEAD'],
      privilege: 'any',
      paths: ['/'],
      params: [],
      gated: false,
      handler: () => ({ status: 200 }),
    },
  ];
}

function live(deps: ApiDeps): unknown {
  return { status: 'live', version: deps.version, uptime_s: deps.readiness.uptimeSeconds };
}

function ready(deps: ApiDeps): Answer {
  const { readiness } = deps;
  const common = {
    wal_replayed: readiness.state !== 'starting',
    uptime_s: readiness.uptimeSeconds,
  };
  if (readiness.state === 'ready' && readiness.fault === null) {
    const indices = deps.backend.resolve('*', { expandWildcards: ['all'] }).length;
    // Only the count: this route needs no key, and names are in GET /_cluster/health.
    const damaged = deps.backend.damaged().length;
    return ok({ status: 'ready', ...common, indices, ...(damaged === 0 ? {} : { damaged }) });
  }
  const status = readiness.fault === null ? readiness.state : 'failed';
  const { shardsDone, shardsTotal } = readiness.progress;
  const { operations } = readiness;
  return {
    status: ERROR_STATUS.node_not_ready_exception,
    body: {
      status,
      ...common,
      replay: {
        shards_done: shardsDone,
        shards_total: shardsTotal,
        operations_done: operations.done,
        operations_total: operations.total,
      },
      ...(readiness.fault === null ? {} : { reason: readiness.fault }),
    },
    headers: { 'Retry-After': '1' },
  };
}

/** All metrics, or those that `name` lists, which cost less to read. */
async function metrics({ metrics }: ApiDeps, { params }: ApiRequest): Promise<Answer> {
  const names = params.list('name');
  const unknown = names?.find((name) => !metrics.names.includes(name));
  if (unknown !== undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      `parameter [name]: there is no metric [${unknown}];${didYouMean(unknown, metrics.names)} GET /v1/metrics lists all`,
    );
  }
  const text = await metrics.text(names === undefined ? undefined : [...new Set(names)]);
  return { status: 200, text, contentType: metrics.contentType };
}

function greeting(deps: ApiDeps): unknown {
  return {
    name: deps.node.name,
    cluster_name: 'quarry',
    cluster_uuid: deps.node.clusterUuid,
    version: { ...VERSION, build_hash: deps.version },
    tagline: 'You Know, for Search',
  };
}
