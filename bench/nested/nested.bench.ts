// Measures nested documents: BENCH_DOCS parents of five children each (10,000 by default), the same
// with a vector for each child, and one parent with 5,000 children. Beside a server of `--peer URL`
// all requests are sent in turns, and the ratios are printed. Answers are verified first: against
// counts over the documents, the exact nearest vectors, and the answers of the peer.
import { startServer } from '../../test/tools/server.ts';
import { Clients } from '../http/clients.ts';
import type { Goal, Row, SuiteOptions, SuiteResult, Values } from '../lab/result.ts';
import { type Best, mean, overlapOf } from '../peers/contest.ts';
import {
  duel,
  type Measure,
  measuresOf,
  type QueryFamily,
  type Round,
  warmUp,
} from '../peers/duel.ts';
import { type Corpus, loadOnce, mergeAll } from '../peers/server-load.ts';
import { ask, namedServer, type Server } from '../peers/servers.ts';
import { quantile } from '../tools/figures.ts';
import { untilRested } from '../tools/rest.ts';
import { verify } from './answers.ts';
import {
  CHILDREN,
  DIMS,
  makeParents,
  makePassages,
  manyChildren,
  manyCorpus,
  nearestParents,
  type Passages,
  passageCorpus,
  wordCorpus,
} from './documents.ts';
import { countOf, K, manyFamilies, passageBodies, SHARES, wordFamilies } from './families.ts';

const PARENTS = Number(process.env['BENCH_DOCS'] ?? 10_000);
const PARTS = (process.env['BENCH_PARTS'] ?? 'words,many,passages').split(',');
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const PROBES = 40;
const RECALL = 0.99;
const CANDIDATES = [10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 400, 800];
const UPDATES = 200;

export async function nestedSuite({ peer }: SuiteOptions): Promise<SuiteResult> {
  const own = await startServer();
  const clients = new Clients();
  const us: Server = { name: 'quarry', base: own.base, pid: own.pid, stop: () => undefined };
  const sides = peer === undefined ? [us] : [us, namedServer(`peer=${peer}`)];
  try {
    const rows: Row[] = [];
    if (PARTS.includes('words')) rows.push(...(await words(clients, sides)));
    if (PARTS.includes('many')) rows.push(...(await many(clients, sides)));
    if (PARTS.includes('passages')) rows.push(...(await passages(clients, sides)));
    return {
      facts: [
        `${PARENTS} parents of ${CHILDREN} children, vectors of ${DIMS} dimensions; answers verified`,
        'ratios are ours / theirs, above 1 in our favour; the interval is that of the rounds',
      ],
      rows,
    };
  } finally {
    clients.stop();
    for (const { base } of sides.slice(1)) await dropAll(namedServer(`peer=${base}`));
    await own.stop();
  }
}

async function words(clients: Clients, sides: readonly Server[]): Promise<readonly Row[]> {
  const parents = makeParents(PARENTS);
  return [
    ...(await loading(sides, wordCorpus(parents))),
    ...(await searching(clients, sides, wordFamilies(), (body) => countOf(parents, body))),
    ...(await updating(clients, sides)),
  ];
}

async function many(clients: Clients, sides: readonly Server[]): Promise<readonly Row[]> {
  const corpus = manyCorpus(manyChildren());
  for (const side of sides) await loadOnce(side, corpus, 1);
  await mergeAll(sides, corpus.index);
  return searching(clients, sides, manyFamilies());
}

async function passages(clients: Clients, sides: readonly Server[]): Promise<readonly Row[]> {
  const made = makePassages(PARENTS, PROBES);
  const loaded = await loading(sides, passageCorpus(made), 1);
  return [...loaded, ...(await nearest(clients, sides, made))];
}

async function dropAll(side: Server): Promise<void> {
  for (const index of ['nested', 'nested_many', 'nested_passages']) {
    await ask(side, 'DELETE', `/${index}?ignore_unavailable=true`);
  }
}

const faster = (target: number): Goal => ({ value: 'ratio', target, lower: false });

/** Documents per second until all can be found, in turns. */
async function loading(
  sides: readonly Server[],
  corpus: Corpus,
  rounds = ROUNDS,
): Promise<readonly Row[]> {
  const rates = sides.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < sides.length; i++) {
      const who = (i + round) % sides.length;
      const side = sides[who];
      if (side !== undefined) rates[who]?.push(await loadOnce(side, corpus, 2));
    }
  }
  await mergeAll(sides, corpus.index);
  const [ours = [], theirs] = rates.map((all) => quantile(all, 0.5)).map((one) => [one]);
  const values = { ours: ours[0], theirs: theirs?.[0] };
  const row = { name: `load ${corpus.index}`, unit: 'parents/s' };
  if (theirs === undefined) return [{ ...row, values }];
  const ratio = (ours[0] ?? 0) / (theirs[0] ?? 1);
  return [{ ...row, values: { ...values, ratio }, goal: faster(rounds > 1 ? 3 : 1) }];
}

/** The median of one client, and requests per second of many. */
function rowsOf(task: string, measures: readonly Measure[], counters: Values = {}): readonly Row[] {
  const rows = measures.filter(({ name }) => /^p50 us, 1 |requests\/s, 16/.test(name));
  return rows.map(({ name, ours, theirs, ratio, interval: [worst, best] }) => ({
    name: `${task}, ${name}`,
    unit: 'us or requests/s',
    values: { ours, theirs, ratio, worst, best },
    counters,
    goal: faster(1),
  }));
}

async function timed(
  clients: Clients,
  sides: readonly Server[],
  family: QueryFamily,
): Promise<readonly Row[]> {
  if (sides.length === 1) return [await alone(clients, sides[0] as Server, family)];
  const nothing = sides.map(() => []);
  const duels = await duel(clients, sides, family, nothing);
  return duels.flatMap(({ task, measures }) => rowsOf(task, measures));
}

/** Without a peer: the median of one client. */
async function alone(clients: Clients, side: Server, family: QueryFamily): Promise<Row> {
  const requests = family.bodies.map((body) => ({
    method: 'POST' as const,
    path: family.path,
    body,
  }));
  const until = { count: 5 * requests.length };
  const { times } = await clients.run({ base: side.base, requests, clients: 1, until });
  return {
    name: family.name,
    unit: 'us',
    values: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) },
  };
}

async function searching(
  clients: Clients,
  sides: readonly Server[],
  families: readonly QueryFamily[],
  countAt?: (body: string) => number,
): Promise<readonly Row[]> {
  for (const [at, family] of families.entries()) {
    const totals = await verify(sides, family);
    if (countAt === undefined || at > 0) continue;
    for (const [i, body] of family.bodies.entries()) {
      if (totals[i] === countAt(body)) continue;
      throw new Error(`${family.name}: ${totals[i]} hits of ${countAt(body)}: ${body}`);
    }
  }
  await warmUp(clients, sides, families);
  const rows: Row[] = [];
  for (const family of families) rows.push(...(await timed(clients, sides, family)));
  return rows;
}

/** Updates of parents by one client, each on disk when it is answered. */
async function updating(clients: Clients, sides: readonly Server[]): Promise<readonly Row[]> {
  const rounds = sides.map((): Round[] => []);
  for (let round = 0; round < ROUNDS + 1; round++) {
    const requests = Array.from({ length: UPDATES }, (_, i) => ({
      method: 'POST' as const,
      path: `/nested/_update/${(round * UPDATES + i) % PARENTS}`,
      body: JSON.stringify({ doc: { tag: `u${round}` } }),
    }));
    for (const [who, { base }] of sides.entries()) {
      await untilRested(sides.flatMap(({ pid }) => pid ?? []));
      const until = { count: UPDATES };
      const answer = await clients.run({ base, requests, clients: 1, until });
      if (round > 0) rounds[who]?.push(answer);
    }
  }
  for (const side of sides) {
    await ask(side, 'POST', '/nested/_refresh');
    const found = JSON.parse(
      await ask(side, 'POST', '/nested/_count', '{"query":{"term":{"tag":"u1"}}}'),
    );
    const expected = Math.min(UPDATES, PARENTS);
    if (found.count !== expected) {
      throw new Error(`${side.name}: ${found.count} parents are updated, not ${expected}`);
    }
  }
  const [ours = [], theirs] = rounds;
  if (theirs === undefined) {
    const times = ours.flatMap((round) => round.times);
    return [{ name: 'update of a parent', unit: 'us', values: { p50: quantile(times, 0.5) } }];
  }
  return rowsOf('update of a parent', measuresOf(1, ours, theirs));
}

/** The nearest parents by their passages, with as many candidates as the recall needs. */
async function nearest(
  clients: Clients,
  sides: readonly Server[],
  passages: Passages,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const share of SHARES) {
    const limit = Math.floor(PARENTS * share);
    const right = passages.probes.map((_, probe) => nearestParents(passages, probe, limit, K));
    const chosen: Candidates[] = [];
    for (const side of sides) chosen.push(await candidatesOf(side, passages, share, right));
    const name = share === 1 ? 'passages: all' : `passages: ${share * 100} % of the parents`;
    rows.push(...(await timedPassages(clients, sides, { name, passages, share, right }, chosen)));
  }
  return rows;
}

interface Candidates {
  readonly candidates: number;
  readonly recall: number;
}

/** The fewest candidates that reach the recall. */
async function candidatesOf(
  side: Server,
  passages: Passages,
  share: number,
  right: readonly Best[],
): Promise<Candidates> {
  let best: Candidates = { candidates: K, recall: 0 };
  for (const candidates of CANDIDATES) {
    const shares: number[] = [];
    for (const [probe, body] of passageBodies(passages, share, candidates).entries()) {
      const reply = await ask(side, 'POST', '/nested_passages/_search', body);
      const ids = JSON.parse(reply).hits.hits.map((hit: { _id: string }) => hit._id);
      shares.push(overlapOf(right[probe] ?? [], ids));
    }
    best = { candidates, recall: mean(shares) };
    if (best.recall >= RECALL) return best;
  }
  return best;
}

interface PassageCase {
  readonly name: string;
  readonly passages: Passages;
  readonly share: number;
  readonly right: readonly Best[];
}

/** In turns, each server with its own number of candidates. */
async function timedPassages(
  clients: Clients,
  sides: readonly Server[],
  { name, passages, share }: PassageCase,
  chosen: readonly Candidates[],
): Promise<readonly Row[]> {
  const rounds = sides.map((): Round[] => []);
  for (let round = 0; round < 2 * ROUNDS + 1; round++) {
    for (const [who, { base }] of sides.entries()) {
      const requests = passageBodies(passages, share, chosen[who]?.candidates ?? K).map((body) => ({
        method: 'POST' as const,
        path: '/nested_passages/_search',
        body,
      }));
      await untilRested(sides.flatMap(({ pid }) => pid ?? []));
      const until = { count: 2 * requests.length };
      const answer = await clients.run({ base, requests, clients: 1, until });
      // The first round warms up.
      if (round > 0) rounds[who]?.push(answer);
    }
  }
  const counters = Object.fromEntries(
    chosen.flatMap(({ candidates, recall }, who) => [
      [`recall, ${who === 0 ? 'ours' : 'theirs'}`, recall],
      [`candidates, ${who === 0 ? 'ours' : 'theirs'}`, candidates],
    ]),
  );
  const [ours = [], theirs] = rounds;
  if (theirs === undefined) {
    const times = ours.flatMap((round) => round.times);
    return [{ name, unit: 'us', values: { p50: quantile(times, 0.5) }, counters }];
  }
  return rowsOf(name, measuresOf(1, ours, theirs), counters);
}
