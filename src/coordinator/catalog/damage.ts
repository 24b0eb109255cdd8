// Damage of files that the engine found, by index: for health and listings. Requests get it as
// errors from the engine itself.
import type { ShardDamage } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { ShardRef } from '../../worker/tasks.js';
import { parseJson } from './json-text.js';

interface ReportedDamage extends ShardDamage {
  /** Number of the index. */
  readonly index: number;
}

/** A snapshot of the engine's report, taken on first use. */
export class DamageReport {
  readonly #report: () => string;
  #byIndex: Map<number, ShardDamage[]> | null = null;

  /** `report`: Addon.damages. */
  constructor(report: () => string) {
    this.#report = report;
  }

  of(index: number): readonly ShardDamage[] {
    this.#byIndex ??= readReport(this.#report());
    return this.#byIndex.get(index) ?? [];
  }
  /**
   * Number of the shards that are out of service. Throws the reason of one of them when all are.
   */
  countAmong(shards: readonly ShardRef[]): number {
    const reasons = shards.flatMap(
      ({ index, shard }) =>
        this.of(index).find((one) => one.shard === null || one.shard === shard)?.reason ?? [],
    );
    const [first] = reasons;
    if (first !== undefined && reasons.length === shards.length)
      throw new QuarryError('corrupt_index_exception', first);
    return reasons.length;
  }
  /** True if the whole index is out of service. */
  wholeOf(index: number): boolean {
    return this.of(index).some(({ shard }) => shard === null);
  }
}

function readReport(json: string): Map<number, ShardDamage[]> {
  const byIndex = new Map<number, ShardDamage[]>();
  for (const { index, shard, reason } of parseJson(json) as unknown as readonly ReportedDamage[]) {
    const known = byIndex.get(index);
    if (known === undefined) byIndex.set(index, [{ shard, reason }]);
    else known.push({ shard, reason });
  }
  return byIndex;
}

/**
 * True if the files of one index are damaged or temporarily unreadable, which must not fail a
 * request for other indexes.
 */
export function isOutOfService(error: unknown): error is QuarryError {
  return (
    error instanceof QuarryError &&
    (error.type === 'corrupt_index_exception' || error.type === 'store_exception')
  );
}
