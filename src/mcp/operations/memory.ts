// Tools for the memories of a namespace: store, recall, list, forget.
import { ask, path } from '../call.js';
import { readCursor, toCursor } from '../clip.js';
import {
  type Arguments,
  type Context,
  NEXT_CURSOR,
  NOT_SHOWN,
  type Operation,
  type Outcome,
  PAGING,
  pick,
  present,
} from '../operation.js';
import { checkReach } from '../pins.js';
import { anObject, flag, list, MOMENT, number, object, share, text, whole } from '../schema.js';
import { uriOf } from '../uris.js';
import { ENTRY, outcome, pageOf } from './memory-entries.js';

const K = 10;

export const MEMORY_OPERATIONS: readonly Operation[] = [
  {
    name: 'svc_memory_store',
    title: 'Remember',
    description:
      'Stores one memory: a fact, a decision or a preference, worth knowing in a later session. One thought each, in whole ' +
      'sentences with names and dates. Send an id where a retry must not store twice, dedup to skip what is known already, ' +
      'supersedes when it replaces older ones. Example: {"namespace": "ann", "text": "Ann lives in Rome since May 2026", ' +
      '"metadata": {"topic": "home"}}.',
    subject: 'namespace',
    effect: 'writes',
    idempotent: false,
    input: {
      'text?': text('What to remember; needed unless there is a vector.'),
      'metadata?': anObject('Tags of your own, for filters; session links what belongs together.'),
      'vector?': list({ type: 'number' }, 'An embedding of your own.'),
      'id?': text('Its id; the same again replaces it.'),
      'dedup?': flag('Store nothing if nearly the same is there.'),
      'dedup_threshold?': share('How near that is; 0.95 by default.'),
      'supersedes?': list({ type: 'string' }, 'Ids of memories that it replaces.'),
      'expires_at?': MOMENT,
    },
    output: object({
      id: text('Of the memory, or of the one that was there.'),
      namespace: text('Where it is.'),
      created: flag('False: nothing new was stored.'),
      'deduplicated?': flag('Nearly the same was there.'),
      'score?': number('How near.'),
      uri: text('Resource with the memory.'),
    }),
    run: store,
  },
  {
    name: 'svc_memory_recall',
    title: 'Recall',
    description:
      'Brings the memories that fit a question, by words and meaning together, with what was said around them. Ask before answering anything that earlier ' +
      'sessions may know. Without a query: the latest. Example: {"namespace": "ann", "query": "where does Ann live"}; ' +
      'with links: {"namespace": "ann", "query": "Rome", "graph": {"mode": "blend"}}.',
    subject: 'namespace',
    effect: 'reads',
    idempotent: true,
    input: {
      'query?': text('The question.'),
      'semantic?': flag('By meaning alone.'),
      'hybrid?': flag('By words and meaning, the default; false: by words alone.'),
      'context?': anObject(
        'Weights from 0 to 1 of what surrounds a memory: {"neighbours": 0.3, "session": 0.5, "speaker": 0.3, "phrase": 0.2}, the default; 0: does not count.',
      ),
      'vector?': list({ type: 'number' }, 'An embedding of your own to be near to.'),
      'k?': whole(1, 1000, 'Memories to bring; 10 by default.'),
      'filter?': anObject('A query clause on tags: {"term": {"metadata.topic": "home"}}.'),
      'recency_weight?': share('0: relevance alone, 1: the latest first.'),
      'graph?': anObject(
        'Use links: {"mode": "blend", "hops": 1} or {"mode": "restrict", "seeds": ["id"]}.',
      ),
      'collapse?': text(
        'Only the best of each value of this tag: metadata.session brings sessions.',
      ),
      'rerank?': anObject(
        'Let a registered reranker put the first in order: {"inference_id": "id"}.',
      ),
      'as_of?': MOMENT,
      'known_at?': MOMENT,
      ...PAGING,
    },
    output: object({
      namespace: text('Whose memories.'),
      hits: list(object(ENTRY), 'The best first.'),
      not_shown: NOT_SHOWN,
      'next_cursor?': NEXT_CURSOR,
    }),
    run: recall,
  },
  {
    name: 'svc_memory_list',
    title: 'List memories',
    description:
      'Lists the latest memories of a namespace, a hundred at most: to look over what is known. To find something, use ' +
      'svc_memory_recall. Example: {"namespace": "ann"}.',
    subject: 'namespace',
    effect: 'reads',
    idempotent: true,
    input: { 'k?': whole(1, 100, 'Memories to show; 10 by default.'), ...PAGING },
    output: object({
      namespace: text('Whose memories.'),
      exists: flag('False: nothing was ever stored.'),
      count: number('How many there are.'),
      hits: list(object(ENTRY), 'The latest first.'),
      not_shown: NOT_SHOWN,
      'next_cursor?': NEXT_CURSOR,
    }),
    run: listMemories,
  },
  {
    name: 'svc_memory_forget',
    title: 'Forget',
    description:
      'Removes one memory with its links, for good. Only when the user asks for it, or for what must not be kept; to correct ' +
      'something, store the correction with supersedes. Example: {"namespace": "ann", "id": "m1"}.',
    subject: 'namespace',
    effect: 'removes',
    idempotent: true,
    input: { id: text('Of the memory.') },
    output: object({
      id: text('Of the memory.'),
      namespace: text('Where it was.'),
      forgotten: flag('False: there was none.'),
    }),
    run: async ({ call }, namespace, args) => {
      const id = String(args['id']);
      const at = path('_memory', namespace, id);
      const { forgotten } = await ask(call, 'DELETE', at, undefined, [404]);
      const reported = forgotten === true ? `Forgotten: ${id}.` : `There is no memory [${id}].`;
      return { structured: { id, namespace, forgotten: forgotten === true }, text: reported };
    },
  },
];

async function store({ call }: Context, namespace: string, args: Arguments): Promise<Outcome> {
  const names = Object.keys(args).filter((name) => name !== 'namespace');
  const reply = await ask(call, 'POST', path('_memory', namespace), pick(args, names));
  const structured = present({
    ...pick(reply, ['id', 'namespace', 'created', 'deduplicated', 'score']),
    uri: uriOf('memory', namespace, reply.id),
  });
  const text = reply.created
    ? `Stored as ${reply.id} in ${namespace}.`
    : `Not stored: ${reply.id} in ${namespace} says it already.`;
  return { structured, text };
}

async function recall(
  { call, pins }: Context,
  namespace: string,
  args: Arguments,
): Promise<Outcome> {
  checkReach(pins, args['filter']);
  const from = readCursor(args['cursor']);
  const k = (args['k'] as number | undefined) ?? K;
  const plain = [
    'query',
    'vector',
    'semantic',
    'context',
    'filter',
    'recency_weight',
    'graph',
    'collapse',
    'rerank',
    'as_of',
    'known_at',
  ];
  const reply = await ask(call, 'POST', `${path('_memory', namespace)}/_recall`, {
    ...pick(args, plain),
    ...(isHybrid(args) ? { hybrid: true } : {}),
    k: from + k,
  });
  const page = pageOf(namespace, reply.hits.slice(from), k, args);
  const { k: beyondK = 0, ...reasons } = reply.not_shown ?? {};
  const isMore = page.beyond > 0 || beyondK > 0;
  const next = isMore && page.shown.length > 0 ? toCursor(from + page.shown.length) : undefined;
  const not_shown = {
    ...(from === 0 ? {} : { before: from }),
    k: beyondK,
    ...reasons,
    max_chars: page.beyond,
  };
  return outcome({ namespace, hits: page.shown, not_shown, next_cursor: next }, page.shown, next);
}

/**
 * Whether to search by words and meaning, the default for models unless another mode was requested.
 */
function isHybrid(args: Arguments): boolean {
  if (args['hybrid'] !== undefined) return args['hybrid'] === true;
  return args['query'] !== undefined && args['vector'] === undefined && args['semantic'] !== true;
}

async function listMemories(
  { call }: Context,
  namespace: string,
  args: Arguments,
): Promise<Outcome> {
  const from = readCursor(args['cursor']);
  const k = (args['k'] as number | undefined) ?? K;
  const reply = await ask(call, 'GET', path('_memory', namespace));
  const entries = reply.entries.slice(from, from + k);
  const page = pageOf(namespace, entries, k, args);
  const next = from + page.shown.length;
  const cursor = page.shown.length > 0 && next < reply.entries.length ? toCursor(next) : undefined;
  const behind = Math.max(0, reply.count - from - entries.length);
  const not_shown = {
    ...(from === 0 ? {} : { before: from }),
    ...reply.not_shown,
    k: behind,
    max_chars: page.beyond,
  };
  const { exists, count } = reply;
  const all = { namespace, exists, count, hits: page.shown, not_shown, next_cursor: cursor };
  return outcome(all, page.shown, cursor);
}

/** A memory as it was stored; undefined if it does not exist, has expired or was superseded. */
export async function readMemory(
  { call }: Context,
  namespace: string,
  id: string,
): Promise<unknown> {
  const reply = await ask(call, 'POST', `${path('_memory', namespace)}/_recall`, {
    filter: { ids: { values: [id] } },
    k: 1,
  });
  return reply.hits[0];
}
