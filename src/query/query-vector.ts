// Parses the vector of a request, an array of numbers in the range of float32. The shards check its
// length and magnitude against the mapping.
import type { Json } from '../backend/index.js';
import { illegal, isArray, malformed, tokenName } from './values.js';

/** `value` is the value at `query_vector` or `vector`; undefined if both are absent. */
export function readQueryVector(value: Json | undefined): readonly number[] {
  if (value === undefined) throw illegal('[knn] [query_vector] must be provided');
  if (!isArray(value)) {
    throw malformed(
      `[knn] query_vector doesn't support values of type: ${tokenName(value)}, expected an array of numbers`,
    );
  }
  if (value.length === 0) throw illegal('[knn] [query_vector] has 0 dimensions, it needs a number');
  return value.map(toComponent);
}

function toComponent(value: Json, dim: number): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw malformed(
      `[knn] failed to parse field [query_vector]: Type [${tokenName(value)}] not supported for query vector at dim [${dim}]`,
    );
  }
  const number = Number(value);
  if (Number.isFinite(Math.fround(number))) return number;
  throw illegal(
    `[knn] [query_vector]: element_type [float] vectors do not support infinite values but found [${value}] at dim [${dim}], which is beyond a 32-bit float`,
  );
}
