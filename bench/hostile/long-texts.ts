// Small requests with one text of 100,000 characters that an answer would repeat for every hit or bucket,
// or with many short ones: each must be refused, or answered in bounded memory.
import type { SmallRequest } from './small-requests.ts';

const LONG = 'x'.repeat(100_000);

const search = (name: string, body: object): SmallRequest => ({
  name,
  method: 'POST',
  path: '/many/_search',
  body,
});
const page = (name: string, body: object): SmallRequest =>
  search(name, { size: 10_000, _source: false, ...body });
const inBuckets = (name: string, inside: object): SmallRequest =>
  search(name, {
    size: 0,
    aggs: { a: { terms: { field: 'n', size: 10_000 }, aggs: inside } },
  });

export const LONG_TEXTS: readonly SmallRequest[] = [
  page('a long name of a query', { query: { match_all: { _name: LONG } } }),
  page('a long format of a sort', { sort: [{ at: { order: 'asc', format: `yyyy'${LONG}'` } }] }),
  page('a long substitute in a sort', {
    sort: [{ none: { missing: LONG, unmapped_type: 'keyword' } }],
  }),
  page('a long text to sort by', {
    sort: [
      {
        _script: {
          type: 'string',
          order: 'asc',
          script: { source: 'params.x', params: { x: LONG } },
        },
      },
    ],
  }),
  page('a long format of a field', { fields: [{ field: 'at', format: `yyyy'${LONG}'` }] }),
  page('long tags', {
    query: { match: { body: 'w1' } },
    highlight: { pre_tags: [LONG], post_tags: [LONG], fields: { body: {} } },
  }),
  inBuckets('a long name of an aggregation', { [LONG]: { max: { field: 'n' } } }),
  inBuckets('a long meta', { m: { meta: { x: LONG }, max: { field: 'n' } } }),
  inBuckets('a long key of a filter', {
    f: { filters: { filters: { [LONG]: { match_all: {} } } } },
  }),
  inBuckets('a long key of a range', {
    r: { range: { field: 'n', ranges: [{ key: LONG, from: 0 }] } },
  }),
  inBuckets('a long substitute', { t: { terms: { field: 'none', missing: LONG } } }),
  search('a long name of a source', {
    size: 0,
    aggs: { a: { composite: { size: 10_000, sources: [{ [LONG]: { terms: { field: 'n' } } }] } } },
  }),
  search('a long format of buckets', {
    size: 0,
    aggs: {
      a: { date_histogram: { field: 'at', fixed_interval: '10s', format: `yyyy'${LONG}'` } },
    },
  }),
];
