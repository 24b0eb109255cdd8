// Traces of a running server: a collector on loopback receives a search as one tree, from the
// request to the tasks of threads, without values of the search.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../tools/server.ts';

interface SpanJson {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT = '00f067aa0ba902b7';

let collector: Server;
let server: TestServer;
let bodies: string;
let spans: SpanJson[];

beforeAll(async () => {
  bodies = '';
  spans = [];
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    bodies += text;
    for (const { scopeSpans } of JSON.parse(text).resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}/v1/traces`;
  server = await startServer({
    args: ['--tracing.enabled', '--tracing.endpoint', endpoint],
  });
}, 60_000);
afterAll(async () => {
  await new Promise((resolve) => collector.close(resolve));
});

test('a search is one tree, below the span that the client sent', async () => {
  await server.call('PUT', '/books/_doc/1?refresh=true', { title: 'hush7f3a' });
  const answer = await server.call(
    'POST',
    '/books/_search',
    { query: { match: { title: 'hush7f3a' } } },
    { traceparent: `00-${TRACE}-${CLIENT}-01` },
  );
  expect(answer.headers.get('traceparent')).toMatch(new RegExp(`^00-${TRACE}-[\\da-f]{16}-01$`));
  // The remaining spans are sent when the server ends.
  expect(await server.stop()).toBe(0);
  const mine = spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string): SpanJson | undefined => mine.find((span) => span.name === name);
  const request = named('POST /:index/_search');
  const search = named('search');
  expect(request?.parentSpanId).toBe(CLIENT);
  expect(answer.headers.get('traceparent')).toContain(request?.spanId ?? 'none');
  expect(search?.parentSpanId).toBe(request?.spanId);
  expect(named('worker search')?.parentSpanId).toBe(search?.spanId);
  expect(named('search query')?.parentSpanId).toBe(search?.spanId);
  expect(spans.map(({ name }) => name)).toContain('worker write');
  expect(bodies).not.toContain('hush7f3a');
});
