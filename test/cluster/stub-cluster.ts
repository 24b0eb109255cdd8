// A server that answers as a test says, in the place of a node of a cluster.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of a transport, but for its nodes. */
export const OPTIONS = {
  authorization: undefined,
  ca: undefined,
  indexPrefix: '',
  timeoutMs: 5000,
  connectTimeoutMs: 1000,
  maxRetries: 3,
  connections: 4,
};

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface StubAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StubNode {
  readonly url: string;
  readonly requests: readonly StubRequest[];
  close(): Promise<void>;
}

/** An answer of `drop` breaks the connection off after the request was read. */
export async function stubNode(
  answer: (request: StubRequest) => StubAnswer | 'drop' | Promise<StubAnswer | 'drop'>,
): Promise<StubNode> {
  const requests: StubRequest[] = [];
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    requests.push(request);
    const made = await answer(request);
    if (made === 'drop') {
      message.socket.destroy();
      return;
    }
    response.writeHead(made.status, { 'content-type': 'application/json', ...made.headers });
    response.end(JSON.stringify(made.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => closed(server) };
}

async function readRequest(message: IncomingMessage): Promise<StubRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  return { method: message.method ?? '', path: message.url ?? '', body };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** The answers of an Elasticsearch without indexes, for requests that a test does not care about. */
export function emptyCluster({ method, path }: StubRequest): StubAnswer {
  if (path === '/') {
    return { status: 200, body: { cluster_name: 'stub', version: { number: '8.19.0' } } };
  }
  if (path.startsWith('/_cluster/health')) return { status: 200, body: { status: 'green' } };
  if (path.startsWith('/_cluster/state/version')) {
    return { status: 200, body: { version: 1, state_uuid: 's', cluster_uuid: 'c' } };
  }
  if (path.startsWith('/_resolve/index')) return { status: 200, body: { indices: [] } };
  if (method === 'GET' && /^\/\*/.test(path)) return { status: 200, body: {} };
  return { status: 404, body: { found: false } };
}
