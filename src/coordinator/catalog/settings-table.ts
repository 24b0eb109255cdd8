// The table of all index settings: when each may change, and which values are valid. A new setting
// is a new row.
import { didYouMean } from '../../base/similar-names.js';
import { QuarryError } from '../../errors.js';
import { ACCEPTED_NOOP_ROWS } from './accepted-noop-settings.js';
import { LIMIT_ROWS } from './limit-settings.js';
import {
  boolean,
  choice,
  integer,
  replicaRange,
  row,
  type SettingRow,
  type SettingValue,
  time,
} from './setting-row.js';

function bad(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}

/** Thresholds of the slow log for the query and fetch phases, by level. */
function slowLogRows(): Readonly<Record<string, SettingRow>> {
  const names = ['query', 'fetch'].flatMap((phase) =>
    ['warn', 'info', 'debug', 'trace'].map((level) => slowLogSetting(phase, level)),
  );
  return Object.fromEntries(names.map((name) => [name, row('dynamic', time(-1))]));
}

export function slowLogSetting(phase: string, level: string): string {
  return `index.search.slowlog.threshold.${phase}.${level}`;
}

const ROWS: Readonly<Record<string, SettingRow>> = {
  'index.number_of_shards': row('final', integer(1, 1024)),
  'index.number_of_replicas': row('dynamic', integer(0)),
  'index.auto_expand_replicas': row('dynamic', replicaRange),
  'index.hidden': row('dynamic', boolean),
  'index.refresh_interval': row('dynamic', time(-1)),
  ...LIMIT_ROWS,
  'index.query.default_field': row('dynamic'),
  'index.query_string.lenient': row('dynamic', boolean),
  'index.translog.durability': row('dynamic', choice('request', 'async')),
  'index.max_ngram_diff': row('dynamic', integer(0)),
  'index.max_shingle_diff': row('dynamic', integer(0)),
  'index.mapping.total_fields.limit': row('dynamic', integer(0)),
  'index.mapping.depth.limit': row('dynamic', integer(1)),
  'index.mapping.field_name_length.limit': row('dynamic', integer(1)),
  'index.mapping.nested_fields.limit': row('dynamic', integer(0)),
  'index.mapping.nested_objects.limit': row('dynamic', integer(0)),
  'index.mapping.ignore_malformed': row('final', boolean),
  'index.mapping.coerce': row('final', boolean),
  // The core checks them against the mapping when it creates the index.
  'index.sort.field': row('final'),
  'index.sort.missing': row('final'),
  'index.sort.mode': row('final'),
  'index.sort.order': row('final'),
  'index.blocks.read_only': row('dynamic', boolean),
  'index.blocks.read_only_allow_delete': row('dynamic', boolean),
  'index.blocks.read': row('dynamic', boolean),
  'index.requests.cache.enable': row('dynamic', boolean),
  'index.max_slices_per_scroll': row('dynamic', integer(1)),
  ...slowLogRows(),
  'index.blocks.write': row('dynamic', boolean),
  'index.uuid': row('internal'),
  'index.creation_date': row('internal'),
  'index.creation_date_string': row('internal'),
  'index.provided_name': row('internal'),
  ...ACCEPTED_NOOP_ROWS,
};

/** All settings with one of these prefixes follow the same row. */
const GROUPS: readonly (readonly [string, SettingRow])[] = [
  // The core checks their content when it builds the mapping.
  ['index.analysis.', row('static')],
  ['index.similarity.', row('static')],
  ['index.version.', row('internal')],
  ['index.routing.', row('dropped')],
];

/** Undefined: there is no such setting. */
export function settingRow(key: string): SettingRow | undefined {
  return ROWS[key] ?? GROUPS.find(([prefix]) => key.startsWith(prefix))?.[1];
}

/** True if the value is valid now. A stored value may have become invalid. */
export function isTaken(key: string, value: SettingValue): boolean {
  try {
    settingRow(key)?.check(key, value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Minimum similarity for a suggestion, as in Elasticsearch: it is high because names of settings
 * share prefixes.
 */
const SIMILAR_SETTING = 0.75;

/** An "unknown setting [x] …" error with the most similar names. */
export function unknownSetting(key: string): QuarryError {
  const hint = didYouMean(key, Object.keys(ROWS), SIMILAR_SETTING);
  if (hint !== '') return bad(`unknown setting [${key}]${hint}`);
  return bad(
    `unknown setting [${key}] please check that any required plugins are installed, ` +
      'or check the breaking changes documentation for removed settings',
  );
}
