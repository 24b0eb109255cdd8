// `nested` of a sort key: the nested documents whose values order the hits.
import type { Json } from '../backend/index.js';
import { didYouMean } from '../base/similar-names.js';
import type { NestedSortLevel } from '../wire/plan-writer.js';
import { type Clause, encodeClause } from './clauses/index.js';
import { QueryParser } from './parse.js';
import { illegal, isObject, malformed, toInteger, tokenName } from './values.js';

const KEYS = ['path', 'filter', 'max_children', 'nested'];
const MAX_LEVELS = 20;

/** The levels from the outermost path to the one whose documents have the field. */
export function readNestedSort(field: string, value: Json): readonly NestedSortLevel[] {
  const levels: NestedSortLevel[] = [];
  for (let inner: Json | undefined = value; inner !== undefined; ) {
    if (levels.length === MAX_LEVELS) {
      throw illegal(`[sort] [nested] of [${field}] has more than [${MAX_LEVELS}] levels`);
    }
    if (!isObject(inner)) {
      throw malformed(
        `[sort] [nested] of [${field}] must be an object, found [${tokenName(inner)}]`,
      );
    }
    const unknown = Object.keys(inner).find((key) => !KEYS.includes(key));
    if (unknown !== undefined) {
      throw malformed(`[nested_sort] unknown field [${unknown}]${didYouMean(unknown, KEYS)}`);
    }
    const { path, filter, max_children: most, nested }: Record<string, Json> = inner;
    if (typeof path !== 'string' || path === '') {
      throw malformed(`[sort] [nested] of [${field}] requires [path], the path of a nested object`);
    }
    if (most !== undefined && levels.length > 0) {
      throw illegal('max_children is only supported on top level of nested sort');
    }
    levels.push({ path, maxChildren: readMost(field, most), filter: readFilter(filter) });
    inner = nested;
  }
  return levels;
}

/** No limit by default. */
function readMost(field: string, value: Json | undefined): number | undefined {
  if (value === undefined) return undefined;
  const most = toInteger(value, '[max_children] of [nested]');
  if (most >= 1) return most;
  throw illegal(`[sort] [max_children] of [${field}] must be at least 1, got [${most}]`);
}

function readFilter(value: Json | undefined): NestedSortLevel['filter'] {
  if (value === undefined) return undefined;
  const parser = new QueryParser();
  const clause: Clause = parser.clause(value);
  const [first] = parser.allVectorClauses;
  if (first !== undefined) {
    throw malformed(`[${first.kind}] is not supported in the [filter] of a sort`);
  }
  return (writer) => encodeClause(clause, writer);
}
