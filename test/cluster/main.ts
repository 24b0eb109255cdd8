// npm run test:cluster -- --cluster URL [--only PART] [--verbose]: the golden REST cases against a
// server in cluster mode in front of the cluster, which must hold nothing that is needed: every case
// begins by deleting all indexes. Then a service is moved there, and asked the same things before and
// after.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { run } from '../cli/run.ts';
import { deleteEverything } from '../tools/api-requests.ts';
import { startServer } from '../tools/server.ts';
import { runCase, sharedCases } from './agreement.ts';
import { differencesOf, isLacking, isNodes } from './differences.ts';
import { answersOf, fillForMove } from './moved.ts';

const { values } = parseArgs({
  options: {
    cluster: { type: 'string' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});
if (values.cluster === undefined) {
  console.error('give --cluster, the address of an Elasticsearch or OpenSearch');
  process.exit(2);
}

const PREFIX = 'quarry-test-';
const server = await startServer({
  env: {
    QUARRY_CLUSTER_ENABLED: 'true',
    QUARRY_CLUSTER_URLS: values.cluster,
    QUARRY_CLUSTER_INDEX_PREFIX: PREFIX,
  },
});
const root = (await (await fetch(values.cluster)).json()) as {
  readonly version: { readonly distribution?: string };
};
const differences = differencesOf(root.version.distribution === 'opensearch');
const cases: readonly string[] = sharedCases((name) => isNodes(name) || isLacking(name)).filter(
  (name) => name.includes(values.only),
);
const unexplained: string[] = [];
const reasons = new Map<string, number>();
const areas = new Map<string, { agreeing: number; all: number }>();
let agreeing = 0;
for (const name of cases) {
  const outcome = await runCase(server.call, name).catch((error: unknown) => {
    console.log(server.log().slice(-3000));
    throw error;
  });
  const area = areas.get(areaOf(name)) ?? { agreeing: 0, all: 0 };
  areas.set(areaOf(name), area);
  area.all += 1;
  if (outcome.agrees) {
    agreeing += 1;
    area.agreeing += 1;
    continue;
  }
  const reason = differences.find(([pattern]) => pattern.test(name))?.[1];
  if (reason === undefined) unexplained.push(name);
  else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  if (reason === undefined || values.verbose) {
    console.log(`${name}${reason === undefined ? '' : ` (${reason})`}`);
    console.log(`  one node: ${outcome.expected?.slice(0, 900)}`);
    console.log(`  cluster:  ${outcome.actual?.slice(0, 900)}`);
  }
}
const moved = 'move'.includes(values.only) ? await differAfterMove(values.cluster) : undefined;
await server.stop();
const percent = ((100 * agreeing) / Math.max(1, cases.length)).toFixed(1);
for (const [name, { agreeing: same, all }] of areas) console.log(`${name}: ${same} of ${all}`);
console.log(`${agreeing} of ${cases.length} cases agree: ${percent} %`);
for (const [reason, count] of reasons) console.log(`${count} differ: ${reason}`);
const lacking = sharedCases((name) => !isLacking(name)).length;
console.log(`${lacking} more need what the tested package of the engine lacks`);
console.log(`${unexplained.length} differ without a known reason`);
if (moved !== undefined) console.log(`after quarry move differ: ${moved.join(', ') || 'none'}`);

/** Moves a service into the cluster; the names of answers that are others there. */
async function differAfterMove(cluster: string): Promise<readonly string[]> {
  await deleteEverything(server.call);
  const source = await startServer();
  const state = mkdtempSync(join(tmpdir(), 'quarry-move-'));
  try {
    await fillForMove(source);
    const before = await answersOf(source);
    const args = ['--to', cluster, '--prefix', PREFIX, '--url', source.base, '--state', state];
    const ran = await run(['move', ...args], process.cwd(), {});
    if (ran.code !== 0) console.log(`${ran.out}${ran.err}`);
    const after = await answersOf(server);
    const names = Object.keys(before).filter((name) => {
      return !isDeepStrictEqual(before[name], after[name]);
    });
    for (const name of names) {
      console.log(`  one node: ${JSON.stringify(before[name]).slice(0, 900)}`);
      console.log(`  cluster:  ${JSON.stringify(after[name]).slice(0, 900)}`);
    }
    return ran.code === 0 ? names : ['the move itself', ...names];
  } finally {
    await source.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** The resource of a case: `search` of `search.nested/01_…`. */
function areaOf(name: string): string {
  return name.split(/[./]/, 1)[0] ?? '';
}
