// npm run house:search: the files of src/ that the first match query on one shard
// passes, by a coverage run of the service in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { startService } from '../../src/main.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'quarry-files-'));
const flags: Readonly<Record<string, string>> = {
  'data-dir': dataDir,
  'server.port': '0',
  'logging.level': 'error',
  // With one thread the search runs where it is measured.
  'pools.http_threads': '1',
};
const service = await startService({
  loaded: loadConfig({ flags, environment: {} }),
  reload: () => loadConfig({ flags, environment: {} }),
  warnings: [],
});
await service.ready;
const { port } = new URL(
  service.address.startsWith('http') ? service.address : `http://${service.address}`,
);

function call(method: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ port, method, path, headers, agent: false }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => {
        text += chunk;
      });
      reply.on('end', () => resolve(text));
    });
    sent.on('error', reject).end(payload);
  });
}

await call('PUT', '/books', { settings: { number_of_shards: 1 } });
await call('PUT', '/books/_doc/1?refresh=true', { title: 'grey cats' });
// The index is warm: inline execution is what nearly every search is.
await call('GET', '/books/_doc/1');

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const answer = await call('POST', '/books/_search', { query: { match: { title: 'cats' } } });
if (!answer.includes('"_id":"1"')) throw new Error(`the search found nothing: ${answer}`);
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();

const files = result
  .filter(({ url }) => url.includes('/build/bench/src/'))
  .map(({ url, functions }) => ({
    file: `src/${url.slice(url.lastIndexOf('/build/bench/src/') + 17).replace(/\.js$/, '.ts')}`,
    functions: functions
      .filter(({ ranges: [range] }) => (range?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || '(anonymous)'),
  }))
  .filter(({ functions }) => functions.length > 0)
  .sort((a, b) => a.file.localeCompare(b.file));
for (const { file, functions } of files) {
  const some = functions.slice(0, 6).join(', ');
  console.log(
    `${file.padEnd(48)} ${some}${functions.length > 6 ? ` and ${functions.length - 6} more` : ''}`,
  );
}
console.log(`${files.length} files of src/ for the first match query on one shard`);
await service.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit(0);
