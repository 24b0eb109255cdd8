// Invalid aggregations: trees, names, fields, the options of terms and intervals of histograms.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';

const search = (aggs: unknown) => ['POST', '/books/_search', { size: 0, aggs }] as const;
const illegal = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, ILLEGAL, words]);
const parsing = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'parsing_exception', words]);
/** An error that only a shard detects, because it has the mapping. */
const ofShard = (name: string, aggs: unknown, words: string, cause = ILLEGAL): BadCase =>
  bad(name, search(aggs), [400, 'search_phase_execution_exception', words], cause);
const one = (type: string, body: unknown) => ({ a: { [type]: body } });

export const AGGREGATION_CASES: readonly BadCase[] = [
  ofShard(
    'terms of text',
    one('terms', { field: 'title' }),
    'Fielddata is disabled on [title] in [books]. Text fields are not optimised for',
  ),
  ofShard(
    'avg of text',
    one('avg', { field: 'title' }),
    'Fielddata is disabled on [title] in [books]. Text fields are not optimised for',
  ),
  ofShard(
    'avg of a keyword',
    one('avg', { field: 'author' }),
    'Field [author] of type [keyword] is not supported for aggregation [avg]',
  ),
  ofShard(
    'stats of an address',
    one('stats', { field: 'host' }),
    'Field [host] of type [ip] is not supported for aggregation [stats]',
  ),
  ofShard(
    'histogram of a keyword',
    one('histogram', { field: 'author', interval: 1 }),
    'Field [author] of type [keyword] is not supported for aggregation [histogram]',
  ),
  ofShard(
    'date_histogram of a keyword',
    one('date_histogram', { field: 'author', fixed_interval: '1d' }),
    'Field [author] of type [keyword] is not supported for aggregation [date_histogram]',
  ),
  ofShard(
    'range of a keyword',
    one('range', { field: 'author', ranges: [{ to: 1 }] }),
    'Field [author] of type [keyword] is not supported for aggregation [range]',
  ),
  ofShard(
    'ip_range of a number',
    one('ip_range', { field: 'year', ranges: [{ to: '10.0.0.1' }] }),
    'Field [year] of type [integer] is not supported for aggregation [ip_range]',
  ),
  ofShard(
    'terms of a field without values',
    one('terms', { field: 'hidden' }),
    "Can't load fielddata on [hidden] because fielddata is unsupported on fields of type",
  ),
  parsing('aggs a list', [], 'Found [START_ARRAY] in [aggs], expected an object of aggregations'),
  parsing('aggs a text', 'x', 'Found [VALUE_STRING] in [aggs], expected an object of aggregations'),
  parsing(
    'a definition that is a list',
    { a: [] },
    'Aggregation definition for [a starts with a [START_ARRAY], expected a [START_OBJECT].',
  ),
  parsing(
    'a definition that is a number',
    { a: 3 },
    'Aggregation definition for [a starts with a [VALUE_NUMBER], expected a [START_OBJECT].',
  ),
  parsing('no type', { a: {} }, 'Missing definition for aggregation [a]'),
  parsing(
    'only aggs inside',
    { a: { aggs: { b: { terms: { field: 'author' } } } } },
    'Missing definition for aggregation [a]',
  ),
  parsing('unknown type', one('averge', { field: 'year' }), 'Unknown aggregation type [averge]'),
  parsing(
    'unsupported type',
    one('geohex_grid', { field: 'x' }),
    '[geohex_grid] aggregation is not supported by this server: [a]',
  ),
  parsing(
    'two types',
    { a: { avg: { field: 'year' }, max: { field: 'year' } } },
    'Found two aggregation type definitions in [a]: [avg] and [max]',
  ),
  parsing(
    'aggs twice',
    { a: { terms: { field: 'author' }, aggs: {}, aggregations: {} } },
    'Found two sub aggregation definitions under [a]',
  ),
  parsing(
    'meta a text',
    { a: { terms: { field: 'author' }, meta: 'x' } },
    '[meta] of [a] must be an object',
  ),
  parsing(
    'name with [',
    { 'a[b': { terms: { field: 'author' } } },
    "Invalid aggregation name [a[b]. Aggregation names can contain any character except '[',",
  ),
  parsing(
    'name with ]',
    { 'a]b': { terms: { field: 'author' } } },
    "Invalid aggregation name [a]b]. Aggregation names can contain any character except '[',",
  ),
  parsing(
    'name with >',
    { 'a>b': { terms: { field: 'author' } } },
    "Invalid aggregation name [a>b]. Aggregation names can contain any character except '[',",
  ),
  parsing(
    'empty name',
    { '': { terms: { field: 'author' } } },
    "Invalid aggregation name []. Aggregation names can contain any character except '[',",
  ),
  parsing(
    'body a text',
    one('terms', 'author'),
    'Expected [START_OBJECT] under [terms], but got a [VALUE_STRING] in [a]',
  ),
  parsing(
    'body a list',
    one('avg', ['year']),
    'Expected [START_OBJECT] under [avg], but got a [START_ARRAY] in [a]',
  ),
  parsing(
    'unknown option',
    one('terms', { field: 'author', sizes: 3 }),
    '[terms] unknown field [sizes] did you mean [size]?',
  ),
  parsing(
    'unknown option of avg',
    one('avg', { field: 'year', interval: 3 }),
    '[avg] unknown field [interval]',
  ),
  illegal(
    'no field',
    one('terms', {}),
    'Required one of fields [field, script], but none were specified.',
  ),
  illegal(
    'empty field',
    one('avg', { field: '' }),
    'Required one of fields [field, script], but none were specified.',
  ),
  parsing(
    'a script',
    one('avg', { field: 'year', script: '1' }),
    '[avg] [script] is not supported by this server, name a [field]',
  ),
  illegal(
    'missing null',
    one('avg', { field: 'year', missing: null }),
    '[missing] of [avg] must not be null',
  ),
  ofShard(
    'missing no number',
    one('avg', { field: 'year', missing: 'many' }),
    'For input string: "many"',
    'number_format_exception',
  ),
  ofShard(
    'missing no date',
    one('date_histogram', { field: 'bought', fixed_interval: '1d', missing: 'someday' }),
    'failed to parse date field [someday] with format',
    'parse_exception',
  ),
  illegal(
    'wrong value_type',
    one('terms', { field: 'author', value_type: 'blob' }),
    '[terms] unknown value [blob] of [value_type], expected one of [byte, short,',
  ),
  illegal(
    'metric with aggs',
    { a: { avg: { field: 'year' }, aggs: { b: { terms: { field: 'author' } } } } },
    'Aggregator [a] of type [avg] cannot accept sub-aggregations',
  ),
  illegal(
    'top_hits with aggs',
    { a: { top_hits: {}, aggs: { b: { terms: { field: 'author' } } } } },
    'Aggregator [a] of type [top_hits] cannot accept sub-aggregations',
  ),
  illegal(
    'terms size 0',
    one('terms', { field: 'author', size: 0 }),
    '[size] must be greater than 0. Found [0] in [terms]',
  ),
  illegal(
    'terms size negative',
    one('terms', { field: 'author', size: -1 }),
    '[size] must be greater than 0. Found [-1] in [terms]',
  ),
  illegal(
    'terms size text',
    one('terms', { field: 'author', size: 'ten' }),
    'failed to parse [size] of [terms] with value [ten], expected a whole number',
  ),
  illegal(
    'terms size fraction',
    one('terms', { field: 'author', size: 1.5 }),
    '[size] of [terms]: 1.5 cannot be converted to Integer without data loss',
  ),
  illegal(
    'terms shard_size 0',
    one('terms', { field: 'author', shard_size: 0 }),
    '[shard_size] must be greater than 0. Found [0] in [terms]',
  ),
  illegal(
    'terms min_doc_count negative',
    one('terms', { field: 'author', min_doc_count: -1 }),
    '[min_doc_count] must be greater than -1. Found [-1] in [terms]',
  ),
  illegal(
    'terms order unknown',
    one('terms', { field: 'author', order: { nothing: 'asc' } }),
    'Invalid aggregator order path [nothing]. The provided aggregation [nothing] either does',
  ),
  parsing(
    'terms order direction',
    one('terms', { field: 'author', order: { _count: 'up' } }),
    'Unknown order direction [up]',
  ),
  parsing(
    'terms order two keys',
    one('terms', { field: 'author', order: { _count: 'asc', _key: 'asc' } }),
    'Must specify at least one field for [order], and one in each object',
  ),
  parsing(
    'terms order text',
    one('terms', { field: 'author', order: 'asc' }),
    '[order] must be an object or an array of objects',
  ),
  illegal(
    'terms order by property that is not',
    {
      a: {
        terms: { field: 'author', order: { 's.foo': 'asc' } },
        aggs: { s: { stats: { field: 'year' } } },
      },
    },
    'Invalid aggregation order path: [s] has no value [foo] to sort by',
  ),
  illegal(
    'terms order by stats',
    {
      a: {
        terms: { field: 'author', order: { s: 'asc' } },
        aggs: { s: { stats: { field: 'year' } } },
      },
    },
    'Invalid aggregation order path: [s] has no value [] to sort by',
  ),
  ofShard(
    'terms order by buckets',
    {
      a: {
        terms: { field: 'author', order: { s: 'asc' } },
        aggs: { s: { terms: { field: 'year' } } },
      },
    },
    'Invalid aggregation order path: it does not end at a single metric value',
  ),
  ofShard(
    'terms order through buckets',
    {
      a: {
        terms: { field: 'author', order: { 's>m': 'asc' } },
        aggs: { s: { terms: { field: 'year' }, aggs: { m: { max: { field: 'year' } } } } },
      },
    },
    'Invalid aggregation order path in [a]: buckets can only be sorted on a sub-aggregator',
  ),
  ofShard(
    'terms include regexp bad',
    one('terms', { field: 'author', include: 'a(' }),
    'unexpected end-of-string',
  ),
  ofShard(
    'terms include regexp on numbers',
    one('terms', { field: 'year', include: 'a.*' }),
    'Aggregation [a] cannot support regular expression style include/exclude settings as',
  ),
  illegal(
    'terms partition',
    one('terms', { field: 'author', include: { partition: 5, num_partitions: 3 } }),
    '[partition] must be below [num_partitions]: [a]',
  ),
  illegal(
    'terms partition half',
    one('terms', { field: 'author', include: { partition: 5 } }),
    '[include] needs [partition] and [num_partitions]: [a]',
  ),
  illegal(
    'terms execution_hint',
    one('terms', { field: 'author', execution_hint: 'fast' }),
    '[terms] unknown value [fast] of [execution_hint], expected one of [map,',
  ),
  illegal(
    'terms collect_mode',
    one('terms', { field: 'author', collect_mode: 'sideways' }),
    '[terms] unknown value [sideways] of [collect_mode], expected one of [depth_first,',
  ),
  illegal(
    'rare_terms too precise',
    one('rare_terms', { field: 'author', precision: 1e-9 }),
    '[precision] must be greater than 0.00001 in [a]',
  ),
  illegal(
    'rare max_doc_count',
    one('rare_terms', { field: 'author', max_doc_count: 0 }),
    '[max_doc_count] must be greater than 0. Found [0] in [rare_terms]',
  ),
  illegal(
    'rare max_doc_count 101',
    one('rare_terms', { field: 'author', max_doc_count: 101 }),
    '[max_doc_count] must be smaller than or equal to 100 in [a], got [101]',
  ),
  illegal('histogram no interval', one('histogram', { field: 'year' }), 'Required [interval]: [a]'),
  illegal(
    'histogram interval 0',
    one('histogram', { field: 'year', interval: 0 }),
    '[interval] must be >0 for histogram aggregation [a]',
  ),
  illegal(
    'histogram interval -1',
    one('histogram', { field: 'year', interval: -1 }),
    '[interval] must be >0 for histogram aggregation [a]',
  ),
  illegal(
    'histogram interval NaN',
    one('histogram', { field: 'year', interval: 'NaN' }),
    'failed to parse [interval] of [histogram] with value [NaN], expected a number',
  ),
];
