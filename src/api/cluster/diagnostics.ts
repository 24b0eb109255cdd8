// What operators look at first: the findings of `quarry doctor`, the latest slow searches, and the
// configuration with the origin of each value.
import { QuarryError } from '../../errors.js';
import { MAX_SLOW_SEARCHES } from '../../ops/slow-searches.js';
import { type Answer, type ApiDeps, type ApiRequest, ok, type Route } from '../kit/routes.js';
import { DIAGNOSTICS } from '../schemas/diagnostics.js';

const DEFAULT_SIZE = 50;

export function diagnosticRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: DIAGNOSTICS.doctor,
      methods: ['GET'],
      privilege: 'node:read',
      paths: ['/v1/doctor'],
      params: [],
      gated: false,
      handler: () => doctor(deps),
    },
    {
      schema: DIAGNOSTICS.slowSearches,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/v1/slow_searches'],
      params: ['size'],
      gated: false,
      handler: (request) => slowSearches(deps, request),
    },
    {
      schema: DIAGNOSTICS.configuration,
      methods: ['GET'],
      privilege: 'node:manage',
      paths: ['/v1/configuration'],
      params: [],
      gated: false,
      handler: () => ok(deps.describedConfig()),
    },
  ];
}

function doctor(deps: ApiDeps): Answer {
  const findings = deps.findings();
  return ok({ sound: findings.every(({ state }) => state !== 'wrong'), findings });
}

function slowSearches({ slowSearches, live }: ApiDeps, { params }: ApiRequest): Answer {
  const size = params.integer('size') ?? DEFAULT_SIZE;
  if (size < 1 || size > MAX_SLOW_SEARCHES) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[size] must be between 1 and ${MAX_SLOW_SEARCHES}, got [${size}]`,
    );
  }
  const thresholds = {
    warn: live.get('logging.slow_query_warn_ms'),
    info: live.get('logging.slow_query_info_ms'),
    debug: live.get('logging.slow_query_debug_ms'),
    trace: live.get('logging.slow_query_trace_ms'),
  };
  return ok({
    total: slowSearches.total,
    thresholds_ms: thresholds,
    searches: slowSearches.latest(size),
  });
}
