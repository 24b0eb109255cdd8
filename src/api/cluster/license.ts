// `_license` and `_xpack`, which shippers and consoles read when they start. None of Elastic's
// commercial features is there, and nothing needs a licence: the answers describe a basic licence
// without expiry.
import { QuarryError } from '../../errors.js';
import { type ApiDeps, ok, type Route } from '../kit/routes.js';
import { UNSUPPORTED } from '../schemas/kinds.js';

const FEATURES = [
  'aggregate_metric',
  'analytics',
  'archive',
  'ccr',
  'data_streams',
  'data_tiers',
  'enrich',
  'enterprise_search',
  'eql',
  'esql',
  'frozen_indices',
  'graph',
  'ilm',
  'logsdb',
  'logstash',
  'ml',
  'monitoring',
  'rollup',
  'searchable_snapshots',
  'security',
  'slm',
  'spatial',
  'sql',
  'transform',
  'universal_profiling',
  'voting_only',
  'watcher',
];

export function licenseRoutes(deps: ApiDeps): readonly Route[] {
  const reads = ['accept_enterprise', 'local', 'master_timeout'];
  const refused = {
    schema: UNSUPPORTED,
    params: [],
    anyParams: true,
    handler: () => {
      throw new QuarryError(
        'illegal_argument_exception',
        'licences and their usage are not supported by this server, which needs none',
      );
    },
  } as const;
  return [
    {
      schema: UNSUPPORTED,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_license'],
      params: reads,
      handler: () => ok({ license: license(deps) }),
    },
    {
      schema: UNSUPPORTED,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_license/basic_status'],
      params: [],
      handler: () => ok({ eligible_to_start_basic: false }),
    },
    {
      schema: UNSUPPORTED,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_license/trial_status'],
      params: [],
      handler: () => ok({ eligible_to_start_trial: false }),
    },
    {
      schema: UNSUPPORTED,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/_xpack'],
      params: ['categories', 'accept_enterprise'],
      handler: () =>
        ok({
          build: { hash: deps.version, date: '2026-01-01T00:00:00.000Z' },
          license: { uid: deps.node.clusterUuid, type: 'basic', mode: 'basic', status: 'active' },
          features: Object.fromEntries(
            FEATURES.map((name) => [name, { available: false, enabled: false }]),
          ),
          tagline: 'You know, for X',
        }),
    },
    { methods: ['PUT', 'POST', 'DELETE'], paths: ['/_license'], ...refused, privilege: 'any' },
    {
      methods: ['POST'],
      paths: ['/_license/start_basic', '/_license/start_trial'],
      ...refused,
      privilege: 'any',
    },
    { methods: ['GET'], paths: ['/_xpack/usage'], ...refused, privilege: 'any' },
  ];
}

function license(deps: ApiDeps): unknown {
  return {
    status: 'active',
    uid: deps.node.clusterUuid,
    type: 'basic',
    issue_date: '1970-01-01T00:00:00.000Z',
    issue_date_in_millis: 0,
    max_nodes: 1000,
    max_resource_units: null,
    issued_to: 'quarry',
    issuer: 'quarry',
    start_date_in_millis: -1,
  };
}
