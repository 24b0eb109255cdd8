// Compares this project with similar servers: all are loaded with the same documents and get the
// same requests over HTTP, alternately. The results are single numbers (loading, bytes on disk,
// memory) and one duel for every family of requests.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../test/tools/server.ts';
import { Clients } from '../http/clients.ts';
import { memoryOf } from '../vectors/http-target.ts';
import { readCommits } from '../words/corpus.ts';
import { type Best, figureLine, type Line } from './contest.ts';
import { vectorCorpus, wordCorpus } from './corpora.ts';
import { type Duel, duel, type QueryFamily, warmUp } from './duel.ts';
import { aggregationFamilies, vectorFamilies, wordFamilies } from './families.ts';
import { duelLine, figureText } from './scorecard.ts';
import { loadOnce, loadRates, mergeAll } from './server-load.ts';
import { ask, type Server } from './servers.ts';
import { variedFamilies } from './varied-families.ts';
import { readVectors } from './vector-truth.ts';

const PROBES = 20;
const MIB = 1024 * 1024;

export interface Sizes {
  readonly docs: number;
  readonly vectors: number;
  /** Name prefixes of the families to run. */
  readonly only: readonly string[];
}

export interface Outcome {
  readonly lines: readonly Line[];
  readonly duels: readonly Duel[];
}

export async function serverContest(
  peers: readonly Server[],
  shared: string,
  sizes: Sizes,
): Promise<Outcome> {
  const own = await startServer();
  const clients = new Clients();
  const us: Server = { name: 'Quarry', base: own.base, pid: own.pid, stop: () => undefined };
  try {
    const words = existsSync(join(shared, 'lexical'))
      ? await wordContest(clients, [us, ...peers], join(shared, 'lexical'), sizes)
      : { lines: [], duels: [] };
    const vectors = await vectorContest(clients, us, peers, shared, sizes);
    return {
      lines: [...words.lines, ...vectors.lines],
      duels: [...words.duels, ...vectors.duels],
    };
  } finally {
    clients.stop();
    await own.stop();
  }
}

async function wordContest(
  clients: Clients,
  sides: readonly Server[],
  shared: string,
  { docs, only }: Sizes,
): Promise<Outcome> {
  const commits = readCommits(shared, docs);
  const corpus = wordCorpus(commits);
  const lines = [...(await loadRates(sides, corpus)), ...(await mergeAll(sides, 'words'))];
  const families = [
    ...wordFamilies(shared, commits),
    ...aggregationFamilies(shared),
    ...variedFamilies(commits),
  ];
  const duels = await duelAll(clients, sides, families, only);
  lines.push(...memoryLines(sides, 'resident after the searches'));
  for (const line of lines) console.log(figureText(line));
  return { lines, duels };
}

async function vectorContest(
  clients: Clients,
  us: Server,
  peers: readonly Server[],
  shared: string,
  { docs, vectors, only }: Sizes,
): Promise<Outcome> {
  const sides = [us];
  for (const peer of peers) if (await knowsVectors(peer)) sides.push(peer);
  if (sides.length === 1) return { lines: [], duels: [] };
  const { base, probes } = readVectors(shared, vectors, PROBES);
  const lexical = join(shared, 'lexical');
  const texts = existsSync(lexical) ? readCommits(lexical, docs).map(({ text }) => text) : [];
  const textOf = (row: number): string => texts[row % Math.max(1, texts.length)] ?? 'none';
  const corpus = vectorCorpus(base, textOf);
  const rates: number[] = [];
  for (const side of sides) rates.push(await loadOnce(side, corpus, 1));
  const lines = sides
    .slice(1)
    .map(({ name }, i) =>
      figureLine('load vectors, 1 client', 'documents/s', true, [
        rates[0] ?? 0,
        name,
        rates[i + 1] ?? 0,
      ]),
    );
  lines.push(...(await mergeAll(sides, 'vectors')));
  const words = (at: number): string =>
    textOf(at * 7)
      .split(' ')
      .slice(0, 3)
      .join(' ');
  const duels = await duelAll(clients, sides, vectorFamilies(base, probes, words), only);
  lines.push(...memoryLines(sides, 'resident at the end'));
  for (const line of lines) console.log(figureText(line));
  return { lines, duels };
}

/** The OpenSearch of the shared folder lacks its vector plugin. */
async function knowsVectors(peer: Server): Promise<boolean> {
  const { version } = JSON.parse(await ask(peer, 'GET', '/'));
  return version.distribution !== 'opensearch';
}

/** All families are used for the warm-up; those with a name prefix in `only` are timed. */
async function duelAll(
  clients: Clients,
  sides: readonly Server[],
  families: readonly QueryFamily[],
  only: readonly string[],
): Promise<readonly Duel[]> {
  const found: (readonly (readonly Best[])[])[] = [];
  for (const family of families) found.push(await answersOf(sides, family));
  await warmUp(clients, sides, families);
  const duels: Duel[] = [];
  for (const [i, family] of families.entries()) {
    if (!only.some((begin) => family.name.startsWith(begin))) continue;
    const more = await duel(clients, sides, family, found[i] ?? []);
    for (const one of more) console.log(duelLine(one));
    duels.push(...more);
  }
  return duels;
}

/** Responses by side; ours are checked. */
async function answersOf(
  sides: readonly Server[],
  { path, bodies, verify }: QueryFamily,
): Promise<readonly (readonly Best[])[]> {
  const found: Best[][] = sides.map(() => []);
  for (const [at, body] of bodies.entries()) {
    for (const [i, side] of sides.entries())
      found[i]?.push(bestOf(await ask(side, 'POST', path, body)));
    verify?.(at, found[0]?.[at] ?? []);
  }
  return found;
}

/** Ids of hits, or keys and counts of buckets: the parts that must agree. */
function bestOf(text: string): Best {
  const { hits, aggregations } = JSON.parse(text);
  if (aggregations === undefined) return hits.hits.map((hit: { _id: string }) => hit._id);
  const { buckets, ...values } = aggregations.a;
  if (buckets === undefined) return [JSON.stringify(Object.values(values).map(rounded))];
  return buckets.map((one: { key: unknown; doc_count: number }) => `${one.key} ${one.doc_count}`);
}

function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(9)) : value;
}

/** Memory of the servers whose process is known. */
function memoryLines(sides: readonly Server[], task: string): readonly Line[] {
  const mebibytes = (side: Server | undefined): number | undefined =>
    side?.pid === undefined ? undefined : memoryOf(side.pid).resident / MIB;
  const ours = mebibytes(sides[0]) ?? 0;
  return sides.slice(1).flatMap((side) => {
    const theirs = mebibytes(side);
    return theirs === undefined ? [] : [figureLine(task, 'MiB', false, [ours, side.name, theirs])];
  });
}
