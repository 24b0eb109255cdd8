// Documents, memories and nodes as resources, with completion of names and ids.
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { plainJson } from '../base/json-text.js';
import { ask, path, Refusal, type Reply } from './call.js';
import { clipText } from './clip.js';
import { namesOf } from './hints.js';
import type { Context } from './operation.js';
import { readNode } from './operations/graph.js';
import { readMemory } from './operations/memory.js';
import { readDocument } from './operations/search.js';
import { isOpen, nameFor, pinOf, type Subject } from './pins.js';
import { type ResourceKind, readUri, uriOf } from './uris.js';

interface Kind {
  readonly shelf: ResourceKind;
  readonly subject: Subject;
  /** Variables of the URI template: name of the subject, and id. */
  readonly variables: readonly [string, string];
  readonly title: string;
  readonly description: string;
  readonly read: (context: Context, name: string, id: string) => Promise<unknown>;
}

const KINDS: readonly Kind[] = [
  {
    shelf: 'memory',
    subject: 'namespace',
    variables: ['ns', 'id'],
    title: 'Memory',
    description: 'A memory as it was stored.',
    read: readMemory,
  },
  {
    shelf: 'index',
    subject: 'index',
    variables: ['index', 'id'],
    title: 'Document',
    description: 'A document as it was stored.',
    read: readDocument,
  },
  {
    shelf: 'brain',
    subject: 'brain',
    variables: ['brain', 'node'],
    title: 'Node',
    description: 'A node with the links around it.',
    read: readNode,
  },
];

const MOST_COMPLETIONS = 100;
const TITLE = 80;

export function registerResources(server: McpServer, context: Context): void {
  for (const kind of KINDS) {
    if (isOpen(context.pins, kind.subject)) register(server, context, kind);
  }
}

function register(server: McpServer, context: Context, kind: Kind): void {
  const [name, id] = kind.variables;
  const template = new ResourceTemplate(`svc://${kind.shelf}/{${name}}/{${id}}`, {
    list: kind.shelf === 'memory' ? () => listMemories(context) : undefined,
    complete: {
      [name]: (value) => complete(() => namesFor(context, kind.subject), value),
      [id]: (value, given) => complete(() => idsOf(context, kind, given?.arguments?.[name]), value),
    },
  });
  const { title, description } = kind;
  server.registerResource(
    kind.shelf,
    template,
    { title, description, mimeType: 'application/json' },
    async (uri) => {
      const parts = readUri(uri.href);
      if (parts === undefined) throw new ResourceNotFoundError(uri.href);
      if (kind.subject !== 'index' || context.pins.index === undefined)
        nameFor(context.pins, kind.subject, parts.name);
      const value = await kind.read(context, parts.name, parts.id).catch(asProtocolError);
      if (value === undefined) throw new ResourceNotFoundError(uri.href);
      const text = plainJson(value);
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text }] };
    },
  );
}

/** Errors that the caller caused become protocol errors of invalid parameters. */
function asProtocolError(error: unknown): never {
  const isCallers = error instanceof Refusal && error.status < 500 && error.status !== 429;
  if (isCallers) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  throw error;
}

/**
 * The latest memories of a pinned namespace. Without a pin nothing is listed, because the list
 * could be arbitrarily long.
 */
async function listMemories({ call, pins }: Context) {
  const { namespace } = pins;
  if (namespace === undefined) return { resources: [] };
  const { entries } = await ask(call, 'GET', path('_memory', namespace));
  return {
    resources: (entries as readonly Reply[]).map(({ id, text }) => ({
      uri: uriOf('memory', namespace, id),
      name: id as string,
      title: clipText(text, TITLE),
      mimeType: 'application/json',
    })),
  };
}

async function complete(all: () => Promise<readonly string[]>, value: string): Promise<string[]> {
  const names = await all().catch(() => []);
  return names.filter((name) => name.startsWith(value)).slice(0, MOST_COMPLETIONS);
}

async function namesFor({ call, pins }: Context, subject: Subject): Promise<readonly string[]> {
  const pin = pinOf(pins, subject);
  return pin === undefined ? namesOf(call, subject) : [pin];
}

/** Ids of the latest memories; ids of documents in an index are not completed. */
async function idsOf(
  { call, pins }: Context,
  { subject }: Kind,
  given: string | undefined,
): Promise<readonly string[]> {
  if (subject === 'index' || given === undefined) return [];
  const { entries } = await ask(call, 'GET', path('_memory', nameFor(pins, subject, given)));
  return (entries as readonly Reply[]).map(({ id }) => id as string);
}
