// What the engine found damaged on disk, by index: for health and listings. Requests learn of it from the engine itself.
import type { ShardDamage } from '../../backend/index.js';
import { QuarryError } from '../../errors.js';
import type { ShardRef } from '../../worker/tasks.js';
import { parseJson } from './json-text.js';

interface ReportedDamage extends ShardDamage {
  /** Number of the index. */
  readonly index: number;
}

/** One reading of the engine's report, made when it is first needed. */
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
  /** How many of the shards are out of service. Throws what is wrong with one of them when none is left. */
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
  /** All of the index is out of service. */
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

/** Files of one index are damaged, or cannot be read for now: no reason to fail what concerns others as well. */
export function isOutOfService(error: unknown): error is QuarryError {
  return (
    error instanceof QuarryError &&
    (error.type === 'corrupt_index_exception' || error.type === 'store_exception')
  );
}
