// Metrics named in a path (`_stats/docs,store`, `_nodes/_all/http`): which sections of an answer they keep.
import type { JsonObject } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';

/** What a family of metrics knows beside the sections it answers. */
export interface MetricNames {
  /** Metrics that are not called as their section. */
  readonly sectionOf: Readonly<Record<string, string>>;
  /** Metrics of Elasticsearch that this server does not have: asked for, they are left out. */
  readonly absent: readonly string[];
}

/** The sections of `all` that `asked` names; all of them for none or `_all`. Refuses what is no metric. */
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
