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

/** Of both engines. */
const DIFFERENCES: Differences = [
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
  [/^indices\.settings\/12/, 'settings of vectors are those of every index, or are not stored'],
  [
    /^indices\.mapping\/78_knn/,
    'the engine prints another spelling of it, or has no such type for dynamic templates',
  ],
  [
    /^indices\.mapping\/31_refused/,
    'the engine keeps the fields that a refused document has added',
  ],
  [
    /^indices\.mapping\/3[78]|^search\.field_types\/70/,
    'the engine takes no full names of fields below `subobjects: false` in a change of the mapping',
  ],
  [/^indices\.settings\/07/, 'settings of the other engine are not stored'],
  [/^knn\/21/, 'profiles are those of the engine'],
  [/^search\.aggregation\/(?:08|31|49)/, 'percentiles and their ranks are those of the engine'],
  [/^search\.aggregation\/46/, 'the engine prints the ends of ranges of booleans as booleans'],
  [/^search\.field_types\/01/, 'the engine sorts missing dates of nanoseconds as 0'],
  [/^search\.field_types\/03/, 'the engine refuses dates of nanoseconds before 1970'],
  [/^search\.field_types\/13/, 'the engine counts the ranges of a document as one value'],
  [/^search\.fields\/0[14]/, 'the engine shows neither nulls of unmapped fields nor `_routing`'],
  [/^search\.nested\/03/, 'the engine has no sequence numbers of nested objects'],
  [/^search\.nested\/23/, 'the engine shows no `_id` of nested objects in `top_hits`'],
  [
    /^search\.rescore\/0[12]|^search\/130/,
    'the engine orders ties by its own numbers of documents',
  ],
  [/^search\.suggest\//, 'the engine counts the words of suggestions in each shard'],
  [/^search\/(?:22|55)/, 'random scores are those of the engine, which has no values of `_id`'],
  [/^search\/60/, 'the engine shows a missing date as its last one'],
  [/^explain\/01|^search\.nested\/10|^search\/21/, 'the engine explains scores in its own words'],
  [
    /^indices\.mapping\/22|^knn\/08|^search\.aggregation\/(?:15|24|27|37|45|50)|^search\.field_types\/1[457]|^search\.fields\/05|^search\.nested\/08|^search\/5[48]|^update\/20/,
    'the engine has other words for the refusal',
  ],
];

/** Those of OpenSearch 3.3 with its plugin for vectors alone. */
const OF_OPENSEARCH: Differences = [
  [
    /^bulk\/02|^index\/(?:07|7[01])|^search\.field_types\/06/,
    'the engine says of refused documents `mapper_parsing_exception`, without a place',
  ],
  [/^indices\.mapping\/71/, 'the engine has other words for the refusal'],
  [
    /^bulk\/08|^indices\.mapping\/(?:3[6-9]|4[01]|7[56])|^search\.field_types\/70/,
    'the engine has no such parameters of mappings and templates',
  ],
  [/^indices\.mapping\/31_fielddata/, 'the engine does not show `index: false` of geo points'],
  [/^knn\/10/, 'the nearest beside a query are those of each shard'],
  [/^knn\/18/, 'the engine has to know the dims of vectors before the first one'],
  [/^knn\/2[23]/, 'vectors of bytes are refused by name'],
  [/^search\.aggregation\/17/, 'the engine has no `keyed` of filters'],
  [/^search\.aggregation\/29/, 'the engine has no values of `_version`'],
  [
    /^search\.aggregation\/(?:24|30)|^search\.field_types\/15|^search\.fields\/05|^search\.nested\/(?:13|24)/,
    'the engine takes what Elasticsearch refuses',
  ],
  [/^search\.aggregation\/42/, 'the engine shows no ranges of addresses in empty buckets'],
  [/^search\.aggregation\/44/, 'the engine fails on `hard_bounds` with one end'],
  [
    /^search\.field_types\/04/,
    'the engine compares nanoseconds of one index with milliseconds of another',
  ],
  [/^search\.field_types\/02|^search\/6[019]/, 'the engine has no `format` of sorts'],
  [/^search\.field_types\/4[356]|^search\/44/, 'the engine reads numbers of dates by their format'],
  [/^search\.fields\/0[124]/, 'the engine has neither `include_unmapped` nor `_ignored` of hits'],
  [/^search\.fields\/06/, 'the engine has no values of vectors to show'],
  [/^search\.fields\/3[01]/, 'the engine has no type `flattened`'],
  [/^search\.fields\/32/, 'the engine shows numbers of 16 bits as they were written'],
  [/^search\.highlight\/(?:05|10)/, 'the engine marks each word of a phrase'],
  [
    /^search\.highlight\/1[567]/,
    'the engine refuses to analyze more than the index says, and cuts the text there',
  ],
  [
    /^search\.nested\/(?:14|2[15])/,
    'the engine shows fields of nested objects by their full names',
  ],
];

/** The first pattern that fits the name of a case applies. */
export function differencesOf(isOpenSearch: boolean): Differences {
  return isOpenSearch ? [...OF_OPENSEARCH, ...DIFFERENCES] : DIFFERENCES;
}
