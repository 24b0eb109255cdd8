// The door of /mcp as the configuration wants it: none, or who may come in, and who hears of what fails.
import type { Config } from '../config/schema.js';
import type { McpDoor } from './http.js';
import { lazyDoor } from './lazy-door.js';

export interface StartMcpOptions {
  readonly config: Config;
  readonly logger: McpLogger;
  readonly version: string;
}

/** Of the service. */
interface McpLogger {
  error(members: object, line: string): void;
  debug(members: object, line: string): void;
}

/** The Model Context Protocol at /mcp; undefined where it is switched off. */
export function startMcp({ config, logger, version }: StartMcpOptions): McpDoor | undefined {
  if (!config['mcp.enabled']) return undefined;
  return lazyDoor({
    version: version,
    hosts: mcpHosts(config),
    onError: (error) => logger.error({ err: error }, 'a tool of /mcp failed'),
    // Of the caller's making, as often as he likes.
    onRefusal: (error) => logger.debug({ err: error }, 'a request at /mcp was refused'),
  });
}

/** A page of a name that was bound to this machine has no key, but needs none where there are none. */
function mcpHosts(config: Config): readonly string[] | undefined {
  const listed = config['mcp.allow_hosts'].split(',').map((name) => name.trim());
  const names = listed.filter((name) => name !== '');
  if (names.length === 0 && config['auth.enabled']) return undefined;
  return ['localhost', '127.0.0.1', '[::1]', config['server.host'], ...names];
}
