// `quarry search INDEX [TEXT]`: searches for words in all fields, or runs a given query.
import { ConfigError } from '../config/load.js';
import { jsonFlag, short, table, wholeFlag } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

export const SEARCH: Verb = {
  name: 'search',
  usage: ['INDEX [TEXT] [--query JSON] [--semantic FIELD] [--size N]'],
  about:
    'Searches an index, several between commas, or a pattern. Without a text or a query: all documents.',
  flags: {
    query: 'a clause of the query DSL instead of a text',
    semantic: 'search by meaning in this semantic_text field',
    size: 'hits to show (10)',
  },
  examples: [
    'search books "old man sea"',
    `search 'logs-*' --query '{"range": {"status": {"gte": 500}}}' --size 20`,
    'search notes "how do refunds work" --semantic body --json',
  ],
  run: search,
};

async function search(context: VerbContext): Promise<number> {
  const [index, text, ...more] = context.rest;
  if (index === undefined) throw new ConfigError('search needs an INDEX');
  if (more[0] !== undefined)
    throw new ConfigError(`put the text into quotes, [${more[0]}] is one too many`);
  const query = queryOf(context, text);
  const size = wholeFlag(context, 'size') ?? 10;
  const names = index.split(',').map(encodeURIComponent).join(',');
  const body = { size, ...(query === undefined ? {} : { query }) };
  const answer = await context.client().json('POST', `/${names}/_search`, body);
  if (context.json) {
    context.print(JSON.stringify(answer));
    return 0;
  }
  const { total, hits } = answer.hits;
  const rows = hits.map(
    (hit: { _index: string; _id: string; _score: number | null; _source: object }) => [
      `${hit._index}/${hit._id}`,
      hit._score === null ? '-' : hit._score.toFixed(3),
      short(JSON.stringify(hit._source)),
    ],
  );
  for (const line of table(['DOCUMENT', 'SCORE', 'SOURCE'], rows)) context.print(line);
  context.print(
    `${total.relation === 'gte' ? 'at least ' : ''}${total.value} match, ${hits.length} shown`,
  );
  return 0;
}

function queryOf(context: VerbContext, text: string | undefined): object | undefined {
  const given = jsonFlag(context, 'query');
  const field = context.values.get('semantic');
  if (given !== undefined) {
    if (text === undefined && field === undefined) return given;
    throw new ConfigError('--query is the whole query: leave out the text and --semantic');
  }
  if (text === undefined) {
    if (field === undefined) return undefined;
    throw new ConfigError('--semantic needs a text');
  }
  return field === undefined
    ? { simple_query_string: { query: text, lenient: true } }
    : { semantic: { field, query: text } };
}
