// npm run test:cluster -- --cluster URL [--only PART] [--verbose]: the golden REST cases against a
// server in cluster mode in front of the cluster, which must hold nothing that is needed: every case
// begins by deleting all indexes.
import { parseArgs } from 'node:util';
import { startServer } from '../tools/server.ts';
import { runCase, sharedCases } from './agreement.ts';
import { DIFFERENCES, isLacking, isNodes } from './differences.ts';

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

const server = await startServer({
  env: {
    QUARRY_CLUSTER_ENABLED: 'true',
    QUARRY_CLUSTER_URLS: values.cluster,
    QUARRY_CLUSTER_INDEX_PREFIX: 'quarry-test-',
  },
});
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
  const reason = DIFFERENCES.find(([pattern]) => pattern.test(name))?.[1];
  if (reason === undefined) unexplained.push(name);
  else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  if (reason === undefined || values.verbose) {
    console.log(`${name}${reason === undefined ? '' : ` (${reason})`}`);
    console.log(`  one node: ${outcome.expected?.slice(0, 900)}`);
    console.log(`  cluster:  ${outcome.actual?.slice(0, 900)}`);
  }
}
await server.stop();
const percent = ((100 * agreeing) / Math.max(1, cases.length)).toFixed(1);
for (const [name, { agreeing: same, all }] of areas) console.log(`${name}: ${same} of ${all}`);
console.log(`${agreeing} of ${cases.length} cases agree: ${percent} %`);
for (const [reason, count] of reasons) console.log(`${count} differ: ${reason}`);
const lacking = sharedCases((name) => !isLacking(name)).length;
console.log(`${lacking} more need what the tested package of the engine lacks`);
console.log(`${unexplained.length} differ without a known reason`);

/** The resource of a case: `search` of `search.nested/01_…`. */
function areaOf(name: string): string {
  return name.split(/[./]/, 1)[0] ?? '';
}
