// Limits of Node's HTTP server, on every thread alike.
import type { ServerOptions } from 'node:http';
import { KEEP_ALIVE_MS } from '../../ops/keep-alive.js';

export function serverLimits(requestTimeout: number): ServerOptions {
  return {
    maxHeaderSize: 16 * 1024,
    headersTimeout: requestTimeout,
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2000,
    // checkRequest() answers in the envelope.
    requireHostHeader: false,
  };
}
