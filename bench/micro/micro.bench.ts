// Measures the work of the TypeScript side, by benny: a search body becomes plan bytes, replies of
// the core become objects, lists are merged and fused, JSON is parsed and printed, answers are
// rendered. With `--base REF` the same cases run with the modules of that git ref as well, in
// alternating rounds, and `ratio` is base / head with its 99 % interval: above 1 this tree is
// faster.
import b from 'benny';
import { ratioOfPairs } from '../gate/statistics.ts';
import { treeOf } from '../gate/trees.ts';
import type { Row, SuiteOptions, SuiteResult } from '../lab/result.ts';
import { quantile } from '../tools/figures.ts';
import { type MicroCase, microCases } from './cases.ts';
import { FruitIndex } from './fruit-index.ts';
import { type Modules, modulesOf } from './modules.ts';

/** Rounds of a comparison, each of which runs both sides. */
const ROUNDS = 12;
/** Seconds of a case in a round, and of a case that is not compared. */
const COMPARED = { minTime: 0.03, maxTime: 0.06, minSamples: 3 };
const ALONE = { minTime: 0.05, maxTime: 1 };

interface Side {
  readonly name: string;
  readonly modules: Modules;
}

export async function microSuite({ base }: SuiteOptions): Promise<SuiteResult> {
  const head = { name: 'head', modules: await modulesOf('.') };
  const index = new FruitIndex();
  try {
    const cases = microCases(index);
    const facts = ['benny, every result verified before it is timed'];
    if (base === undefined) return { facts, rows: await measure(cases, head) };
    const other = { name: 'base', modules: await modulesOf(treeOf(base)) };
    const rows = await compare(cases, other, head);
    return { facts: [...facts, `${ROUNDS} rounds in turns, ratio: ${base} / this tree`], rows };
  } finally {
    index.close();
  }
}

async function measure(cases: readonly MicroCase[], side: Side): Promise<readonly Row[]> {
  const { results } = await b.suite('micro', ...cases.map((one) => added(one, side, ALONE)));
  return results.map(({ name, details, margin }) => ({
    name: name.slice(side.name.length + 1),
    unit: 'us',
    values: { median: details.median * 1e6, 'margin %': margin },
  }));
}

async function compare(
  cases: readonly MicroCase[],
  base: Side,
  head: Side,
): Promise<readonly Row[]> {
  const samples = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    // The order alternates, so that neither side always runs on what the other left in the caches.
    const sides = round % 2 === 0 ? [base, head] : [head, base];
    const timed = cases.flatMap((one) => sides.map((side) => added(one, side, COMPARED)));
    const { results } = await b.suite(`round ${round + 1} of ${ROUNDS}`, ...timed);
    for (const { name, details } of results) {
      const times = samples.get(name) ?? [];
      samples.set(name, times);
      times.push(details.median * 1e6);
    }
  }
  return cases.map(({ name }) => {
    const [ours = [], theirs = []] = [head, base].map((side) =>
      samples.get(`${side.name} ${name}`),
    );
    const { ratio, low, high } = ratioOfPairs([ours], [theirs]);
    return { name, unit: 'us', values: { median: quantile(ours, 0.5), ratio, low, high } };
  });
}

/** Verifies the case, and adds it to a suite. */
function added({ name, of }: MicroCase, { name: side, modules }: Side, options: typeof ALONE) {
  return b.add(`${side} ${name}`, of(modules), options);
}
