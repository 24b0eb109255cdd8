// Loads the MCP handler with the first request to /mcp, since most servers never receive one.
import type { DoorOptions, McpDoor } from './http.js';

export function lazyDoor(options: DoorOptions): McpDoor {
  let opening: Promise<McpDoor> | undefined;
  const door = (): Promise<McpDoor> => {
    opening ??= import('./http.js').then(({ openDoor }) => openDoor(options));
    return opening;
  };
  return {
    handle: async (request) => (await door()).handle(request),
    close: async () => (await opening)?.close(),
  };
}
