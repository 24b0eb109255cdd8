// Activity of the node: thread pools, hot threads, and the counts of requests by route.

import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../backend/index.js';
import { parseTime, printSize } from '../../base/units.js';
import { QuarryError } from '../../errors.js';
import { threadTimes } from '../../ops/thread-usage.js';
import { keepMetrics } from '../kit/metric-names.js';
import { splitList } from '../kit/params.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { TABLE_PARAMS, tableAnswer } from '../kit/table.js';
import { CLUSTER } from '../schemas/cluster.js';
import { columns } from './cat-columns.js';
import { isThisNode, publishHost } from './machine.js';

const POOL_COLUMNS = columns([
  ['node_name', 'nn', 'node name', 'shown'],
  ['node_id', 'id', 'persistent node id'],
  ['ephemeral_node_id', 'eid', 'ephemeral node id'],
  ['pid', 'p', 'process id'],
  ['host', 'h', 'host name'],
  ['ip', 'i', 'ip address'],
  ['port', 'po', 'bound transport port'],
  ['name', 'n', 'thread pool name', 'shown'],
  ['type', 't', 'thread pool type'],
  ['active', 'a', 'number of active threads', 'shown right'],
  ['pool_size', 'psz', 'number of threads', 'right'],
  ['queue', 'q', 'number of tasks currently in queue', 'shown right'],
  ['queue_size', 'qs', 'maximum number of tasks permitted in queue', 'right'],
  ['rejected', 'r', 'number of rejected tasks', 'shown right'],
  ['largest', 'l', 'highest number of seen active threads', 'right'],
  ['completed', 'c', 'number of completed tasks', 'right'],
  ['core', 'cr', 'core number of threads in a scaling thread pool', 'right'],
  ['max', 'mx', 'maximum number of threads in a scaling thread pool', 'right'],
  ['size', 'sz', 'number of threads in a fixed thread pool', 'right'],
  ['keep_alive', 'ka', 'thread keep alive time'],
]);

/**
 * Upper limit of the sampling interval of hot threads; a longer one delays the answer and adds
 * nothing.
 */
const MAX_INTERVAL_MS = 10_000;
const INTERVAL = '500ms';
const HOT_THREADS = 3;
const MAX_THREADS = 1000;

export function nodeActivityRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: CLUSTER.catThreadPool,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/_cat/thread_pool', '/_cat/thread_pool/:name'],
      params: TABLE_PARAMS,
      handler: (request) => poolTable(deps, request),
    },
    {
      schema: CLUSTER.hotThreads,
      methods: ['GET'],
      privilege: 'node:read',
      paths: [
        '/_nodes/hot_threads',
        '/_nodes/:node/hot_threads',
        '/_cluster/nodes/hot_threads',
        '/_cluster/nodes/:node/hot_threads',
      ],
      params: [
        'interval',
        'snapshots',
        'threads',
        'ignore_idle_threads',
        'type',
        'sort',
        'timeout',
      ],
      handler: (request) => hotThreads(deps, request),
    },
    {
      schema: CLUSTER.nodesUsage,
      methods: ['GET'],
      privilege: 'node:read',
      paths: [
        '/_nodes/usage',
        '/_nodes/usage/:metric',
        '/_nodes/:node/usage',
        '/_nodes/:node/usage/:metric',
      ],
      params: ['timeout'],
      handler: (request) => usage(deps, request),
    },
  ];
}

/** The section `thread_pool` of `_nodes/stats`. */
export async function poolStats({ activity }: ApiDeps): Promise<JsonObject> {
  const rejected = await activity.rejected();
  return Object.fromEntries(
    activity
      .pools()
      .map(({ name, threads, queue, active, largest, completed }) => [
        name,
        { threads, queue, active, rejected: rejected.get(name) ?? 0, largest, completed },
      ]),
  );
}

/** The section `breakers` of `_nodes/stats`. */
export async function breakerStats({ activity }: ApiDeps): Promise<JsonObject> {
  const breakers = Object.entries(await activity.breakers());
  return Object.fromEntries(
    breakers.map(([name, { limit, used, tripped }]) => [
      name,
      {
        limit_size_in_bytes: limit,
        limit_size: printSize(limit),
        estimated_size_in_bytes: used,
        estimated_size: printSize(used),
        overhead: 1,
        tripped,
      },
    ]),
  );
}

async function poolTable(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const wanted = splitList(request.parts['name'] ?? '*');
  const rejected = await deps.activity.rejected();
  const { nodeId, name: node } = deps.node;
  const host = publishHost(deps);
  const rows = deps.activity
    .pools()
    .filter(({ name }) => wanted.some((one) => matches(one, name)))
    .map(({ name, threads, active, queue, largest, completed }) => ({
      node_name: node,
      node_id: nodeId,
      ephemeral_node_id: nodeId,
      pid: process.pid,
      host,
      ip: host,
      port: deps.live.get('server.port'),
      name,
      type: 'fixed',
      active,
      pool_size: threads,
      queue,
      queue_size: name === 'write' ? deps.live.get('limits.write_queue') : -1,
      rejected: rejected.get(name) ?? 0,
      largest,
      completed,
      core: null,
      max: null,
      size: threads,
      keep_alive: null,
    }));
  return tableAnswer(request, POOL_COLUMNS, rows);
}

function matches(pattern: string, name: string): boolean {
  return pattern === '*' || pattern === '_all' || pattern === name;
}

async function hotThreads(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params, parts, waiter } = request;
  const kind = params.choice('type', ['cpu', 'wait', 'block', 'mem'] as const) ?? 'cpu';
  if (kind !== 'cpu') {
    throw new QuarryError(
      'illegal_argument_exception',
      `[type] [${kind}] is not supported by this server, which knows the processor time of threads: ask for [cpu]`,
    );
  }
  const interval = params.text('interval') ?? INTERVAL;
  const ms = parseTime(interval, 'interval');
  const most = params.integer('threads') ?? HOT_THREADS;
  params.integer('snapshots');
  params.choice('sort', ['cpu', 'total'] as const);
  const ignoresIdle = params.flag('ignore_idle_threads') ?? true;
  if (!(ms > 0 && ms <= MAX_INTERVAL_MS)) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[interval] must be from 1ms to ${MAX_INTERVAL_MS}ms, got [${interval}]`,
    );
  }
  if (most < 1 || most > MAX_THREADS) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[threads] must be from 1 to ${MAX_THREADS}, got [${most}]`,
    );
  }
  const isHere = splitList(parts['node'] ?? '_all').some((name) => isThisNode(deps, name));
  if (!isHere) return { status: 200, text: '' };
  const before = new Map(threadTimes().map(({ id, ms: used }) => [id, used]));
  const started = performance.now();
  await pause(ms);
  waiter.check();
  const passed = performance.now() - started;
  const busy = threadTimes()
    .map((thread) => ({ ...thread, used: thread.ms - (before.get(thread.id) ?? 0) }))
    .filter(({ used }) => used > 0 || !ignoresIdle)
    .sort((a, b) => b.used - a.used)
    .slice(0, most);
  const { name, nodeId } = deps.node;
  const at = new Date(deps.nowMs()).toISOString();
  const lines = busy.map(({ id, name: thread, used }) => {
    const percent = ((100 * used) / passed).toFixed(1);
    return `    ${percent}% [cpu=${percent}%, other=0.0%] (${used}ms out of ${Math.round(passed)}ms) cpu usage by thread '${thread}' [${id}]`;
  });
  return {
    status: 200,
    text: [
      `::: {${name}}{${nodeId}}`,
      `   Hot threads at ${at}, interval=${interval}, busiestThreads=${most}, ignoreIdleThreads=${ignoresIdle}:`,
      ...lines,
      '',
    ].join('\n'),
  };
}

async function usage(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { node, metric } = request.parts;
  const all = { rest_actions: await routeCounts(deps), aggregations: {} };
  const kept = keepMetrics(
    all,
    splitList(metric ?? ''),
    { sectionOf: {}, absent: [] },
    request.path,
  );
  const found = splitList(node ?? '_all').some((name) => isThisNode(deps, name));
  const now = deps.nowMs();
  const since = now - deps.readiness.uptimeSeconds * 1000;
  return ok({
    _nodes: { total: found ? 1 : 0, successful: found ? 1 : 0, failed: 0 },
    cluster_name: 'quarry',
    nodes: found ? { [deps.node.nodeId]: { timestamp: now, since, ...kept } } : {},
  });
}

/** Requests by method and route, summed over all threads that answer requests. */
async function routeCounts({ metrics }: ApiDeps): Promise<JsonObject> {
  const counts: Record<string, number> = {};
  for (const { method, route, count } of await metrics.requestCounts()) {
    const action = `${method} ${route}`;
    counts[action] = (counts[action] ?? 0) + count;
  }
  return counts;
}
