// An MCP server on stdin and stdout for one client, for both generations of the protocol. Only
// messages may be written to stdout.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type ServerOptions } from './server.js';

/** Resolves when stdin has closed, or when `stopped` resolves. */
export async function serveOverStdio(
  options: ServerOptions,
  stopped: Promise<unknown>,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const handle = serveStdio(() => createMcpServer(options), { onerror: options.onError });
  await Promise.race([gone, stopped]);
  await handle.close();
}
