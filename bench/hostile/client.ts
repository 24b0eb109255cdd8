// Sends one request over connections that stay open, and discards the response.
import { type Agent, request } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

/** The content type of a body in lines, and of a single value. */
export function typeOf(body: object | string | undefined): Record<string, string> {
  if (body === undefined) return {};
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  return { 'content-type': type };
}

/** The status of the response, 0 if the connection broke. */
export function statusOf(
  port: number,
  agent: Agent,
  { method, path, body }: Sent,
  type: Record<string, string>,
): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      ...type,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    const sent = request({ host: '127.0.0.1', port, method, path, agent, headers });
    sent.on('error', () => resolve(0));
    sent.on('response', (answer) => {
      answer.on('error', () => resolve(0));
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.end(body);
  });
}
