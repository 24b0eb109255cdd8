// Tools for the links of a brain: neighbourhood of a node, assert, retire, overview, and
// suggestions of detectors.
import { ask, path, query, type Reply } from '../call.js';
import { asData, clipText, clipValue, readCursor } from '../clip.js';
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
import {
  anObject,
  choice,
  flag,
  list,
  MOMENT,
  number,
  object,
  share,
  text,
  whole,
} from '../schema.js';
import { uriOf } from '../uris.js';
import { cursorOf, LINK, linkOf, pageOf, textOf } from './links.js';

const LIMIT = 25;

export const GRAPH_OPERATIONS: readonly Operation[] = [
  {
    name: 'svc_brain_ego',
    title: 'Look around a node',
    description:
      'Shows the links around one node, a memory or document by its id, with evidence, over one hop or two, as they hold now ' +
      'or held at as_of. Use it to explain how things hang together. Example: {"brain": "ann", "node": "m1", "hops": 2}.',
    subject: 'brain',
    effect: 'reads',
    idempotent: true,
    input: {
      node: text('Id of the node.'),
      'direction?': choice(['out', 'in', 'both'], 'Which links; both by default.'),
      'hops?': whole(1, 2, '1 by default.'),
      'types?': list({ type: 'string' }, 'Link types alone.'),
      'include_expired?': flag('Retired links as well.'),
      'include_nodes?': flag('Titles and previews of nodes; true by default.'),
      'limit?': whole(1, 975, 'Links to show; 25 by default.'),
      'as_of?': MOMENT,
      'known_at?': MOMENT,
      ...PAGING,
    },
    output: object({
      brain: text('Which.'),
      node: text('The node in the middle.'),
      exists: flag('False: there is no document of that id.'),
      links: list(LINK, 'The strongest first.'),
      nodes: anObject('Title and preview by id.'),
      reachable: list(anObject('id, hop and via.'), 'Every other node.'),
      not_shown: NOT_SHOWN,
      'next_cursor?': NEXT_CURSOR,
    }),
    run: ego,
  },
  {
    name: 'svc_brain_link',
    title: 'Assert a link',
    description:
      'States that one node relates to another, with a quote as evidence where there is one. Pass valid_at where a retry must ' +
      'not state it twice. Example: {"brain": "ann", "src": "m2", "dst": "m1", "type": "contradicts", ' +
      '"evidence": {"quote": "no longer in Rome", "source": "m2", "offset": 4}}.',
    subject: 'brain',
    effect: 'writes',
    idempotent: true,
    input: {
      src: text('Id of the node that it starts from.'),
      dst: text('Id of another node.'),
      type: text('Such as references, mentions, contradicts, follows.'),
      'confidence?': share('How sure; 1 by default.'),
      'weight?': share('How strong; 1 by default.'),
      'evidence?': anObject('{"quote", "source", "offset"}; offset in bytes.'),
      'valid_at?': MOMENT,
    },
    output: object({
      brain: text('Which.'),
      edge_id: text('For svc_brain_unlink.'),
      created: flag('False: it was said before.'),
      'link?': LINK,
    }),
    run: link,
  },
  {
    name: 'svc_brain_unlink',
    title: 'Retire a link',
    description:
      'Ends a link that holds no longer. It stays visible at earlier moments and is never deleted. edge_id stands in ' +
      'svc_brain_ego. Example: {"brain": "ann", "edge_id": "5f1c…"}.',
    subject: 'brain',
    effect: 'writes',
    idempotent: true,
    input: { edge_id: text('Of the link.'), 'invalid_at?': MOMENT },
    output: object({
      brain: text('Which.'),
      edge_id: text('Of the link.'),
      invalidated: flag('It has ended.'),
      'invalid_at?': number('Since when.'),
      'already_invalid_at?': number('It had ended before.'),
    }),
    run: unlink,
  },
  {
    name: 'svc_brain_overview',
    title: 'See a brain as a whole',
    description:
      'Counts links and nodes, and names hubs, link types and detectors: where to start in a brain that is not known yet. ' +
      'Example: {"brain": "ann", "top": 5}.',
    subject: 'brain',
    effect: 'reads',
    idempotent: true,
    input: { 'top?': whole(1, 50, 'Length of each list; 10 by default.'), 'as_of?': MOMENT },
    output: object({
      brain: text('Which.'),
      exists: flag('False: there are no links yet.'),
      links: anObject('Counts by state.'),
      nodes: anObject('Counts.'),
      hubs: list(anObject('id, title and degrees.'), 'Nodes with the most links.'),
      types: list(anObject('type and counts.'), 'The most frequent first.'),
      detectors: list(anObject('detector and count.'), 'Detectors that found links.'),
      not_shown: NOT_SHOWN,
    }),
    run: overview,
  },
  {
    name: 'svc_links_suggest',
    title: 'Proposed links',
    description:
      'Lists links that detectors propose and that are not decided yet. Accept one by stating it with svc_brain_link. ' +
      'Example: {"brain": "ann", "node": "m1"}.',
    subject: 'brain',
    effect: 'reads',
    idempotent: true,
    input: {
      'node?': text('At either end.'),
      'types?': list({ type: 'string' }, 'Link types alone.'),
      'limit?': whole(1, 975, 'Proposals to show; 25 by default.'),
      ...PAGING,
    },
    output: object({
      brain: text('Which.'),
      total: number('How many there are.'),
      suggestions: list(LINK, 'The surest first.'),
      not_shown: NOT_SHOWN,
      'next_cursor?': NEXT_CURSOR,
    }),
    run: suggest,
  },
];

async function ego({ call }: Context, brain: string, args: Arguments): Promise<Outcome> {
  const from = readCursor(args['cursor']);
  const limit = (args['limit'] as number | undefined) ?? LIMIT;
  const names = [
    'node',
    'direction',
    'hops',
    'types',
    'include_expired',
    'include_nodes',
    'as_of',
    'known_at',
  ];
  const params = query({ ...pick(args, names), limit: Math.min(from + limit, 1000) });
  const reply = await ask(call, 'GET', `${path('_graph', brain)}/ego${params}`);
  const page = pageOf(reply.links.slice(from).map(linkOf), args);
  const cursor = cursorOf(page, from, reply.not_shown.reasons?.limit ?? 0);
  const ids = new Set([args['node'], ...page.shown.flatMap(({ src, dst }) => [src, dst])]);
  const nodes = Object.entries(reply.nodes as Record<string, Reply>)
    .filter(([id]) => ids.has(id))
    .map(([id, node]) => [id, present(clipValue(node).value as object as Record<string, unknown>)]);
  const { links: left, ...account } = reply.not_shown;
  const structured = present({
    ...pick(reply, ['brain', 'node', 'exists']),
    links: page.shown,
    nodes: Object.fromEntries(nodes),
    reachable: reply.reachable.filter((one: Reply) => ids.has(one.id)),
    not_shown: {
      ...(from === 0 ? {} : { before: from }),
      links: left,
      ...account,
      max_chars: page.beyond,
    },
    next_cursor: cursor,
  });
  const head = `${page.shown.length} links around ${args['node']}, ${left + page.beyond} not shown${cursor === undefined ? '' : `, next_cursor ${cursor}`}.`;
  return { structured, text: textOf(head, page.shown) };
}

async function link({ call }: Context, brain: string, args: Arguments): Promise<Outcome> {
  const names = ['src', 'dst', 'type', 'confidence', 'weight', 'evidence', 'valid_at'];
  const reply = await ask(call, 'POST', `${path('_graph', brain)}/link`, pick(args, names));
  const { edge_id, created } = reply;
  return {
    structured: present({ brain, edge_id, created, link: linkOf(reply.link) }),
    text: `${created ? 'Linked' : 'Known already'}: ${args['src']} ${args['type']} ${args['dst']} (edge_id ${edge_id}).`,
  };
}

async function unlink({ call }: Context, brain: string, args: Arguments): Promise<Outcome> {
  const id = String(args['edge_id']);
  const at = `${path('_graph', brain, 'link', id)}${query(pick(args, ['invalid_at']))}`;
  const reply = await ask(call, 'DELETE', at);
  const names = ['brain', 'edge_id', 'invalidated', 'invalid_at', 'already_invalid_at'];
  return {
    structured: present(pick(reply, names)),
    text: reply.already_invalid_at === undefined ? `Retired: ${id}.` : `Retired before: ${id}.`,
  };
}

async function overview({ call }: Context, brain: string, args: Arguments): Promise<Outcome> {
  const params = query(pick(args, ['top', 'as_of']));
  const reply = await ask(call, 'GET', `${path('_graph', brain)}/overview${params}`);
  const { exists, links, nodes, types, detectors, not_shown } = reply;
  const hubs = (reply.hubs as readonly Reply[]).map((hub) =>
    present({ ...hub, title: clip(hub.title) }),
  );
  const lines = [
    ...hubs.map(
      ({ id, title, degree }) =>
        `hub ${id}${title === undefined ? '' : ` ${title}`}: ${degree} links`,
    ),
    ...(types as readonly Reply[]).map(({ type, live }) => `type ${type}: ${live} live`),
  ];
  const head = `${links.live} live and ${links.retired} retired links over ${nodes.linked} nodes.`;
  return {
    structured: { brain, exists, links, nodes, hubs, types, detectors, not_shown },
    text: lines.length === 0 ? head : `${head}\n${asData(lines)}`,
  };
}

async function suggest({ call }: Context, brain: string, args: Arguments): Promise<Outcome> {
  const from = readCursor(args['cursor']);
  const limit = (args['limit'] as number | undefined) ?? LIMIT;
  const params = query({ ...pick(args, ['node', 'types']), limit: Math.min(from + limit, 1000) });
  const reply = await ask(call, 'GET', `${path('_graph', brain)}/suggestions${params}`);
  const page = pageOf(reply.suggestions.slice(from).map(linkOf), args);
  const cursor = cursorOf(page, from, reply.not_shown);
  return {
    structured: present({
      brain,
      total: reply.total,
      suggestions: page.shown,
      not_shown: { limit: reply.not_shown, max_chars: page.beyond },
      next_cursor: cursor,
    }),
    text: textOf(`${page.shown.length} of ${reply.total} proposed links.`, page.shown),
  };
}

function clip(title: unknown): string | undefined {
  return typeof title === 'string' ? clipText(title) : undefined;
}

/** A node and its links, as the content of its resource. */
export async function readNode({ call }: Context, brain: string, node: string): Promise<unknown> {
  const reply = await ask(call, 'GET', `${path('_graph', brain)}/ego${query({ node })}`);
  return reply.exists || reply.links.length > 0
    ? { ...reply, uri: uriOf('brain', brain, node) }
    : undefined;
}
