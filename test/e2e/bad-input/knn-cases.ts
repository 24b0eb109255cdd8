// Errors about vectors: mappings, documents, searches.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';
const PARSING = 'parsing_exception';
const MAPPING = 'mapper_parsing_exception';
const DOCUMENT = 'document_parsing_exception';

/** The index of VECTOR_CASES. */
export const VECTORS = {
  mappings: {
    properties: {
      e: { type: 'dense_vector', dims: 3, similarity: 'cosine' },
      d: { type: 'dense_vector', dims: 3, similarity: 'dot_product' },
      l: { type: 'dense_vector', dims: 3, similarity: 'l2_norm' },
      kept: { type: 'dense_vector', dims: 3, index: false },
      title: { type: 'text' },
      tag: { type: 'keyword' },
      year: { type: 'integer' },
      place: { properties: { shelf: { type: 'keyword' } } },
    },
  },
};

const mapping = (label: string, field: object, ...words: string[]): BadCase =>
  bad(
    `mapping with ${label}`,
    ['PUT', '/fresh', { mappings: { properties: { v: { type: 'dense_vector', ...field } } } }],
    [400, MAPPING, ...words],
  );
const options = (label: string, indexOptions: unknown, ...words: string[]): BadCase =>
  mapping(label, { dims: 3, index_options: indexOptions }, ...words);
const update = (label: string, properties: object, ...words: string[]): BadCase =>
  bad(`update of ${label}`, ['PUT', '/vectors/_mapping', { properties }], [400, ILLEGAL, ...words]);

const MAPPING_CASES: readonly BadCase[] = [
  mapping('dims 0', { dims: 0 }, 'v', '4096', '0'),
  mapping('dims 4097', { dims: 4097 }, 'v', '4096', '4097'),
  mapping('negative dims', { dims: -3 }, 'v', '-3'),
  mapping('fractional dims', { dims: 1.5 }, 'dims', '1.5'),
  mapping('dims as a word', { dims: 'many' }, 'dims', 'many'),
  mapping('dims beyond 32 bits', { dims: 4294967299 }, 'dims', '4294967299'),
  mapping('an unknown similarity', { dims: 3, similarity: 'manhattan' }, 'similarity', 'manhattan'),
  mapping('an unknown parameter', { dims: 3, shiny: 1 }, 'shiny'),
  mapping('bits', { dims: 8, element_type: 'bit' }, 'element_type', 'bit'),
  mapping('an unknown quantization', { dims: 3, quantization: 'binary' }, 'quantization', 'binary'),
  mapping('multi-fields', { dims: 3, fields: { k: { type: 'keyword' } } }, 'multifields'),
  options('unknown index_options', { type: 'ivf' }, 'index options', 'ivf'),
  options('a number for the type', { type: 3 }, 'index options', '3'),
  options('index_options as a word', 'hnsw', 'index_options'),
  options('an unknown index option', { type: 'hnsw', shiny: 1 }, 'shiny'),
  options('m of 0', { type: 'hnsw', m: 0 }, '[m]', '0'),
  options('a negative m', { type: 'hnsw', m: -16 }, '[m]', '-16'),
  options('a fractional m', { type: 'hnsw', m: 2.5 }, '[m]', '2.5'),
  options('m as a word', { type: 'hnsw', m: 'few' }, '[m]', 'few'),
  options('m of 100,000', { type: 'hnsw', m: 100_000 }, '[m]', '100000'),
  options('ef_construction of 0', { type: 'hnsw', ef_construction: 0 }, 'ef_construction', '0'),
  options('m for a flat field', { type: 'flat', m: 16 }, 'unsupported', 'm : 16'),
  mapping(
    'index_options and no index',
    { dims: 3, index: false, index_options: { type: 'flat' } },
    'index_options',
  ),
  bad(
    'mapping with vectors in a multi-field',
    [
      'PUT',
      '/fresh',
      {
        mappings: {
          properties: { t: { type: 'text', fields: { v: { type: 'dense_vector', dims: 3 } } } },
        },
      },
    ],
    [400, MAPPING, 'dense_vector'],
  ),
  update('dims', { e: { type: 'dense_vector', dims: 4 } }, '[e]', 'dims', '3', '4'),
  update(
    'similarity',
    { e: { type: 'dense_vector', dims: 3, similarity: 'l2_norm' } },
    '[e]',
    'similarity',
  ),
  update('the type to keyword', { e: { type: 'keyword' } }, '[e]', 'dense_vector', 'keyword'),
  update('the type from keyword', { tag: { type: 'dense_vector', dims: 3 } }, '[tag]', 'keyword'),
];

const document = (label: string, body: unknown, ...words: string[]): BadCase =>
  bad(`document with ${label}`, ['PUT', '/vectors/_doc/9', body], [400, DOCUMENT, ...words]);

const DOCUMENT_CASES: readonly BadCase[] = [
  document('a short vector', { e: [1, 0] }, '[e]', '2', '3'),
  document('a long vector', { e: [1, 0, 0, 0] }, '[e]', '4', '3'),
  document('an empty vector', { e: [] }, '[e]', '0', '3'),
  document('a number for a vector', { e: 1 }, '[e]'),
  document('a text for a vector', { e: '1,0,0' }, '[e]'),
  document('a boolean for a vector', { e: true }, '[e]'),
  document('an object for a vector', { e: { x: 1 } }, '[e]'),
  document('a vector of vectors', { e: [[1, 0, 0]] }, '[e]'),
  document('a vector with a null', { e: [1, null, 0] }, '[e]'),
  document('a vector with a word', { e: [1, 'x', 0] }, '[e]'),
  document('a vector with a number in quotes', { e: [1, '0', 0] }, '[e]'),
  document('a vector with a boolean', { e: [true, 0, 0] }, '[e]'),
  document('a vector with an object', { e: [{}, 0, 0] }, '[e]'),
  document('a number beyond float32', '{"e":[1e39,0,0]}', '[e]', '1e39'),
  document('a negative number beyond float32', '{"e":[0,-3.5e38,0]}', '[e]', '-3.5e38'),
  document('a number beyond float64', '{"e":[0,0,1e400]}', '[e]', '1e400'),
  document('a whole number beyond float32', `{"e":[1${'0'.repeat(39)},0,0]}`, '[e]'),
  document('NaN', '{"e":[NaN,0,0]}'),
  document('Infinity', '{"e":[1,Infinity,0]}'),
  document('a zero vector under cosine', { e: [0, 0, 0] }, '[e]', 'cosine'),
  document('a vector of minus zero under cosine', '{"e":[-0.0,0,-0]}', '[e]', 'cosine'),
  document('a short vector that is only kept', { kept: [1] }, '[kept]', '1', '3'),
  document('two vectors of one field', '{"e":[1,0,0],"e":[0,1,0]}', 'e'),
  bad(
    'update to a short vector',
    ['POST', '/vectors/_update/1', { doc: { e: [1, 0] } }],
    [400, DOCUMENT, '[e]', '2', '3'],
  ),
  bad(
    'create with a zero vector',
    ['PUT', '/vectors/_create/9', { e: [0, 0, 0] }],
    [400, DOCUMENT, '[e]', 'cosine'],
  ),
];

const near = { field: 'e', query_vector: [1, 0, 0] };
/** Rejected in every place. */
const knn = (label: string, clause: unknown, type: string, ...words: string[]): BadCase[] => [
  bad(`knn with ${label}`, ['POST', '/vectors/_search', { knn: clause }], [400, type, ...words]),
  bad(
    `knn clause with ${label}`,
    ['POST', '/vectors/_search', { query: { bool: { must: [{ knn: clause }] } } }],
    [400, type, ...words],
  ),
];
/** Rejected by shards, which have the mapping. */
const onShards = (label: string, clause: unknown, type: string, ...words: string[]): BadCase[] =>
  knn(label, clause, 'search_phase_execution_exception', ...words).map((one) => ({
    ...one,
    cause: type,
  }));
const search = (label: string, body: unknown, type: string, ...words: string[]): BadCase =>
  bad(label, ['POST', '/vectors/_search', body], [400, type, ...words]);
const MISFIT = 'query_shard_exception';

const SEARCH_CASES: readonly BadCase[] = [
  ...onShards('a short vector', { ...near, query_vector: [1, 0] }, ILLEGAL, '2 dim', '[e]', '[3]'),
  ...onShards(
    'a long vector',
    { field: 'e', vector: [1, 0, 0, 0] },
    ILLEGAL,
    '4 dim',
    '[e]',
    '[3]',
  ),
  ...onShards('a zero vector', { ...near, query_vector: [0, 0, 0] }, ILLEGAL, 'e', 'cosine'),
  ...onShards('a text field', { ...near, field: 'title' }, ILLEGAL, 'title', 'dense_vector'),
  ...onShards('a keyword field', { ...near, field: 'tag' }, ILLEGAL, 'tag', 'dense_vector'),
  ...onShards('a field without index', { ...near, field: 'kept' }, ILLEGAL, 'kept', 'index'),
  ...onShards(
    'a filter that does not fit',
    { ...near, filter: { term: { year: 'soon' } } },
    MISFIT,
    'soon',
  ),
  ...knn('no field', { query_vector: [1, 0, 0] }, ILLEGAL, 'field'),
  ...knn('a number for a field', { ...near, field: 3 }, PARSING, 'field', 'VALUE_NUMBER'),
  ...knn('no vector', { field: 'e' }, ILLEGAL, 'query_vector'),
  ...knn('two vectors', { ...near, vector: [1, 0, 0] }, ILLEGAL, '[query_vector]', '[vector]'),
  ...knn('an empty vector', { ...near, query_vector: [] }, ILLEGAL, 'query_vector', '0 dim'),
  ...knn('a text for a vector', { ...near, query_vector: 'x' }, PARSING, 'VALUE_STRING'),
  ...knn('null for a vector', { ...near, query_vector: null }, PARSING, 'VALUE_NULL'),
  ...knn('a null in the vector', { ...near, query_vector: [1, null, 0] }, PARSING, 'VALUE_NULL'),
  ...knn('a word in the vector', { ...near, query_vector: ['x', 0, 0] }, PARSING, 'VALUE_STRING'),
  ...knn('a boolean in the vector', { ...near, query_vector: [true] }, PARSING, 'VALUE_BOOLEAN'),
  ...knn('a vector in the vector', { ...near, query_vector: [[1]] }, PARSING, 'START_ARRAY'),
  ...knn('a number beyond float32', { ...near, query_vector: [1e39, 0, 0] }, ILLEGAL, '1e+39'),
  ...knn('k of 0', { ...near, k: 0 }, ILLEGAL, '[k] must be greater than 0'),
  ...knn('a negative k', { ...near, k: -3 }, ILLEGAL, '[k] must be greater than 0', '-3'),
  ...knn('a fractional k', { ...near, k: 1.5 }, ILLEGAL, '[k]', '1.5'),
  ...knn('k over the limit', { ...near, k: 10_001 }, ILLEGAL, '[k] cannot exceed [10000]'),
  ...knn('k as a word', { ...near, k: 'ten' }, PARSING, 'k', 'VALUE_STRING'),
  ...knn('k null', { ...near, k: null }, PARSING, 'k', 'VALUE_NULL'),
  ...knn('num_candidates of 0', { ...near, num_candidates: 0 }, ILLEGAL, '[num_candidates]'),
  ...knn('negative num_candidates', { ...near, num_candidates: -1 }, ILLEGAL, '-1'),
  ...knn('fractional num_candidates', { ...near, num_candidates: 2.5 }, ILLEGAL, '2.5'),
  ...knn(
    'num_candidates over the limit',
    { ...near, num_candidates: 10_001 },
    ILLEGAL,
    '[num_candidates] cannot exceed [10000]',
  ),
  ...knn(
    'fewer num_candidates than k',
    { ...near, k: 5, num_candidates: 4 },
    ILLEGAL,
    '[num_candidates] cannot be less than [k]',
  ),
  ...knn('similarity as a word', { ...near, similarity: 'high' }, ILLEGAL, 'similarity', 'high'),
  ...knn('a negative boost', { ...near, boost: -1 }, ILLEGAL, 'boost', '-1'),
  ...knn('an unknown parameter', { ...near, shiny: 1 }, PARSING, '[knn]', 'shiny'),
  ...knn('a filter that is no query', { ...near, filter: 'x' }, PARSING, 'filter', 'VALUE_STRING'),
  ...knn('an empty filter', { ...near, filter: {} }, PARSING, 'empty clause'),
  ...knn('an unknown filter', { ...near, filter: [{ nosuch: {} }] }, PARSING, 'nosuch'),
  ...knn('inner_hits', { ...near, inner_hits: {} }, PARSING, 'inner_hits', 'not supported'),
  ...knn('a vector to be made', { field: 'e', query_vector_builder: {} }, PARSING, 'builder'),
  ...knn('no rescore', { ...near, rescore_vector: { oversample: 0.5 } }, ILLEGAL, 'oversample'),
  ...knn('visit_percentage', { ...near, visit_percentage: 5 }, PARSING, 'visit_percentage'),
  search('knn as a word', { knn: 'e' }, PARSING, 'VALUE_STRING', '[knn]'),
  search('knn null', { knn: null }, PARSING, 'VALUE_NULL', '[knn]'),
  search('knn with arrays in it', { knn: [[near]] }, PARSING, 'knn', 'START_ARRAY'),
  search('too many knn', { knn: Array(1025).fill(near) }, 'too_many_nested_clauses', '1024'),
  search('knn with a page too deep', { knn: near, from: 9991 }, ILLEGAL, '10000'),
  {
    ...search(
      'match on a vector',
      { query: { match: { e: 1 } } },
      'search_phase_execution_exception',
      'e',
    ),
    cause: MISFIT,
  },
  {
    ...search('sort on a vector', { sort: ['e'] }, 'search_phase_execution_exception', 'e'),
    cause: ILLEGAL,
  },
  bad(
    'count with a top-level knn',
    ['POST', '/vectors/_count', { knn: near }],
    [400, PARSING, 'knn'],
  ),
  bad(
    'alias with a knn in its filter',
    ['PUT', '/vectors/_alias/near', { filter: { knn: near } }],
    [400, PARSING, 'knn', 'alias'],
  ),
];

export const VECTOR_CASES = [...MAPPING_CASES, ...DOCUMENT_CASES, ...SEARCH_CASES];
