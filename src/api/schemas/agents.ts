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
    body: exactly({
      'query?': text,
      'vector?': vector,
      'semantic?': flag,
      'hybrid?': flag,
      'k?': { type: 'integer', minimum: 1, maximum: 10_000 },
      'filter?': document,
      'recency_weight?': share,
      'graph?': document,
      'explain?': either(flag, document),
      'collapse?': text,
      'max_chars?': { type: 'integer', minimum: 1 },
      'as_of?': moment,
      'known_at?': moment,
    }),
    answers: {
      200: object({
        namespace: text,
        hits: list(object({ ...memory, score: orNull(number) })),
        not_shown: document,
      }),
    },
  },
  list: {
    id: 'svc_memory_list',
    summary: 'The memories of a namespace, the latest first.',
    tag: 'memory',
    answers: {
      200: object({
        namespace: text,
        exists: flag,
        count,
        entries: list(object({ ...memory, score: { type: 'null' } })),
        not_shown: document,
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
