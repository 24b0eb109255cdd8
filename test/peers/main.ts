// npm run test:peers -- --peer URL [--quarry URL] [--report FILE] [--seed N]: sends the same requests
// to a peer (Elasticsearch or OpenSearch) and to Quarry over the same documents. Prints a table; the
// exit status is 0 if they agree except for known differences. The seed is that of nested documents.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startServer } from '../tools/server.ts';
import { load } from './documents.ts';
import { loadNested } from './nested/documents.ts';
import { nestedRequests } from './nested/requests.ts';
import { describePeer, type Peer, senderTo } from './peer.ts';
import { printTable, toMarkdown } from './report.ts';
import { REQUESTS } from './requests/index.ts';
import { runAll } from './run.ts';

const { values } = parseArgs({
  options: {
    peer: { type: 'string' },
    quarry: { type: 'string' },
    report: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string', default: '39' },
  },
});
if (values.peer === undefined) {
  console.error(
    'give --peer URL, an Elasticsearch or OpenSearch whose indexes books, logs, copy, nested1 and nested5 may go',
  );
  process.exit(2);
}

const peer: Peer = await describePeer(values.peer);
const started = values.quarry === undefined ? await startServer() : undefined;
try {
  const quarry = senderTo(values.quarry ?? started?.base ?? '');
  await load(peer.send, peer.has);
  await load(quarry, peer.has);
  const seed = Number(values.seed);
  await loadNested(peer.send, peer.has, seed);
  await loadNested(quarry, peer.has, seed);
  const { only } = values;
  const all = [...REQUESTS, ...nestedRequests(seed)];
  const chosen = only === undefined ? all : all.filter(({ name }) => name.includes(only));
  const outcome = await runAll(chosen, peer, quarry, only === undefined);
  printTable(outcome);
  if (values.report !== undefined) writeFileSync(values.report, toMarkdown(peer, outcome));
  process.exitCode = outcome.failed ? 1 : 0;
} finally {
  await started?.stop();
}
