// Selects the sections of an answer by the metrics in a path (`_stats/docs,store`,
// `_nodes/_all/http`).
import type { JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';

/** The metric names of a family of routes, in addition to those of its sections. */
export interface MetricNames {
  /** Metrics whose name differs from that of their section. */
  readonly sectionOf: Readonly<Record<string, string>>;
  /**
   * Metrics of Elasticsearch that this server lacks; they are accepted and left out of the answer.
   */
  readonly absent: readonly string[];
}

/**
 * The sections of `all` that `requested` names; all sections if it is empty or contains `_all`.
 * Rejects unknown metrics.
 */
export function keepMetrics(
  all: JsonObject,
  requested: readonly string[],
  names: MetricNames,
  path: string,
): JsonObject {
  const sections = requested.map((metric) => names.sectionOf[metric] ?? metric);
  const unknown = sections.find(
    (name) => name !== '_all' && !Object.hasOwn(all, name) && !names.absent.includes(name),
  );
  if (unknown !== undefined) {
    throw new QuarryError(
      'illegal_argument_exception',
      `request [${path}] contains unrecognized metric: [${unknown}]`,
    );
  }
  if (sections.includes('_all') && sections.length > 1) {
    throw new QuarryError(
      'illegal_argument_exception',
      `request [${path}] contains _all and individual metrics [${requested.join(',')}]`,
    );
  }
  if (sections.length === 0 || sections.includes('_all')) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => sections.includes(name)));
}
