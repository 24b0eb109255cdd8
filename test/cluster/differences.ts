// Golden cases that are about a node's own, and known differences between the modes with their
// reasons.

/** Cases about segments, shards, file snapshots and statistics of an engine. */
const NODES =
  /^(?:allocation_explain|cat\.repositories|cat\.snapshots|cluster\.state|indices\.recovery|indices\.stats|search_shards|snapshot\.|tasks)/;

export function isNodes(name: string): boolean {
  return NODES.test(name);
}

/** The first pattern that fits the name of a case applies. */
export const DIFFERENCES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^indices\.analyze\/|^field_caps\/(?:07|32)|^index\/09|^indices\.mapping\/20|^indices\.settings\/06/,
    'the package of Elasticsearch that is tested lacks the components of analysis or the field types',
  ],
  [/^bulk\/02|^index\/07|^knn\/08|^explain\/01/, 'the engine has other words for it'],
  [/^bulk\/0[67]/, 'the engine refuses the whole bulk, not the one item'],
  [/^bulk\/05/, 'the refused item shows the alias that was named'],
  [
    /^clear_scroll\/01|^close_point_in_time\/01/,
    'ids of scrolls and points in time are those of the engine',
  ],
  [/^cluster\.health|^info\/02/, 'the cluster answers for itself'],
  [/^hybrid\/07|^hybrid\/.*collapse/, 'refused by name with fused lists'],
  [/^hybrid\/09/, 'the engine counts words in each shard, this service in all of them'],
  [/^indices\.alias\/12/, 'the engine fails on a filter of a closed index'],
  [/^indices\.create\/40/, 'the engine shows nanoseconds of `fields` as milliseconds'],
  [/^indices\.mapping\/(?:22|31)/, 'the engine keeps fields of refused documents, and other words'],
  [/^indices\.settings\/07/, 'settings of the other engine are not stored'],
  [/profile/, 'profiles are those of the engine'],
];
