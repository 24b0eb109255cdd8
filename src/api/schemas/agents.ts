// Schemas of the routes of memory, and what those of links share with them.
import {
  about,
  choice,
  count,
  document,
  either,
  exactly,
  flag,
  LINES,
  list,
  map,
  number,
  object,
  orNull,
  type RouteSchema,
  text,
  whole,
} from './kinds.js';

export const share = { type: 'number', minimum: 0, maximum: 1 };
export const moment = about(either(whole, text), 'Epoch milliseconds or RFC 3339.');
const vector = list(number);
const memory = {
  id: text,
  text,
  metadata: orNull(document),
  stored_at: orNull(whole),
};

const ids = about(list(text), 'Ids of memories.');

/** What a store takes; a line of a bulk is the same. */
const MEMORY_BODY = exactly({
  'text?': text,
  'metadata?': document,
  'vector?': vector,
  'id?': about(text, 'Generated unless given; one that is there is replaced.'),
  'dedup?': about(flag, 'Store nothing where nearly the same is there.'),
  'dedup_threshold?': share,
  'supersedes?': about(list(text), 'Ids of the memories that it replaces.'),
  'expires_at?': moment,
});

/** What the answer of a store says besides its namespace. */
const STORED = {
  'deduplicated?': flag,
  'score?': about(number, 'Of a duplicate: the cosine.'),
  'near_duplicate_of?': document,
  'superseded?': list(text),
  'follows?': about(text, 'The memory before it in its session.'),
  'not_indexed?': about(list(text), 'Members of the metadata that no filter finds.'),
};

const RECALL = {
  'query?': text,
  'vector?': vector,
  'semantic?': flag,
  'hybrid?': flag,
  'context?': either(
    flag,
    exactly({ 'neighbours?': share, 'session?': share, 'speaker?': share, 'phrase?': share }),
  ),
  'k?': { type: 'integer', minimum: 1, maximum: 10_000 },
  'filter?': document,
  'recency_weight?': share,
  'graph?': exactly({
    mode: choice('restrict', 'blend'),
    'seeds?': list(text),
    'hops?': { type: 'integer', minimum: 1 },
    'types?': list(text),
    'weight?': share,
    'as_of?': moment,
  }),
  'explain?': either(flag, exactly({ ids })),
  'collapse?': text,
  'max_chars?': { type: 'integer', minimum: 1 },
  'rerank?': exactly({
    inference_id: text,
    'top?': { type: 'integer', minimum: 1, maximum: 200 },
  }),
  'as_of?': moment,
  'known_at?': moment,
};

const HIT = {
  score: orNull(number),
  'rerank_score?': number,
  'explanation?': document,
};

/** What the answer of a recall of one namespace may have. */
const RECALLED = {
  'graph?': object({
    mode: choice('restrict', 'blend'),
    seeds: list(text),
    hops: whole,
    as_of: whole,
    reachable: count,
    not_shown: map(count),
  }),
  'no_edges_index?': about(flag, 'The namespace has no links; the recall was made without.'),
  'explained?': list(object({ id: text, returned: flag, reason: text })),
};

const compared = {
  checked: count,
  count,
  'skipped?': text,
};

const imported = object({ created: count, merged: count, unchanged: count });

export const link = {
  edge_id: text,
  src: text,
  dst: text,
  type: text,
  confidence: number,
  weight: number,
  evidence: orNull(document),
  asserted: flag,
  detector: orNull(text),
  valid_at: whole,
  invalid_at: orNull(whole),
  created_at: whole,
  expired_at: orNull(whole),
  state: choice('live', 'retired', 'future'),
};

export const MEMORY = {
  put: {
    id: 'put_namespace',
    summary:
      'Settings of a namespace; what decides how texts are embedded, before its first memory.',
    tag: 'memory',
    body: exactly({
      'analyzer?': text,
      'dims?': { type: 'integer', minimum: 1, maximum: 4096 },
      'inference_id?': text,
      'inference_endpoint?': { oneOf: [text, document] },
      'link_sessions?': flag,
      'detect?': flag,
      'quota?': exactly({
        'memories?': { type: 'integer', minimum: 1 },
        'bytes?': { type: 'integer', minimum: 1 },
        'stores_per_minute?': { type: 'integer', minimum: 1 },
      }),
      'retention_ms?': { type: 'integer', minimum: 1 },
    }),
    bodyRequired: true,
    answers: { 200: object({ acknowledged: flag, namespace: text, settings: document }) },
  },
  store: {
    id: 'svc_memory_store',
    summary: 'Stores a memory.',
    tag: 'memory',
    body: MEMORY_BODY,
    bodyRequired: true,
    answers: {
      200: object({ id: text, namespace: text, created: flag, ...STORED }),
      201: object({ id: text, namespace: text, created: flag, ...STORED }),
    },
  },
  recall: {
    id: 'svc_memory_recall',
    summary: 'Recalls memories by words, by meaning, by a vector, or the latest.',
    tag: 'memory',
    body: exactly(RECALL),
    answers: {
      200: object({
        namespace: text,
        hits: list(object({ ...memory, ...HIT })),
        not_shown: map(count),
        ...RECALLED,
        'rerank?': object({ inference_id: text, top: count, applied: flag }),
      }),
    },
  },
  recallMany: {
    id: 'recall_many',
    summary: 'Recalls memories from several namespaces, each hit with its namespace.',
    tag: 'memory',
    body: exactly({ namespaces: either(text, list(text)), ...RECALL }),
    answers: {
      200: object({
        namespaces: list(text),
        hits: list(object({ namespace: text, ...memory, ...HIT })),
        not_shown: map(count),
        'no_edges_index?': flag,
      }),
    },
  },
  bulk: {
    id: 'bulk_store',
    summary: 'Stores many memories, as lines or a list, with a result for each.',
    tag: 'memory',
    body: LINES,
    bodyAsList: list(MEMORY_BODY),
    bodyRequired: true,
    lines: true,
    answers: {
      200: object({
        namespace: text,
        took: count,
        errors: flag,
        items: list(
          object({
            status: whole,
            'id?': text,
            'created?': flag,
            ...STORED,
            'error?': object({ type: text, reason: text }),
          }),
        ),
      }),
    },
  },
  list: {
    id: 'svc_memory_list',
    summary: 'Lists the memories of a namespace: the latest, or pages with a filter and a sort.',
    tag: 'memory',
    params: {
      filter: about(text, 'A query clause as JSON.'),
      sort: about(
        text,
        '`stored_at`, `own_time`, `expires_at`, `id` or `metadata.NAME`, with `:asc` or `:desc`.',
      ),
      size: about({ type: 'integer', minimum: 1, maximum: 1000 }, 'Memories of a page.'),
    },
    answers: {
      200: object({
        namespace: text,
        exists: flag,
        count,
        entries: list(object({ ...memory, score: { type: 'null' } })),
        'next?': about(text, 'For `after` of the next page.'),
        not_shown: map(count),
      }),
    },
  },
  namespaces: {
    id: 'list_namespaces',
    summary: 'Lists the namespaces with counts, sizes and the time of the last store.',
    tag: 'memory',
    params: {
      prefix: about(text, 'Of the names.'),
      size: about({ type: 'integer', minimum: 1, maximum: 1000 }, 'Namespaces of a page.'),
    },
    answers: {
      200: object({
        count,
        namespaces: list(
          object({
            namespace: text,
            memories: orNull(count),
            bytes: orNull(count),
            last_store: orNull(whole),
            'unavailable?': text,
          }),
        ),
        'next?': about(text, 'For `after` of the next page.'),
      }),
    },
  },
  audit: {
    id: 'svc_memory_audit',
    summary: 'Audits a namespace: duplicates, contradictions, coming expiry, large metadata.',
    tag: 'memory',
    body: exactly({
      'examples?': { type: 'integer', minimum: 1, maximum: 50 },
      'expires_within_ms?': { type: 'integer', minimum: 1 },
    }),
    answers: {
      200: object({
        namespace: text,
        exists: flag,
        memories: count,
        exact_duplicates: object({
          groups: count,
          superfluous: count,
          complete: flag,
          examples: list(object({ count, ids: list(text) })),
        }),
        near_duplicates: object({
          ...compared,
          examples: list(object({ ids: list(text), similarity: number })),
        }),
        contradictions: object({
          ...compared,
          links: count,
          examples: list(
            object({ ids: list(text), similarity: number, differing_words: document }),
          ),
        }),
        expiring: object({
          within_ms: whole,
          count,
          examples: list(object({ id: text, expires_at: orNull(whole) })),
        }),
        largest_metadata: object({
          checked: count,
          examples: list(object({ id: text, bytes: count })),
        }),
        'never_recalled?': object({
          checked: count,
          count,
          since: orNull(whole),
          examples: list(object({ id: text, stored_at: orNull(whole) })),
        }),
        took: count,
      }),
    },
  },
  changes: {
    id: 'memory_changes',
    summary: 'Lists the changes of a namespace in order; of forgotten memories the id alone.',
    tag: 'memory',
    params: {
      since: about(text, '`next` of an earlier answer; without it, from the start.'),
      size: about({ type: 'integer', minimum: 1, maximum: 1000 }, 'Changes of an answer.'),
    },
    answers: {
      200: object({
        namespace: text,
        exists: flag,
        reset: flag,
        changes: list(
          object({
            kind: choice('store', 'edit', 'supersede', 'forget'),
            id: text,
            'text?': text,
            'metadata?': orNull(document),
            'stored_at?': orNull(whole),
            'edited_at?': orNull(whole),
            'expires_at?': orNull(whole),
            'invalid_at?': orNull(whole),
          }),
        ),
        next: orNull(text),
        more: flag,
      }),
    },
  },
  get: {
    id: 'svc_memory_get',
    summary: 'Returns a memory with its links, its supersession chain and its earlier versions.',
    tag: 'memory',
    answers: {
      200: object({
        ...{ namespace: text, found: flag, ...memory },
        ...{ edited_at: orNull(whole), own_time: orNull(whole), expires_at: orNull(whole) },
        ...{ invalid_at: orNull(whole), superseded_at: orNull(whole) },
        state: choice('live', 'superseded'),
        supersedes: list(text),
        superseded_by: list(text),
        links: list(object(link)),
        history: list(
          object({
            ...{ text: orNull(text), metadata: orNull(document), expires_at: orNull(whole) },
            ...{ from: whole, until: whole },
          }),
        ),
        not_shown: map(count),
      }),
      404: object({ namespace: text, id: text, found: flag }),
    },
  },
  edit: {
    id: 'svc_memory_edit',
    summary: 'Changes a memory and keeps the earlier version.',
    tag: 'memory',
    body: exactly({
      'text?': text,
      'metadata?': about(orNull(document), 'A merge patch: null removes a member.'),
      'vector?': orNull(vector),
      'expires_at?': orNull(moment),
    }),
    bodyRequired: true,
    answers: {
      200: object({
        ...{ id: text, namespace: text, found: flag, edited: flag },
        ...{ 'versions?': count, 'not_indexed?': list(text) },
      }),
      404: object({ id: text, namespace: text, found: flag, edited: flag }),
    },
  },
  forgetMatching: {
    id: 'forget_matching',
    summary:
      'Forgets the memories that match a filter and returns a receipt; a dry run counts them.',
    tag: 'memory',
    body: exactly({
      filter: document,
      'dry_run?': flag,
      'limit?': { type: 'integer', minimum: 1, maximum: 10_000 },
    }),
    bodyRequired: true,
    answers: {
      200: object({
        namespace: text,
        dry_run: flag,
        matched: count,
        forgotten: count,
        ids: list(text),
        left: count,
        'receipt?': object({ removed: map(count), left: map(count) }),
      }),
    },
  },
  drop: {
    id: 'svc_memory_drop',
    summary: 'Drops a namespace with its memories and links.',
    tag: 'memory',
    answers: {
      200: object({ dropped: flag, namespace: text }),
      404: object({ dropped: flag, namespace: text }),
    },
  },
  forget: {
    id: 'svc_memory_forget',
    summary: 'Forgets a memory and its links, in responses and on disk.',
    tag: 'memory',
    answers: {
      200: object({
        ...{ forgotten: flag, id: text, namespace: text },
        'receipt?': object({ removed: map(count), left: map(count) }),
      }),
      404: object({ forgotten: flag, id: text, namespace: text }),
    },
  },
  export: {
    id: 'export_namespace',
    summary: 'Exports a namespace as lines of JSON; the same state is the same bytes.',
    tag: 'memory',
    answers: { 200: LINES },
  },
  import: {
    id: 'import_namespace',
    summary: 'Imports the lines of an export into a namespace.',
    tag: 'memory',
    body: LINES,
    bodyRequired: true,
    lines: true,
    answers: {
      200: object({
        namespace: text,
        memories: imported,
        links: imported,
        suggestions: imported,
        took: number,
      }),
    },
  },
} as const satisfies Record<string, RouteSchema>;
