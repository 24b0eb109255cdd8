// Aggregations of the books: metrics and buckets.
import { aggregations, books } from '../request.ts';
import { table } from './table.ts';

const METRICS = table([
  ['avg', 'avg', { field: 'pages' }],
  ['avg with missing', 'avg', { field: 'price', missing: 0 }],
  ['sum', 'sum', { field: 'price' }],
  ['min', 'min', { field: 'year' }],
  ['max', 'max', { field: 'year' }],
  ['min of dates', 'min', { field: 'published' }],
  ['max of dates with a format', 'max', { field: 'published', format: 'yyyy' }],
  ['sum of several values', 'sum', { field: 'rating' }],
  ['avg of booleans', 'avg', { field: 'in_stock' }],
  ['avg of an unknown field', 'avg', { field: 'nothing' }],
  ['stats', 'stats', { field: 'price' }],
  ['stats of dates', 'stats', { field: 'published' }],
  ['stats of an unknown field', 'stats', { field: 'nothing' }],
  ['extended_stats', 'extended_stats', { field: 'price' }],
  ['extended_stats sigma', 'extended_stats', { field: 'pages', sigma: 3 }],
  ['value_count', 'value_count', { field: 'rating' }],
  ['value_count of keywords', 'value_count', { field: 'tags' }],
  ['cardinality', 'cardinality', { field: 'author' }],
  ['cardinality of numbers', 'cardinality', { field: 'year' }],
  ['cardinality with missing', 'cardinality', { field: 'tags', missing: 'none' }],
  ['weighted_avg', 'weighted_avg', { value: { field: 'price' }, weight: { field: 'pages' } }],
  [
    'weighted_avg with missing',
    'weighted_avg',
    { value: { field: 'price', missing: 5 }, weight: { field: 'pages' } },
  ],
  ['percentiles', 'percentiles', { field: 'pages' }],
  [
    'percentiles as a list',
    'percentiles',
    { field: 'pages', percents: [10, 50, 90], keyed: false },
  ],
  [
    'percentiles by histogram',
    'percentiles',
    { field: 'pages', percents: [50], hdr: { number_of_significant_value_digits: 3 } },
  ],
  ['percentile_ranks', 'percentile_ranks', { field: 'pages', values: [200, 500, 800] }],
  ['median_absolute_deviation', 'median_absolute_deviation', { field: 'pages' }],
  ['top_hits', 'top_hits', { size: 3, sort: ['year', 'pages'], _source: 'title' }],
  [
    'top_hits with a page',
    'top_hits',
    { from: 2, size: 2, sort: [{ pages: 'desc' }], _source: false, docvalue_fields: ['year'] },
  ],
]);

const ORDER = [{ _count: 'desc' }, { _key: 'asc' }];
const BUCKETS = table([
  ['terms', 'terms', { field: 'author' }],
  ['terms of several values', 'terms', { field: 'tags' }],
  ['terms of numbers', 'terms', { field: 'year', size: 8 }],
  ['terms of booleans', 'terms', { field: 'in_stock' }],
  ['terms of addresses', 'terms', { field: 'origin', size: 4 }],
  ['terms of dates', 'terms', { field: 'published', size: 4 }],
  ['terms of fractions', 'terms', { field: 'price', size: 4 }],
  ['terms cut', 'terms', { field: 'author', size: 2 }],
  ['terms by key', 'terms', { field: 'author', order: { _key: 'desc' } }],
  ['terms by count', 'terms', { field: 'author', order: { _count: 'asc' } }],
  ['terms by two orders', 'terms', { field: 'tags', order: ORDER }],
  [
    'terms by a metric',
    'terms',
    { field: 'author', order: { m: 'desc' } },
    { m: { avg: { field: 'pages' } } },
  ],
  [
    'terms by a part of stats',
    'terms',
    { field: 'author', order: { 's.max': 'asc' } },
    { s: { stats: { field: 'pages' } } },
  ],
  [
    'terms by a path',
    'terms',
    { field: 'author', order: { 'f>m': 'desc' } },
    { f: { filter: { term: { in_stock: true } }, aggs: { m: { sum: { field: 'pages' } } } } },
  ],
  ['terms min_doc_count', 'terms', { field: 'year', min_doc_count: 4 }],
  ['terms min_doc_count 0', 'terms', { field: 'author', min_doc_count: 0 }],
  ['terms include', 'terms', { field: 'author', include: '[A-D].*' }],
  ['terms exclude', 'terms', { field: 'author', exclude: ['Eco', 'Dumas'] }],
  ['terms include a list', 'terms', { field: 'tags', include: ['poetry', 'short'] }],
  [
    'terms by partitions',
    'terms',
    { field: 'author', include: { partition: 0, num_partitions: 1 } },
  ],
  ['terms missing', 'terms', { field: 'tags', missing: 'none' }],
  ['terms of an unknown field', 'terms', { field: 'nothing' }],
  ['terms with errors', 'terms', { field: 'author', show_term_doc_count_error: true }],
  ['rare_terms', 'rare_terms', { field: 'year', max_doc_count: 1 }],
  ['rare_terms of keywords', 'rare_terms', { field: 'author', max_doc_count: 20 }],
  ['histogram', 'histogram', { field: 'pages', interval: 100 }],
  ['histogram offset', 'histogram', { field: 'pages', interval: 100, offset: 30 }],
  ['histogram of fractions', 'histogram', { field: 'price', interval: 2.5 }],
  ['histogram keyed', 'histogram', { field: 'year', interval: 20, keyed: true }],
  ['histogram min_doc_count', 'histogram', { field: 'year', interval: 5, min_doc_count: 8 }],
  ['histogram by count', 'histogram', { field: 'year', interval: 10, order: { _count: 'desc' } }],
  [
    'histogram extended',
    'histogram',
    { field: 'year', interval: 10, extended_bounds: { min: 1900, max: 2050 } },
  ],
  [
    'histogram bounded',
    'histogram',
    { field: 'year', interval: 10, hard_bounds: { min: 1970, max: 2000 } },
  ],
  ['histogram missing', 'histogram', { field: 'price', interval: 10, missing: 3 }],
  [
    'date_histogram of decades',
    'date_histogram',
    { field: 'published', calendar_interval: 'year', min_doc_count: 3 },
  ],
  [
    'date_histogram quarter',
    'date_histogram',
    { field: 'published', calendar_interval: 'quarter', min_doc_count: 1, format: 'yyyy-MM' },
  ],
  [
    'date_histogram keyed',
    'date_histogram',
    { field: 'published', calendar_interval: '1y', keyed: true, format: 'yyyy', min_doc_count: 1 },
  ],
  [
    'date_histogram descending',
    'date_histogram',
    { field: 'published', calendar_interval: 'year', order: { _key: 'desc' }, min_doc_count: 2 },
  ],
  ['date_histogram fixed', 'date_histogram', { field: 'published', fixed_interval: '3650d' }],
  [
    'date_histogram missing',
    'date_histogram',
    { field: 'published', calendar_interval: 'year', min_doc_count: 4, missing: '1990-01-01' },
  ],
  [
    'range',
    'range',
    { field: 'pages', ranges: [{ to: 200 }, { from: 200, to: 500 }, { from: 500 }] },
  ],
  [
    'range keyed',
    'range',
    {
      field: 'pages',
      keyed: true,
      ranges: [
        { key: 'thin', to: 200 },
        { key: 'thick', from: 200 },
      ],
    },
  ],
  [
    'range that overlaps',
    'range',
    {
      field: 'price',
      ranges: [
        { from: 5, to: 20 },
        { from: 10, to: 30 },
      ],
    },
  ],
  [
    'date_range',
    'date_range',
    {
      field: 'published',
      ranges: [{ to: '1980-01-01' }, { from: '1980-01-01', to: '2000-01-01' }, { from: '2000' }],
    },
  ],
  [
    'date_range format',
    'date_range',
    { field: 'published', format: 'MM-yyyy', ranges: [{ from: '01-1980', to: '01-1990' }] },
  ],
  [
    'ip_range',
    'ip_range',
    { field: 'origin', ranges: [{ to: '10.0.1.0' }, { mask: '10.0.2.0/24' }] },
  ],
  ['filter', 'filter', { term: { author: 'Eco' } }, { m: { avg: { field: 'pages' } } }],
  [
    'filters',
    'filters',
    { filters: { eco: { term: { author: 'Eco' } }, new: { range: { year: { gte: 2000 } } } } },
  ],
  [
    'filters as a list',
    'filters',
    { filters: [{ term: { author: 'Eco' } }, { match: { body: 'river' } }] },
  ],
  [
    'filters other',
    'filters',
    { other_bucket: true, filters: { eco: { term: { author: 'Eco' } } } },
  ],
  [
    'filters other by name',
    'filters',
    { other_bucket_key: 'rest', filters: { eco: { term: { author: 'Eco' } } } },
  ],
  ['missing', 'missing', { field: 'price' }],
  ['global', 'global', {}, { m: { avg: { field: 'pages' } } }],
  ['sampler', 'sampler', { shard_size: 1000 }, { m: { avg: { field: 'pages' } } }],
  ['significant_terms', 'significant_terms', { field: 'tags' }],
  [
    'composite',
    'composite',
    {
      size: 7,
      sources: [
        { author: { terms: { field: 'author' } } },
        { room: { terms: { field: 'shelf.room' } } },
      ],
    },
  ],
  [
    'composite after',
    'composite',
    {
      size: 7,
      after: { author: 'Calvino', room: 'north' },
      sources: [
        { author: { terms: { field: 'author' } } },
        { room: { terms: { field: 'shelf.room' } } },
      ],
    },
  ],
  [
    'composite of intervals',
    'composite',
    {
      size: 9,
      sources: [
        {
          decade: {
            date_histogram: { field: 'published', calendar_interval: 'year', format: 'yyyy' },
          },
        },
        { thick: { histogram: { field: 'pages', interval: 400 } } },
      ],
    },
  ],
  [
    'composite descending',
    'composite',
    { size: 5, sources: [{ year: { terms: { field: 'year', order: 'desc' } } }] },
  ],
  [
    'composite with missing',
    'composite',
    { size: 5, sources: [{ tag: { terms: { field: 'tags', missing_bucket: true } } }] },
  ],
  [
    'composite with numbers',
    'composite',
    { sources: [{ year: { terms: { field: 'year' } } }] },
    { m: { sum: { field: 'pages' } } },
  ],
  [
    'top_hits in terms',
    'terms',
    { field: 'author' },
    { t: { top_hits: { size: 1, sort: ['pages'], _source: false } } },
  ],
  [
    'terms in terms',
    'terms',
    { field: 'author' },
    { in: { terms: { field: 'shelf.room' }, aggs: { m: { max: { field: 'year' } } } } },
  ],
  [
    'three levels',
    'histogram',
    { field: 'year', interval: 20 },
    {
      in: {
        terms: { field: 'author', size: 3 },
        aggs: { deep: { range: { field: 'pages', ranges: [{ to: 400 }, { from: 400 }] } } },
      },
    },
  ],
]);

export const AGGREGATION_REQUESTS = [
  ...aggregations('metric', books, METRICS),
  ...aggregations('buckets', books, BUCKETS),
];
