// Writes the aggregations of a request as the `aggs` node of a plan.
import type { PlanWriter } from '../../wire/plan-writer.js';
import { encodeClause } from '../clauses/index.js';
import type { Agg, AggEncoder } from './agg.js';

/**
 * `shards`: number of shards that the plan is sent to. A single shard sends only the buckets that
 * are shown, several send enough for exact totals.
 */
export function writeAggs(writer: PlanWriter, aggs: readonly Agg[], shards: number): void {
  const encoder: AggEncoder = {
    writer,
    shards,
    clause: (clause) => encodeClause(clause, writer, undefined),
  };
  writer.node('aggs', () => writer.list(aggs, (agg) => writeAgg(encoder, agg)));
}

function writeAgg(encoder: AggEncoder, agg: Agg): void {
  const { writer } = encoder;
  writer.node(agg.opcode, () => {
    writer.str(agg.type).str(agg.name);
    agg.encode(encoder);
    writer.list(agg.children, (child) => writeAgg(encoder, child));
  });
}
