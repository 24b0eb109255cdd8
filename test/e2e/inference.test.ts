// Inference endpoints over real HTTP: registered, used, preserved over a restart, and errors that
// are distinct from those of the service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type EmbeddingsService,
  gate,
  startEmbeddingsService,
  vectorOf,
} from '../tools/embeddings-service.ts';
import { startServer, type TestServer } from '../tools/server.ts';

const FLAGS = ['--inference.timeout_ms', '5000', '--inference.max_retries', '1'];
const dataDir = mkdtempSync(join(tmpdir(), 'quarry-inference-'));
let service: EmbeddingsService;
let server: TestServer;
beforeAll(async () => {
  service = await startEmbeddingsService();
  server = await startServer({ dataDir, args: FLAGS });
});
afterAll(async () => {
  await server?.stop();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  service.behave(undefined);
  service.forget();
});

const floats = (text: string) => vectorOf(text).map((value) => expect.closeTo(value, 6));

describe('an endpoint', () => {
  test('in the form of Elasticsearch and in the short one', async () => {
    const put = await server.call('PUT', '/_inference/text_embedding/mine', {
      service: 'openai',
      service_settings: {
        url: `${service.url}/embeddings`,
        model_id: 'm',
        rate_limit: { requests_per_minute: 60_000 },
      },
      task_settings: { user: 'someone' },
    });
    expect(put.status, put.text).toBe(200);
    const printed = {
      inference_id: 'mine',
      task_type: 'text_embedding',
      service: 'openai',
      service_settings: {
        url: `${service.url}/embeddings`,
        model_id: 'm',
        similarity: 'cosine',
        rate_limit: { requests_per_minute: 60_000 },
      },
      task_settings: { user: 'someone' },
    };
    expect(put.json).toEqual(printed);
    const short = { url: service.url, model: 'n', dims: 8 };
    expect((await server.call('PUT', '/_inference/short', short)).status).toBe(200);
    for (const path of ['/_inference/mine', '/_inference/text_embedding/mine']) {
      expect((await server.call('GET', path)).json).toEqual({ endpoints: [printed] });
    }
    for (const path of ['', '/_all', '/text_embedding', '/text_embedding/_all']) {
      const all = (await server.call('GET', `/_inference${path}`)).json.endpoints;
      expect(all.map((one: { inference_id: string }) => one.inference_id)).toEqual([
        'svc-lex-1',
        'svc-lex-2',
        'mine',
        'short',
      ]);
    }
  });

  test('makes vectors, as does the built-in one', async () => {
    const path = '/_inference/text_embedding/mine?timeout=5s';
    const reply = await server.call('POST', path, { input: ['a b', 'c'] });
    expect(reply.json).toEqual({
      text_embedding: [{ embedding: floats('a b') }, { embedding: floats('c') }],
    });
    expect(service.requests[0]?.body).toEqual({ model: 'm', input: ['a b', 'c'], user: 'someone' });
    const built = await server.call('POST', '/_inference/svc-lex-1', { input: 'rivers' });
    expect(built.json.text_embedding[0].embedding.length).toBe(512);
  });

  test('whose service fails says so, with 502', async () => {
    service.behave(() => ({ status: 500, body: { error: { message: 'out of memory' } } }));
    const reply = await server.call('POST', '/_inference/mine', { input: 'never seen' });
    expect(reply.status).toBe(502);
    expect(reply.json.error).toMatchObject({
      type: 'inference_exception',
      reason: `the embeddings service [${service.url}/embeddings] answered 500 (out of memory), after 2 tries`,
    });
    expect(service.requests.length).toBe(2);
    const metrics = (await server.call('GET', '/v1/metrics')).text;
    expect(metrics).toContain(
      'quarry_inference_request_duration_seconds_count{outcome="repeated"} 1',
    );
  });

  test('whose service is slow is given up after the time that the caller gives', async () => {
    const never = gate();
    service.behave(async () => {
      await never.opened;
      return undefined;
    });
    const reply = await server.call('POST', '/_inference/mine?timeout=30ms', { input: 'slow' });
    expect(reply.status).toBe(408);
    expect(reply.json.error.reason).toContain('gave no answer within [30ms]');
    never.open();
  });

  test('changes what makes no other vectors, and goes', async () => {
    const changed = await server.call('PUT', '/_inference/text_embedding/short/_update', {
      service_settings: { api_key_env: 'QUARRY_TEST_NO_SUCH_KEY' },
    });
    expect(changed.json.service_settings).toMatchObject({ api_key_env: 'QUARRY_TEST_NO_SUCH_KEY' });
    const keyless = await server.call('POST', '/_inference/short', { input: 'x' });
    expect(keyless.status).toBe(502);
    expect(keyless.json.error.reason).toContain('environment variable [QUARRY_TEST_NO_SUCH_KEY]');
    const dry = await server.call('DELETE', '/_inference/short?dry_run=true');
    expect(dry.json).toEqual({ acknowledged: true, pipelines: [], indexes: [] });
    expect((await server.call('DELETE', '/_inference/text_embedding/short')).status).toBe(200);
    expect((await server.call('GET', '/_inference/short')).status).toBe(404);
  });

  test('is there after a crash and a restart', async () => {
    await server.kill('SIGKILL');
    server = await startServer({ dataDir, args: FLAGS });
    const reply = await server.call('GET', '/_inference/mine');
    expect(reply.json.endpoints[0].service_settings.model_id).toBe('m');
  });
});

describe('the end of the process', () => {
  test('does not wait for a service that does not answer', async () => {
    const never = gate();
    service.behave(async () => {
      await never.opened;
      return undefined;
    });
    const other = await startServer();
    await other.call('PUT', '/_inference/mine', { url: service.url });
    const call = other.call('POST', '/_inference/mine', { input: 'slow' });
    call.catch(() => {});
    while (service.requests.length === 0) await new Promise((done) => setTimeout(done, 5));
    expect(await other.stop()).toBe(0);
    expect((await call).status).toBe(503);
    never.open();
  });
});

describe('a damaged list of endpoints', () => {
  test('is named, and everything else serves', async () => {
    const damaged = mkdtempSync(join(tmpdir(), 'quarry-inference-'));
    const file = join(damaged, 'inference.json');
    writeFileSync(file, '{"format":1,');
    const server = await startServer({ dataDir: damaged });
    await expect.poll(() => server.log()).toContain(file);
    expect((await server.call('GET', '/v1/health/ready')).json.damaged).toBe(1);
    const health = (await server.call('GET', '/_cluster/health')).json;
    expect(health.status).toBe('red');
    expect(health.damaged).toMatchObject([{ kind: 'file', name: 'inference.json' }]);
    const put = await server.call('PUT', '/_inference/mine', { service: 'quarry' });
    expect(put.status).toBe(503);
    expect(put.json.error.reason).toContain(file);
    expect((await server.call('PUT', '/a/_doc/1', { n: 1 })).status).toBe(201);
    expect(await server.stop()).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('{"format":1,');
    rmSync(damaged, { recursive: true, force: true });
  });
});
