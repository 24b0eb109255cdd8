// npm run test:outages -- --server FOLDER [--only PART] [--rounds N] [--timeout MS]: two replicas of
// the service in front of three nodes of a real Elasticsearch (FOLDER: unpacked, 8.12 or later, at
// rest), while nodes are killed, stopped and cut off in the middle of writes, and while both are
// restarted one by one. What was acknowledged must be there once, and every other answer a refusal
// with its reason.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer, type TestServer } from '../../tools/server.ts';
import { Load, type Outcome } from './load.ts';
import { nodesMissing, RealCluster } from './real-cluster.ts';

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
    // Milliseconds that a request may wait: less than an outage takes. A busy machine needs more.
    timeout: { type: 'string', default: '8000' },
  },
});
if (values.server === undefined) {
  console.error('give --server, the folder of an unpacked Elasticsearch');
  process.exit(2);
}
const missing = nodesMissing(values.server);
if (missing !== undefined) {
  console.log(`outages are not tested: ${missing}`);
  process.exit(0);
}

const INDEX = 'docs';
const PREFIX = 'quarry-';
const REPLICAS = 2;
const QUIET_MS = 4000;
const OUTAGE_MS = 15_000;
/** How long a replica that was asked to end takes requests. */
const GRACE_MS = 1000;

interface Trial {
  readonly name: string;
  /** No request may be refused. */
  readonly isSilent: boolean;
  run(): Promise<void>;
}

const cluster = await RealCluster.start(values.server);
const replicas: TestServer[] = [];
const primary = (): Promise<number> => cluster.primaryOf(`${PREFIX}${INDEX}`);
const TRIALS: readonly Trial[] = [
  {
    name: 'a node with primaries is killed',
    isSilent: false,
    async run() {
      const node = await primary();
      await cluster.end(node, 'SIGKILL');
      await pause(OUTAGE_MS);
      await cluster.launch(node);
    },
  },
  {
    name: 'the master is killed',
    isSilent: false,
    async run() {
      const node = await cluster.master();
      await cluster.end(node, 'SIGKILL');
      await pause(OUTAGE_MS);
      await cluster.launch(node);
    },
  },
  {
    name: 'a node with primaries is stopped',
    isSilent: false,
    async run() {
      const node = await primary();
      cluster.signal(node, 'SIGSTOP');
      await pause(OUTAGE_MS);
      cluster.signal(node, 'SIGCONT');
    },
  },
  {
    name: 'a node with primaries is cut off from the others, and not from the service',
    isSilent: false,
    async run() {
      cluster.isolate(await primary());
      await pause(OUTAGE_MS);
      cluster.isolate(undefined);
    },
  },
  {
    name: 'the master is cut off from the others, and not from the service',
    isSilent: false,
    async run() {
      cluster.isolate(await cluster.master());
      await pause(OUTAGE_MS);
      cluster.isolate(undefined);
    },
  },
  {
    name: 'replicas of the service are restarted one by one',
    isSilent: true,
    async run() {
      for (let at = 0; at < REPLICAS; at++) {
        await replicas[0]?.stop();
        replicas.shift();
        replicas.push(await startReplica());
        await pause(GRACE_MS);
      }
    },
  },
  {
    name: 'nodes of the cluster are restarted one by one',
    isSilent: false,
    async run() {
      for (const node of cluster.urls.keys()) {
        await cluster.end(node, 'SIGTERM');
        await cluster.launch(node);
        await cluster.settled();
      }
    },
  },
];

let hasFailed = false;
try {
  while (replicas.length < REPLICAS) replicas.push(await startReplica());
  const load = new Load(() => replicas.map(({ base }) => base), INDEX);
  await load.begin();
  await pause(QUIET_MS);
  report({ name: 'no outage', isSilent: true }, load.outcome());
  const chosen = TRIALS.filter(({ name }) => name.includes(values.only));
  for (const trial of Array.from({ length: Number(values.rounds) }, () => chosen).flat()) {
    await trial.run();
    await cluster.settled();
    await pause(QUIET_MS);
    report(trial, load.outcome());
  }
  await load.end();
  const problems = await load.account();
  console.log(`${load.written}: ${problems.length} of them lost or doubled`);
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  hasFailed ||= problems.length > 0;
} finally {
  for (const replica of replicas) await replica.stop();
  await cluster.stop();
}
process.exitCode = hasFailed ? 1 : 0;

function startReplica(): Promise<TestServer> {
  return startServer({
    env: {
      QUARRY_CLUSTER_ENABLED: 'true',
      QUARRY_CLUSTER_URLS: cluster.urls.join(','),
      QUARRY_CLUSTER_INDEX_PREFIX: PREFIX,
      QUARRY_CLUSTER_TIMEOUT_MS: values.timeout,
      QUARRY_SHUTDOWN_GRACE_MS: `${GRACE_MS}`,
    },
  });
}

function report(
  { name, isSilent }: Pick<Trial, 'name' | 'isSilent'>,
  { answered, refused, reasons, wrong, slowest }: Outcome,
): void {
  console.log(`${name}: ${answered} requests answered, ${refused} refused, ${wrong.length} wrong`);
  console.log(`  the slowest took ${(slowest / 1000).toFixed(1)} s`);
  for (const [reason, count] of reasons) console.log(`  ${count} times ${reason}`);
  for (const answer of wrong.slice(0, 5)) console.log(`  wrong: ${answer}`);
  hasFailed ||= wrong.length > 0 || (isSilent && refused > 0);
}
