// Short paths that could also name an index: /mcp, /console, /docs, /llms.txt and /openapi.json.
// Requests for the service are mapped to the path under /v1; any other request to such a path means
// the index of that name. A browser that is led to / gets the console.
import type { IncomingMessage } from 'node:http';
import { QuarryError } from '../../errors.js';
import type { ApiDeps } from './routes.js';

export type AddressedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
type AddressDeps = Pick<ApiDeps, 'backend' | 'keys' | 'live'>;

/**
 * The URL under which a request is routed: `/v1/…` if a short path means the service, else the
 * request's own URL.
 */
export function addressOf(request: AddressedRequest, deps: AddressDeps): string {
  const { url = '/' } = request;
  if (url === '/' && isBrowser(request) && deps.live.get('console.enabled')) return '/v1/console';
  const [, name, rest = ''] =
    /^\/(mcp|console|docs|llms\.txt|openapi\.json)\/?(\?.*)?$/.exec(url) ?? [];
  if (name === undefined) return url;
  const leads = name === 'mcp' ? isProtocol(request) : isPage(request, name, deps);
  return leads ? `/v1/${name}${rest}` : url;
}

/**
 * Whether a person is shown the answer: all browsers name this type when they open a page, and only
 * they do; other clients that list text/html first expect the JSON of /.
 */
function isBrowser({ method, headers }: AddressedRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('application/xhtml+xml');
}

/**
 * Whether a request to /mcp belongs to the Model Context Protocol. POST does not exist on the path
 * of an index. An MCP client may also try to open a stream by GET or end a session by DELETE; these
 * must be answered by the protocol handler (with 405), not applied to an index of that name.
 */
function isProtocol({ method, headers }: AddressedRequest): boolean {
  return (
    method === 'POST' ||
    headers['mcp-session-id'] !== undefined ||
    headers['mcp-protocol-version'] !== undefined ||
    (method === 'GET' && (headers.accept ?? '').includes('text/event-stream'))
  );
}

/**
 * Whether a GET means the page: always from a browser, from other clients as long as no index has
 * that name. If keys are required, the result must not depend on whether the index exists: a
 * request without a key gets the page; a request with a key means the index, see pageInstead().
 */
function isPage(
  { method, headers }: AddressedRequest,
  name: string,
  { backend, keys }: AddressDeps,
): boolean {
  if (method !== 'GET') return false;
  if ((headers.accept ?? '').includes('text/html')) return true;
  if (!takesPage(name, headers.accept)) return false;
  return keys === undefined ? !backend.exists(name, {}) : headers.authorization === undefined;
}

/** Whether a client with this `accept` could mean the page rather than an index of that name. */
function takesPage(name: string, accept = '*/*'): boolean {
  return PAGES.has(name) && (!HTML_PAGES.has(name) || accept === '*/*');
}

const HTML_PAGES: ReadonlySet<string> = new Set(['console', 'docs']);
const PAGES: ReadonlySet<string> = new Set([...HTML_PAGES, 'llms.txt', 'openapi.json']);

/**
 * The page to which a GET of an index is redirected once its key was accepted: the page of that
 * name, unless the key may use an index of that name. Undefined if the request means the index.
 */
export function pageInstead(
  { backend, keys }: Omit<AddressDeps, 'live'>,
  index: string,
  accept: string | undefined,
): string | undefined {
  if (keys === undefined || !takesPage(index, accept) || isShown(backend, index)) return undefined;
  return `/v1/${index}`;
}

function isShown(backend: AddressDeps['backend'], index: string): boolean {
  try {
    return backend.exists(index, {});
  } catch (error) {
    if (error instanceof QuarryError && error.type === 'security_exception') return false;
    throw error;
  }
}
