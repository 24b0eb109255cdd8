// Requests that are refused before they have been read. An answer on a connection that closes while its
// client still sends would be lost, with everything that is on its way.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Maximum number of bytes of a refused body that are read, and how long none may arrive. */
const MOST_BYTES = 256 * 1024 * 1024;
const IDLE_MS = 250;

/**
 * Calls `then` at once, or if the connection closes behind the answer, when the rest of the request was
 * read and thrown away.
 */
export function afterRest(
  request: IncomingMessage,
  response: ServerResponse,
  then: () => void,
): void {
  // Compressed bodies are not read further; on connections that stay Node reads the rest itself.
  const isPacked = request.headers['content-encoding'] !== undefined;
  if (request.complete || response.shouldKeepAlive || isPacked || request.destroyed) {
    then();
    return;
  }
  let left = MOST_BYTES;
  const end = (): void => {
    clearTimeout(idle);
    request.off('data', onData).off('end', end).off('close', end);
    then();
  };
  const idle = setTimeout(end, IDLE_MS);
  const onData = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) end();
    else idle.refresh();
  };
  request.on('error', () => {});
  request.on('data', onData).on('end', end).on('close', end);
  request.resume();
}
