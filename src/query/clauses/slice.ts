// `slice`: one of several disjoint parts of a shard's documents, for clients that share a scroll or
// a point in time. The `slice` of the body is divided into shards and such parts
// (coordinator/search/slices.ts); the DSL has no such clause.
import type { Json } from '../../backend/index.js';
import { type ClauseEncoder, queryNode } from '../clause.js';
import type { ClauseBase } from '../params.js';
import { illegal, isObject, malformed, toInteger, tokenName } from '../values.js';

export interface SliceClause extends ClauseBase {
  readonly kind: 'slice';
  readonly id: number;
  readonly max: number;
}

export function parseSlice(value: Json): SliceClause {
  if (!isObject(value)) {
    throw malformed(`[slice] must be an object with [id] and [max], found [${tokenName(value)}]`);
  }
  const { id: givenId, max: givenMax, field = '_id', ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw malformed(`[slice] unknown field [${unknown}]`);
  if (givenId === undefined) throw malformed('Required [id] is missing in [slice]');
  if (givenMax === undefined) throw malformed('Required [max] is missing in [slice]');
  if (field !== '_id') {
    throw illegal('[slice] by [field] is not supported by this server, it slices by [_id]');
  }
  const id = toInteger(givenId, '[id]');
  const max = toInteger(givenMax, '[max]');
  if (id < 0) throw illegal(`id must be greater than or equal to 0, got [${id}]`);
  if (max <= 1) throw illegal(`max must be greater than 1, got [${max}]`);
  if (id >= max) throw illegal(`max must be greater than id, got id [${id}] and max [${max}]`);
  return { kind: 'slice', boost: 1, name: '', id, max };
}

export function encodeSlice(clause: SliceClause, encoder: ClauseEncoder): void {
  queryNode(encoder, 'slice', clause, (writer) => writer.u32(clause.id).u32(clause.max));
}
