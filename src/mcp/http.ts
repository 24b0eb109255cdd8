// Streamable HTTP at /mcp, for both generations of the protocol. Each request has its own MCP
// server, which calls the service's routes inside the process with the headers of the caller, so
// that a key sees the same as over REST.
import {
  createMcpHandler,
  isJsonContentType,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { parseDeep } from '../api/kit/json.js';
import type { Answer, ApiRequest } from '../api/kit/routes.js';
import { plainJson } from '../base/json-text.js';
import type { Call } from './call.js';
import { NO_PINS } from './pins.js';
import { Schemas } from './schemas.js';
import { createMcpServer } from './server.js';

export interface DoorOptions {
  readonly version: string;
  /** Accepted names in the Host header; undefined accepts any. */
  readonly hosts: readonly string[] | undefined;
  /** Called with internal errors. */
  readonly onError: (error: Error) => void;
  /** Called with rejected requests. */
  readonly onRefusal: (error: Error) => void;
}

/** Maximum bytes of a message, more than any tool needs. */
const MAX_BODY = 4 * 1024 * 1024;
/**
 * Maximum number of subscriptions of all clients together. Each is answered immediately, because
 * nothing changes that could be waited for.
 */
const MAX_SUBSCRIPTIONS = 16;
/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32700;
const REFUSED = -32000;

export interface McpDoor {
  handle(request: ApiRequest): Promise<Answer>;
  close(): Promise<void>;
}

export function openDoor(options: DoorOptions): McpDoor {
  const { version, hosts, onError, onRefusal } = options;
  // Calls by request, because the factory receives only the web request.
  const calls = new WeakMap<Request, Call>();
  const schemas = new Schemas();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo === undefined ? undefined : calls.get(requestInfo);
      if (call === undefined) throw new Error('a request without its caller');
      return createMcpServer({ call, pins: NO_PINS, schemas, version, onError });
    },
    { onerror: onRefusal, responseMode: 'auto', maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  return {
    async handle(request) {
      const host = request.headers['host'];
      if (hosts !== undefined && !validateHostHeader(host, [...hosts]).ok) {
        const reason = `the Host header [${host ?? ''}] is none of this server, list it in [mcp.allow_hosts]`;
        return jsonError(403, REFUSED, reason);
      }
      const { body, contentType } = request;
      if (!isJsonContentType(contentType ?? null)) {
        return jsonError(415, REFUSED, 'Content-Type must be application/json');
      }
      if (body === undefined) return jsonError(400, PARSE_ERROR, 'there is no message');
      if (body.length > MAX_BODY) {
        return jsonError(413, REFUSED, `the message is larger than ${MAX_BODY} bytes`);
      }
      let message: unknown;
      try {
        message = parseDeep(body);
      } catch (error) {
        return jsonError(400, PARSE_ERROR, (error as Error).message);
      }
      const web = toWeb(request);
      calls.set(web, callInside(request));
      return toAnswer(await handler.fetch(web, { parsedBody: message }));
    },
    close: () => handler.close(),
  };
}

function callInside(request: ApiRequest): Call {
  return (requested) => request.inner(requested);
}

/** Converts a request without its body, which was already read. */
function toWeb({ method, path, headers, waiter }: ApiRequest): Request {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // Skips headers that concern the connection or the encoding of the body, which is already
    // decoded.
    if (
      value === undefined ||
      /^(connection|content-length|content-encoding|transfer-encoding|expect|host)$/.test(name)
    )
      continue;
    all.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(`http://quarry${path}`, {
    method,
    headers: all,
    signal: waiter.signal(),
  });
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

function jsonError(status: number, code: number, message: string): Answer {
  const text = plainJson({ jsonrpc: '2.0', error: { code, message }, id: null });
  return { status, text, contentType: 'application/json' };
}
