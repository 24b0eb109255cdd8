// Schemas of the routes for agents: memory and links.
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

const share = { type: 'number', minimum: 0, maximum: 1 };
const moment = about(either(whole, text), 'Epoch milliseconds or RFC 3339.');
const vector = list(number);
const memory = {
  id: text,
  text,
  metadata: orNull(document),
  stored_at: orNull(whole),
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
  'graph?': document,
  'explain?': either(flag, document),
  'collapse?': text,
  'max_chars?': { type: 'integer', minimum: 1 },
  'rerank?': exactly({
    inference_id: text,
    'top?': { type: 'integer', minimum: 1, maximum: 200 },
  }),
  'as_of?': moment,
  'known_at?': moment,
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
    answers: { 200: document },
  },
  store: {
    id: 'svc_memory_store',
    summary: 'Stores a memory.',
    tag: 'memory',
    body: exactly({
      'text?': text,
      'metadata?': document,
      'vector?': vector,
      'id?': text,
      'dedup?': flag,
      'dedup_threshold?': share,
      'supersedes?': list(text),
      'expires_at?': moment,
    }),
    bodyRequired: true,
    answers: {
      200: object({ id: text, created: flag }),
      201: object({ id: text, created: flag }),
    },
  },
  recall: {
    id: 'svc_memory_recall',
    summary: 'Memories that fit: by words, by meaning, by vector, or the latest.',
    tag: 'memory',
    body: exactly(RECALL),
    answers: {
      200: object({
        namespace: text,
        hits: list(object({ ...memory, score: orNull(number), 'rerank_score?': number })),
        not_shown: document,
        'rerank?': object({ inference_id: text, top: count, applied: flag }),
      }),
    },
  },
  recallMany: {
    id: 'recall_many',
    summary: 'Memories of several namespaces that fit, each with its namespace.',
    tag: 'memory',
    body: exactly({ namespaces: either(text, list(text)), ...RECALL }),
    answers: {
      200: object({
        namespaces: list(text),
        hits: list(object({ namespace: text, ...memory, score: orNull(number) })),
        not_shown: document,
      }),
    },
  },
  bulk: {
    id: 'bulk_store',
    summary: 'Stores many memories, as lines or a list, each with a result of its own.',
    tag: 'memory',
    body: LINES,
    bodyAsList: list(document),
    bodyRequired: true,
    lines: true,
    answers: {
      200: object({
        namespace: text,
        took: count,
        errors: flag,
        items: list(object({ status: whole, 'id?': text, 'created?': flag, 'error?': document })),
      }),
    },
  },
  list: {
    id: 'svc_memory_list',
    summary: 'The memories of a namespace: the latest, or pages with a filter and a sort.',
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
        not_shown: document,
      }),
    },
  },
  namespaces: {
    id: 'list_namespaces',
    summary: 'The namespaces, with counts, sizes and the times of the last store.',
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
    summary: 'What may be worth tidying: duplicates, contradictions, ends, large metadata.',
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
        exact_duplicates: document,
        near_duplicates: document,
        contradictions: document,
        expiring: document,
        largest_metadata: document,
        took: count,
      }),
    },
  },
  changes: {
    id: 'memory_changes',
    summary: 'What changed in a namespace, in order; what was forgotten by its id alone.',
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
        changes: list(object({ kind: choice('store', 'edit', 'supersede', 'forget'), id: text })),
        next: orNull(text),
        more: flag,
      }),
    },
  },
  get: {
    id: 'svc_memory_get',
    summary: 'A memory with its links, the memories before and after it, and its earlier versions.',
    tag: 'memory',
    answers: {
      200: object({
        ...{ namespace: text, found: flag, ...memory },
        ...{ edited_at: orNull(whole), own_time: orNull(whole), expires_at: orNull(whole) },
        ...{ invalid_at: orNull(whole), superseded_at: orNull(whole) },
        state: choice('live', 'superseded'),
        supersedes: list(text),
        superseded_by: list(text),
        links: list(document),
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
    summary: 'Changes a memory; the earlier version is kept.',
    tag: 'memory',
    body: exactly({
      'text?': text,
      'metadata?': about(orNull(document), 'A merge patch: null removes a member.'),
      'vector?': orNull(vector),
      'expires_at?': orNull(moment),
    }),
    bodyRequired: true,
    answers: {
      200: object({ id: text, namespace: text, found: flag, edited: flag, 'versions?': count }),
      404: object({ id: text, namespace: text, found: flag, edited: flag }),
    },
  },
  forgetMatching: {
    id: 'forget_matching',
    summary: 'Removes the memories that match a filter, with a receipt; a dry run counts them.',
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
    summary: 'Removes a namespace with its memories and links.',
    tag: 'memory',
    answers: {
      200: object({ dropped: flag, namespace: text }),
      404: object({ dropped: flag, namespace: text }),
    },
  },
  forget: {
    id: 'svc_memory_forget',
    summary: 'Removes a memory and its links, from answers and from disk.',
    tag: 'memory',
    answers: {
      200: object({ forgotten: flag, id: text, namespace: text }),
      404: object({ forgotten: flag, id: text, namespace: text }),
    },
  },
  export: {
    id: 'export_namespace',
    summary: 'A namespace as lines of JSON, the same state as the same bytes.',
    tag: 'memory',
    answers: { 200: LINES },
  },
  import: {
    id: 'import_namespace',
    summary: 'Merges lines of an export into a namespace.',
    tag: 'memory',
    body: LINES,
    bodyRequired: true,
    lines: true,
    answers: { 200: document },
  },
} as const satisfies Record<string, RouteSchema>;

const suggestion = { 200: document };

export const GRAPH = {
  put: {
    id: 'put_brain',
    summary: 'Which index holds the nodes of a brain.',
    tag: 'graph',
    body: object({ 'nodes_index?': orNull(text) }),
    bodyRequired: true,
    answers: { 200: document },
  },
  ego: {
    id: 'svc_graph_ego',
    summary: 'The links around a node, over one hop or two, as they held at a moment.',
    tag: 'graph',
    needs: ['node'],
    params: { limit: whole },
    answers: {
      200: object({
        brain: text,
        node: text,
        exists: flag,
        as_of: whole,
        hops: whole,
        direction: choice('out', 'in', 'both'),
        types: orNull(list(text)),
        links: list(document),
        nodes: map(document),
        reachable: list(object({ id: text, hop: whole, via: text })),
        not_shown: document,
        took: number,
      }),
    },
  },
  overview: {
    id: 'svc_graph_overview',
    summary: 'A brain in numbers: links, nodes, hubs, types, its course over time.',
    tag: 'graph',
    params: { top: whole },
    answers: {
      200: object({
        brain: text,
        exists: flag,
        as_of: whole,
        links: map(count),
        nodes: map(count),
        hubs: list(document),
        types: list(document),
        detectors: list(document),
        timeline: document,
        not_shown: document,
      }),
    },
  },
  link: {
    id: 'svc_graph_link',
    summary: 'Asserts a link.',
    tag: 'graph',
    body: exactly({
      src: text,
      dst: text,
      type: text,
      'confidence?': share,
      'weight?': share,
      'evidence?': document,
      'valid_at?': moment,
    }),
    bodyRequired: true,
    answers: {
      200: object({ brain: text, edge_id: text, created: flag, link: document }),
      201: object({ brain: text, edge_id: text, created: flag, link: document }),
    },
  },
  unlink: {
    id: 'svc_graph_unlink',
    summary: 'Ends a link.',
    tag: 'graph',
    body: exactly({ 'invalid_at?': orNull(moment) }),
    answers: { 200: object({ brain: text, edge_id: text, invalidated: flag }) },
  },
  detect: {
    id: 'detect_links',
    summary: 'Looks for links in the documents of a brain.',
    tag: 'graph',
    body: document,
    answers: { 200: document, 202: document },
  },
  progress: {
    id: 'detection_progress',
    summary: 'How far the last detection is.',
    tag: 'graph',
    answers: { 200: document },
  },
  verify: {
    id: 'verify_links',
    summary: 'Reads the quotes of detected links again.',
    tag: 'graph',
    body: document,
    answers: { 200: document },
  },
  suggestions: {
    id: 'list_suggestions',
    summary: 'Links that detectors propose.',
    tag: 'graph',
    params: { limit: whole },
    answers: { 200: document },
  },
  accept: {
    id: 'accept_suggestion',
    summary: 'Makes a proposal a link.',
    tag: 'graph',
    body: document,
    answers: suggestion,
  },
  reject: {
    id: 'reject_suggestion',
    summary: 'Refuses a proposal, for good.',
    tag: 'graph',
    body: document,
    answers: suggestion,
  },
} as const satisfies Record<string, RouteSchema>;
