// Short addresses that could be indexes as well, led to where they lie: /mcp, /docs, /llms.txt and /openapi.json. Whatever else is
// sent to such a path concerns the index of that name.
import type { IncomingMessage } from 'node:http';
import { QuarryError } from '../../errors.js';
import type { ApiDeps } from './routes.js';

export type AddressedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
type AddressDeps = Pick<ApiDeps, 'backend' | 'keys'>;

/** The address that a request is answered at: its own, or where its short one leads. */
export function addressOf(request: AddressedRequest, deps: AddressDeps): string {
  const { url = '/' } = request;
  const [, name, rest = ''] = /^\/(mcp|docs|llms\.txt|openapi\.json)\/?(\?.*)?$/.exec(url) ?? [];
  if (name === undefined) return url;
  const leads = name === 'mcp' ? isProtocol(request) : isPage(request, name, deps);
  return leads ? `/v1/${name}${rest}` : url;
}

/**
 * No index is posted to. A client of MCP may open a stream by GET and end a session by DELETE: it is told that there are none,
 * and no index goes with it.
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
 * For browsers, and for others as long as there is no index of that name. Where keys are needed the address tells nothing of
 * indexes: whoever shows no key gets the page, and who shows one asks for the index, see pageInstead().
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

/** What else than an index somebody may want of that name who takes `accept`. */
function takesPage(name: string, accept = '*/*'): boolean {
  return PAGES.has(name) && (name !== 'docs' || accept === '*/*');
}

const PAGES: ReadonlySet<string> = new Set(['docs', 'llms.txt', 'openapi.json']);

/**
 * Where a GET of the index leads whose key was found good: to the page of that name, unless there is an index that the key may
 * use. Undefined: to the index.
 */
export function pageInstead(
  { backend, keys }: AddressDeps,
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
