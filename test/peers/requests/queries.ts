// Queries on values and on words, one per request.
import { queries } from '../request.ts';

const TERM_LEVEL = queries('term level', {
  match_all: { match_all: {} },
  'match_all with boost': { match_all: { boost: 2.5 } },
  match_none: { match_none: {} },
  'term of a keyword': { term: { author: 'Eco' } },
  'term with boost': { term: { author: { value: 'Eco', boost: 3 } } },
  'term of an alias field': { term: { writer: 'Eco' } },
  'term case_insensitive': { term: { author: { value: 'eCO', case_insensitive: true } } },
  'term of a number': { term: { year: 1990 } },
  'term of a number as text': { term: { year: '1990' } },
  'term of a boolean': { term: { in_stock: true } },
  'term of a boolean as text': { term: { in_stock: 'false' } },
  'term of an address': { term: { origin: '10.0.1.37' } },
  'term of a network': { term: { origin: '10.0.2.0/24' } },
  'term of a text': { term: { title: 'river' } },
  'term of a subfield': { term: { 'shelf.room': 'attic' } },
  'term of an unknown field': { term: { nothing: 1 } },
  'terms of keywords': { terms: { author: ['Eco', 'Dumas'] } },
  'terms of numbers': { terms: { year: [1990, 1991, 1992, 1955] } },
  'terms with boost': { terms: { tags: ['poetry', 'short'], boost: 2 } },
  'terms of nothing': { terms: { tags: [] } },
  'terms of a document': { terms: { tags: { index: 'books', id: 'd1', path: 'tags' } } },
  'range of integers': { range: { year: { gte: 1980, lt: 1990 } } },
  'range with gt and lte': { range: { year: { gt: 1980, lte: 1990 } } },
  'range with boost': { range: { pages: { gte: 500, boost: 4 } } },
  'range of fractions': { range: { price: { gte: 9.99, lte: 20.5 } } },
  'range of an integer by fractions': { range: { year: { gt: 1979.5, lt: 1985.5 } } },
  'range of dates': { range: { published: { gte: '1980-01-01', lt: '1990-01-01' } } },
  'range of rounded dates': {
    range: { published: { gte: '1980-06-15||/y', lte: '1990-01-01||/y' } },
  },
  'range of date math': { range: { published: { gte: '1980-06-15||+3y-1M/d' } } },
  'range with a format': { range: { published: { gte: '15/06/1980', format: 'dd/MM/yyyy' } } },
  'range with a time zone': { range: { published: { gte: '1985-06-15', time_zone: '+05:00' } } },
  'range of dates by year alone': { range: { published: { gte: '1985', lte: '1986' } } },
  'range of keywords': { range: { author: { gte: 'C', lt: 'E' } } },
  'range of addresses': { range: { origin: { gte: '10.0.1.0', lt: '10.0.2.128' } } },
  'range of several values': { range: { rating: { gte: 5 } } },
  'range of nothing': { range: { year: { gte: 2030 } } },
  exists: { exists: { field: 'price' } },
  'exists of a text': { exists: { field: 'body' } },
  'exists of an object': { exists: { field: 'shelf' } },
  'exists of several values': { exists: { field: 'tags' } },
  'exists of an unknown field': { exists: { field: 'nothing' } },
  'exists with boost': { exists: { field: 'rating', boost: 1.5 } },
  'prefix of a keyword': { prefix: { author: 'D' } },
  'prefix of a text': { prefix: { title: 'sear' } },
  'prefix case_insensitive': { prefix: { author: { value: 'bRO', case_insensitive: true } } },
  'wildcard of a keyword': { wildcard: { author: { value: '*a?s' } } },
  'wildcard of a text': { wildcard: { title: 's*e' } },
  'wildcard with boost': { wildcard: { tags: { value: '*o*', boost: 2 } } },
  'wildcard case_insensitive': { wildcard: { author: { value: 'CAL*', case_insensitive: true } } },
  'regexp of a keyword': { regexp: { author: '[A-D].*' } },
  'regexp of a text': { regexp: { title: 'run(ner|s)?' } },
  'regexp with an interval': { regexp: { title: '.{4,5}' } },
  'regexp of numbers in text': { regexp: { author: { value: 'e.*', case_insensitive: true } } },
  fuzzy: { fuzzy: { title: 'rivr' } },
  'fuzzy of two edits': { fuzzy: { title: { value: 'gadren', fuzziness: 2 } } },
  'fuzzy without transpositions': {
    fuzzy: { title: { value: 'gadren', fuzziness: 1, transpositions: false } },
  },
  'fuzzy with a prefix': { fuzzy: { title: { value: 'seorch', prefix_length: 2, fuzziness: 1 } } },
  'fuzzy of a keyword': { fuzzy: { author: { value: 'Ecco' } } },
  ids: { ids: { values: ['d1', 'd2', 'd3', 'd999'] } },
  'ids with boost': { ids: { values: ['d4', 'd5'], boost: 3 } },
});

const FULL_TEXT = queries('words', {
  match: { match: { title: 'river garden' } },
  'match of one word': { match: { body: 'lantern' } },
  'match and': { match: { body: { query: 'river garden', operator: 'and' } } },
  'match with boost': { match: { body: { query: 'river garden', boost: 2 } } },
  'match at least two': {
    match: { body: { query: 'river garden stone', minimum_should_match: 2 } },
  },
  'match at least 75%': {
    match: { body: { query: 'river garden stone window', minimum_should_match: '75%' } },
  },
  'match all but one': {
    match: { body: { query: 'river garden stone', minimum_should_match: '-1' } },
  },
  'match by a table': {
    match: { body: { query: 'river garden stone window', minimum_should_match: '2<-25% 9<-3' } },
  },
  'match fuzzy': { match: { title: { query: 'rivr gardn', fuzziness: 'AUTO' } } },
  'match fuzzy with prefix': {
    match: { title: { query: 'rivr windw', fuzziness: 1, prefix_length: 3 } },
  },
  'match of stems': { match: { 'body.english': 'searching runners' } },
  'match with an analyzer': { match: { body: { query: 'RIVER garden', analyzer: 'whitespace' } } },
  'match of nothing left': { match: { 'body.english': 'the and of' } },
  'match of nothing left, all': {
    match: { 'body.english': { query: 'the', zero_terms_query: 'all' } },
  },
  'match of a keyword': { match: { author: 'Eco' } },
  'match of a number': { match: { year: '1990' } },
  'match of a boolean': { match: { in_stock: 'true' } },
  'match lenient': { match: { year: { query: 'eco', lenient: true } } },
  'match twice the same word': { match: { title: 'river river' } },
  match_phrase: { match_phrase: { body: 'river stone' } },
  'match_phrase of one word': { match_phrase: { body: 'river' } },
  'match_phrase with slop': { match_phrase: { body: { query: 'river stone', slop: 2 } } },
  'match_phrase with much slop': { match_phrase: { body: { query: 'stone river', slop: 8 } } },
  'match_phrase of stems': { match_phrase: { 'body.english': 'running searches' } },
  'match_phrase of a keyword': { match_phrase: { author: 'Eco' } },
  match_phrase_prefix: { match_phrase_prefix: { body: 'river st' } },
  'match_phrase_prefix of one word': { match_phrase_prefix: { body: 'lan' } },
  'match_phrase_prefix with slop': {
    match_phrase_prefix: { body: { query: 'stone ri', slop: 3 } },
  },
  match_bool_prefix: { match_bool_prefix: { title: 'river gar' } },
  'match_bool_prefix and': { match_bool_prefix: { body: { query: 'river gar', operator: 'and' } } },
  multi_match: { multi_match: { query: 'river garden', fields: ['title', 'body'] } },
  'multi_match with boosts': {
    multi_match: { query: 'river garden', fields: ['title^3', 'body'] },
  },
  'multi_match tie_breaker': {
    multi_match: { query: 'river garden', fields: ['title', 'body'], tie_breaker: 0.3 },
  },
  'multi_match most_fields': {
    multi_match: { query: 'river garden', fields: ['title', 'body'], type: 'most_fields' },
  },
  'multi_match cross_fields': {
    multi_match: { query: 'river garden', fields: ['title', 'body'], type: 'cross_fields' },
  },
  'multi_match cross_fields and': {
    multi_match: {
      query: 'river garden',
      fields: ['title', 'body'],
      type: 'cross_fields',
      operator: 'and',
    },
  },
  'multi_match phrase': {
    multi_match: { query: 'river stone', fields: ['title', 'body'], type: 'phrase' },
  },
  'multi_match phrase_prefix': {
    multi_match: { query: 'river st', fields: ['title', 'body'], type: 'phrase_prefix' },
  },
  'multi_match bool_prefix': {
    multi_match: { query: 'river st', fields: ['title', 'body'], type: 'bool_prefix' },
  },
  'multi_match by pattern': { multi_match: { query: 'river', fields: ['t*le', 'bod*'] } },
  'multi_match and': {
    multi_match: { query: 'river garden', fields: ['title', 'body'], operator: 'and' },
  },
  'multi_match of number and text': {
    multi_match: { query: '1990', fields: ['title', 'year'], lenient: true },
  },
  'multi_match fuzzy': {
    multi_match: { query: 'rivr', fields: ['title', 'body'], fuzziness: 'AUTO' },
  },
  query_string: { query_string: { query: 'river AND garden', default_field: 'body' } },
  'query_string or': { query_string: { query: 'river garden', default_field: 'body' } },
  'query_string with a field': { query_string: { query: 'author:Eco title:river' } },
  'query_string not': { query_string: { query: 'river -garden', default_field: 'body' } },
  'query_string groups': {
    query_string: { query: '(river OR stone) AND (garden OR window)', default_field: 'body' },
  },
  'query_string phrase': { query_string: { query: '"river stone"~3', default_field: 'body' } },
  'query_string wildcard': { query_string: { query: 'sea*', default_field: 'title' } },
  'query_string fuzzy': { query_string: { query: 'rivr~1', default_field: 'title' } },
  'query_string regexp': { query_string: { query: 'title:/run(s|ner)?/' } },
  'query_string range': { query_string: { query: 'year:[1980 TO 1990}' } },
  'query_string open range': { query_string: { query: 'year:>=2000' } },
  'query_string boosts': { query_string: { query: 'river^2 garden^0.5', default_field: 'body' } },
  'query_string exists': { query_string: { query: '_exists_:price AND year:<1970' } },
  'query_string fields': {
    query_string: { query: 'river garden', fields: ['title^2', 'body'], default_operator: 'and' },
  },
  'query_string escapes': { query_string: { query: 'title:river\\-stone' } },
  'query_string everything': { query_string: { query: '*:*' } },
  simple_query_string: { simple_query_string: { query: 'river + garden', fields: ['body'] } },
  'simple_query_string or': {
    simple_query_string: { query: 'river | lantern', fields: ['title', 'body'] },
  },
  'simple_query_string not': {
    simple_query_string: { query: 'river -garden', fields: ['body'], default_operator: 'and' },
  },
  'simple_query_string phrase': {
    simple_query_string: { query: '"river stone"', fields: ['body'] },
  },
  'simple_query_string prefix': { simple_query_string: { query: 'sear*', fields: ['title'] } },
  'simple_query_string fuzzy': { simple_query_string: { query: 'rivr~1', fields: ['title'] } },
  'simple_query_string groups': {
    simple_query_string: { query: '(river | stone) + lantern', fields: ['body'] },
  },
  'simple_query_string flags': {
    simple_query_string: { query: 'river | lantern', fields: ['body'], flags: 'AND' },
  },
  'simple_query_string broken': {
    simple_query_string: { query: '"river ( stone', fields: ['body'] },
  },
});

export const QUERY_REQUESTS = [...TERM_LEVEL, ...FULL_TEXT];
