// Variances, standard deviations and the bounds around a mean, as extended_stats and
// extended_stats_bucket show them.

type Values = Readonly<Record<string, number | null>>;

/** `around`: the sum of squared distances from the mean of `count` values. */
export function spreadOf(around: number, count: number): Values {
  const population = count === 0 ? null : around / count;
  const sampling = count < 2 ? null : around / (count - 1);
  const root = (variance: number | null) => (variance === null ? null : Math.sqrt(variance));
  return {
    variance: population,
    variance_population: population,
    variance_sampling: sampling,
    std_deviation: root(population),
    std_deviation_population: root(population),
    std_deviation_sampling: root(sampling),
  };
}

/**
 * `deviations`: a result of spreadOf(); the bounds are `sigma` deviations on both sides of the
 * mean.
 */
export function deviationBounds(mean: number | null, deviations: Values, sigma: number) {
  const at = (name: string, factor: number): number | null => {
    const deviation = deviations[name] ?? null;
    return mean === null || deviation === null ? null : mean + factor * deviation;
  };
  return {
    upper: at('std_deviation', sigma),
    lower: at('std_deviation', -sigma),
    upper_population: at('std_deviation_population', sigma),
    lower_population: at('std_deviation_population', -sigma),
    upper_sampling: at('std_deviation_sampling', sigma),
    lower_sampling: at('std_deviation_sampling', -sigma),
  };
}
