// `ids`: documents by _id. Scores a constant.
import type { Json } from '../../backend/index.js';
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { illegal, isArray, malformed, tokenName, toText } from '../values.js';

export interface IdsClause extends ClauseBase {
  readonly kind: 'ids';
  readonly values: readonly string[];
}

export const ids: ClauseKind<IdsClause> = {
  parse(body) {
    const params = Params.of('ids', body);
    const values = params.raw('values');
    const base = params.namedBase();
    params.finish();
    const list = values === undefined ? [] : isArray(values) ? values : [values];
    return { kind: 'ids', boost: base.boost, name: base.name, values: list.map(toId) };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'ids', clause, (writer) => {
      writer.list(clause.values, (id) => writer.str(id));
    });
  },
};

function toId(value: Json): string {
  const id = toText(value);
  if (id === '') throw illegal("[ids] Ids can't be empty");
  if (id !== undefined && typeof value !== 'boolean') return id;
  throw malformed(`[ids] values must be strings, found [${tokenName(value)}]`);
}
