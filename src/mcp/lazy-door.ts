// The door of /mcp before anybody has knocked: it loads with the first request, since most servers never get one.
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
