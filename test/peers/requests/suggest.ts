// Spelling corrections.
import { type PeerRequest, request } from '../request.ts';

const suggest = (name: string, index: string, suggestion: object): PeerRequest =>
  request(`suggest: ${name}`, 'POST', `/${index}/_search?search_type=dfs_query_then_fetch`, {
    size: 0,
    suggest: { s: suggestion },
  });
const term = (name: string, text: string, options: object = {}): PeerRequest =>
  suggest(`term, ${name}`, 'books', { text, term: { field: 'title', ...options } });
const phrase = (name: string, text: string, options: object = {}): PeerRequest =>
  suggest(`phrase, ${name}`, 'books', { text, phrase: { field: 'body', ...options } });

const always = { suggest_mode: 'always' };
const generators = [{ field: 'body', suggest_mode: 'always', min_word_length: 3 }];

export const SUGGEST_REQUESTS: readonly PeerRequest[] = [
  term('one word', 'rivre'),
  term('two words', 'rivre gardn'),
  term('a word that is there', 'river'),
  term('always', 'river', always),
  term('popular', 'searching', { suggest_mode: 'popular' }),
  term('by frequency', 'rums', { sort: 'frequency', ...always }),
  term('one edit', 'gadren', { max_edits: 1 }),
  term('a long prefix', 'rivre', { prefix_length: 4 }),
  term('no prefix', 'tiver', { prefix_length: 0 }),
  term('a short word', 'rvr', { min_word_length: 3 }),
  term('a size', 'searched', { size: 1, ...always }),
  term('another distance', 'rivre', { string_distance: 'jaro_winkler' }),
  term('nothing near', 'xxxxxxxx'),
  suggest('term, of three shards', 'logs', { text: 'lantren', term: { field: 'message' } }),
  phrase('one word', 'river stnoe'),
  phrase('two words', 'rivre stnoe', { max_errors: 2 }),
  phrase('marked', 'river stnoe', { highlight: { pre_tag: '<em>', post_tag: '</em>' } }),
  phrase('generators', 'rivre stone', { direct_generator: generators }),
  phrase('confidence', 'river stone', { confidence: 0, direct_generator: generators }),
  phrase('nothing near', 'xxxxxxxx yyyyyyyy'),
  request('suggest: none asked', 'POST', '/books/_search', { suggest: {} }),
  request('suggest: a text alone', 'POST', '/books/_search', { suggest: { text: 'river' } }),
  request('suggest: global text', 'POST', '/books/_search', {
    size: 0,
    suggest: { text: 'rivre', a: { term: { field: 'title' } }, b: { term: { field: 'body' } } },
  }),
];
