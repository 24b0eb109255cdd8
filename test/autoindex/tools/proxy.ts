// A proxy between autoindex and a service: records requests, and can answer them itself or drop a
// response.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/**
 * How request `number`, counted from 1, is handled: forwarded, answered here, forwarded without a
 * response, or neither.
 */
export type Rule = (seen: Seen, number: number) => 'pass' | 'lose' | 'hold' | Answer;

export interface Between {
  readonly base: string;
  readonly seen: Seen[];
  /** The maximum number of concurrent requests, and of bytes in a body. */
  readonly most: { atOnce: number; bytes: number };
  rule: Rule;
  /** Called after each received request. */
  onSeen: (number: number) => void;
  close(): Promise<void>;
}

/** `target`: the address of the service; undefined if the rule answers everything. */
export async function standBetween(target: string | undefined): Promise<Between> {
  let atOnce = 0;
  const server: Server = createServer((request, response) => {
    atOnce += 1;
    proxy.most.atOnce = Math.max(proxy.most.atOnce, atOnce);
    response.once('close', () => {
      atOnce -= 1;
    });
    handle(request, response).catch(() => response.destroy());
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    proxy.most.bytes = Math.max(proxy.most.bytes, body.length);
    const { method = '', url = '' } = request;
    const seen: Seen = { method, path: url, body: target === undefined ? '' : body.toString() };
    const number = proxy.seen.push(seen);
    proxy.onSeen(number);
    const fate = proxy.rule(
      target === undefined ? { ...seen, body: body.toString() } : seen,
      number,
    );
    if (fate === 'hold') return;
    if (typeof fate === 'object') {
      response.writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers });
      response.end(JSON.stringify(fate.body));
      return;
    }
    const type = request.headers['content-type'];
    const reply = await fetch(target + url, {
      method,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      ...(body.length === 0 ? {} : { body }),
    });
    const text = await reply.text();
    if (fate === 'lose') return;
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(text);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: Between = {
    base: `http://127.0.0.1:${port}`,
    seen: [],
    most: { atOnce: 0, bytes: 0 },
    rule: () => 'pass',
    onSeen: () => undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}

/** Requests that change something: all except reads and searches. */
export function writesOf(seen: readonly Seen[]): readonly string[] {
  return seen
    .filter(({ method, path }) => method !== 'GET' && !/_mget$|_search$|_count$/.test(path))
    .map(({ method, path }) => `${method} ${path}`);
}
