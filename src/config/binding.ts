// Whether the address to listen on is safe: beyond this machine only with keys.
import { isIP } from 'node:net';
import { ConfigError } from './load.js';
import type { Config } from './schema.js';

/** True for names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  if (isIP(host) === 4) return host.startsWith('127.');
  return host.toLowerCase().startsWith('::ffff:127.');
}

/**
 * With keys every address is. ConfigError when others could reach the service and nobody said that this is meant.
 * Returns the warning to log at every start where it was said, undefined on loopback.
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
  return `listening on [${host}] without authentication (--insecure): everybody who reaches it may read and delete everything`;
}
