// Commands that look after memories: namespaces and their memories, one memory with its history,
// changing it, and forgetting.

import { bytesText } from '../base/bytes-text.js';
import { ConfigError } from '../config/load.js';
import { argumentsOf, jsonFlag, required, short, table, wholeFlag } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

export const MEMORY: Verb = {
  name: 'memory',
  usage: ['ID --namespace NAME'],
  about: 'Shows a memory with its links, what it supersedes, and its earlier versions.',
  flags: { namespace: 'whose memory' },
  examples: ['memory m1 --namespace ann'],
  run: showMemory,
};

export const EDIT: Verb = {
  name: 'edit',
  usage: ['ID --namespace NAME [--text TEXT] [--metadata JSON] [--expires-at TIME|never]'],
  about: 'Changes a memory; the earlier version is kept.',
  flags: {
    namespace: 'whose memory',
    text: 'the new text',
    metadata: 'tags as a JSON object, merged with those that are there; null removes one',
    'expires-at': 'when it leaves, RFC 3339 or epoch milliseconds; never: it stays',
  },
  examples: [`edit m1 --namespace ann --metadata '{"topic": "home"}'`],
  run: editMemory,
};

export const FORGET: Verb = {
  name: 'forget',
  usage: ['ID --namespace NAME', '--namespace NAME --filter JSON [--dry-run]'],
  about: 'Removes a memory, or those that match a filter, with their links and versions, for good.',
  flags: { namespace: 'whose memories', filter: 'a query clause on metadata' },
  switches: { 'dry-run': 'count what the filter matches, remove nothing' },
  examples: [
    'forget m1 --namespace ann',
    `forget --namespace ann --filter '{"term": {"metadata.topic": "home"}}' --dry-run`,
  ],
  run: forget,
};

export const MEMORIES: Verb = {
  name: 'memories',
  usage: ['--namespace NAME [--filter JSON] [--sort FIELD[:asc|desc]] [--size N] [--after NEXT]'],
  about: 'Lists the memories of a namespace, the latest first, in pages.',
  flags: {
    namespace: 'whose memories',
    filter: 'a query clause on metadata',
    sort: 'stored_at (:desc is the default), own_time, expires_at, id or metadata.NAME',
    size: 'memories of a page (100)',
    after: 'what the page before printed as next',
  },
  examples: ['memories --namespace ann --sort metadata.topic --size 20'],
  run: listMemories,
};

export const AUDIT: Verb = {
  name: 'audit',
  usage: ['--namespace NAME [--examples N]'],
  about: 'Counts what may be worth tidying: duplicates, contradictions, ends, large metadata.',
  flags: { namespace: 'whose memories', examples: 'examples of each part (5)' },
  examples: ['audit --namespace ann'],
  run: audit,
};

export const CHANGES: Verb = {
  name: 'changes',
  usage: ['--namespace NAME [--since NEXT] [--size N]'],
  about: 'Prints what changed in a namespace, in order, one JSON object in each line.',
  flags: {
    namespace: 'whose memories',
    since: 'what an earlier answer printed as next; without it, from the start',
    size: 'changes of an answer (100)',
  },
  examples: ['changes --namespace ann'],
  run: changes,
};

export const NAMESPACES: Verb = {
  name: 'namespaces',
  usage: ['[--prefix TEXT] [--size N] [--after NAME]'],
  about: 'Lists the namespaces with their numbers of memories, sizes and last stores.',
  flags: {
    prefix: 'of the names',
    size: 'namespaces of a page (100)',
    after: 'what the page before printed as next',
  },
  examples: ['namespaces --prefix agent-'],
  run: listNamespaces,
};

interface Version {
  readonly text: string | null;
  readonly until: number;
}

export function memoryPath(namespace: string, ...rest: readonly string[]): string {
  return ['/_memory', namespace, ...rest]
    .map((one, i) => (i === 0 ? one : encodeURIComponent(one)))
    .join('/');
}

async function showMemory(context: VerbContext): Promise<number> {
  const [id = ''] = argumentsOf(context, 'ID');
  const namespace = required(context, 'namespace');
  const answer = await context.client().json('GET', memoryPath(namespace, id));
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const links = (answer.links as readonly Record<string, string>[]).map(
    ({ src = '', type = '', dst = '' }) => ['link', `${src} ${type} ${dst}`],
  );
  const rows = [
    ['text', short(answer.text)],
    ['metadata', short(JSON.stringify(answer.metadata))],
    ['state', answer.state],
    ...(answer.supersedes as readonly string[]).map((one) => ['supersedes', one]),
    ...(answer.superseded_by as readonly string[]).map((one) => ['superseded by', one]),
    ...links,
    ...(answer.history as readonly Version[]).map(({ text, until }) => [
      `until ${new Date(until).toISOString()}`,
      short(text ?? ''),
    ]),
  ];
  for (const line of table(['MEMORY', id], rows)) context.print(line);
  return 0;
}

async function editMemory(context: VerbContext): Promise<number> {
  const [id = ''] = argumentsOf(context, 'ID');
  const namespace = required(context, 'namespace');
  const text = context.values.get('text');
  const metadata = jsonFlag(context, 'metadata');
  const expires = context.values.get('expires-at');
  if (text === undefined && metadata === undefined && expires === undefined)
    throw new ConfigError('nothing to change: give --text, --metadata or --expires-at');
  const answer = await context.client().json('PATCH', memoryPath(namespace, id), {
    ...(text === undefined ? {} : { text }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(expires === undefined ? {} : { expires_at: expires === 'never' ? null : expires }),
  });
  const reported = answer.edited
    ? `changed ${id}, ${answer.versions} earlier versions are kept`
    : `${id} is so already`;
  context.print(context.json ? JSON.stringify(answer) : reported);
  return 0;
}

async function forget(context: VerbContext): Promise<number> {
  const namespace = required(context, 'namespace');
  const filter = jsonFlag(context, 'filter');
  const dry_run = context.switches.has('dry-run');
  const client = context.client();
  if (filter === undefined) {
    if (dry_run) throw new ConfigError('--dry-run needs --filter');
    const [id = ''] = argumentsOf(context, 'ID');
    const answer = await client.json('DELETE', memoryPath(namespace, id));
    context.print(context.json ? JSON.stringify(answer) : `forgotten: ${id}`);
    return 0;
  }
  argumentsOf(context);
  const at = memoryPath(namespace, '_forget');
  const answer = await client.json('POST', at, { filter, dry_run });
  const done = dry_run ? 'match, nothing was removed' : `matched, ${answer.forgotten} forgotten`;
  const reported = `${answer.matched} ${done}, ${answer.left} are there`;
  context.print(context.json ? JSON.stringify(answer) : reported);
  return 0;
}

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly stored_at: number | null;
}

async function listMemories(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const filter = jsonFlag(context, 'filter');
  const params = pageParams(context, ['sort', 'after']);
  if (filter !== undefined) params.set('filter', JSON.stringify(filter));
  const at = memoryPath(required(context, 'namespace'));
  const answer = await context.client().json('GET', `${at}?${params}`);
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const rows = (answer.entries as readonly Entry[]).map(({ id, text, stored_at }) => [
    id,
    timeText(stored_at),
    short(text),
  ]);
  for (const line of table(['MEMORY', 'STORED', 'TEXT'], rows)) context.print(line);
  context.print(`${rows.length} of ${answer.count} memories${nextText(answer.next)}`);
  return 0;
}

interface Namespace {
  readonly namespace: string;
  readonly memories: number | null;
  readonly bytes: number | null;
  readonly last_store: number | null;
}

async function listNamespaces(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const params = pageParams(context, ['prefix', 'after']);
  const answer = await context.client().json('GET', `/_memory?${params}`);
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const rows = (answer.namespaces as readonly Namespace[]).map((one) => [
    one.namespace,
    one.memories === null ? '-' : String(one.memories),
    one.bytes === null ? '-' : bytesText(one.bytes),
    timeText(one.last_store),
  ]);
  const head = ['NAMESPACE', 'MEMORIES', 'SIZE', 'LAST STORE'];
  for (const line of table(head, rows)) context.print(line);
  context.print(`${rows.length} of ${answer.count} namespaces${nextText(answer.next)}`);
  return 0;
}

function pageParams(context: VerbContext, names: readonly string[]): URLSearchParams {
  const params = new URLSearchParams({ size: String(wholeFlag(context, 'size') ?? 100) });
  for (const name of names) {
    const value = context.values.get(name);
    if (value !== undefined) params.set(name, value);
  }
  return params;
}

function timeText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString();
}

function nextText(next: string | undefined): string {
  return next === undefined ? '' : `; next: --after ${next}`;
}

interface AuditFinding {
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

async function audit(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const at = memoryPath(required(context, 'namespace'), '_audit');
  const examples = wholeFlag(context, 'examples');
  const body = examples === undefined ? {} : { examples };
  const answer = await context.client().json('POST', at, body);
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const counts: readonly (readonly [string, number, AuditFinding])[] = [
    ['exact duplicates', answer.exact_duplicates.superfluous, answer.exact_duplicates],
    ['near duplicates', answer.near_duplicates.count, answer.near_duplicates],
    ['contradictions', answer.contradictions.count, answer.contradictions],
    ['expire soon', answer.expiring.count, answer.expiring],
    ['largest metadata', answer.largest_metadata.examples[0]?.bytes ?? 0, answer.largest_metadata],
    ...(answer.never_recalled === undefined
      ? []
      : ([['never recalled', answer.never_recalled.count, answer.never_recalled]] as const)),
  ];
  const rows = counts.map(([name, count, part]) => [
    name,
    String(count),
    part.examples
      .map(({ ids, id }) => (Array.isArray(ids) ? ids.join(' = ') : String(id)))
      .join(', '),
  ]);
  for (const line of table(['PART', 'COUNT', 'EXAMPLES'], rows)) context.print(line);
  context.print(`${answer.memories} memories`);
  return 0;
}

async function changes(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const params = pageParams(context, ['since']);
  const at = memoryPath(required(context, 'namespace'), '_changes');
  const answer = await context.client().json('GET', `${at}?${params}`);
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  for (const one of answer.changes as readonly object[]) context.print(JSON.stringify(one));
  context.print(`${answer.changes.length} changes; next: --since ${answer.next}`);
  return 0;
}
