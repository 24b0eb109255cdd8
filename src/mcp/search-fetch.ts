// The tools `search` and `fetch`, whose names some connectors require, on the pinned subject.
import type { McpServer } from '@modelcontextprotocol/server';
import { plainJson } from '../base/json-text.js';
import { ask, namesPath, path, Refusal, type Reply } from './call.js';
import { asData, clipText } from './clip.js';
import type { Context } from './operation.js';
import { readMemory } from './operations/memory.js';
import { readDocument } from './operations/search.js';
import { list, object, text } from './schema.js';
import { refusalResult } from './tools.js';
import { readUri, uriOf } from './uris.js';

const HITS = 10;
const TITLE = 80;
const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const FOUND = object({
  results: list(
    object({ id: text('For fetch.'), title: text('Its first words.'), url: text('Its address.') }),
    'The best first.',
  ),
});
const FETCHED = object({
  id: text('As requested.'),
  title: text('Its first words.'),
  text: text('All of it.'),
  url: text('Its address.'),
});

export function registerSearchFetch(server: McpServer, context: Context): void {
  const { schemas } = context;
  const guarded = async (work: () => Promise<Readonly<Record<string, unknown>>>) => {
    try {
      const structuredContent = await work();
      const content = [{ type: 'text' as const, text: asData([plainJson(structuredContent)]) }];
      return { content, structuredContent };
    } catch (error) {
      if (error instanceof Refusal) return refusalResult(error, error.hint);
      throw error;
    }
  };
  server.registerTool(
    'search',
    {
      title: 'Search',
      description:
        'Finds what fits the query. Read a result with fetch. Example: {"query": "refund"}.',
      inputSchema: schemas.of<{ readonly query: string }>('search in', () =>
        object({ query: text('What to look for.') }),
      ),
      outputSchema: schemas.of('search out', () => FOUND),
      annotations: { title: 'Search', ...READS },
    },
    ({ query }) => guarded(async () => ({ results: await find(context, query) })),
  );
  server.registerTool(
    'fetch',
    {
      title: 'Fetch',
      description: 'Reads one result of search as a whole. Example: {"id": "svc://memory/ann/m1"}.',
      inputSchema: schemas.of<{ readonly id: string }>('fetch in', () =>
        object({ id: text('Of a result.') }),
      ),
      outputSchema: schemas.of('fetch out', () => FETCHED),
      annotations: { title: 'Fetch', ...READS },
    },
    ({ id }) => guarded(() => fetchOne(context, id)),
  );
}

async function find({ call, pins }: Context, query: string): Promise<readonly object[]> {
  if (pins.index !== undefined) {
    const body = { query: { simple_query_string: { query, lenient: true } }, size: HITS };
    const reply = await ask(call, 'POST', `${namesPath(pins.index)}/_search`, body);
    return (reply.hits.hits as readonly Reply[]).map(({ _index, _id, _source }) =>
      resultOf(uriOf('index', _index, _id), textOf(_source)),
    );
  }
  const namespace = pins.namespace ?? '';
  const at = `${path('_memory', namespace)}/_recall`;
  const reply = await ask(call, 'POST', at, { query, hybrid: true, k: HITS });
  return (reply.hits as readonly Reply[]).map(({ id, text: said }) =>
    resultOf(uriOf('memory', namespace, id), said),
  );
}

function resultOf(uri: string, said: string): object {
  return { id: uri, title: clipText(said, TITLE), url: uri };
}

async function fetchOne(context: Context, id: string): Promise<Readonly<Record<string, unknown>>> {
  const { pins } = context;
  const parts = readUri(id);
  const isMemory = parts?.shelf === 'memory' && parts.name === pins.namespace;
  const isDocument = parts?.shelf === 'index' && pins.index !== undefined;
  const value = isMemory
    ? await readMemory(context, parts.name, parts.id)
    : isDocument
      ? await readDocument(context, parts.name, parts.id)
      : undefined;
  if (value === undefined) {
    throw new Refusal(
      'not_found',
      404,
      `there is nothing at [${clipText(id, TITLE)}]`,
      'send an id that search gave',
    );
  }
  const said = isMemory ? (value as { text: string }).text : textOf(value);
  return { id, title: clipText(said, TITLE), text: said, url: id };
}

/** The text of a document. */
function textOf(source: unknown): string {
  return plainJson(source);
}
