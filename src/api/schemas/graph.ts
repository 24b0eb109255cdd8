// Schemas of the routes of links.
import { link, moment, share } from './agents.js';
import {
  about,
  choice,
  count,
  document,
  either,
  exactly,
  flag,
  list,
  map,
  number,
  object,
  orNull,
  type RouteSchema,
  text,
  whole,
} from './kinds.js';

const suggestion = {
  ...{ id: text, src: text, dst: text, type: text, confidence: number, weight: number },
  ...{ evidence: orNull(document), detector: orNull(text), valid_at: orNull(whole) },
  ...{ created_at: orNull(whole), state: text, decided_at: orNull(whole) },
};
const decision = {
  200: object({ brain: text, id: text, state: text, changed: flag, 'edge_id?': text }),
};
const detected = object({
  brain: text,
  dry_run: flag,
  documents: count,
  searched: count,
  links: map(count),
  suggestions: map(count),
  detectors: list(object({ detector: text, links: count, suggestions: count })),
  'found?': list(document),
  'not_shown?': count,
  took: number,
});
const progress = object({ brain: text, running: flag });

export const GRAPH = {
  list: {
    id: 'list_brains',
    summary: 'Lists the brains that have links, each with the index of its nodes.',
    tag: 'graph',
    params: {
      prefix: about(text, 'Of the names.'),
      size: about({ type: 'integer', minimum: 1, maximum: 1000 }, 'Brains of a page.'),
    },
    answers: {
      200: object({
        count,
        brains: list(object({ brain: text, nodes_index: text })),
        'next?': about(text, 'For `after` of the next page.'),
      }),
    },
  },
  put: {
    id: 'put_brain',
    summary: 'Creates a brain over the index that holds its nodes.',
    tag: 'graph',
    body: object({ 'nodes_index?': orNull(text) }),
    bodyRequired: true,
    answers: {
      200: object({ acknowledged: flag, brain: text, nodes_index: text, nodes_index_exists: flag }),
    },
  },
  ego: {
    id: 'svc_graph_ego',
    summary: 'Returns the links around a node over one or two hops, as of a moment.',
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
        links: list(object({ ...link, direction: choice('out', 'in'), hop: whole })),
        nodes: map(document),
        reachable: list(object({ id: text, hop: whole, via: text })),
        not_shown: document,
        took: number,
      }),
    },
  },
  overview: {
    id: 'svc_graph_overview',
    summary: 'Returns an overview of a brain: numbers of links and nodes, hubs, types, timeline.',
    tag: 'graph',
    params: { top: whole },
    answers: {
      200: object({
        brain: text,
        exists: flag,
        as_of: whole,
        links: map(count),
        nodes: map(count),
        hubs: list(object({ id: text, title: orNull(text), degree: count, in: count, out: count })),
        types: list(object({ type: text, live: count, retired: count })),
        detectors: list(object({ detector: text, links: count })),
        timeline: document,
        not_shown: document,
      }),
    },
  },
  link: {
    id: 'svc_graph_link',
    summary: 'Asserts a link between two nodes, with evidence.',
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
      200: object({ brain: text, edge_id: text, created: flag, link: object(link) }),
      201: object({ brain: text, edge_id: text, created: flag, link: object(link) }),
    },
  },
  unlink: {
    id: 'svc_graph_unlink',
    summary: 'Retires a link: it ends at a moment and stays in the history.',
    tag: 'graph',
    body: exactly({ 'invalid_at?': orNull(moment) }),
    answers: {
      200: object({
        ...{ brain: text, edge_id: text, invalidated: flag, 'invalid_at?': whole },
        ...{ 'already_invalid_at?': whole, expired_at: orNull(whole) },
      }),
    },
  },
  detect: {
    id: 'detect_links',
    summary: 'Detects links in the documents of a brain.',
    tag: 'graph',
    body: exactly({
      'detectors?': list(text),
      'nodes?': list(text),
      'since?': moment,
      'dry_run?': flag,
    }),
    answers: { 200: either(detected, progress) },
  },
  progress: {
    id: 'detection_progress',
    summary: 'Returns the progress of the last detection.',
    tag: 'graph',
    answers: { 200: progress },
  },
  verify: {
    id: 'verify_links',
    summary: 'Verifies the quotes of detected links against their documents.',
    tag: 'graph',
    body: exactly({ 'types?': list(text), 'detectors?': list(text), 'nodes?': list(text) }),
    answers: {
      200: object({
        ...{ brain: text, checked: count, ok: count, moved: count, stale: count },
        ...{ marked: count, cleared: count, links: list(document) },
      }),
    },
  },
  suggestions: {
    id: 'list_suggestions',
    summary: 'Lists the links that detectors suggest.',
    tag: 'graph',
    params: { limit: whole },
    answers: {
      200: object({
        brain: text,
        total: count,
        suggestions: list(object(suggestion)),
        not_shown: count,
      }),
    },
  },
  accept: {
    id: 'accept_suggestion',
    summary: 'Accepts a suggestion: it becomes a link.',
    tag: 'graph',
    answers: decision,
  },
  reject: {
    id: 'reject_suggestion',
    summary: 'Rejects a suggestion for good.',
    tag: 'graph',
    answers: decision,
  },
} as const satisfies Record<string, RouteSchema>;
