// npm run fuzz:searches: random valid searches of every kind beside writes, merges and closes
// [--seed N] [--seconds N] [--clients N]. A fault is the end of the process, a report of a sanitizer
// (--sanitize builds the addon with them), or an answer with 5xx that is no refusal. It is printed
// with the requests before it, and in its smallest form if one request shows it alone; the exit
// status is then 1. With --peer URL the searches are compared with the answers of Elasticsearch,
// whose index searches-shared may go.
import { parseArgs } from 'node:util';
import { toCurl } from '../request.ts';
import { smallestForm } from '../shrink.ts';
import { Target } from '../target.ts';
import { faultAlone, fill, type LoadFault, SearchLoad } from './load.ts';
import { PeerComparison } from './peer.ts';
import { buildSanitized } from './sanitizer.ts';

/** Replaces the address of the service, which has ended when the output is read. */
const ADDRESS = 'http://127.0.0.1:9200';
/** The run ends after this number of faults. */
const MOST_FINDINGS = 10;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '6' },
    sanitize: { type: 'boolean', default: false },
    peer: { type: 'string' },
  },
});

/** Returns the number of faults. */
async function search(target: Target, seed: number, seconds: number): Promise<number> {
  await fill(target, seed);
  const end = performance.now() + seconds * 1000;
  let found = 0;
  while (performance.now() < end && found < MOST_FINDINGS) {
    if (!target.isAlive) await target.restart();
    const load = new SearchLoad(target, seed + found, end);
    const fault = await load.run(Number(values.clients));
    const statuses = [...load.statuses].sort(([a], [b]) => a - b);
    console.log(statuses.map(([status, count]) => `${status}: ${count}`).join(', '));
    if (fault === undefined) continue;
    found += 1;
    console.log(`\nFOUND ${fault.fault.kind}, seed ${seed + found - 1}: ${fault.fault.text}`);
    await printRequests(target, fault);
  }
  return found;
}

/** Prints the one request that shows the fault alone in its smallest form, or all of them. */
async function printRequests(target: Target, { fault, requests }: LoadFault): Promise<void> {
  for (const request of requests) {
    if ((await faultAlone(target, request))?.kind !== fault.kind) continue;
    const smallest = await smallestForm(
      request,
      async (one) => (await faultAlone(target, one))?.kind === fault.kind,
    );
    console.log(`alone, on the data of this run:\n${toCurl(smallest, ADDRESS)}`);
    return;
  }
  console.log('none of them alone:');
  for (const request of requests) console.log(toCurl(request, ADDRESS));
}

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 20));
const seconds = Number(values.seconds);
console.log(`seed ${seed}, ${seconds} s`);
const target = new Target(values.sanitize ? buildSanitized() : {});
try {
  await target.start();
  const found =
    values.peer === undefined
      ? await search(target, seed, seconds)
      : await new PeerComparison(values.peer, target.base).run(seed, seconds);
  console.log(found === 0 ? 'nothing found' : `${found} found, --seed ${seed} repeats this run`);
  process.exitCode = found === 0 ? 0 : 1;
} finally {
  await target.remove();
}
