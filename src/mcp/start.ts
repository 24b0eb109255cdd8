// Starts MCP at /mcp according to the configuration.
import type { Config } from '../config/schema.js';
import type { McpDoor } from './http.js';
import { lazyDoor } from './lazy-door.js';

export interface StartMcpOptions {
  readonly config: Config;
  readonly logger: McpLogger;
  readonly version: string;
}

/** The part of the service's logger that is used here. */
interface McpLogger {
  error(members: object, line: string): void;
  debug(members: object, line: string): void;
}

/** Undefined if MCP is switched off. */
export function startMcp({ config, logger, version }: StartMcpOptions): McpDoor | undefined {
  if (!config['mcp.enabled']) return undefined;
  return lazyDoor({
    version: version,
    hosts: mcpHosts(config),
    onError: (error) => logger.error({ err: error }, 'a tool of /mcp failed'),
    // Logged at debug level, because clients can cause it arbitrarily often.
    onRefusal: (error) => logger.debug({ err: error }, 'a request at /mcp was refused'),
  });
}

/**
 * Accepted Host headers. Without keys they protect against DNS rebinding: a web page whose name
 * resolves to this machine could otherwise use the service. With keys and an empty list any host is
 * accepted, since such a page has no key.
 */
function mcpHosts(config: Config): readonly string[] | undefined {
  const listed = config['mcp.allow_hosts'].split(',').map((name) => name.trim());
  const names = listed.filter((name) => name !== '');
  if (names.length === 0 && config['auth.enabled']) return undefined;
  return ['localhost', '127.0.0.1', '[::1]', config['server.host'], ...names];
}
