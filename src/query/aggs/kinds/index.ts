// The aggregations by their names in the DSL, and those that this server rejects by name.
import type { AggContext, AggKind } from '../agg.js';
import { autoDateHistogram } from './auto-date-histogram.js';
import { composite } from './composite.js';
import { cardinality, valueCount, weightedAvg } from './counts.js';
import { dateHistogram } from './date-histogram.js';
import { geohashGrid, geotileGrid } from './geo-grid.js';
import { geoBounds, geoCentroid } from './geo-metrics.js';
import { histogram } from './histogram.js';
import { multiTerms } from './multi-terms.js';
import { medianAbsoluteDeviation, percentileRanks, percentiles } from './percentiles.js';
import { dateRange, geoDistance, ipRange, range } from './range.js';
import { significantTerms } from './significant-terms.js';
import {
  diversifiedSampler,
  filter,
  filters,
  global,
  missing,
  nested,
  reverseNested,
  sampler,
} from './single.js';
import { avg, extendedStats, max, min, stats, sum } from './stats.js';
import { rareTerms, terms } from './terms.js';
import { topHits } from './top-hits.js';
import { topMetrics } from './top-metrics.js';

export const aggKinds: Readonly<Record<string, AggKind>> = {
  auto_date_histogram: autoDateHistogram,
  avg,
  cardinality,
  composite,
  date_histogram: dateHistogram,
  date_range: dateRange,
  diversified_sampler: diversifiedSampler,
  extended_stats: extendedStats,
  filter: (context: AggContext) => filter(context.body, context),
  filters,
  geo_bounds: geoBounds,
  geo_centroid: geoCentroid,
  geo_distance: geoDistance,
  geohash_grid: geohashGrid,
  geotile_grid: geotileGrid,
  global,
  histogram,
  ip_range: ipRange,
  max,
  median_absolute_deviation: medianAbsoluteDeviation,
  min,
  missing,
  multi_terms: multiTerms,
  nested,
  percentile_ranks: percentileRanks,
  percentiles,
  range,
  rare_terms: rareTerms,
  reverse_nested: reverseNested,
  sampler,
  significant_terms: significantTerms,
  stats,
  sum,
  terms,
  top_hits: topHits,
  top_metrics: topMetrics,
  value_count: valueCount,
  weighted_avg: weightedAvg,
};

/** Aggregations whose body is a query instead of a list of parameters. */
export const PLAIN_BODY: ReadonlySet<string> = new Set(['filter']);

export const UNSUPPORTED_AGGS: ReadonlySet<string> = new Set([
  'adjacency_matrix',
  'boxplot',
  'bucket_correlation',
  'bucket_count_ks_test',
  'categorize_text',
  'change_point',
  'children',
  'cumulative_cardinality',
  'frequent_item_sets',
  'geo_line',
  'geohex_grid',
  'inference',
  'ip_prefix',
  'matrix_stats',
  'moving_percentiles',
  'normalize',
  'parent',
  'random_sampler',
  'rate',
  'scripted_metric',
  'significant_text',
  'string_stats',
  't_test',
  'time_series',
  'variable_width_histogram',
]);
