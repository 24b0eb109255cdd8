// Tools that look after memories of a namespace: read one with its history, change it, find what
// may be worth tidying.
import { ask, path, type Reply } from '../call.js';
import { asData, clipText, clipValue } from '../clip.js';
import {
  type Arguments,
  type Context,
  type Operation,
  type Outcome,
  pick,
  present,
} from '../operation.js';
import { anObject, flag, list, MOMENT, number, object, text, whole } from '../schema.js';
import { uriOf } from '../uris.js';

/** Earlier versions and links that are shown. */
const MAX_SHOWN = 20;

export const MEMORY_MANAGEMENT: readonly Operation[] = [
  {
    name: 'svc_memory_get',
    title: 'Read a memory',
    description:
      'Reads one memory by its id, also one that was superseded: its links, what it supersedes and what supersedes it, and ' +
      'its earlier versions. Example: {"namespace": "ann", "id": "m1"}.',
    subject: 'namespace',
    effect: 'reads',
    idempotent: true,
    input: { id: text('Of the memory.') },
    output: object({
      id: text('Of the memory.'),
      namespace: text('Where it is.'),
      found: flag('False: it was never stored, is forgotten, or has expired.'),
      'text?': text('What was stored, cut where long.'),
      'metadata?': anObject('Its tags.'),
      'state?': text('live or superseded.'),
      'stored_at?': number('Epoch milliseconds; so are the other times.'),
      'edited_at?': number('Of the last change.'),
      'expires_at?': number('When it leaves.'),
      'supersedes?': list({ type: 'string' }, 'Ids, the nearest first.'),
      'superseded_by?': list({ type: 'string' }, 'Ids, the nearest first.'),
      'links?': list({ type: 'object' }, 'Links at either end, with src, type and dst.'),
      'history?': list({ type: 'object' }, 'Earlier versions, the latest first.'),
      not_shown: object(
        { links: number('Links.'), history: number('Earlier versions.') },
        'Left out here.',
      ),
      uri: text('Resource with the memory.'),
    }),
    run: getMemory,
  },
  {
    name: 'svc_memory_edit',
    title: 'Correct a memory',
    description:
      'Changes a memory in place: a slip in its text, its tags, its expiry. The earlier version is kept. When something is ' +
      'no longer true, store what is true now with supersedes instead. Tags are merged, null removes one. Example: ' +
      '{"namespace": "ann", "id": "m1", "metadata": {"topic": "home"}}.',
    subject: 'namespace',
    effect: 'writes',
    idempotent: true,
    input: {
      id: text('Of the memory.'),
      'text?': text('The new text.'),
      'metadata?': anObject('Tags to add, replace, or remove by null.'),
      'vector?': list({ type: 'number' }, 'The new embedding, where it has one of your own.'),
      'expires_at?': MOMENT,
    },
    output: object({
      id: text('Of the memory.'),
      namespace: text('Where it is.'),
      found: flag('False: there is no such memory.'),
      edited: flag('False: it was so already.'),
      'versions?': number('Earlier versions that are kept.'),
    }),
    run: editMemory,
  },
  {
    name: 'svc_memory_audit',
    title: 'Look memories over',
    description:
      'Finds what may be worth tidying in a namespace: duplicates, memories that contradict each other, what expires soon, ' +
      'the largest tags; counts with examples. Then forget, edit or supersede. Example: {"namespace": "ann"}.',
    subject: 'namespace',
    effect: 'reads',
    idempotent: true,
    input: { 'examples?': whole(1, 50, 'Examples of each part; 5 by default.') },
    output: object({
      namespace: text('Whose memories.'),
      exists: flag('False: nothing was ever stored.'),
      memories: number('How many can be recalled.'),
      exact_duplicates: anObject('Memories with the same words.'),
      near_duplicates: anObject('Memories with almost the same words.'),
      contradictions: anObject('The same except for a number, a negation, a name.'),
      expiring: anObject('What leaves within a week.'),
      largest_metadata: anObject('The largest tags, in bytes.'),
      'never_recalled?': anObject('Where recalls are counted: what none of them returned.'),
    }),
    run: auditMemories,
  },
];

async function auditMemories(
  { call }: Context,
  namespace: string,
  args: Arguments,
): Promise<Outcome> {
  const at = `${path('_memory', namespace)}/_audit`;
  const reply = await ask(call, 'POST', at, pick(args, ['examples']));
  const { took: _took, never_recalled, ...rest } = reply;
  const structured = present({
    ...rest,
    never_recalled: never_recalled === undefined ? undefined : present(never_recalled),
  });
  const { exact_duplicates, near_duplicates, contradictions, expiring } = reply;
  const said = [
    `${reply.memories} memories`,
    `${exact_duplicates.superfluous} exact duplicates`,
    `${near_duplicates.count} near ones`,
    `${contradictions.count} contradictions among the latest ${contradictions.checked}`,
    `${expiring.count} expire soon`,
    ...(never_recalled === undefined ? [] : [`${never_recalled.count} were never recalled`]),
  ].join(', ');
  return { structured, text: `${said}.` };
}

async function getMemory({ call }: Context, namespace: string, args: Arguments): Promise<Outcome> {
  const id = String(args['id']);
  const reply = await ask(call, 'GET', path('_memory', namespace, id), undefined, [404]);
  const uri = uriOf('memory', namespace, id);
  if (reply.found !== true) {
    const structured = { id, namespace, found: false, not_shown: { links: 0, history: 0 }, uri };
    return { structured, text: `There is no memory [${id}].` };
  }
  const links = (reply.links as readonly Reply[]).slice(0, MAX_SHOWN);
  const history = (reply.history as readonly Reply[]).slice(0, MAX_SHOWN);
  const structured = present({
    ...pick(reply, ['id', 'namespace', 'found', 'state', 'supersedes', 'superseded_by']),
    text: clipText(reply.text),
    metadata: clipValue(reply.metadata).value,
    stored_at: reply.stored_at ?? undefined,
    edited_at: reply.edited_at ?? undefined,
    expires_at: reply.expires_at ?? undefined,
    links: links.map((link) => pick(link, ['src', 'type', 'dst', 'state'])),
    history: history.map(versionOf),
    not_shown: {
      links: reply.not_shown.links + reply.links.length - links.length,
      history: reply.history.length - history.length,
    },
    uri,
  });
  const lines = [
    `[${id}] ${clipText(reply.text)}`,
    ...history.map((one) => `earlier: ${clipText(one.text ?? '')}`),
  ];
  return { structured, text: `${reply.state}.\n${asData(lines)}` };
}

function versionOf({
  text: said,
  metadata,
  from,
  until,
}: Reply): Readonly<Record<string, unknown>> {
  return present({
    text: said === null ? undefined : clipText(said),
    metadata: metadata === null ? undefined : clipValue(metadata).value,
    from,
    until,
  });
}

async function editMemory({ call }: Context, namespace: string, args: Arguments): Promise<Outcome> {
  const id = String(args['id']);
  const changes = pick(args, ['text', 'metadata', 'vector', 'expires_at']);
  const reply = await ask(call, 'PATCH', path('_memory', namespace, id), changes, [404]);
  const structured = pick(reply, ['id', 'namespace', 'found', 'edited', 'versions']);
  if (reply.found !== true) return { structured, text: `There is no memory [${id}].` };
  const done = reply.edited
    ? `Changed ${id}; the earlier version is kept.`
    : `${id} is so already.`;
  return { structured, text: done };
}
