// Invalid pipeline aggregations: places, paths, scripts and options.
import { type BadCase, bad } from './bad-case.ts';

const ILLEGAL = 'illegal_argument_exception';

const search = (aggs: unknown) => ['POST', '/books/_search', { size: 0, aggs }] as const;
const illegal = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, ILLEGAL, words]);
const invalid = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'action_request_validation_exception', words]);
const parsing = (name: string, aggs: unknown, words: string): BadCase =>
  bad(name, search(aggs), [400, 'parsing_exception', words]);
const byYear = { field: 'year', interval: 10, min_doc_count: 0 };
const sum = { sum: { field: 'price' } };
/** Inside the buckets of a histogram, next to a sum. */
const inside = (type: string, body: unknown) => ({
  h: { histogram: byYear, aggs: { s: sum, p: { [type]: body } } },
});
/** Next to a histogram that has a sum and terms in its buckets. */
const sibling = (type: string, body: unknown) => ({
  h: { histogram: byYear, aggs: { s: sum, t: { terms: { field: 'author' } } } },
  p: { [type]: body },
});

export const PIPELINE_CASES: readonly BadCase[] = [
  invalid(
    'parent at the top',
    { p: { cumulative_sum: { buckets_path: 'x' } } },
    'Validation Failed: 1: cumulative_sum aggregation [p] must be declared inside of another',
  ),
  invalid(
    'sort at the top',
    { p: { bucket_sort: { size: 1 } } },
    'Validation Failed: 1: bucket_sort aggregation [p] must be declared inside of another',
  ),
  illegal(
    'pipeline no path',
    inside('derivative', {}),
    'Required [buckets_path]: one path, in [p]',
  ),
  invalid(
    'pipeline path to nothing',
    inside('derivative', { buckets_path: 'nothing' }),
    'Validation Failed: 1: No aggregation found for path [nothing];',
  ),
  invalid(
    'sibling path to nothing',
    sibling('max_bucket', { buckets_path: 'nothing>s' }),
    'Validation Failed: 1: No aggregation found for path [nothing>s];',
  ),
  invalid(
    'sibling path inner nothing',
    sibling('max_bucket', { buckets_path: 'h>nothing' }),
    'Validation Failed: 1: No aggregation found for path [h>nothing];',
  ),
  illegal(
    'Holt-Winters of too few numbers',
    inside('moving_fn', {
      buckets_path: 's',
      window: 3,
      shift: 1,
      script: 'MovingFunctions.holtWinters(values, 0.3, 0.1, 0.2, 5, false)',
    }),
    'requires at least (2 * period == 2 * 5 == 10) data-points to function. Only [',
  ),
  illegal(
    'member of a window',
    inside('moving_fn', { buckets_path: 's', window: 3, script: 'values.size' }),
    '[values.size]: only [length] is known',
  ),
  illegal(
    'sibling to terms',
    sibling('max_bucket', { buckets_path: 'h>t' }),
    'buckets_path must reference either a number value or a single value numeric metric',
  ),
  invalid(
    'sibling through terms',
    sibling('max_bucket', { buckets_path: 'h>t>x' }),
    'Validation Failed: 1: No aggregation found for path [h>t>x];',
  ),
  illegal(
    'sibling property',
    {
      h: {
        histogram: { field: 'year', interval: 10, min_doc_count: 0 },
        aggs: { s: { stats: { field: 'year' } } },
      },
      p: { max_bucket: { buckets_path: 'h>s.foo' } },
    },
    'path not supported for [s]: it has no [foo]',
  ),
  illegal(
    'sibling of several',
    {
      h: {
        histogram: { field: 'year', interval: 10, min_doc_count: 0 },
        aggs: { s: { stats: { field: 'year' } } },
      },
      p: { max_bucket: { buckets_path: 'h>s' } },
    },
    'buckets_path must reference either a number value or a single value numeric metric',
  ),
  illegal(
    'sibling at a metric',
    { m: { max: { field: 'year' } }, p: { max_bucket: { buckets_path: 'm' } } },
    'buckets_path must reference either a number value or a single value numeric metric',
  ),
  parsing(
    'pipeline with aggs',
    {
      h: { histogram: { field: 'year', interval: 10, min_doc_count: 0 } },
      p: { max_bucket: { buckets_path: 'h' }, aggs: { x: { terms: { field: 'author' } } } },
    },
    'Aggregation [p] cannot define sub-aggregations: [max_bucket] takes none',
  ),
  parsing(
    'pipeline unknown',
    sibling('max_bucket', { buckets_path: 'h>s', window: 3 }),
    '[max_bucket] unknown field [window]',
  ),
  illegal(
    'gap_policy',
    sibling('max_bucket', { buckets_path: 'h>s', gap_policy: 'jump' }),
    '[max_bucket] unknown value [jump] of [gap_policy], expected one of [skip, insert_zeros,',
  ),
  illegal(
    'cycle',
    {
      h: {
        histogram: { field: 'year', interval: 10, min_doc_count: 0 },
        aggs: {
          x: { derivative: { buckets_path: 'y' } },
          y: { derivative: { buckets_path: 'x' } },
        },
      },
    },
    'Cyclical dependency found with pipeline aggregator [x]',
  ),
  illegal(
    'script none',
    inside('bucket_script', { buckets_path: { a: 's' } }),
    'Required [script]: [p]',
  ),
  illegal(
    'script statement',
    inside('bucket_script', { buckets_path: { a: 's' }, script: 'int x = params.a; return x' }),
    'compile error in script [int x = params.a; return x]: [int]: statements are not supported',
  ),
  illegal(
    'script loop',
    inside('bucket_script', { buckets_path: { a: 's' }, script: 'for (;;) {}' }),
    'compile error in script [for (;;) {}]: unexpected [{]',
  ),
  illegal(
    'script unknown',
    inside('bucket_script', { buckets_path: { a: 's' }, script: 'params.b + 1' }),
    'compile error in script [params.b + 1]: unknown variable [b], there are [a]',
  ),
  illegal(
    'script method',
    inside('bucket_script', { buckets_path: { a: 's' }, script: 'Math.random()' }),
    'compile error in script [Math.random()]: unknown method [Math.random], there are [abs,',
  ),
  illegal(
    'script end',
    inside('bucket_script', { buckets_path: { a: 's' }, script: 'params.a +' }),
    'compile error in script [params.a +]: unexpected end',
  ),
  illegal(
    'script two',
    inside('bucket_script', { buckets_path: { a: 's' }, script: 'params.a; params.a' }),
    'compile error in script [params.a; params.a]: unexpected [params], only one expression',
  ),
  illegal(
    'script lang',
    inside('bucket_script', { buckets_path: { a: 's' }, script: { source: '1', lang: 'python' } }),
    'script_lang not supported [python], use one of [painless, expression]',
  ),
  illegal(
    'script params',
    inside('bucket_script', {
      buckets_path: { a: 's' },
      script: { source: '1', params: { z: 'x' } },
    }),
    'parameter [z] of the script of [p] must be a number',
  ),
  illegal(
    'script field',
    inside('bucket_selector', { buckets_path: { a: 's' }, script: "doc['a'].value > 1" }),
    "compile error in script [doc['a'].value > 1]: unknown variable [doc], there are [a]",
  ),
  illegal(
    'window none',
    inside('moving_fn', { buckets_path: 's', script: 'MovingFunctions.max(values)' }),
    'Required [window]: [p]',
  ),
  illegal(
    'window 0',
    inside('moving_fn', { buckets_path: 's', window: 0, script: 'MovingFunctions.max(values)' }),
    '[window] must be a positive, non-zero integer: [p]',
  ),
  illegal(
    'function unknown',
    inside('moving_fn', { buckets_path: 's', window: 2, script: 'MovingFunctions.mode(values)' }),
    'compile error in script [MovingFunctions.mode(values)]: unknown method',
  ),
  illegal(
    'lag 0',
    inside('serial_diff', { buckets_path: 's', lag: 0 }),
    'Lag must be a positive, non-zero integer: [0] in [p]',
  ),
  illegal(
    'unit',
    inside('derivative', { buckets_path: 's', unit: 'often' }),
    'Could not parse the unit [often] of [p] as an interval',
  ),
  illegal(
    'sort nothing',
    inside('bucket_sort', {}),
    '[p] is configured to perform nothing. Please set either of [sort, size, from] to use',
  ),
  illegal(
    'sort from',
    inside('bucket_sort', { from: -1 }),
    '[from] must be a non-negative integer: [-1] in [p]',
  ),
  illegal(
    'sort size',
    inside('bucket_sort', { size: 0 }),
    '[size] must be a positive integer: [0] in [p]',
  ),
  illegal(
    'pb percents',
    sibling('percentiles_bucket', { buckets_path: 'h>s', percents: [200] }),
    'percents must only contain non-null doubles from 0.0-100.0 inclusive: [p]',
  ),
  illegal(
    'esb sigma',
    sibling('extended_stats_bucket', { buckets_path: 'h>s', sigma: -2 }),
    '[sigma] must be a non-negative double: [p]',
  ),
  invalid(
    'derivative below terms',
    {
      a: {
        terms: { field: 'author' },
        aggs: { s: { sum: { field: 'price' } }, p: { derivative: { buckets_path: 's' } } },
      },
    },
    'Validation Failed: 1: derivative aggregation [p] must have a histogram, date_histogram',
  ),
  invalid(
    'cumulative below filter',
    {
      a: {
        filter: { match_all: {} },
        aggs: { s: { sum: { field: 'price' } }, p: { cumulative_sum: { buckets_path: 's' } } },
      },
    },
    'Validation Failed: 1: cumulative_sum aggregation [p] must have a histogram,',
  ),
];
