// Streamable HTTP at /mcp, in both eras: a server of its own for each request, which calls the service's routes inside the
// process with the headers of the caller, so that a key sees what it sees over REST.
import { createMcpHandler, validateHostHeader } from '@modelcontextprotocol/server';
import type { Answer, ApiRequest } from '../api/routes.js';
import { type Call, Refusal } from './call.js';
import { NO_PINS } from './pins.js';
import { createMcpServer } from './server.js';

export interface DoorOptions {
  readonly version: string;
  /** Names that the Host header may have; undefined: any. */
  readonly hosts: readonly string[] | undefined;
  readonly onError: (error: Error) => void;
}

export interface McpDoor {
  handle(request: ApiRequest): Promise<Answer>;
  close(): Promise<void>;
}

export function openDoor({ version, hosts, onError }: DoorOptions): McpDoor {
  // By request: the factory is told the web request alone.
  const calls = new WeakMap<Request, Call>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo === undefined ? undefined : calls.get(requestInfo);
      if (call === undefined) throw new Error('a request without its caller');
      return createMcpServer({ call, pins: NO_PINS, version });
    },
    { onerror: onError, responseMode: 'auto' },
  );
  return {
    async handle(request) {
      const host = request.headers['host'];
      if (hosts !== undefined && !validateHostHeader(host, [...hosts]).ok) {
        const reason = `the Host header [${host ?? ''}] is none of this server, list it in [mcp.allow_hosts]`;
        return jsonError(403, reason);
      }
      const web = toWeb(request);
      calls.set(web, callInside(request));
      const parsed = parse(request.body);
      return toAnswer(await handler.fetch(web, parsed === undefined ? {} : { parsedBody: parsed }));
    },
    close: () => handler.close(),
  };
}

function callInside(request: ApiRequest): Call {
  return async ({ method, path, body }) => {
    const answer = await request.inner({ method, path, ...(body === undefined ? {} : { body }) });
    if (answer.status === 0) throw new Refusal('no_service', 0, answer.text);
    return answer;
  };
}

function toWeb({ method, path, headers, body, signal }: ApiRequest): Request {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // Of the connection, or of a body that is unpacked by now.
    if (
      value === undefined ||
      /^(connection|content-length|content-encoding|transfer-encoding|expect|host)$/.test(name)
    )
      continue;
    all.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = body !== undefined && method === 'POST';
  return new Request(`http://quarry${path}`, {
    method,
    headers: all,
    signal: signal(),
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

/** Undefined for what is no JSON: the handler refuses it in its own words. */
function parse(body: Buffer | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function toAnswer(response: Response): Promise<Answer> {
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    if (name !== 'content-type' && name !== 'content-length') headers[name] = value;
  });
  const contentType = response.headers.get('content-type') ?? 'application/json';
  const { status } = response;
  if (response.body === null) return { status, headers };
  if (contentType.startsWith('text/event-stream')) {
    return { status, headers, contentType, stream: decoded(response.body) };
  }
  return { status, headers, contentType, text: await response.text() };
}

async function* decoded(body: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
}

function jsonError(status: number, message: string): Answer {
  const text = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
  return { status, text, contentType: 'application/json' };
}
