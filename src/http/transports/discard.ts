// Requests that are refused before they have been read: an answer on a connection that closes while its client still sends is lost,
// with everything that was on its way.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Of a refused body, at most; and without anything coming for so long. */
const MOST_BYTES = 256 * 1024 * 1024;
const IDLE_MS = 250;

/** Calls `then` once the rest of the request was read and thrown away, where its connection closes behind the answer; else at once. */
export function afterRest(
  request: IncomingMessage,
  response: ServerResponse,
  then: () => void,
): void {
  // Packed bodies are not unpacked further; connections that stay are read to the end by Node, behind the answer.
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
