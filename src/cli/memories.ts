// `quarry memory` and `quarry edit`: one memory of a namespace, read with its history and changed.
import { ConfigError } from '../config/load.js';
import { argumentsOf, jsonFlag, required, short, table } from './reading.js';
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
