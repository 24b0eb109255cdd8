// The four search tools: each builds the body of one _search, and all have the same output.

import { plainJson } from '../../base/json-text.js';
import { ask, namesPath, path, Refusal, type Reply } from '../call.js';
import { asData, clipValue, DEFAULT_CHARS, readCursor, toCursor, withinChars } from '../clip.js';
import {
  type Arguments,
  type Context,
  maxCharsOf,
  NEXT_CURSOR,
  NOT_SHOWN,
  type Operation,
  type Outcome,
  PAGING,
  pick,
  present,
} from '../operation.js';
import { checkReach } from '../pins.js';
import { anObject, list, number, object, type Schema, text, whole } from '../schema.js';
import { uriOf } from '../uris.js';

const SIZE = 10;

const PAGE: Readonly<Record<string, Schema>> = {
  'size?': whole(0, 1000, 'Hits to show; 10 by default.'),
  'source?': {
    anyOf: [{ type: 'boolean' }, { type: 'string' }, { type: 'array' }, { type: 'object' }],
    description:
      'Which fields to show: names, patterns, {"includes", "excludes"}, or false for none.',
  },
  ...PAGING,
};

const OUTPUT = object({
  total: object({ value: number('How many match.'), relation: text('eq, or gte for at least.') }),
  hits: list(
    object({
      index: text('Where it is stored.'),
      id: text('Its id there.'),
      'score?': number('How well it fits.'),
      'source?': anObject('The document, long values cut.'),
      'cut?': list({ type: 'string' }, 'Fields that were cut; the whole is at uri.'),
      'highlight?': anObject('Passages that match.'),
      uri: text('Resource with the whole document.'),
    }),
    'The best first.',
  ),
  'aggregations?': anObject('Results by name.'),
  not_shown: NOT_SHOWN,
  'next_cursor?': NEXT_CURSOR,
});

const FILTER = anObject(
  'A query clause that hits must match as well, such as {"term": {"lang": "en"}}.',
);

export const SEARCH_OPERATIONS: readonly Operation[] = [
  {
    ...reads(
      'svc_search',
      'Search by words and fields',
      'Searches documents by words, exact values, ranges and their combinations, with sorting and aggregations. ' +
        'Use it for names, numbers, dates and known words; use svc_semantic_search where the wording is not known. ' +
        'Example: {"index": "books", "query": {"match": {"title": "sea"}}, "size": 5}. Without query: all documents.',
    ),
    input: {
      'query?': anObject('A clause of the Elasticsearch query DSL: match, term, bool, range ….'),
      'sort?': {
        anyOf: [{ type: 'string' }, { type: 'array' }, { type: 'object' }],
        description: 'The order, such as [{"year": "desc"}]; by relevance without it.',
      },
      'aggs?': anObject('Aggregations by name, such as {"langs": {"terms": {"field": "lang"}}}.'),
      'highlight?': anObject('Passages to show, such as {"fields": {"body": {}}}.'),
      'track_total_hits?': {
        anyOf: [{ type: 'boolean' }, { type: 'integer' }],
        description: 'How far to count what matches.',
      },
      ...PAGE,
    },
    run: (context, index, args) =>
      search(context, index, args, {
        ...pick(args, ['query', 'sort', 'aggs', 'highlight', 'track_total_hits']),
      }),
  },
  {
    ...reads(
      'svc_semantic_search',
      'Search by meaning',
      'Finds documents near a text in meaning, over a semantic_text field that embeds texts by itself. ' +
        'Use it where words may differ from those of the documents; not for exact values. ' +
        'Example: {"index": "notes", "field": "body", "query": "how do I get a refund"}.',
    ),
    input: {
      field: text('A field of type semantic_text.'),
      query: text('The text to be near to.'),
      'k?': whole(1, 10_000, 'Nearest vectors to consider; 10 by default.'),
      'filter?': FILTER,
      ...PAGE,
    },
    run: (context, index, args) =>
      search(context, index, args, {
        query: { semantic: pick(args, ['field', 'query', 'k', 'filter']) },
      }),
  },
  {
    ...reads(
      'svc_vector_search',
      'Search by vector',
      'Finds the documents whose vectors are nearest to one of yours. Only for callers that have vectors of the same model ' +
        'as the field; otherwise use svc_semantic_search. ' +
        'Example: {"index": "images", "field": "embedding", "query_vector": [0.1, 0.2, 0.3], "k": 5}.',
    ),
    input: {
      field: text('A field of type dense_vector.'),
      query_vector: list({ type: 'number' }, 'As many numbers as the field has dims.'),
      'k?': whole(1, 10_000, 'Nearest vectors; 10 by default.'),
      'num_candidates?': whole(1, 10_000, 'How many to look at in an approximate search.'),
      'filter?': FILTER,
      ...PAGE,
    },
    run: (context, index, args) =>
      search(context, index, args, {
        knn: pick(args, ['field', 'query_vector', 'k', 'num_candidates', 'filter']),
      }),
  },
  {
    ...reads(
      'svc_hybrid_search',
      'Search in several ways at once',
      'Runs several queries and fuses their lists to one, for the best of words and meaning together. ' +
        'Use it when one way alone may miss. Example: {"index": "notes", "queries": [{"query": {"match": {"body": "refund"}}}, ' +
        '{"query": {"semantic": {"field": "body", "query": "money back"}}, "weight": 2}]}.',
    ),
    input: {
      queries: {
        ...list(
          object({
            query: anObject('Any clause, also semantic and knn.'),
            'weight?': number('How much its list counts; 1 by default.'),
          }),
          'Two or more.',
        ),
        minItems: 1,
      },
      'fusion?': text('rrf (by ranks, the default) or linear (by normalised scores).'),
      'rrf_k?': whole(1, 10_000, 'Rank constant of rrf; 60 by default.'),
      ...PAGE,
    },
    run: (context, index, args) =>
      search(context, index, args, {
        query: { hybrid: pick(args, ['queries', 'fusion', 'rrf_k']) },
      }),
  },
];

function reads(name: string, title: string, description: string) {
  return {
    ...{ name, title, description, output: OUTPUT },
    subject: 'index',
    effect: 'reads',
    idempotent: true,
  } as const;
}

async function search(
  { call, pins }: Context,
  index: string,
  args: Arguments,
  what: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  checkReach(pins, what);
  const from = readCursor(args['cursor']);
  const size = (args['size'] as number | undefined) ?? SIZE;
  const body = {
    ...what,
    size,
    ...(from === 0 ? {} : { from }),
    ...(args['source'] === undefined ? {} : { _source: args['source'] }),
  };
  const reply = await ask(call, 'POST', `${namesPath(index)}/_search`, body);
  return outcomeOf(reply, from, size, args);
}

function outcomeOf(reply: Reply, from: number, size: number, args: Arguments): Outcome {
  const found: readonly Reply[] = reply.hits.hits;
  const { shown, beyond } = withinChars(found.map(hitOf), maxCharsOf(args));
  const total = reply.hits.total ?? { value: from + found.length, relation: 'gte' };
  const behind = Math.max(0, total.value - from - found.length);
  const next = from + shown.length;
  const isMore = shown.length > 0 && (beyond > 0 || (size > 0 && behind > 0));
  const aggregations = reply.aggregations === undefined ? undefined : clipAggs(reply.aggregations);
  const notShown = { ...(from === 0 ? {} : { before: from }), size: behind, max_chars: beyond };
  return {
    structured: present({
      total,
      hits: shown,
      aggregations,
      not_shown: notShown,
      next_cursor: isMore ? toCursor(next) : undefined,
    }),
    text: [
      `${total.relation === 'gte' ? 'At least ' : ''}${total.value} match, ${shown.length} shown${isMore ? `, next_cursor ${toCursor(next)}` : ''}.`,
      ...(shown.length === 0 ? [] : [asData(shown.map((hit, i) => lineOf(hit, from + i + 1)))]),
      ...(aggregations === undefined ? [] : [asData([`aggregations: ${plainJson(aggregations)}`])]),
    ].join('\n'),
    links: shown
      .filter((hit) => hit['cut'] !== undefined)
      .map((hit) => ({ uri: String(hit['uri']), name: `${hit['index']}/${hit['id']}` })),
  };
}

/** Aggregations are not truncated: if they are too long, an error tells how to request less. */
function clipAggs(aggregations: unknown): unknown {
  const length = plainJson(aggregations).length;
  if (length <= 2 * DEFAULT_CHARS) return aggregations;
  throw new Refusal(
    'too_large',
    400,
    `the aggregations take ${length} characters, which no client shows`,
    'ask for fewer buckets ([size]), or for fewer of them',
  );
}

function hitOf(hit: Reply): Readonly<Record<string, unknown>> {
  const { value, cut } = clipValue(hit._source);
  return present({
    index: hit._index,
    id: hit._id,
    score: hit._score,
    source: hit._source === undefined ? undefined : value,
    cut: cut.length === 0 ? undefined : cut,
    highlight: hit.highlight === undefined ? undefined : clipValue(hit.highlight).value,
    uri: uriOf('index', hit._index, hit._id),
  });
}

function lineOf(hit: Readonly<Record<string, unknown>>, rank: number): string {
  const score = typeof hit['score'] === 'number' ? ` (${hit['score'].toPrecision(4)})` : '';
  const shown = hit['highlight'] ?? hit['source'];
  return `${rank}. ${hit['index']}/${hit['id']}${score}${shown === undefined ? '' : ` ${plainJson(shown)}`}`;
}

/** The source of a document; undefined if it does not exist. */
export async function readDocument(
  { call, pins }: Context,
  index: string,
  id: string,
): Promise<unknown> {
  if (pins.index === undefined) {
    const reply = await ask(call, 'GET', path(index, '_doc', id), undefined, [404]);
    return reply.found === true ? reply._source : undefined;
  }
  const body = { query: { ids: { values: [id] } }, size: 100 };
  const reply = await ask(call, 'POST', `${namesPath(pins.index)}/_search`, body);
  return (reply.hits.hits as readonly Reply[]).find((hit) => hit._index === index)?._source;
}
