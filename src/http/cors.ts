// Requests that web pages send. A page of another origin gets nothing unless the configuration lists its origin; without that
// list a page cannot read an answer, and cannot change anything either, which browsers alone would let it try.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QuarryError } from '../errors.js';

const METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';
const HEADERS =
  'Authorization, Content-Type, Content-Encoding, X-Opaque-Id, X-Request-Id, X-Elastic-Client-Meta, MCP-Protocol-Version, Mcp-Method, Mcp-Name';
const EXPOSED =
  'X-Elastic-Product, X-Opaque-Id, X-Request-Id, Location, Retry-After, WWW-Authenticate';
const MAX_AGE_S = '1728000';
const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/** True when it was a question of the browser alone, which is answered then. `origins`: those allowed, between commas. */
export function answerOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: string,
): boolean {
  const { origin, host } = request.headers;
  if (origins !== '') reply.header('Vary', 'Origin');
  if (origin === undefined) return false;
  const asks =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (isListed(origin, origins)) {
    reply.header('Access-Control-Allow-Origin', origin);
    reply.header('Access-Control-Expose-Headers', EXPOSED);
    if (!asks) return false;
    reply.header('Access-Control-Allow-Methods', METHODS);
    reply.header('Access-Control-Allow-Headers', HEADERS);
    reply.header('Access-Control-Max-Age', MAX_AGE_S);
    reply.status(204).send();
    return true;
  }
  if (isOwn(origin, host) || (SAFE.includes(request.method) && !asks)) return false;
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
