// `rescore`: second queries that score the best hits again. Shards send the score of each rescore
// query for a hit (native/core/query/plan/rescore.h); which hits it applies to is decided where the
// shards' hits are merged (coordinator/page/rescored.ts).
import type { Json, JsonObject } from '../backend/index.js';
import type { PlanWriter } from '../wire/plan-writer.js';
import { type Clause, encodeClause } from './clauses/index.js';
import type { SearchLimits } from './limits.js';
import { QueryParser } from './parse.js';
import {
  illegal,
  isArray,
  isObject,
  malformed,
  printed,
  toFloat,
  toInteger,
  tokenName,
} from './values.js';

const DEFAULT_WINDOW = 10;
/** Each rescorer scores a whole window of hits. */
const MAX_RESCORERS = 10;
const MODES = ['total', 'multiply', 'avg', 'max', 'min'] as const;

export interface Rescore {
  readonly query: Clause;
  /** The number of best hits that are scored again. */
  readonly window: number;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly mode: (typeof MODES)[number];
}

/** Reads `rescore` and checks it against the order and the other keys of the body. */
export function readRescores(
  body: JsonObject,
  sorted: boolean,
  limits: SearchLimits,
): readonly Rescore[] {
  const { rescore } = body;
  if (rescore === undefined) return [];
  const rescores = parseRescore(rescore, limits);
  if (rescores.length > 0) checkRescore(body, sorted);
  return rescores;
}

export function parseRescore(value: Json, limits: SearchLimits): readonly Rescore[] {
  if (isArray(value)) {
    if (value.length > MAX_RESCORERS) {
      throw illegal(
        `[rescore] may hold up to [${MAX_RESCORERS}] rescorers, got [${value.length}]: put their queries together`,
      );
    }
    return value.map((entry) => readOne(entry, limits));
  }
  return [readOne(value, limits)];
}

function readOne(value: Json, limits: SearchLimits): Rescore {
  if (!isObject(value)) throw malformed(`Unknown key for a ${tokenName(value)} in [rescore].`);
  const { window_size: size, query, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed(`rescore doesn't support [${unknown}]`);
  if (query === undefined) throw malformed('missing rescore type, give it a [query]');
  const window =
    size === undefined ? DEFAULT_WINDOW : toInteger(size, '[window_size] of [rescore]');
  if (window < 0) throw illegal(`[window_size] of [rescore] cannot be negative, got [${window}]`);
  if (window > limits.rescoreWindow) {
    throw illegal(
      `Rescore window [${window}] is too large. It must be less than [${limits.rescoreWindow}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
    );
  }
  return { window, ...readQuery(query, limits) };
}

function readQuery(value: Json, limits: SearchLimits): Omit<Rescore, 'window'> {
  if (!isObject(value))
    throw malformed(`[rescore] [query] must be an object, found [${tokenName(value)}]`);
  const {
    rescore_query: query,
    query_weight: weight,
    rescore_query_weight: rescoreWeight,
    score_mode: mode,
    ...rest
  } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed(`[query] unknown field [${unknown}] in [rescore]`);
  if (query === undefined) throw illegal('rescore_query cannot be null');
  return {
    query: readClause(query, limits),
    queryWeight: weight === undefined ? 1 : toFloat(weight, '[query_weight]'),
    rescoreWeight:
      rescoreWeight === undefined ? 1 : toFloat(rescoreWeight, '[rescore_query_weight]'),
    mode: readMode(mode ?? 'total'),
  };
}

function readClause(query: Json, limits: SearchLimits): Clause {
  const parser = new QueryParser({ limits });
  const clause = parser.clause(query);
  const [first] = parser.allVectorClauses;
  if (first === undefined) return clause;
  throw malformed(`[${first.kind}] is not supported inside [rescore], make it part of [query]`);
}

function readMode(value: Json): Rescore['mode'] {
  const found = MODES.find((mode) => mode === printed(value).toLowerCase());
  if (found !== undefined) return found;
  throw illegal(`illegal score_mode [${printed(value)}], expected one of [${MODES.join(', ')}]`);
}

/** Rejects keys that cannot be combined with rescoring. */
function checkRescore(body: JsonObject, sorted: boolean): void {
  if (sorted) throw illegal('Cannot use [sort] option in conjunction with [rescore].');
  if (body['collapse'] === undefined) return;
  throw illegal('cannot use `collapse` in conjunction with `rescore`');
}

export function writeRescores(writer: PlanWriter, rescores: readonly Rescore[]): void {
  writer.node('rescore', () =>
    writer.list(rescores, ({ query }) => encodeClause(query, writer, undefined)),
  );
}

/**
 * Combines a hit's query score `first` and its rescore query score `second`, which is null if the
 * rescore query does not match.
 */
export function combined(
  { queryWeight, rescoreWeight, mode }: Rescore,
  first: number,
  second: number | null,
): number {
  const primary = Math.fround(first * Math.fround(queryWeight));
  if (second === null) return primary;
  const secondary = Math.fround(second * Math.fround(rescoreWeight));
  switch (mode) {
    case 'total':
      return Math.fround(primary + secondary);
    case 'multiply':
      return Math.fround(primary * secondary);
    case 'avg':
      return Math.fround(Math.fround(primary + secondary) / 2);
    case 'max':
      return Math.max(primary, secondary);
    case 'min':
      return Math.min(primary, secondary);
  }
}
