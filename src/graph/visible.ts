// Queries of the edges index: links around nodes, of types, that were known and had begun at a moment; all of them, those
// that are not over, and those that are, because what is left out is accounted for.
import type { JsonObject } from '../backend.js';
import type { Moment } from './times.js';

export type Direction = 'out' | 'in' | 'both';

export interface Around {
  readonly nodes: readonly string[];
  readonly direction: Direction;
  /** Undefined: all. */
  readonly types: readonly string[] | undefined;
  /** Nodes whose own links are left out. */
  readonly except?: readonly string[];
}

export function aroundQuery(around: Around, moment: Moment): JsonObject {
  const { nodes, direction, types, except } = around;
  const sides = { out: ['src'], in: ['dst'], both: ['src', 'dst'] }[direction];
  const ends = sides.map((side) => anyOf(side, nodes));
  return {
    bool: {
      filter: [
        ends.length === 1 ? (ends[0] ?? {}) : { bool: { should: ends } },
        ...(types === undefined ? [] : [anyOf('type', types)]),
      ],
      must_not: [
        ...notYet(moment),
        ...(except === undefined ? [] : sides.map((side) => anyOf(side, except))),
      ],
    },
  };
}

/** All links that were known and had begun, and that are not over. */
export function liveAroundQuery(around: Around, moment: Moment): JsonObject {
  const { bool } = aroundQuery(around, moment) as { bool: { must_not: JsonObject[] } };
  return { bool: { ...bool, must_not: [...bool.must_not, ...over(moment)] } };
}

/** Links that had begun and are over. */
export function retiredAroundQuery(around: Around, moment: Moment): JsonObject {
  const { bool } = aroundQuery(around, moment) as { bool: { filter: JsonObject[] } };
  return { bool: { ...bool, filter: [...bool.filter, ...over(moment)] } };
}

function anyOf(field: string, values: readonly string[]): JsonObject {
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? { term: { [field]: only } }
    : { terms: { [field]: values } };
}

/** In the negative, so that a document without the time counts as always known and true. */
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
