// A small OpenAI-compatible embeddings service on a free loopback port, with behaviour set by the
// test: valid or invalid responses, delays, failures. A text's vector depends on its words alone.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ServiceRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly model: unknown;
  readonly input: readonly string[];
  /** The whole body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A response instead of vectors. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Closes the connection instead. */
  readonly hangUp?: true;
}

export type Behaviour = (
  request: ServiceRequest,
  honest: () => { readonly data: readonly { index: number; embedding: number[] }[] },
) => Reply | undefined | Promise<Reply | undefined>;

export interface EmbeddingsService {
  /** The base of the API: `/embeddings` is appended to it. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ServiceRequest[];
  /** Maximum number of concurrent requests. */
  readonly mostAtOnce: number;
  /** Sets the behaviour from now on; undefined: regular responses. */
  behave(behaviour: Behaviour | undefined): void;
  /** Clears the recorded requests. */
  forget(): void;
  stop(): Promise<void>;
}

export const DIMS = 8;

/** Words hashed into a few dimensions; never zero. */
export function vectorOf(text: string, dims = DIMS): number[] {
  const vector = new Array<number>(dims).fill(0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2166136261;
    for (const c of word) hash = Math.imul(hash ^ (c.codePointAt(0) ?? 0), 16777619);
    const at = (hash >>> 1) % dims;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

export async function startEmbeddingsService(
  options: { readonly port?: number; readonly dims?: number } = {},
): Promise<EmbeddingsService> {
  const requests: ServiceRequest[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour | undefined;
  let running = 0;
  let most = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requested = await readRequest(request);
    requests.push(requested);
    const honest = () => ({
      data: requested.input.map((text, index) => ({
        index,
        embedding: vectorOf(text, options.dims),
      })),
    });
    const reply = (await behaviour?.(requested, honest)) ?? { body: honest() };
    if (reply.hangUp === true) response.destroy();
    else send(response, reply);
  };
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    answer(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        running -= 1;
      });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    get mostAtOnce(): number {
      return most;
    },
    behave: (next) => {
      behaviour = next;
    },
    forget: () => {
      requests.length = 0;
      most = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

async function readRequest(request: IncomingMessage): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  const { input, model } = body as { input: string[]; model?: unknown };
  return { path: request.url ?? '', headers: request.headers, model, input, body };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body ?? {}));
}

/** A promise that the test resolves. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
