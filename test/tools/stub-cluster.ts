// A server that behaves as a test says: a remote that lies, dawdles or breaks off.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestServer } from './server.ts';

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes
  readonly body: any;
}

/** Returns a JSON value, or answers itself and returns undefined. */
export type Behaviour = (request: StubRequest, response: ServerResponse) => unknown;

export interface StubCluster {
  readonly url: string;
  readonly requests: StubRequest[];
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export async function startStubCluster(): Promise<StubCluster> {
  const requests: StubRequest[] = [];
  let behaviour: Behaviour = () => ({});
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = incoming;
      const body: unknown = text.startsWith('{') ? parsed(text) : text;
      const request = { method, path, headers, body };
      requests.push(request);
      const value = await behaviour(request, response);
      if (value === undefined) return;
      response.setHeader('content-type', 'application/json');
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    behave(next) {
      behaviour = next;
      requests.length = 0;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Passes a request on, as a proxy does. */
export async function forward(
  to: Pick<TestServer, 'call'>,
  { method, path, body }: Pick<StubRequest, 'method' | 'path' | 'body'>,
  response: ServerResponse,
): Promise<void> {
  const isText = typeof body === 'string' && body !== '';
  const headers = isText ? { 'content-type': 'application/x-ndjson' } : {};
  const answer = await to.call(method, path, body === '' ? undefined : body, headers);
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(answer.text);
}
