// Compares two sides: counts of work once, times alternately over several starts, and decides which
// differences are findings.
import type { Work } from '../lab/work.ts';
import type { GateCase } from './cases.ts';
import type { Side } from './side.ts';
import { isSlower, type Ratio, ratioOfPairs, type Samples } from './statistics.ts';

export interface Effort {
  /** Starts of both programs. */
  readonly sessions: number;
  /** Samples of every case in a session. */
  readonly rounds: number;
}

export interface CaseCounts {
  readonly name: string;
  readonly work: Work;
  /** The documents found, for comparison. */
  readonly found: string;
}

export interface CaseTimes {
  readonly name: string;
  readonly base: Samples;
  readonly head: Samples;
}

export interface Finding {
  readonly name: string;
  readonly what: string;
  readonly base: number;
  readonly head: number;
  /** The ratio of head to base. */
  readonly ratio: Ratio;
}

/**
 * Tolerated increase of a count as a share; 0 for words. The links of a graph may vary slightly,
 * and with them a file's size.
 */
const COUNT_BANDS: Readonly<Record<string, number>> = {
  distances: 0.02,
  hops: 0.02,
  'vector bytes': 0.02,
  'bytes on disk': 0.01,
};

const WARM_ROUNDS = 2;

export async function countAll(
  side: Side,
  cases: readonly GateCase[],
): Promise<readonly CaseCounts[]> {
  await side.start();
  const out: CaseCounts[] = [];
  for (const one of cases) out.push({ name: one.name, ...(await side.count(one)) });
  await side.stop();
  return out;
}

export async function timeAll(
  base: Side,
  head: Side,
  cases: readonly GateCase[],
  { sessions, rounds }: Effort,
): Promise<readonly CaseTimes[]> {
  const times = cases.map(({ name }) => ({
    name,
    base: [] as number[][],
    head: [] as number[][],
  }));
  for (let session = 0; session < sessions; session++) {
    await Promise.all([base.start(), head.start()]);
    await Promise.all([base.warmUp(cases), head.warmUp(cases)]);
    for (const [i, one] of cases.entries()) {
      const [a, b] = await runCooperatively(base, head, one, rounds, session);
      times[i]?.base.push(a);
      times[i]?.head.push(b);
    }
    await Promise.all([base.stop(), head.stop()]);
  }
  return times;
}

/**
 * Alternates between both sides, which get the same requests; the side that starts changes with
 * each round. The first samples of both are a warm-up and are dropped.
 */
async function runCooperatively(
  base: Side,
  head: Side,
  one: GateCase,
  rounds: number,
  session: number,
): Promise<readonly [number[], number[]]> {
  const [a, b]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_ROUNDS + rounds; round++) {
    const baseFirst = (round + session) % 2 === 0;
    const first = await (baseFirst ? base : head).sample(one, round);
    const second = await (baseFirst ? head : base).sample(one, round);
    if (round < WARM_ROUNDS) continue;
    a.push(baseFirst ? first : second);
    b.push(baseFirst ? second : first);
  }
  return [a, b];
}

/** The counts in which head exceeds base by more than the tolerance. */
export function moreWork(name: string, base: Work, head: Work): readonly Finding[] {
  return Object.keys({ ...base, ...head }).flatMap((what) => {
    const [before, now] = [base[what] ?? 0, head[what] ?? 0];
    const most = before * (1 + (COUNT_BANDS[what] ?? 0));
    // Not a number: a count that the base does not have.
    if (!(now > most + 1e-9)) return [];
    const ratio = now / before;
    return [{ name, what, base: before, head: now, ratio: { ratio, low: ratio, high: ratio } }];
  });
}

export function slower(times: readonly CaseTimes[]): readonly Finding[] {
  return times.flatMap(({ name, base, head }) => {
    const ratio = ratioOfPairs(base, head);
    return isSlower(ratio) ? [{ name, what: 'time', ...middles(base, head), ratio }] : [];
  });
}

function middles(base: Samples, head: Samples): { readonly base: number; readonly head: number } {
  const middle = (samples: Samples): number => {
    const sorted = samples.flat().sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return { base: middle(base), head: middle(head) };
}

export interface Comparison {
  readonly times: readonly CaseTimes[];
  readonly findings: readonly Finding[];
  /** Cases with different responses, which are reported but are not findings. */
  readonly differing: readonly string[];
}

/**
 * A case that appears slower is measured again with twice the effort; it is a finding only if it is
 * slower again.
 */
export async function compareSides(
  base: Side,
  head: Side,
  cases: readonly GateCase[],
  effort: Effort,
): Promise<Comparison> {
  const before = await countAll(base, cases);
  const now = await countAll(head, cases);
  const counts = before.flatMap(({ name, work }, i) => moreWork(name, work, now[i]?.work ?? {}));
  const differing = before
    .filter(({ found }, i) => found !== now[i]?.found)
    .map(({ name }) => name);
  const first = await timeAll(base, head, cases, effort);
  const suspects = new Set(slower(first).map(({ name }) => name));
  const requested = cases.filter(({ name }) => suspects.has(name));
  const again = requested.length === 0 ? [] : await timeAll(base, head, requested, twice(effort));
  const times = first.map((one) => again.find(({ name }) => name === one.name) ?? one);
  return { times, findings: [...counts, ...slower(again)], differing };
}

/** The cases that the side's program supports. */
export async function takenBy(
  side: Side,
  cases: readonly GateCase[],
): Promise<readonly GateCase[]> {
  await side.start();
  const taken: GateCase[] = [];
  for (const one of cases) if (await side.takes(one)) taken.push(one);
  await side.stop();
  return taken;
}

const twice = ({ sessions, rounds }: Effort): Effort => ({ sessions: 2 * sessions, rounds });
