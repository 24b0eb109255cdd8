// Short addresses that could be indexes as well, led to where they lie: /mcp, /docs, /llms.txt and /openapi.json. Whatever else is
// sent to such a path concerns the index of that name.
import type { IncomingMessage } from 'node:http';
import type { ApiDeps } from './routes.js';

export type Addressed = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
type Asked = Pick<ApiDeps, 'backend' | 'keys'>;

/** The address that a request is answered at: its own, or where its short one leads. */
export function addressOf(request: Addressed, deps: Asked): string {
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
function isProtocol({ method, headers }: Addressed): boolean {
  return (
    method === 'POST' ||
    headers['mcp-session-id'] !== undefined ||
    headers['mcp-protocol-version'] !== undefined ||
    (method === 'GET' && (headers.accept ?? '').includes('text/event-stream'))
  );
}

/**
 * For browsers, and for others as long as there is no index of that name. Whoever shows no key where keys are needed learns
 * nothing of indexes.
 */
function isPage({ method, headers }: Addressed, name: string, { backend, keys }: Asked): boolean {
  if (method !== 'GET') return false;
  const { accept = '*/*', authorization } = headers;
  if (accept.includes('text/html')) return true;
  if (name === 'docs' && accept !== '*/*') return false;
  const asksIndexes = keys === undefined || authorization !== undefined;
  return !(asksIndexes && backend.exists(name, {}));
}
