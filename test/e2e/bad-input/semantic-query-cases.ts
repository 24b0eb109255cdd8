// Invalid semantic clauses in every place. Sent to the index `meanings`.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const PHASE = 'search_phase_execution_exception';

export const MEANINGS = {
  mappings: {
    properties: {
      body: { type: 'semantic_text' },
      title: { type: 'text' },
      tag: { type: 'keyword' },
      e: { type: 'dense_vector', dims: 3 },
    },
  },
};

const like = { field: 'body', query: 'a quick fox' };

/** As the whole query, in a bool, as a list of a hybrid query and in a retriever. */
const semantic = (label: string, clause: unknown, type: string, ...words: string[]): BadCase[] => {
  const query = { semantic: clause };
  const bodies: Readonly<Record<string, object>> = {
    semantic: { query },
    'semantic in bool': { query: { bool: { should: [query] } } },
    'semantic in hybrid': { query: { hybrid: { queries: [{ query }] } } },
    'semantic in a retriever': { retriever: { rrf: { retrievers: [{ standard: { query } }] } } },
  };
  return Object.entries(bodies).map(([where, body]) =>
    bad(`${where} with ${label}`, ['POST', '/meanings/_search', body], [400, type, ...words]),
  );
};
/** Rejected by shards, which have the mapping. */
const onShards = (label: string, clause: unknown, ...words: string[]): BadCase[] =>
  semantic(label, clause, PHASE, ...words).map((one) => ({ ...one, cause: ILLEGAL }));

export const SEMANTIC_QUERY_CASES: readonly BadCase[] = [
  ...semantic('nothing in it', {}, ILLEGAL, '[semantic] Required [field]'),
  ...semantic('no query', { field: 'body' }, ILLEGAL, '[semantic] Required [query]'),
  ...semantic('an empty query', { ...like, query: '' }, ILLEGAL, '[query] is empty'),
  ...semantic('a blank query', { ...like, query: ' \t ' }, ILLEGAL, '[query] is empty'),
  ...semantic('a number for a query', { ...like, query: 3 }, PARSING, 'VALUE_NUMBER'),
  ...semantic('k of 0', { ...like, k: 0 }, ILLEGAL, '[k] must be greater than 0'),
  ...semantic('a negative k', { ...like, k: -5 }, ILLEGAL, '[k] must be greater than 0', '-5'),
  ...semantic('k over the limit', { ...like, k: 10_001 }, ILLEGAL, '[k] cannot exceed [10000]'),
  ...semantic('a negative boost', { ...like, boost: -1 }, ILLEGAL, 'boost', '-1'),
  ...semantic('an unknown parameter', { ...like, shiny: 1 }, PARSING, '[semantic]', 'shiny'),
  ...semantic('a filter that is a word', { ...like, filter: 'x' }, PARSING, 'VALUE_STRING'),
  ...onShards('a text field', { ...like, field: 'title' }, '[semantic_text]', '[title]', '[text]'),
  ...onShards(
    'a keyword field',
    { ...like, field: 'tag' },
    '[semantic_text]',
    '[tag]',
    '[keyword]',
  ),
  ...onShards(
    'a vector field',
    { ...like, field: 'e' },
    '[semantic_text]',
    '[e]',
    '[dense_vector]',
  ),
  bad(
    'alias with a semantic in its filter',
    ['PUT', '/meanings/_alias/near', { filter: { semantic: like } }],
    [400, PARSING, '[semantic]', 'alias'],
  ),
];
