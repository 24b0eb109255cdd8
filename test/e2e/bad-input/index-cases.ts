// Invalid index administration: names, settings, mappings, analysis.
import { bad } from './bad-case.ts';

const name = (path: string, ...words: string[]) =>
  bad(`index name ${path}`, ['PUT', path], [400, 'invalid_index_name_exception', ...words]);

const setting = (label: string, settings: unknown, ...words: string[]) =>
  bad(label, ['PUT', '/new-index', { settings }], [400, 'illegal_argument_exception', ...words]);

const mapping = (label: string, properties: unknown, ...words: string[]) =>
  bad(
    label,
    ['PUT', '/new-index', { mappings: { properties } }],
    [400, 'mapper_parsing_exception', ...words],
  );

const analysis = (label: string, part: unknown, ...words: string[]) =>
  bad(
    label,
    ['PUT', '/new-index', { settings: { analysis: part } }],
    [400, 'illegal_argument_exception', ...words],
  );

export const INDEX_CASES = [
  name('/Upper', 'Upper', 'lowercase'),
  name('/_underscore', '_underscore'),
  name('/-dash', '-dash'),
  name('/+plus', '+plus'),
  name('/a%20b', 'a b'),
  name('/a%22b', 'a"b'),
  name('/a%3Ab', ':'),
  name('/a%23b', '#'),
  name('/a%5Cb', '\\'),
  name('/a%7Cb', '|'),
  name('/a%3Cb', '<'),
  name('/a%3Eb', '>'),
  name('/a%2Fb', '/'),
  name(`/${'x'.repeat(256)}`, '255'),
  bad(
    'index exists',
    ['PUT', '/books', {}],
    [400, 'resource_already_exists_exception', 'books', 'already exists'],
  ),
  bad(
    'create with a body that is no object',
    ['PUT', '/new-index', '[1]'],
    [400, 'parsing_exception', 'object'],
  ),
  bad(
    'create with broken JSON',
    ['PUT', '/new-index', '{"settings":'],
    [400, 'x_content_parse_exception', 'JSON'],
  ),
  setting('no shards', { number_of_shards: 0 }, 'number_of_shards', '0'),
  setting('too many shards', { number_of_shards: 1025 }, 'number_of_shards', '1024'),
  setting('shards as a word', { number_of_shards: 'many' }, 'number_of_shards', 'many'),
  setting('negative replicas', { number_of_replicas: -1 }, 'number_of_replicas', '-1'),
  setting('unknown setting', { nonsense: 1 }, 'index.nonsense'),
  setting(
    'bad refresh interval',
    { refresh_interval: '7 parsecs' },
    'refresh_interval',
    '7 parsecs',
  ),
  setting('bad durability', { 'translog.durability': 'maybe' }, 'durability', 'maybe'),
  setting('bad result window', { max_result_window: 0 }, 'max_result_window'),
  mapping('unknown type', { a: { type: 'colour' } }, 'colour', '[a]'),
  mapping(
    'an embedder that nobody knows',
    { a: { type: 'semantic_text', embedder: 'svc-lex-9' } },
    'svc-lex-9',
    '[a]',
  ),
  mapping(
    'nested with an unknown parameter',
    { a: { type: 'nested', shiny: true } },
    'shiny',
    '[a]',
  ),
  mapping(
    'vectors in nested that are included in the document around',
    {
      a: {
        type: 'nested',
        include_in_root: true,
        properties: { v: { type: 'dense_vector', dims: 2 } },
      },
    },
    '[a.v]',
    'include_in_root',
  ),
  mapping('join', { a: { type: 'join' } }, 'join'),
  mapping('geo_shape', { a: { type: 'geo_shape' } }, 'geo_shape'),
  mapping('unknown parameter', { a: { type: 'keyword', shiny: true } }, 'shiny', '[a]', 'keyword'),
  mapping(
    'parameter of another type',
    { a: { type: 'integer', analyzer: 'standard' } },
    'analyzer',
    'integer',
  ),
  mapping('field that is no object', { a: 'text' }, '[a]'),
  mapping('unknown analyzer', { a: { type: 'text', analyzer: 'klingon' } }, 'klingon'),
  mapping(
    'unknown normalizer',
    { a: { type: 'keyword', normalizer: 'klingon' } },
    'klingon',
    '[a]',
  ),
  mapping('scaled_float without factor', { a: { type: 'scaled_float' } }, 'scaling_factor'),
  mapping('alias without path', { a: { type: 'alias' } }, 'path'),
  mapping('alias to nowhere', { a: { type: 'alias', path: 'b' } }, 'b'),
  mapping('index as a word', { a: { type: 'keyword', index: 'perhaps' } }, 'index'),
  mapping('bad date format', { a: { type: 'date', format: 'QQQQ' } }, 'format', 'QQQQ'),
  bad(
    'empty field name',
    ['PUT', '/new-index', { mappings: { properties: { '': { type: 'text' } } } }],
    [400, 'illegal_argument_exception', 'name'],
  ),
  bad(
    'dynamic of a wrong kind',
    ['PUT', '/new-index', { mappings: { dynamic: 'often' } }],
    [400, 'mapper_parsing_exception', 'dynamic', 'often'],
  ),
  bad(
    'unknown root parameter',
    ['PUT', '/new-index', { mappings: { shiny: 1 } }],
    [400, 'mapper_parsing_exception', 'shiny'],
  ),
  analysis(
    'unknown tokenizer',
    { analyzer: { a: { type: 'custom', tokenizer: 'nope' } } },
    'nope',
    'a',
  ),
  analysis(
    'unknown filter',
    { analyzer: { a: { type: 'custom', tokenizer: 'standard', filter: ['nope'] } } },
    'nope',
  ),
  analysis('unknown analyzer type', { analyzer: { a: { type: 'nope' } } }, 'nope'),
  analysis('unknown filter type', { filter: { f: { type: 'nope' } } }, 'nope'),
  analysis(
    'ngrams the wrong way round',
    { tokenizer: { t: { type: 'ngram', min_gram: 5, max_gram: 2 } } },
    'min_gram',
    'max_gram',
  ),
  analysis(
    'bad stemmer language',
    { filter: { f: { type: 'stemmer', language: 'klingon' } } },
    'klingon',
  ),
  bad(
    'mapping of an unknown index',
    ['PUT', '/nobody/_mapping', { properties: {} }],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad('mapping without a body', ['PUT', '/books/_mapping'], [400, 'parse_exception', 'body']),
  bad(
    'type change',
    ['PUT', '/books/_mapping', { properties: { title: { type: 'long' } } }],
    [400, 'illegal_argument_exception', 'title', 'text', 'long'],
  ),
  bad(
    'analyzer change',
    ['PUT', '/books/_mapping', { properties: { title: { type: 'text', analyzer: 'english' } } }],
    [400, 'illegal_argument_exception', 'title', 'analyzer'],
  ),
  bad(
    'settings of an unknown index',
    ['GET', '/nobody/_settings'],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad(
    'shards cannot change',
    ['PUT', '/books/_settings', { index: { number_of_shards: 3 } }],
    [400, 'illegal_argument_exception', 'number_of_shards'],
  ),
  bad(
    'unknown setting in an update',
    ['PUT', '/books/_settings', { index: { shiny: 3 } }],
    [400, 'illegal_argument_exception', 'shiny'],
  ),
  bad(
    'delete of an unknown index',
    ['DELETE', '/nobody'],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad('get of an unknown index', ['GET', '/nobody'], [404, 'index_not_found_exception', 'nobody']),
  bad(
    'refresh of an unknown index',
    ['POST', '/nobody/_refresh'],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad(
    'flush of an unknown index',
    ['POST', '/nobody/_flush'],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad(
    'merge to no segments',
    ['POST', '/books/_forcemerge?max_num_segments=0'],
    [400, 'illegal_argument_exception', 'max_num_segments'],
  ),
  bad(
    'bad expand_wildcards',
    ['GET', '/b*/_mapping?expand_wildcards=sideways'],
    [400, 'illegal_argument_exception', 'sideways'],
  ),
  bad(
    'alias named like an index',
    ['PUT', '/books/_alias/books'],
    [400, 'invalid_alias_name_exception', 'books'],
  ),
  bad('bad alias name', ['PUT', '/books/_alias/B%20d'], [400, 'invalid_alias_name_exception']),
  bad(
    'alias with several index routings',
    ['PUT', '/books/_alias/a', { routing: 'a,b' }],
    [400, 'illegal_argument_exception', 'several index routing values'],
  ),
  bad(
    'alias of an unknown index',
    ['PUT', '/nobody/_alias/a'],
    [404, 'index_not_found_exception', 'nobody'],
  ),
  bad(
    'unknown alias action',
    ['POST', '/_aliases', { actions: [{ paint: {} }] }],
    [400, 'x_content_parse_exception', 'paint'],
  ),
  ...(
    [
      ['index and indices', { add: { index: 'books', indices: ['b'], alias: 'a' } }, 'Only one of'],
      [
        'must_exist of add',
        { add: { index: 'books', alias: 'a', must_exist: true } },
        'must_exist',
      ],
      ['filter of remove', { remove: { index: 'books', alias: 'a', filter: {} } }, 'filter'],
      ['a number as index', { add: { index: 5, alias: 'a' } }, 'must be a string', '5'],
      ['a word as must_exist', { remove: { index: 'books', alias: 'a', must_exist: 'x' } }, '[x]'],
      [
        'must_exist of remove_index',
        { remove_index: { index: 'b', must_exist: true } },
        'must_exist',
      ],
      ['an action that is no object', { add: 'books' }, 'must be an object', 'books'],
    ] as const
  ).map(([name, action, ...words]) =>
    bad(
      `alias action with ${name}`,
      ['POST', '/_aliases', { actions: [action] }],
      [
        400,
        /Only|string|\[x\]/.test(words[0] ?? '')
          ? 'illegal_argument_exception'
          : 'x_content_parse_exception',
        ...words,
      ],
    ),
  ),
  bad(
    'no alias actions',
    ['POST', '/_aliases', { actions: [] }],
    [400, 'illegal_argument_exception', 'action'],
  ),
];
