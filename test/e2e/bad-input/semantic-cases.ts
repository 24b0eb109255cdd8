// Errors about semantic_text: mappings, updates of mappings, documents.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const MAPPING = 'mapper_parsing_exception';
const DOCUMENT = 'document_parsing_exception';

/** The index of SEMANTIC_CASES. */
export const SEMANTIC = {
  mappings: {
    properties: {
      body: { type: 'semantic_text', dims: 16 },
      title: { type: 'text', fields: { meaning: { type: 'semantic_text', dims: 8 } } },
      place: { properties: { note: { type: 'semantic_text', dims: 8 } } },
    },
  },
};

const mapping = (label: string, field: object, ...words: string[]): BadCase =>
  bad(
    `semantic_text with ${label}`,
    ['PUT', '/fresh', { mappings: { properties: { s: { type: 'semantic_text', ...field } } } }],
    [400, MAPPING, 's', ...words],
  );
const withField = (label: string, properties: object): BadCase =>
  bad(
    `a companion's name for ${label}`,
    [
      'PUT',
      '/fresh',
      { mappings: { properties: { s: { type: 'semantic_text' }, ...properties } } },
    ],
    [400, MAPPING, 's_vector', '[s]'],
  );
const update = (label: string, body: object, ...words: string[]): BadCase =>
  bad(
    `update of ${label}`,
    ['PUT', '/semantic/_mapping', { properties: { body: { type: 'semantic_text', ...body } } }],
    [400, ILLEGAL, 'body', 'reindex', ...words],
  );
const document = (label: string, source: object, ...words: string[]): BadCase =>
  bad(
    `document with ${label}`,
    ['PUT', '/semantic/_doc/9', source],
    [400, DOCUMENT, 'leave it out', ...words],
  );

const MAPPING_CASES: readonly BadCase[] = [
  mapping('dims 0', { dims: 0 }, '4096', '0'),
  mapping('dims 4097', { dims: 4097 }, '4096', '4097'),
  mapping('fractional dims', { dims: 7.5 }, 'dims', '7.5'),
  mapping('dims as a word', { dims: 'wide' }, 'dims', 'wide'),
  mapping('an unknown embedder', { embedder: 'svc-lex-0' }, 'svc-lex-0', 'svc-lex-1'),
  mapping('chunking_settings', { chunking_settings: { strategy: 'word' } }, 'chunking_settings'),
  mapping('search_inference_id', { search_inference_id: 'x' }, 'search_inference_id'),
  mapping('model_settings', { model_settings: {} }, 'model_settings'),
  mapping('unknown index_options', { index_options: { type: 'ivf' } }, 'ivf'),
  mapping('text index_options', { index_options: 'docs' }, 'index_options'),
  mapping('an unknown parameter', { shiny: 1 }, 'shiny'),
  mapping('a vector similarity', { similarity: 'dot_product' }, 'dot_product'),
  withField('a keyword', { s_vector: { type: 'keyword' } }),
  withField('an object', { s_vector: { properties: { a: { type: 'long' } } } }),
  withField('an alias', { s_vector: { type: 'alias', path: 's' } }),
];

const UPDATE_CASES: readonly BadCase[] = [
  update('dims', { dims: 32 }, 'dims', '16', '32'),
  update('embedder', { embedder: 'e5@1' }, 'embedder', 'svc-lex-1'),
  update('index_options', { index_options: { type: 'flat' } }, 'index_options'),
];

const DOCUMENT_CASES: readonly BadCase[] = [
  document('a vector', { body: 'a', body_vector: [1, 2] }, 'body_vector', '[body]'),
  document('a null for a vector', { body_vector: null }, 'body_vector'),
  document('a vector in an object', { place: { note_vector: [1] } }, 'place.note_vector'),
  document('a dotted vector', { 'place.note_vector': 'x' }, '[place.note]'),
  document('passages', { body_vector: { passages: [[1]] } }, 'body_vector'),
  bad(
    'document with an object for a text',
    ['PUT', '/semantic/_doc/9', { body: { text: 'a' } }],
    [400, DOCUMENT, '[body]', 'semantic_text'],
  ),
];

export const SEMANTIC_CASES: readonly BadCase[] = [
  ...MAPPING_CASES,
  ...UPDATE_CASES,
  ...DOCUMENT_CASES,
];
