// Routes of Elasticsearch that are not supported, each with the alternative.
import type { Method } from '../kit/routes.js';

export interface UnsupportedCall {
  readonly what: string;
  /** The alternative that the error message suggests. */
  readonly instead: string;
  readonly paths: readonly string[];
  /** All methods if absent. */
  readonly methods?: readonly Method[];
}

export const UNSUPPORTED_CALLS: readonly UnsupportedCall[] = [
  {
    what: 'term vectors [_termvectors, _mtermvectors]',
    instead: 'use [_analyze] and [_explain]',
    paths: [
      '/:index/_termvectors',
      '/:index/_termvectors/:id',
      '/_mtermvectors',
      '/:index/_mtermvectors',
    ],
  },
  {
    what: 'percolator queries [_percolate]',
    instead: 'run the stored queries as searches',
    paths: ['/:index/_percolate', '/:index/_percolate/*'],
  },
  {
    what: 'vector tiles [_mvt]',
    instead: 'there are no geo fields here',
    paths: ['/:index/_mvt/*'],
  },
  {
    what: 'SQL, EQL and ES|QL [_sql, _eql, _query]',
    instead: 'send a [_search]',
    paths: ['/_sql', '/_sql/*', '/_query', '/_query/*', '/_eql/*', '/:index/_eql/*'],
  },
  {
    what: 'splits, shrinks and clones of indexes [_split, _shrink, _clone, _create_from]',
    instead: 'create the index and [_reindex] into it',
    paths: [
      '/:index/_split/:target',
      '/:index/_shrink/:target',
      '/:index/_clone/:target',
      '/_create_from/:source/:dest',
    ],
  },
  {
    what: 'lists of terms [_terms_enum]',
    instead: 'use a [terms] aggregation with [include]',
    paths: ['/:index/_terms_enum'],
  },
  {
    what: 'downsampling and rollups [_downsample, _rollup]',
    instead: 'aggregate when you search',
    paths: [
      '/:index/_downsample/:target',
      '/_rollup/*',
      '/:index/_rollup/*',
      '/:index/_rollup_search',
    ],
  },
  {
    what: 'scripts that are run by themselves [_scripts/painless/_execute]',
    instead: 'use the script in a [script_score] query or in an update',
    paths: ['/_scripts/painless/_execute'],
  },
  {
    what: 'evaluations of rankings [_rank_eval]',
    instead: 'send the searches by [_msearch] and compare',
    paths: ['/_rank_eval', '/:index/_rank_eval'],
  },
  {
    what: 'sync flushes, upgrades and freezing [_flush/synced, _upgrade, _freeze]',
    instead: 'use [_flush] and [_close]',
    paths: [
      '/_flush/synced',
      '/:index/_flush/synced',
      '/_upgrade',
      '/:index/_upgrade',
      '/:index/_freeze',
      '/:index/_unfreeze',
    ],
  },
  {
    what: 'measures of what fields use [_disk_usage, _field_usage_stats]',
    instead: 'ask for [_stats]',
    paths: ['/:index/_disk_usage', '/:index/_field_usage_stats'],
  },
  {
    what: 'analyzers that are read again [_reload_search_analyzers]',
    instead: "synonyms are part of an index's settings: [_close] it, change them and [_open] it",
    paths: ['/:index/_reload_search_analyzers'],
  },
  {
    what: 'explorations of terms [_graph/explore]',
    instead: 'use [significant_terms], or links under [/_graph/{brain}]',
    paths: ['/:index/_graph/explore'],
  },
  {
    what: 'replication between clusters [_ccr]',
    instead: 'take snapshots and restore them',
    paths: ['/_ccr/*', '/:index/_ccr/*'],
  },
  {
    what: 'searchable snapshots [_searchable_snapshots]',
    instead: 'restore the snapshot',
    paths: ['/_searchable_snapshots/*', '/:index/_searchable_snapshots/*'],
  },
  {
    what: 'machine learning and text structure [_ml, _text_structure]',
    instead: 'register a model of your own by [_inference]',
    paths: ['/_ml', '/_ml/*', '/_cat/ml/*', '/_text_structure/*'],
  },
  {
    what: 'watches [_watcher]',
    instead: 'run searches on a schedule of your own',
    paths: ['/_watcher', '/_watcher/*'],
  },
  {
    what: 'users, roles and tokens [_security]',
    instead: 'make keys with [quarry keys create] on the machine of the server',
    paths: ['/_security', '/_security/*'],
  },
  {
    what: 'making and revoking keys over HTTP [_security/api_key]',
    instead: 'use [quarry keys create] and [quarry keys revoke] on the machine of the server',
    paths: ['/_security/api_key'],
    methods: ['POST', 'PUT', 'DELETE'],
  },
  {
    what: 'connectors, search applications and behavioural analytics [_connector, _application]',
    instead: 'write documents by [_bulk]',
    paths: ['/_connector', '/_connector/*', '/_application/*'],
  },
  {
    what: 'profiles of programs [_profiling]',
    instead: 'use a profiler of your own',
    paths: ['/_profiling/*'],
  },
  {
    what: 'monitoring collections [_monitoring]',
    instead: 'read [/v1/metrics]',
    paths: ['/_monitoring/*'],
  },
  {
    what: 'automatic scaling [_autoscaling]',
    instead: 'this is one node',
    paths: ['/_autoscaling/*'],
  },
  {
    what: 'changes to the shards of the cluster [voting_config_exclusions, desired nodes and balance]',
    instead: 'this is one node that holds every shard',
    paths: ['/_cluster/voting_config_exclusions', '/_internal/*', '/_nodes/:node/shutdown'],
  },
  {
    what: 'migrations [_migration]',
    instead: '[_reindex] into a new index',
    paths: ['/_migration/*', '/:index/_migration/*'],
  },
  {
    what: 'secure settings that are read again [reload_secure_settings]',
    instead: 'send the process SIGHUP',
    paths: ['/_nodes/reload_secure_settings', '/_nodes/:node/reload_secure_settings'],
  },
  {
    what: 'metering of nodes [_repositories_metering]',
    instead: 'read [_nodes/stats] and [/v1/metrics]',
    paths: [
      '/_nodes/:node/_repositories_metering',
      '/_nodes/:node/_repositories_metering/*',
      '/_metering/*',
      '/_info/*',
    ],
  },
  {
    what: 'data streams and their lifecycle [_data_stream, _lifecycle, _streams]',
    instead: 'write to an index or an alias',
    paths: [
      '/_data_stream/_modify',
      '/_data_stream/_migrate/:name',
      '/_data_stream/_promote/:name',
      '/_data_stream/:name/*',
      '/_lifecycle/*',
      '/:index/_lifecycle/*',
      '/_streams',
      '/_streams/*',
    ],
  },
  {
    what: 'routes of Fleet [_fleet]',
    instead: 'send a [_search]',
    paths: ['/_fleet/*', '/:index/_fleet/*'],
  },
  {
    what: 'projects [_project]',
    instead: 'this server has one',
    paths: ['/_project/*', '/_project_routing', '/_project_routing/*'],
  },
  {
    what: 'search pipelines [_search/pipeline]',
    instead: 'a [hybrid] query normalises and combines its scores by itself',
    paths: ['/_search/pipeline', '/_search/pipeline/:id'],
  },
  {
    what: 'plugins and stores of OpenSearch [_plugins, _opendistro, _remotestore, _wlm]',
    instead: 'use the routes of Elasticsearch',
    paths: [
      '/_plugins/*',
      '/_opendistro/*',
      '/_remotestore/*',
      '/_wlm/*',
      '/_list/*',
      '/_cluster/routing/*',
      '/_cluster/decommission/*',
      '/_cat/pit_segments',
      '/_cat/pit_segments/*',
      '/_cat/segment_replication',
      '/_cat/segment_replication/:index',
    ],
  },
  {
    what: 'statistics of circuit breakers [_cat/circuit_breaker]',
    instead: 'read [/v1/metrics]',
    paths: ['/_cat/circuit_breaker', '/_cat/circuit_breaker/:name'],
  },
  {
    what: 'lists of capabilities, certificates and languages [_capabilities, _ssl, _script_context, _script_language]',
    instead: 'try the request',
    paths: ['/_capabilities', '/_ssl/*', '/_script_context', '/_script_language'],
  },
  {
    what: 'answers that come in pieces [_inference/.../_stream]',
    instead: 'send [_inference/text_embedding]',
    paths: ['/_inference/chat_completion/:id/_stream', '/_inference/completion/:id/_stream'],
  },
  {
    what: 'lists of running reindexes [_reindex/{task}]',
    instead: 'ask for [_tasks?actions=*reindex]',
    paths: ['/_reindex/:task', '/_reindex/:task/_cancel'],
  },
  {
    what: 'repairs by hand [_features/_reset, _dangling/{uuid}]',
    instead: 'delete indexes, or restore them from a snapshot',
    paths: ['/_features/_reset', '/_dangling/:uuid'],
  },
  {
    what: 'lists of reindexes [GET _reindex]',
    instead: 'ask for [_tasks?actions=*reindex]',
    paths: ['/_reindex'],
    methods: ['GET'],
  },
];
