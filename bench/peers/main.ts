// npm run bench:peers [-- --peer NAME=URL … --start elasticsearch --start opensearch --servers-only
// --only FAMILY]: runs the same work with peers, alternately (with --only, servers run only the
// families whose names begin with it), and writes one scorecard: bench/report/scorecard.md, .html
// and .json. BENCH_DOCS and BENCH_VECTORS set other sizes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, loadNow, machineLine } from '../lab/machine.ts';
import type { Line } from './contest.ts';
import type { Duel } from './duel.ts';
import { loadLibraries } from './libraries.ts';
import { toMarkdown, writeScorecard } from './scorecard.ts';
import { serverContest } from './server-contest.ts';
import { namedServer, type Server, startShared } from './servers.ts';
import { vectorLibraries } from './vector-libraries.ts';
import { wordLibraries } from './word-libraries.ts';

const SHARED = process.env['SHARED_DIR'] ?? join('..', 'shared');
const DOCS = Number(process.env['BENCH_DOCS'] ?? 20_000);
const SERVER_DOCS = Number(process.env['BENCH_DOCS'] ?? 40_000);
const VECTORS = Number(process.env['BENCH_VECTORS'] ?? 10_000);

const { values } = parseArgs({
  options: {
    peer: { type: 'string', multiple: true, default: [] },
    start: { type: 'string', multiple: true, default: [] },
    'servers-only': { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [''] },
  },
});

const facts: string[] = [
  `${DOCS} documents for libraries, ${SERVER_DOCS} for servers, ${VECTORS} vectors; all in turns`,
];
const machine = describeMachine();
const lines: Line[] = [];
const duels: Duel[] = [];
const servers: Server[] = values.peer.map(namedServer);
try {
  if (!values['servers-only']) await againstLibraries();
  for (const name of values.start) {
    const started = await startShared(SHARED, name);
    if (typeof started === 'string') facts.push(started);
    else servers.push(started);
  }
  if (servers.length > 0) {
    const sizes = { docs: SERVER_DOCS, vectors: VECTORS, only: values.only };
    const outcome = await serverContest(servers, SHARED, sizes);
    lines.push(...outcome.lines);
    duels.push(...outcome.duels);
  }
} finally {
  for (const server of servers) server.stop();
}
const begins = values.only.filter((begin) => begin !== '');
if (begins.length > 0) facts.push(`of servers only families that begin with ${begins.join(', ')}`);
facts.push(`load of the machine at the end: ${loadNow().toFixed(2)}`);
const card = { machine: machineLine(machine), facts, lines, duels };
writeScorecard(card);
console.log(toMarkdown(card));

async function againstLibraries(): Promise<void> {
  const libraries = loadLibraries();
  facts.push(...libraries.missing);
  const lexical = join(SHARED, 'lexical');
  if (existsSync(lexical)) lines.push(...(await wordLibraries(libraries, lexical, DOCS)));
  else facts.push(`no words: ${lexical} is not there`);
  lines.push(...(await vectorLibraries(libraries, SHARED, VECTORS)));
}
