// Golden cases that are about a node's own, and known differences between the modes with their
// reasons.

/** Cases about segments, shards, file snapshots and statistics of an engine. */
const NODES =
  /^(?:allocation_explain|cat\.repositories|cat\.snapshots|cluster\.state|indices\.recovery|indices\.stats|search_shards|slm\.|snapshot\.|tasks)/;

export function isNodes(name: string): boolean {
  return NODES.test(name);
}

/** What the package of Elasticsearch that is tested does not have: nothing can be compared. */
const LACKING =
  /^(?:indices\.analyze\/|field_caps\/(?:07|3[23])|index\/09|indices\.mapping\/(?:20|35)|indices\.settings\/(?:06|10)|search\.aggregation\/(?:05|11|12|32|33|52)|search\.field_types\/(?:3[0-3]|5[0-7]|6[0-8])|search\.nested\/31|search\/(?:23|24|26|30|31|32|49|62|7[012]|8\d)|tasks|update_by_query\/02|validate_query\/)/;

export function isLacking(name: string): boolean {
  return LACKING.test(name);
}

type Differences = readonly (readonly [pattern: RegExp, reason: string])[];

/** The first pattern that fits the name of a case applies. */
export const DIFFERENCES: Differences = [
  [/^bulk\/0[67]/, 'the engine refuses the whole bulk, not the one item'],
  [/^bulk\/05/, 'the refused item shows the alias that was named'],
  [
    /^clear_scroll\/01|^close_point_in_time\/01|^scroll\/02/,
    'ids of scrolls and points in time are those of the engine',
  ],
  [/^cluster\.health|^info\/02/, 'the cluster answers for itself'],
  [/^hybrid\/07|^search\/48/, 'refused by name in cluster mode'],
  [/^hybrid\/09/, 'the engine counts words in each shard, this service in all of them'],
  [/^indices\.alias\/12/, 'the engine fails on a filter of a closed index'],
  [/^indices\.settings\/07/, 'settings of the other engine are not stored'],
  [/^indices\.settings\/12/, 'settings of vectors are those of every index, or are not stored'],
  [
    /^indices\.mapping\/78_knn/,
    'the engine prints another spelling of it, or has no such type for dynamic templates',
  ],
  [/profile|^knn\/21/, 'profiles are those of the engine'],
  [/^knn\/2[23]/, 'the engine quantizes vectors to bits from 64 dims on'],
  [/^search\.rescore/, 'the engine orders ties of rescored hits by its own numbers of documents'],
  [/^search\/(?:22|55)/, 'random scores are those of the engine, which has no values of `_id`'],
  [
    /^indices\.mapping\/3[78]|^search\.field_types\/70/,
    'the engine takes no full names of fields below `subobjects: false` in a change of the mapping',
  ],
  [/^search\.nested\/2[78]/, 'the engine has no `from` and `to` of ranges from version 9 on'],
  [/^search\/130/, 'the engine orders hits of equal scores by its own numbers of documents'],
  [
    /^bulk\/02|^index\/07|^knn\/08|^explain\/01|^search\.aggregation\/(?:15|24|27|37|45|50)|^search\.field_types\/(?:14|17|21)|^search\.fields\/05|^search\.nested\/(?:08|10)|^search\/(?:21|54|58)|^update\/20|^indices\.mapping\/22/,
    'the engine has other words for it',
  ],
  [
    /^indices\.create\/40|^indices\.mapping\/31|^search\.aggregation\/(?:08|31|46)|^search\.field_types\/(?:01|03|10|13|15)|^search\.fields\/0[14]|^search\.nested\/(?:03|23)|^indices\.mapping\/36|^search\.suggest\/|^search\/60/,
    'the engine has another answer, which this service has for reasons of its own',
  ],
];

/** Those of OpenSearch 3.3 with its plugin for vectors alone. */
const OF_OPENSEARCH: Differences = [
  [
    /^search\.nested\/(?:01|18|21)|^search\/11|^knn\/02/,
    'a term of a keyword scores 1 in OpenSearch from version 3 on',
  ],
  [/^hybrid\/(?:02|1[45])|^retriever\/0[23]/, 'the engine scores vectors in other last digits'],
  [/^knn\/10/, 'the nearest beside a query are those of each shard in OpenSearch'],
  [/^knn\/(?:09|18)/, 'vectors of OpenSearch have no similarity, and no dims of the first one'],
  [
    /^search\.fields\/06|^search\.nested\/25/,
    'vectors of OpenSearch have no values to show, nor inner hits',
  ],
  [/^knn\/1[15]/, 'the engine refuses unknown fields of vectors, and `exclude_vectors`'],
  [/^search\.field_types\/02|^search\/6[19]/, 'the engine has no `format` of sorts'],
  [/^search\.highlight\/(?:05|10)/, 'the engine marks each word of a phrase'],
  [/^search\.highlight\/1[567]/, 'the engine has another name for the longest text of highlights'],
  [/^search\.fields\/3[01]/, 'the engine has no type `flattened`'],
  [
    /^search\.field_types\/(?:4[356])|^search\/44/,
    'the engine reads numbers of dates by their format',
  ],
  [
    /^bulk\/08|^indices\.mapping\/(?:39|4[01]|7[56])/,
    'the engine has no such parameters of mappings and templates',
  ],
  [
    /^index\/7[01]|^indices\.mapping\/71|^search\.field_types\/06/,
    'the engine has other words for it',
  ],
  [
    /^search\.aggregation\/(?:17|29|30|42|44|49)|^search\.field_types\/04|^search\.fields\/(?:02|32)|^search\.nested\/(?:13|14|24)/,
    'the engine has another answer, which this service has for reasons of its own',
  ],
];

export function differencesOf(isOpenSearch: boolean): Differences {
  return isOpenSearch ? [...DIFFERENCES, ...OF_OPENSEARCH] : DIFFERENCES;
}
