// Resources of Elasticsearch that this server does not have: listing them gives an empty answer,
// reading one by name reports that it is missing, and creating one is rejected by name.

import { isPattern } from '../../base/wildcard.js';
import { indexNotFound, QuarryError } from '../../errors.js';
import { INDEX_OPTIONS, splitList } from '../kit/params.js';
import { type Answer, type ApiDeps, ok, type Route, resolveIndices } from '../kit/routes.js';
import { UNSUPPORTED } from '../schemas/kinds.js';

interface UnsupportedResource {
  readonly what: string;
  /** The alternative to creating one, for the error message. */
  readonly instead: string;
  /** The path that lists all resources; with `/:name` appended, that of one resource. */
  readonly path: string;
  readonly none: Readonly<Record<string, unknown>>;
  /** The error for a missing resource, or its message. */
  readonly missing: (name: string) => string | QuarryError;
  /**
   * Reading a missing resource answers with an empty result of this status instead of an error; 404
   * also where all resources are read.
   */
  readonly quietly?: 200 | 404;
  /** Further paths to read below `path`, with what they answer where `:name` is not missing. */
  readonly read?: Readonly<Record<string, object>>;
  /** Further paths below `path`, which are rejected. */
  readonly refused: readonly string[];
}

/** The statistics of no data streams. */
const NO_STREAMS = {
  _shards: { total: 0, successful: 0, failed: 0 },
  data_stream_count: 0,
  backing_indices: 0,
  total_store_size_bytes: 0,
  data_streams: [],
};

const UNSUPPORTED_RESOURCES: readonly UnsupportedResource[] = [
  {
    what: 'ingest pipelines [_ingest]',
    instead: 'change documents before they are sent',
    path: '/_ingest/pipeline',
    none: {},
    missing: (name) => `pipeline [${name}] is missing`,
    quietly: 404,
    refused: [
      '/_ingest/pipeline/_simulate',
      '/_ingest/pipeline/:name/_simulate',
      '/_ingest/_simulate',
      '/_ingest/:index/_simulate',
      '/_ingest/processor/*',
      '/_ingest/geoip/*',
      '/_ingest/ip_location/*',
    ],
  },
  {
    what: 'lifecycle policies [_ilm]',
    instead: 'use [_rollover] and a schedule of your own',
    path: '/_ilm/policy',
    none: {},
    missing: (name) => `Lifecycle policy not found: ${name}`,
    refused: ['/_ilm/start', '/_ilm/stop', '/_ilm/move/:name', '/_ilm/migrate_to_data_tiers'],
  },
  {
    what: 'data streams [_data_stream]',
    instead: 'write to an index or an alias',
    path: '/_data_stream',
    none: { data_streams: [] },
    missing: indexNotFound,
    read: {
      '/_data_stream/_stats': NO_STREAMS,
      '/_data_stream/:name/_stats': NO_STREAMS,
      '/_data_stream/:name/_lifecycle': { data_streams: [] },
    },
    refused: [],
  },
  {
    what: 'transforms [_transform]',
    instead: 'aggregate when you search',
    path: '/_transform',
    none: { count: 0, transforms: [] },
    missing: (name) => `Transform with id [${name}] could not be found`,
    refused: [
      '/_transform/_preview',
      '/_transform/_upgrade',
      '/_transform/_node_stats',
      '/_transform/set_upgrade_mode',
      '/_transform/:name/*',
      '/_cat/transforms',
      '/_cat/transforms/:name',
    ],
  },
  {
    what: 'enrich policies [_enrich]',
    instead: 'change documents before they are sent',
    path: '/_enrich/policy',
    none: { policies: [] },
    missing: (name) => `policy [${name}] not found`,
    quietly: 200,
    refused: ['/_enrich/_stats', '/_enrich/policy/:name/_execute'],
  },
  {
    what: 'pipelines of Logstash [_logstash]',
    instead: 'keep them in its files',
    path: '/_logstash/pipeline',
    none: {},
    missing: (name) => `pipeline [${name}] is missing`,
    quietly: 404,
    refused: [],
  },
  {
    what: 'sets of synonyms [_synonyms]',
    instead: 'put them into a [synonym] filter of the index',
    path: '/_synonyms',
    none: { count: 0, results: [] },
    missing: (name) => `synonyms set [${name}] not found`,
    refused: ['/_synonyms/:name/:rule'],
  },
  {
    what: 'rules on queries [_query_rules]',
    instead: 'change the query before it is sent',
    path: '/_query_rules',
    none: { count: 0, results: [] },
    missing: (name) => `query ruleset [${name}] not found`,
    refused: ['/_query_rules/:name/*'],
  },
];

/** Fixed answers: empty lists, and the status of services that are not running. */
const EMPTY: Readonly<Record<string, unknown>> = {
  '/_ilm/status': { operation_mode: 'STOPPED' },
  '/_features': { features: [] },
  '/_remote/info': {},
};

export function missingResourceRoutes(deps: ApiDeps): readonly Route[] {
  return [
    ...lifecycleRoutes(deps),
    ...Object.entries(EMPTY).map(([path, body]) => reading([path], () => ok(body))),
    ...UNSUPPORTED_RESOURCES.flatMap(routesOf),
  ];
}

/** Consoles ask whether an index is managed by a lifecycle policy; none is. */
function lifecycleRoutes(deps: ApiDeps): readonly Route[] {
  const policies = UNSUPPORTED_RESOURCES.find(
    ({ path }) => path === '/_ilm/policy',
  ) as UnsupportedResource;
  return [
    {
      schema: UNSUPPORTED,
      methods: ['GET'],
      privilege: 'any',
      paths: ['/:index/_ilm/explain'],
      params: [...INDEX_OPTIONS, 'only_errors', 'only_managed', 'master_timeout'],
      handler: (request) => {
        const { params } = request;
        const none = params.flag('only_errors') === true || params.flag('only_managed') === true;
        const indices = resolveIndices(deps, request).map(
          ({ name }) => [name, { index: name, managed: false }] as const,
        );
        return ok({ indices: Object.fromEntries(none ? [] : indices) });
      },
    },
    {
      schema: UNSUPPORTED,
      methods: ['POST'],
      privilege: 'any',
      paths: ['/:index/_ilm/remove'],
      params: INDEX_OPTIONS,
      handler: (request) => {
        resolveIndices(deps, request);
        return ok({ has_failures: false, failed_indexes: [] });
      },
    },
    refusing(policies, ['POST'], ['/:index/_ilm/retry']),
  ];
}

function routesOf(one: UnsupportedResource): readonly Route[] {
  const { path } = one;
  const named = `${path}/:name`;
  return [
    reading([path], () => ok(one.none, one.quietly ?? 200)),
    reading([named], ({ parts }) => lookUp(one, parts['name'] ?? '', one.none)),
    ...Object.entries(one.read ?? {}).flatMap(([below, none]) => [
      reading([below], ({ parts }) => lookUp(one, parts['name'] ?? '*', none)),
      refusing(one, ['POST', 'PUT', 'DELETE'], [below]),
    ]),
    {
      schema: UNSUPPORTED,
      methods: ['DELETE'],
      privilege: 'any',
      paths: [named],
      params: [],
      anyParams: true,
      handler: ({ parts }) => remove(one, parts['name'] ?? ''),
    },
    refusing(one, ['PUT', 'POST'], [named]),
    ...one.refused.map((below) => refusing(one, ['GET', 'POST', 'PUT', 'DELETE'], [below])),
  ];
}

function reading(paths: readonly string[], handler: Route['handler']): Route {
  return {
    schema: UNSUPPORTED,
    methods: ['GET'],
    privilege: 'any',
    paths,
    params: [],
    anyParams: true,
    handler,
  };
}

/** `name`: one, several or patterns, which match nothing. */
function lookUp(one: UnsupportedResource, name: string, none: object): Answer {
  if (one.quietly !== undefined) return ok(none, one.quietly);
  const named = splitList(name).find((part) => !isPattern(part) && part !== '_all');
  if (named !== undefined) throw missing(one, named);
  return ok(none);
}

function remove(one: UnsupportedResource, name: string): Answer {
  if (isPattern(name)) return ok({ acknowledged: true });
  throw missing(one, name);
}

function missing(one: UnsupportedResource, name: string): QuarryError {
  const error = one.missing(name);
  return typeof error === 'string' ? new QuarryError('resource_not_found_exception', error) : error;
}

function refusing(
  one: UnsupportedResource,
  methods: Route['methods'],
  paths: readonly string[],
): Route {
  return {
    schema: UNSUPPORTED,
    methods,
    privilege: 'any',
    paths,
    params: [],
    anyParams: true,
    ndjson: true,
    handler: () => {
      throw new QuarryError(
        'illegal_argument_exception',
        `${one.what} are not supported by this server, ${one.instead}`,
      );
    },
  };
}
