// Requests that web pages send. A page of another origin gets nothing unless the configuration lists
// its origin. Without that list a page cannot read an answer, and cannot change anything either,
// which browsers alone would let it try.
import { QuarryError } from '../../errors.js';
import type { Exchange, Reply } from './exchange.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const HEADERS =
  'Authorization, Content-Type, Content-Encoding, X-Opaque-Id, X-Request-Id, X-Elastic-Client-Meta, MCP-Protocol-Version, Mcp-Method, Mcp-Name';
const EXPOSED =
  'X-Elastic-Product, X-Opaque-Id, X-Request-Id, Location, Retry-After, WWW-Authenticate';
const MAX_AGE_S = '1728000';
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Adds the headers of the answer for the request's origin. Returns the answer if the browser only
 * asks for permission. `origins`: those allowed, separated by commas.
 */
export function answerOrigin(
  { method, headers }: Pick<Exchange, 'method' | 'headers'>,
  answer: Record<string, string>,
  origins: string,
): Reply | undefined {
  const { origin, host } = headers;
  if (origins !== '') answer['vary'] = 'Origin';
  if (origin === undefined) return undefined;
  const isPreflight =
    method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (isListed(origin, origins)) {
    answer['access-control-allow-origin'] = origin;
    answer['access-control-expose-headers'] = EXPOSED;
    if (!isPreflight) return undefined;
    answer['access-control-allow-methods'] = METHODS;
    answer['access-control-allow-headers'] = HEADERS;
    answer['access-control-max-age'] = MAX_AGE_S;
    return { status: 204, headers: answer, body: undefined };
  }
  if (isOwn(origin, host) || (SAFE.includes(method) && !isPreflight)) return undefined;
  throw new QuarryError(
    'security_exception',
    `web pages of another origin may not send requests to this server: list it in [cors.allow_origins] if it should`,
  );
}

/** An empty Origin is one, which no name of the list stands for. */
function isListed(origin: string, origins: string): boolean {
  const listed = origins.split(',').map((one) => one.trim());
  return listed.includes('*') || (origin !== '' && listed.includes(origin));
}

/** A page that this server itself served. */
function isOwn(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
