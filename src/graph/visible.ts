// The query for the live links around nodes at a moment, for callers that read them by search.
import type { JsonObject } from '../backend/index.js';
import type { Moment } from './times.js';

export type Direction = 'out' | 'in' | 'both';

export interface Around {
  readonly nodes: readonly string[];
  readonly direction: Direction;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
}

/** Links that were recorded and had begun by the moment, and that had not ended. */
export function liveAroundQuery({ nodes, direction, types }: Around, moment: Moment): JsonObject {
  const sides = { out: ['src'], in: ['dst'], both: ['src', 'dst'] }[direction];
  const ends = sides.map((side) => anyOf(side, nodes));
  return {
    bool: {
      filter: [
        ends.length === 1 ? (ends[0] ?? {}) : { bool: { should: ends } },
        ...(types === undefined ? [] : [anyOf('type', types)]),
      ],
      must_not: [...notYet(moment), ...over(moment)],
    },
  };
}

function anyOf(field: string, values: readonly string[]): JsonObject {
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? { term: { [field]: only } }
    : { terms: { [field]: values } };
}

/** Negated, so that a document without the time counts as always recorded and valid. */
function notYet({ world, system }: Moment): readonly JsonObject[] {
  return [after('valid_at', world), ...(system === null ? [] : [after('created_at', system)])];
}

function over({ world, system }: Moment): readonly JsonObject[] {
  const ended = { range: { invalid_at: { lte: world, format: 'epoch_millis' } } };
  if (system === null) return [ended];
  return [{ bool: { filter: [ended], must_not: [after('expired_at', system)] } }];
}

function after(field: string, ms: number): JsonObject {
  return { range: { [field]: { gt: ms, format: 'epoch_millis' } } };
}
