// Settings of Elasticsearch that ask for parts which this server does not have. They are refused by name, with what does their
// work here. An index that has one from before shows it, and null takes it away.
import { QuarryError } from '../errors.js';
import { row, type SettingRow } from './setting-row.js';

const MERGES =
  'merges are configured for the node: [merge.max_merge_count], [merge.max_bytes_per_sec]';
const FLUSHES =
  'flushes are configured for the node: [memtable.flush_bytes] for a shard, [wal.flush_bytes] for the log of all';
const FILES = 'files are always mapped into memory';

/** Why there is no use for it, or what does its work; may be empty. */
const REFUSED: Readonly<Record<string, string>> = {
  'index.flush_after_merge': FLUSHES,
  'index.gc_deletes': '',
  'index.load_fixed_bitset_filters_eagerly': 'there are no nested documents',
  'index.mapping.dimension_fields.limit': 'there are no time series',
  'index.max_adjacency_matrix_filters': 'there is no [adjacency_matrix] aggregation',
  'index.max_refresh_listeners': '',
  'index.optimize_auto_generated_id': '',
  'index.search.idle.after':
    '[index.refresh_interval] says how often written documents are looked for',
  'index.soft_deletes.retention_lease.period': 'no other node follows the writes of a shard',
  'index.store.preload': FILES,
  'index.store.type': FILES,
  'index.translog.flush_threshold_age': FLUSHES,
  'index.translog.flush_threshold_size': FLUSHES,
  'index.translog.generation_threshold_size':
    'files of the log are configured for the node: [wal.file_bytes]',
  'index.translog.sync_interval':
    'syncs of the log are configured for the node: [wal.sync_interval_ms]',
  'index.warmer.enabled': '',
};

const REFUSED_GROUPS: readonly (readonly [string, string])[] = [
  ['index.merge.policy.', MERGES],
  ['index.merge.scheduler.', MERGES],
];

/** Of a setting that is refused whatever its value; undefined: it is none of them. */
export function refusedRow(key: string): SettingRow | undefined {
  const reason = Object.hasOwn(REFUSED, key)
    ? REFUSED[key]
    : REFUSED_GROUPS.find(([prefix]) => key.startsWith(prefix))?.[1];
  if (reason === undefined) return undefined;
  return row('dynamic', () => {
    throw new QuarryError(
      'illegal_argument_exception',
      `setting [${key}] is not supported by this server, leave it out${reason && `: ${reason}`}`,
    );
  });
}
