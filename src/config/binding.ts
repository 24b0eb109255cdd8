// Checks that the service does not listen beyond this machine without authentication.
import { isIP } from 'node:net';
import { ConfigError } from './load.js';
import type { Config } from './schema.js';

/** Whether only this machine can reach the host name or address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  if (isIP(host) === 4) return host.startsWith('127.');
  return host.toLowerCase().startsWith('::ffff:127.');
}

/**
 * Throws ConfigError if other machines can reach the service without authentication, unless
 * `server.insecure` permits it. Returns the warning to log at every start for an insecure binding,
 * undefined for a safe one.
 */
export function checkBinding(config: Config): string | undefined {
  const host = config['server.host'];
  if (isLoopback(host)) return undefined;
  if (config['auth.enabled']) {
    return config['tls.cert'] === ''
      ? `listening on [${host}] without TLS: keys and documents can be read on their way, set tls.cert and tls.key unless a proxy does it`
      : undefined;
  }
  if (!config['server.insecure']) {
    throw new ConfigError(
      `[server.host] is [${host}], which other machines can reach, and there is no authentication: ` +
        'switch it on with --auth.enabled, listen on 127.0.0.1, or accept the risk with --insecure',
    );
  }
  return `listening on [${host}] without authentication (--insecure): every client that reaches it can read and delete all data`;
}
