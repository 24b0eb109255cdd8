// The shutdown of a pod with the configuration of the manifests: readiness returns 503 while
// requests are still answered, and the process ends before Kubernetes kills it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { startServer } from '../tools/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
const manifests: any[] = parseAllDocuments(
  readFileSync('deploy/kubernetes/quarry.yaml', 'utf8'),
).map((document) => document.toJS());
const pod = manifests.find(({ kind }) => kind === 'StatefulSet').spec.template.spec;
const configuration: string = manifests.find(({ kind }) => kind === 'ConfigMap').data[
  'quarry.yaml'
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-drain-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a pod that is asked to end serves until balancers have seen it, and ends in time', async () => {
  const file = join(folder, 'quarry.yaml');
  writeFileSync(file, configuration);
  const server = await startServer({ args: ['--config', file, '--host', '127.0.0.1'] });
  expect((await server.call('GET', '/_search')).status).toBe(401);
  const started = performance.now();
  const stopped = server.stop();
  const ready = await expect
    .poll(async () => (await server.call('GET', '/v1/health/ready')).json.status)
    .toBe('draining')
    .then(() => server.call('GET', '/v1/health/ready'));
  expect(ready.status).toBe(503);
  expect((await server.call('GET', '/v1/health')).status).toBe(200);
  expect((await server.call('GET', '/_search')).status).toBe(401);
  expect(await stopped).toBe(0);
  const seconds = (performance.now() - started) / 1000;
  expect(seconds).toBeGreaterThan(3);
  expect(seconds).toBeLessThan(pod.terminationGracePeriodSeconds);
});
