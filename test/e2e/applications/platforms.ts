// The least forms of the mappings and settings that frameworks, logs, traces and catalogs send: their
// types, components, options and spellings under names of our own.
import { chain, composable, DATE, index, KEYWORD, keyword, LONG, TEXT, template } from './parts.ts';

export const PLATFORMS: Readonly<Record<string, object>> = {
  'Kibana, saved objects': {
    settings: { auto_expand_replicas: '0-1', priority: 10, hidden: true },
    mappings: {
      dynamic: 'strict',
      _meta: { hashes: { a: 'b' } },
      properties: {
        version: { type: 'version' },
        refers: { type: 'nested', properties: { id: KEYWORD } },
        moved: { dynamic: 'true', type: 'object' },
        board: { properties: { panels: { type: 'text', index: false } } },
        alert: { properties: { options: { type: 'flattened', ignore_above: 4096 } } },
        secret: { type: 'binary' },
      },
    },
  },
  'Spring Data': index(
    {
      filter: { same: { type: 'synonym', lenient: true, synonyms: ['queen,monarch'] } },
      analyzer: { same: { tokenizer: 'whitespace', filter: ['same'] } },
    },
    {
      class: { type: 'keyword', index: false, doc_values: false },
      name: { type: 'text', fields: { next: { type: 'completion', max_input_length: 50 } } },
      day: { type: 'date', format: 'basic_date||date_time' },
      ages: { type: 'integer_range' },
      place: { type: 'geo_point' },
      vector: { type: 'dense_vector', dims: 3 },
      other: { type: 'alias', path: 'day' },
    },
    { index: { store: { type: 'fs' } } },
  ),
  'Hibernate Search': index(
    { normalizer: { order: { type: 'custom', filter: ['lowercase', 'asciifolding'] } } },
    {
      kind: { type: 'keyword', index: false },
      order: { type: 'keyword', normalizer: 'order', doc_values: true, index: false },
      price: { type: 'scaled_float', scaling_factor: 100, doc_values: false },
      day: { type: 'date', format: 'uuuu-MM-dd||yyyyyyyyy-MM-dd', locale: 'en-US' },
    },
  ),
  'elasticsearch-dsl': index(
    {
      tokenizer: { three: { type: 'ngram', min_gram: 3, max_gram: 3 } },
      filter: { both: { type: 'multiplexer', filters: ['lowercase', 'reverse'] } },
      analyzer: { three: chain('three', 'both'), fold: chain('whitespace', 'asciifolding') },
    },
    { next: { type: 'completion', analyzer: 'fold' }, notes: { type: 'nested', properties: {} } },
  ),
  JanusGraph: index({}, { name: { type: 'text', fields: {} }, name__whole: KEYWORD, born: DATE }),
  'Rally tracks': index(
    {},
    {
      at: { format: 'strict_date_optional_time||epoch_second', type: 'date' },
      line: { type: 'keyword', index: false, doc_values: false },
      query: { type: 'match_only_text', fields: { raw: keyword(256) } },
      place: { type: 'geo_point' },
    },
    { 'index.requests.cache.enable': false, 'index.sort.field': 'at', 'index.sort.order': 'desc' },
  ),
  Jaeger: composable({
    aliases: { 'app-read': {} },
    settings: {
      'index.mapping.nested_fields.limit': 50,
      lifecycle: { name: 'traces', rollover_alias: 'app-write' },
    },
    mappings: {
      dynamic_templates: [{ tags: { mapping: keyword(256), path_match: 'tag.*' } }],
      properties: {
        began: { type: 'date', format: 'epoch_millis' },
        lines: {
          type: 'nested',
          dynamic: false,
          properties: { fields: { type: 'nested', dynamic: false, properties: { k: KEYWORD } } },
        },
      },
    },
  }),
  Graylog: template({
    order: -1,
    settings: {
      index: { analysis: { analyzer: { whole: { tokenizer: 'keyword', filter: 'lowercase' } } } },
    },
    mappings: {
      properties: {
        id: KEYWORD,
        second: { type: 'alias', path: 'id' },
        at: { type: 'date', format: 'uuuu-MM-dd HH:mm:ss.SSS' },
        from: { type: 'text', analyzer: 'whole', fielddata: true },
      },
      dynamic_templates: [{ all: { match_mapping_type: 'string', mapping: KEYWORD } }],
    },
  }),
  Wazuh: template({
    version: 1,
    settings: { 'index.number_of_shards': '3', 'index.query.default_field': ['a.b', 'c.old-d'] },
    mappings: {
      properties: {
        aws: { properties: { 'call.far': { properties: { at: { type: 'geo_point' } } } } },
        log: { enabled: false, type: 'object' },
      },
    },
  }),
  'Elastic Common Schema': template({
    settings: { index: { codec: 'best_compression', mapping: { total_fields: { limit: 9000 } } } },
    mappings: {
      properties: {
        set: { type: 'constant_keyword' },
        trace: { type: 'wildcard', fields: { text: { type: 'match_only_text' } } },
        load: { type: 'scaled_float', scaling_factor: 1000 },
        labels: { type: 'object' },
      },
    },
  }),
  'Temporal, visibility': template({
    aliases: {},
    settings: {
      index: {
        'search.idle.after': '365d',
        'sort.field': ['closed', 'run'],
        'sort.order': ['desc', 'desc'],
        'sort.missing': ['_first', '_first'],
      },
    },
    mappings: {
      dynamic: 'false',
      properties: { run: KEYWORD, closed: { type: 'date_nanos' } },
    },
  }),
  'Elastic Agent and Rally, metrics': {
    mappings: {
      properties: {
        host: { ...KEYWORD, time_series_dimension: true },
        load: { type: 'double', time_series_metric: 'gauge' },
      },
    },
  },
  Forem: {
    mappings: {
      dynamic: 'strict',
      properties: {
        all: TEXT,
        tags: { dynamic: 'strict', properties: { name: { ...KEYWORD, copy_to: 'all' } } },
      },
    },
  },
  'Drupal and Odoo connectors': {
    mappings: {
      dynamic_templates: [{ all: { match_mapping_type: 'string', mapping: KEYWORD } }],
      properties: { made: { type: 'date', format: 'strict_date_optional_time||epoch_second' } },
    },
  },
  OpenMetadata: index(
    {
      filter: { stem: { type: 'stemmer', name: 'kstem' } },
      analyzer: {
        name: { tokenizer: 'standard', filter: ['lowercase', 'word_delimiter', 'stem'] },
      },
      normalizer: { small: { type: 'custom', char_filter: [], filter: ['lowercase'] } },
    },
    {
      name: { type: 'text', analyzer: 'name', similarity: 'boolean' },
      votes: { type: 'long', null_value: 0 },
    },
  ),
  DataHub: index(
    {
      filter: {
        parts: { type: 'word_delimiter', type_table: [': => SUBWORD_DELIM', '- => ALPHA'] },
        few: { type: 'stop', ignore_case: 'true', stopwords: ['urn'] },
        both: { type: 'multiplexer', filters: ['lowercase,parts', 'lowercase,same,flatten_graph'] },
        same: { type: 'synonym_graph', lenient: 'false', synonyms: ['stg, staging'] },
        own: { type: 'stemmer_override', rules: ['clients, client => client'] },
      },
      tokenizer: {
        marks: { type: 'pattern', pattern: '[(),./:\\s_]|(?<=\\S)(-)' },
        path: { type: 'path_hierarchy', delimiter: '\u001F' },
      },
      analyzer: {
        parts: { tokenizer: 'marks', filter: ['both', 'few', 'own', 'snowball', 'unique'] },
        path: { tokenizer: 'path' },
      },
    },
    {
      urn: {
        type: 'keyword',
        fields: {
          typed: {
            type: 'search_as_you_type',
            max_shingle_size: '4',
            doc_values: 'false',
            analyzer: 'parts',
          },
        },
      },
      path: {
        type: 'text',
        analyzer: 'path',
        fielddata: true,
        fields: { depth: { type: 'token_count', analyzer: 'path' } },
      },
    },
  ),
  'addons-server (Mozilla)': index(
    {
      filter: { cut: { type: 'dictionary_decompounder', word_list: ['tab', 'key'] } },
      analyzer: {
        de: { type: 'german', stopwords: '_none_' },
        ja: { type: 'cjk', stopwords: '_none_' },
        name: chain('standard', 'word_delimiter', 'lowercase', 'cut', 'unique'),
      },
    },
    { colors: { type: 'nested', properties: { ratio: { type: 'double' } } } },
  ),
  Pelias: index(
    {
      char_filter: { nfkc: { type: 'icu_normalizer', name: 'nfkc', mode: 'compose' } },
      filter: {
        zeros: { type: 'pattern_replace', pattern: '^(0*)', replacement: '' },
        same: { type: 'synonym', synonyms: [''] },
      },
      analyzer: {
        place: { ...chain('standard', 'icu_folding', 'zeros', 'same'), char_filter: ['nfkc'] },
      },
    },
    { place: { type: 'text', analyzer: 'place' }, people: { ...LONG, null_value: 0 } },
  ),
  'InvenioRDM (Zenodo)': index(
    {
      char_filter: {
        marks: { type: 'pattern_replace', pattern: '[\\p{Punct}\\p{S}]', replacement: '' },
      },
      analyzer: { plain: { ...chain('standard', 'asciifolding'), char_filter: ['marks'] } },
    },
    { title: { type: 'text', analyzer: 'plain' }, days: { type: 'date_range' } },
  ),
  Zipkin: template({
    settings: {
      analysis: {
        filter: { half: { type: 'pattern_capture', patterns: ['([0-9a-f]{1,16})$'] } },
        analyzer: { id: { type: 'custom', tokenizer: 'keyword', filter: 'half' } },
      },
    },
    mappings: {
      _source: { excludes: ['q'] },
      properties: {
        id: { type: 'text', fielddata: 'true', analyzer: 'id' },
        name: { type: 'keyword', norms: false },
        notes: { enabled: false },
      },
    },
  }),
};
