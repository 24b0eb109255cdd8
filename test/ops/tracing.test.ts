// Traces over OTLP/HTTP: a collector on loopback receives the spans of a request as one tree.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RequestContexts } from '../../src/ops/request-context.ts';
import { startTracing, Tracing } from '../../src/ops/tracing.ts';

interface SpanJson {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

let collector: Server;
let spans: SpanJson[];
let refuse: boolean;
beforeEach(async () => {
  spans = [];
  refuse = false;
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    for (const { scopeSpans } of body.resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(refuse ? 400 : 200, { 'content-type': 'application/json' });
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => collector.close(resolve)));

function start(contexts: RequestContexts, samplePercent = 100): Promise<Tracing> {
  const { port } = collector.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}/v1/traces`;
  return startTracing(contexts, { endpoint, samplePercent, version: '1' });
}

describe('traces', () => {
  test('are one tree below what the client sent', async () => {
    const contexts = new RequestContexts();
    const tracing = await start(contexts);
    const sent = contexts.open({ traceParent: `00-${TRACE}-${SPAN}-01` });
    const request = tracing.begin(sent, 'GET /_search', Date.now());
    await contexts.run(request, () =>
      tracing.run('search', {}, async () => {
        await tracing.run('worker search', {}, async () => {});
        tracing.ended('search query', 3);
      }),
    );
    expect(tracing.parentHeader(request)).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-01$`));
    tracing.finish(request, {}, false);
    await tracing.close();
    const byName = new Map(spans.map((span) => [span.name, span]));
    expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => TRACE));
    expect(byName.get('GET /_search')?.parentSpanId).toBe(SPAN);
    expect(byName.get('search')?.parentSpanId).toBe(byName.get('GET /_search')?.spanId);
    expect(byName.get('worker search')?.parentSpanId).toBe(byName.get('search')?.spanId);
    expect(byName.get('search query')?.parentSpanId).toBe(byName.get('search')?.spanId);
  });

  test('mark what failed', async () => {
    const contexts = new RequestContexts();
    const tracing = await start(contexts);
    const request = tracing.begin(contexts.open({}), 'GET /', Date.now());
    const failing = contexts.run(request, () =>
      tracing.run('search', {}, () => Promise.reject(new Error('no'))),
    );
    await expect(failing).rejects.toThrow('no');
    tracing.finish(request, {}, true);
    await tracing.close();
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
      ['search', 2],
      ['GET /', 2],
    ]);
  });

  test('are left out where the client or the sampler says so', async () => {
    const contexts = new RequestContexts();
    const tracing = await start(contexts, 0);
    for (const traceParent of [undefined, `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-01`]) {
      const request = tracing.begin(contexts.open({ traceParent }), 'GET /', Date.now());
      tracing.finish(request, {}, false);
    }
    await tracing.close();
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([SPAN]);
  });

  test('that nobody takes fail nothing', async () => {
    const contexts = new RequestContexts();
    const tracing = await start(contexts);
    refuse = true;
    tracing.finish(tracing.begin(contexts.open({}), 'GET /', Date.now()), {}, false);
    await tracing.close();
    expect(spans).toHaveLength(1);
  });

  test('that are off cost nothing and give back what was sent', async () => {
    const contexts = new RequestContexts();
    const tracing = new Tracing(contexts);
    const context = contexts.open({ traceParent: `00-${TRACE}-${SPAN}-01` });
    expect(tracing.begin(context, 'GET /', 0)).toBe(context);
    expect(tracing.parentHeader(context)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(tracing.parentHeader(contexts.open({}))).toBeUndefined();
    expect(await tracing.run('x', {}, async () => 7)).toBe(7);
    await tracing.close();
  });
});
