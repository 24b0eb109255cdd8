// The least forms of the mappings and settings that sites, shops and their libraries send: their types,
// components, options and spellings under names of our own.
import { chain, DATE, index, KEYWORD, keyword, TEXT } from './parts.ts';

const WORDS = { tokenizer: 'standard', filter: ['lowercase', 'stem'] };

export const SITES: Readonly<Record<string, object>> = {
  'Mastodon, posts': index(
    {
      filter: {
        ends: { type: 'stemmer', language: 'possessive_english' },
        few: { type: 'stop', stopwords: '_english_' },
        stem: { type: 'stemmer', language: 'english' },
      },
      analyzer: {
        post: {
          tokenizer: 'uax_url_email',
          filter: ['ends', 'lowercase', 'asciifolding', 'cjk_width', 'few', 'stem'],
        },
        tag: { tokenizer: 'keyword', filter: ['word_delimiter_graph', 'lowercase', 'cjk_width'] },
      },
    },
    {
      said: { type: 'text', fields: { stems: { type: 'text', analyzer: 'post' } } },
      tags: { type: 'text', analyzer: 'tag' },
    },
  ),
  'Mastodon, people': index(
    {
      filter: { joined: { type: 'shingle', output_unigrams: true, token_separator: '' } },
      tokenizer: { starts: { type: 'edge_ngram', min_gram: 1, max_gram: 15 } },
      analyzer: { starts: chain('starts', 'lowercase'), joined: chain('standard', 'joined') },
    },
    { name: { type: 'text', analyzer: 'starts', search_analyzer: 'standard' } },
  ),
  'GitLab, issues': index(
    {
      filter: { stem: { type: 'stemmer', name: 'light_english' } },
      analyzer: { default: WORDS },
    },
    { title: { type: 'text', index_options: 'positions' }, trail: KEYWORD },
    { codec: 'best_compression' },
  ),
  'GitLab, code': index(
    {
      filter: {
        parts: { type: 'word_delimiter_graph', preserve_original: true, catenate_all: true },
        own: { type: 'pattern_capture', preserve_original: true, patterns: ['(\\p{Lu}\\p{Ll}+)'] },
      },
      tokenizer: {
        path: { type: 'path_hierarchy', reverse: true },
        hash: { type: 'edge_ngram', min_gram: 5, max_gram: 40, token_chars: ['letter', 'digit'] },
      },
      analyzer: {
        code: chain('whitespace', 'parts', 'flatten_graph', 'own', 'lowercase', 'asciifolding'),
        path: chain('path', 'lowercase', 'asciifolding'),
        hash: chain('hash', 'lowercase'),
      },
    },
    {
      file: { properties: { body: { type: 'text', analyzer: 'code' } } },
      at: { type: 'date', format: 'basic_date_time_no_millis' },
    },
  ),
  ElasticPress: {
    settings: {
      'index.max_shingle_diff': 8,
      'index.mapping.total_fields.limit': 5000,
      analysis: {
        filter: {
          runs: { type: 'shingle', min_shingle_size: 2, max_shingle_size: 5 },
          parts: { type: 'word_delimiter', preserve_original: true },
          stem: { type: 'snowball', language: 'english' },
          starts: { type: 'edge_ngram', side: 'front', min_gram: 3, max_gram: 10 },
        },
        analyzer: {
          default: {
            tokenizer: 'standard',
            filter: ['parts', 'lowercase', 'stop', 'stem'],
            char_filter: ['html_strip'],
            language: 'english',
          },
        },
        normalizer: { flat: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
      },
    },
    mappings: {
      date_detection: false,
      dynamic_templates: [
        {
          custom: {
            path_match: 'custom.*',
            mapping: { type: 'object', path: 'full', properties: { day: DATE, raw: KEYWORD } },
          },
        },
        {
          suggested: {
            path_match: 'suggested_*',
            mapping: { type: 'completion', analyzer: 'default' },
          },
        },
      ],
      properties: {
        posted: { type: 'date', format: 'YYYY-MM-dd HH:mm:ss' },
        title: { type: 'text', fields: { order: { type: 'keyword', normalizer: 'flat' } } },
      },
    },
  },
  Magento: index(
    {
      tokenizer: { words: { type: 'standard' } },
      filter: {
        stem: { type: 'stemmer', language: 'porter' },
        once: { type: 'unique', only_on_same_position: true },
        same: { type: 'synonym_graph', synonyms: ['bag,sack'] },
      },
      char_filter: { plain: { type: 'html_strip' } },
      analyzer: {
        default: {
          ...chain('words', 'lowercase', 'keyword_repeat', 'asciifolding', 'stem', 'once'),
          char_filter: ['plain'],
        },
        starts: chain('keyword', 'lowercase', 'asciifolding', 'same'),
      },
    },
    {
      name: { type: 'text', fielddata: true, copy_to: ['all'] },
      all: TEXT,
      price: { type: 'double', store: true },
      shown: { type: 'integer', index: false },
    },
  ),
  Nextcloud: index(
    {
      char_filter: {
        negated: {
          type: 'pattern_replace',
          pattern: '(\\w+)\\s+((?i:never|no|not))\\b',
          replacement: '~$1 $2',
        },
      },
      analyzer: { body: chain('standard', 'lowercase', 'stop', 'kstem') },
    },
    {
      body: {
        type: 'text',
        analyzer: 'body',
        term_vector: 'with_positions_offsets',
        copy_to: 'all',
      },
      all: { type: 'text', analyzer: 'body', term_vector: 'with_positions_offsets' },
    },
  ),
  'CirrusSearch of MediaWiki, English': index(
    {
      char_filter: {
        breaks: { type: 'mapping', mappings: ['_=>\\u0020', '.=>\\u0020', '\\u202F=>\\u0020'] },
      },
      tokenizer: { starts: { type: 'edge_ngram', max_gram: 255 } },
      filter: {
        parts: { type: 'word_delimiter', stem_english_possessive: false, preserve_original: false },
        kept: { type: 'asciifolding', preserve_original: true },
        own: { type: 'stemmer_override', rules: 'guides => guide' },
        cut: { type: 'truncate', length: 5000 },
      },
      analyzer: {
        page: { ...chain('standard', 'parts', 'lowercase', 'kept', 'kstem', 'own') },
        starts: { ...chain('starts', 'cut', 'lowercase'), char_filter: ['breaks'] },
      },
    },
    {
      title: {
        type: 'text',
        analyzer: 'page',
        similarity: 'few',
        position_increment_gap: 10,
        fields: {
          starts: { type: 'text', analyzer: 'starts', index_options: 'docs', norms: false },
        },
      },
    },
    { similarity: { few: { type: 'BM25', k1: 1.2, b: 0.3 } }, auto_expand_replicas: '0-2' },
  ),
  Zammad: {
    mappings: {
      _source: { excludes: ['letters.file'] },
      properties: {
        number: { type: 'text', fields: { raw: keyword(5012) } },
        letters: { type: 'nested', include_in_root: true, properties: { body: TEXT } },
        options: { type: 'object', enabled: false },
      },
    },
  },
  Shopware: index(
    {
      normalizer: { small: { type: 'custom', filter: ['lowercase'] } },
      filter: {
        grams: { type: 'ngram', min_gram: 4, max_gram: 5 },
        few: { type: 'stop', stopwords: '_german_' },
        parts: { type: 'word_delimiter_graph', preserve_original: true, catenate_words: true },
      },
      analyzer: {
        grams: chain('whitespace', 'lowercase', 'grams'),
        technical: chain('whitespace', 'parts', 'flatten_graph', 'few', 'remove_duplicates'),
      },
    },
    {
      name: { properties: { de: { type: 'keyword', normalizer: 'small', fields: { g: TEXT } } } },
      shown: { type: 'nested', properties: { id: KEYWORD } },
      released: {
        type: 'date',
        format: 'yyyy-MM-dd HH:mm:ss.000||strict_date_optional_time||epoch_millis',
        ignore_malformed: true,
      },
    },
    { 'index.mapping.nested_objects.limit': 1_000_000 },
  ),
  searchkick: index(
    {
      filter: {
        glued: { type: 'shingle', token_separator: '', output_unigrams_if_no_shingles: true },
        grams: { type: 'ngram', min_gram: 1, max_gram: 50 },
        stem: { type: 'snowball', language: 'English' },
      },
      char_filter: { and: { type: 'mapping', mappings: ['&=> and '] } },
      analyzer: {
        main: { ...chain('standard', 'lowercase', 'glued', 'stem'), char_filter: ['and'] },
        ends: chain('standard', 'reverse', 'grams', 'reverse'),
      },
    },
    {
      conversions: { type: 'nested', properties: { words: TEXT } },
      liked: { type: 'rank_features' },
    },
    { index: { max_ngram_diff: 49, max_shingle_diff: 4 } },
  ),
  'Wagtail and django-haystack': index(
    {
      tokenizer: { starts: { type: 'edge_ngram', min_gram: 2, max_gram: 15, side: 'front' } },
      filter: { grams: { type: 'ngram', min_gram: 3, max_gram: 15 } },
      analyzer: { grams: chain('lowercase', 'asciifolding', 'grams') },
    },
    { key: { type: 'keyword', store: true }, text: { type: 'text', analyzer: 'snowball' } },
    { index: { max_ngram_diff: 12 } },
  ),
};
