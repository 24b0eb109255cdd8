// A duel: the same requests over HTTP to this project and to similar servers, alternately, by one
// client and by many over connections that stay open: the median, the 99th percentile, and the
// requests per second.
import type { Clients, LoadAnswer } from '../http/clients.ts';
import { quantile } from '../tools/figures.ts';
import { untilRested } from '../tools/rest.ts';
import { type Best, mean, overlapOf } from './contest.ts';
import type { Server } from './servers.ts';

/** One family of requests. */
export interface QueryFamily {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly string[];
  /** Throws if our own response to body number `at` is wrong. */
  verify?(at: number, found: Best): void;
  /** The correct response, if it is known. */
  right?(at: number): Best;
}

export interface Measure {
  readonly name: string;
  readonly ours: number;
  readonly theirs: number;
  /** Our performance relative to the peer: below 1 is a loss. */
  readonly ratio: number;
  /** The ratios of the worst and the best round for us. */
  readonly interval: readonly [low: number, high: number];
}

/** The comparison with one server in one family. */
export interface Duel {
  readonly task: string;
  readonly peer: string;
  /** The share of the ten best documents that both found. */
  readonly overlap: number;
  /** Share of the correct results, ours and theirs. */
  readonly recall: readonly [ours: number, theirs: number] | undefined;
  readonly measures: readonly Measure[];
}

/** The measurement of one side in one round. */
export type Round = Pick<LoadAnswer, 'times' | 'seconds'>;

export const CLIENTS = [1, 16];
const ROUNDS = 6;
const SPAN_MS = 150;
const WARM_MS = 300;

/**
 * Sends every request to every server for a while, so that servers with JIT compilation have
 * compiled their code before anything is timed.
 */
export async function warmUp(
  clients: Clients,
  sides: readonly Server[],
  families: readonly QueryFamily[],
): Promise<void> {
  for (const { path, bodies } of families)
    for (const { base } of sides) {
      const requests = bodies.map((body) => ({ method: 'POST' as const, path, body }));
      const until = { milliseconds: WARM_MS };
      await clients.run({ base, requests, clients: CLIENTS.at(-1) ?? 1, until });
    }
}

export async function duel(
  clients: Clients,
  sides: readonly Server[],
  requested: QueryFamily,
  found: readonly (readonly Best[])[],
): Promise<readonly Duel[]> {
  const rounds: Round[][][] = [];
  for (const count of CLIENTS)
    rounds.push(await runCooperatively(clients, sides, requested, count));
  const [mine = []] = found;
  return sides.slice(1).map(({ name }, i) => {
    const list = found[i + 1] ?? [];
    const { right } = requested;
    const shareOf = (all: readonly Best[]): number =>
      mean(all.map((ids, at) => overlapOf(right?.(at) ?? [], ids)));
    return {
      task: requested.name,
      peer: name,
      overlap: mean(list.map((ids, at) => overlapOf(mine[at] ?? [], ids))),
      recall: right === undefined ? undefined : [shareOf(mine), shareOf(list)],
      measures: CLIENTS.flatMap((count, at) =>
        measuresOf(count, rounds[at]?.[0] ?? [], rounds[at]?.[i + 1] ?? []),
      ),
    };
  });
}

/**
 * Returns the rounds by side. Every body is sent equally often, so that a slow side is not judged
 * by the first few alone. A round starts when the background work of the previous round has ended.
 */
async function runCooperatively(
  clients: Clients,
  sides: readonly Server[],
  { path, bodies }: QueryFamily,
  count: number,
): Promise<Round[][]> {
  const requests = bodies.map((body) => ({ method: 'POST' as const, path, body }));
  const orders = sides.map(({ base }) => ({ base, requests, clients: count }));
  const counts: number[] = [];
  for (const order of orders) {
    const warm = await clients.run({ ...order, until: { milliseconds: WARM_MS } });
    counts.push(requestsOf(warm, bodies.length, count));
  }
  const pids = sides.flatMap(({ pid }) => pid ?? []);
  const rounds = sides.map((): Round[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < orders.length; i++) {
      const who = (i + round) % orders.length;
      const order = orders[who];
      if (order === undefined) continue;
      await untilRested(pids);
      rounds[who]?.push(await clients.run({ ...order, until: { count: counts[who] ?? 0 } }));
    }
  }
  return rounds;
}

/**
 * The number of requests for about one time span: a multiple of the bodies, and some for every
 * client.
 */
function requestsOf({ times, seconds }: Round, bodies: number, clients: number): number {
  const wanted = Math.max((times.length / seconds) * (SPAN_MS / 1000), 4 * clients);
  return Math.ceil(wanted / bodies) * bodies;
}

const rate = ({ times, seconds }: Round): number => times.length / seconds;

/**
 * The measures of both sides with one number of clients: over all rounds together, with the
 * interval from the single rounds.
 */
export function measuresOf(
  clients: number,
  ours: readonly Round[],
  theirs: readonly Round[],
): readonly Measure[] {
  const by = `${clients} client${clients > 1 ? 's' : ''}`;
  const timed = (p: number): Measure => {
    const of = (rounds: readonly Round[]): number =>
      quantile(
        rounds.flatMap(({ times }) => times),
        p,
      );
    const name = `p${p * 100} us, ${by}`;
    const each = ours.map((round, i) => of(theirs.slice(i, i + 1)) / of([round]));
    return toMeasure(name, [of(ours), of(theirs)], of(theirs) / of(ours), each);
  };
  const [mine, other] = [mean(ours.map(rate)), mean(theirs.map(rate))];
  const each = ours.map((round, i) => rate(round) / mean(theirs.slice(i, i + 1).map(rate)));
  const rates = toMeasure(`requests/s, ${by}`, [mine, other], mine / other, each);
  return [timed(0.5), timed(0.99), rates];
}

function toMeasure(
  name: string,
  [ours, theirs]: readonly [ours: number, theirs: number],
  ratio: number,
  rounds: readonly number[],
): Measure {
  return { name, ours, theirs, ratio, interval: [Math.min(...rounds), Math.max(...rounds)] };
}
