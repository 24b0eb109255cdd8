// Schemas of the routes that find documents.
import {
  anything,
  choice,
  count,
  document,
  flag,
  LINES,
  list,
  map,
  NOTHING,
  number,
  object,
  type RouteSchema,
  ref,
  text,
} from './kinds.js';

const SHARDED_QUERY = object({ 'query?': ref('Query') });
const PITS_CLOSED = object({
  pits: list(object({ successful: flag, pit_id: text })),
});

/** An asynchronous search: its state, and its answer if it has one. */
const ASYNC = {
  'id?': text,
  is_partial: flag,
  is_running: flag,
  start_time_in_millis: count,
  expiration_time_in_millis: count,
  'completion_time_in_millis?': count,
};
const ASYNC_ANSWER = object({ ...ASYNC, 'response?': ref('SearchAnswer'), 'error?': document });

export const SEARCH = {
  search: {
    id: 'search',
    summary: 'Searches documents by words, by vectors, by meaning, or by several of them fused.',
    tag: 'search',
    body: ref('SearchBody'),
    answers: { 200: ref('SearchAnswer') },
  },
  count: {
    id: 'count',
    summary: 'Counts the documents that match a query.',
    tag: 'search',
    body: SHARDED_QUERY,
    answers: { 200: object({ count, _shards: ref('Shards') }) },
  },
  msearch: {
    id: 'msearch',
    summary: 'Runs several searches in one request, each as a header line and a body line.',
    tag: 'search',
    body: LINES,
    bodyRequired: true,
    lines: true,
    answers: { 200: ref('MultiSearchAnswer') },
  },
  fieldCaps: {
    id: 'field_caps',
    summary: 'Returns the fields of indexes, and whether each is searchable and aggregatable.',
    tag: 'search',
    body: object({ 'fields?': anything, 'index_filter?': ref('Query') }),
    answers: { 200: object({ indices: list(text), fields: map(map(document)) }) },
  },
  validate: {
    id: 'validate_query',
    summary: 'Checks whether a query is valid for the indexes without running it.',
    tag: 'search',
    body: SHARDED_QUERY,
    answers: { 200: object({ valid: flag, '_shards?': ref('Shards') }) },
  },
  explain: {
    id: 'explain',
    summary: 'Explains why a document matches a query, and how its score is computed.',
    tag: 'search',
    body: SHARDED_QUERY,
    answers: {
      200: object({ _index: text, _id: text, matched: flag, 'explanation?': document }),
      404: object({ '_index?': text, '_id?': text, 'matched?': flag, 'error?': document }),
    },
  },
  scroll: {
    id: 'scroll',
    summary: 'Returns the next batch of a scroll.',
    tag: 'search',
    body: object({ 'scroll_id?': text, 'scroll?': text }),
    answers: { 200: ref('SearchAnswer') },
  },
  clearScroll: {
    id: 'clear_scroll',
    summary: 'Closes scrolls.',
    tag: 'search',
    body: object({ 'scroll_id?': anything }),
    answers: {
      200: object({ succeeded: flag, num_freed: count }),
      404: object({ 'succeeded?': flag, 'num_freed?': count, 'error?': document }),
    },
  },
  openPit: {
    id: 'open_point_in_time',
    summary: 'Opens a point in time: later searches see the indexes as they are now.',
    tag: 'search',
    body: object({ 'index_filter?': ref('Query') }),
    answers: { 200: object({ id: text, _shards: ref('Shards') }) },
    needs: ['keep_alive'],
  },
  closePit: {
    id: 'close_point_in_time',
    summary: 'Closes a point in time.',
    tag: 'search',
    body: object({ id: text }),
    bodyRequired: true,
    answers: {
      200: object({ succeeded: flag, num_freed: count }),
      404: object({ 'succeeded?': flag, 'num_freed?': count, 'error?': document }),
    },
  },
  openPit2: {
    id: 'create_pit',
    summary: 'Opens a point in time in the form of OpenSearch.',
    tag: 'search',
    answers: { 200: object({ pit_id: text, _shards: ref('Shards'), creation_time: number }) },
    needs: ['keep_alive'],
  },
  listPits: {
    id: 'get_all_pits',
    summary: 'Lists the open points in time.',
    tag: 'search',
    answers: { 200: object({ pits: list(document) }) },
  },
  closeAllPits: {
    id: 'delete_all_pits',
    summary: 'Closes all points in time.',
    tag: 'search',
    answers: { 200: PITS_CLOSED },
  },
  closePits: {
    id: 'delete_pit',
    summary: 'Closes points in time by their ids.',
    tag: 'search',
    body: object({ pit_id: anything }),
    bodyRequired: true,
    answers: { 200: PITS_CLOSED },
  },
  submitAsync: {
    id: 'async_search_submit',
    summary: 'Begins a search that goes on if it takes longer than its client waits.',
    tag: 'search',
    body: ref('SearchBody'),
    answers: { 200: ASYNC_ANSWER },
  },
  getAsync: {
    id: 'async_search_get',
    summary: 'Returns the answer of an asynchronous search, or that it runs.',
    tag: 'search',
    answers: { 200: ASYNC_ANSWER },
  },
  asyncStatus: {
    id: 'async_search_status',
    summary: 'Returns the state of an asynchronous search without its answer.',
    tag: 'search',
    answers: {
      200: object({ ...ASYNC, _shards: ref('Shards'), 'completion_status?': count }),
    },
  },
  deleteAsync: {
    id: 'async_search_delete',
    summary: 'Cancels an asynchronous search and forgets its answer.',
    tag: 'search',
    answers: { 200: object({ acknowledged: flag }) },
  },
} as const satisfies Record<string, RouteSchema>;

const ADDRESSES = object({ 'docs?': list(document), 'ids?': list(text) });

const BY_QUERY = object({
  'query?': ref('Query'),
  'script?': document,
  'max_docs?': count,
  'slice?': document,
  'sort?': anything,
  'conflicts?': choice('abort', 'proceed'),
});

const REINDEX_SOURCE = object({
  index: anything,
  'remote?': object({
    host: text,
    'username?': text,
    'password?': text,
    'password_env?': text,
    'api_key_env?': text,
    'headers?': map(text),
    'socket_timeout?': text,
    'connect_timeout?': text,
  }),
  'query?': ref('Query'),
  '_source?': anything,
  'size?': count,
  'sort?': anything,
  'slice?': document,
});

export const DOCUMENTS = {
  bulk: {
    id: 'bulk',
    summary: 'Writes many documents in one request, each as an action line and a document line.',
    tag: 'documents',
    body: LINES,
    bodyRequired: true,
    lines: true,
    answers: { 200: ref('BulkAnswer') },
  },
  get: {
    id: 'get',
    summary: 'Returns a document by its id, with writes that no search sees yet.',
    tag: 'documents',
    params: { version: { type: 'integer' }, refresh: flag },
    answers: { 200: ref('Document'), 404: { anyOf: [ref('Document'), ref('Error')] } },
  },
  exists: {
    id: 'exists',
    summary: 'Checks whether a document exists.',
    tag: 'documents',
    params: { version: { type: 'integer' }, refresh: flag },
    answers: { 200: NOTHING, 404: NOTHING },
  },
  source: {
    id: 'get_source',
    summary: 'Returns the source of a document without metadata.',
    tag: 'documents',
    params: { version: { type: 'integer' }, refresh: flag },
    answers: { 200: document },
  },
  sourceExists: {
    id: 'exists_source',
    summary: 'Checks whether the source of a document exists.',
    tag: 'documents',
    params: { version: { type: 'integer' }, refresh: flag },
    answers: { 200: NOTHING, 404: NOTHING },
  },
  add: {
    id: 'index_new',
    summary: 'Stores a document under a generated id.',
    tag: 'documents',
    params: { version: { type: 'integer' } },
    body: document,
    bodyRequired: true,
    answers: { 200: ref('Written'), 201: ref('Written') },
  },
  index: {
    id: 'index',
    summary: 'Stores a document under an id and replaces the present one.',
    tag: 'documents',
    params: { version: { type: 'integer' } },
    body: document,
    bodyRequired: true,
    answers: { 200: ref('Written'), 201: ref('Written') },
  },
  create: {
    id: 'create',
    summary: 'Stores a document under an id; 409 if there is one already.',
    tag: 'documents',
    params: { version: { type: 'integer' } },
    body: document,
    bodyRequired: true,
    answers: { 200: ref('Written'), 201: ref('Written') },
  },
  delete: {
    id: 'delete',
    summary: 'Deletes a document.',
    tag: 'documents',
    params: { version: { type: 'integer' } },
    answers: { 200: ref('Written'), 404: { anyOf: [ref('Written'), ref('Error')] } },
  },
  update: {
    id: 'update',
    summary: 'Updates a document with a partial document or a script.',
    tag: 'documents',
    body: object({
      'doc?': document,
      'doc_as_upsert?': flag,
      'upsert?': document,
      'detect_noop?': flag,
      'script?': anything,
      '_source?': anything,
    }),
    bodyRequired: true,
    answers: { 200: ref('Written'), 201: ref('Written') },
  },
  mget: {
    id: 'mget',
    summary: 'Returns several documents by their ids.',
    tag: 'documents',
    params: { refresh: flag },
    body: ADDRESSES,
    bodyRequired: true,
    answers: {
      200: object({
        docs: list({
          anyOf: [ref('Document'), object({ _index: text, '_id?': text, error: document })],
        }),
      }),
    },
  },
  deleteByQuery: {
    id: 'delete_by_query',
    summary: 'Deletes the documents that match a query.',
    tag: 'documents',
    params: { refresh: flag },
    body: BY_QUERY,
    bodyRequired: true,
    answers: { 200: ref('ByQueryAnswer'), 409: ref('ByQueryAnswer') },
  },
  updateByQuery: {
    id: 'update_by_query',
    summary: 'Updates the documents that match a query.',
    tag: 'documents',
    params: { refresh: flag },
    body: BY_QUERY,
    answers: { 200: ref('ByQueryAnswer'), 409: ref('ByQueryAnswer') },
  },
  reindex: {
    id: 'reindex',
    summary:
      'Copies documents from one index, of this server or another, into an index of this one.',
    tag: 'documents',
    params: { refresh: flag },
    body: object({
      source: REINDEX_SOURCE,
      dest: document,
      'conflicts?': choice('abort', 'proceed'),
      'max_docs?': count,
      'script?': document,
    }),
    bodyRequired: true,
    answers: { 200: ref('ByQueryAnswer'), 409: ref('ByQueryAnswer') },
  },
} as const satisfies Record<string, RouteSchema>;
