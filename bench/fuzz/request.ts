// A request in separate parts, which can be left out one by one.
import type { Agent } from 'node:http';
import { request as open } from 'node:http';

export interface FuzzRequest {
  readonly method: string;
  /** Percent-encoded, without the query string. */
  readonly path: string;
  /** Pieces of the query string, percent-encoded: `name=value` or `name`. */
  readonly params: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface Answer {
  /** 0: the connection ended without a response. */
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

/** Characters of a response that are kept: a fault is identified by its beginning. */
const MOST_CHARACTERS = 1 << 20;

export function addressOf({ path, params }: FuzzRequest): string {
  return params.length === 0 ? path : `${path}?${params.join('&')}`;
}

/**
 * Undefined: no response within `patienceMs`. A stream of events counts as a response once its head
 * is received.
 */
export function send(
  base: URL,
  request: FuzzRequest,
  patienceMs: number,
  agent?: Agent,
): Promise<Answer | undefined> {
  const { method, headers, body } = request;
  const started = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, text: string): void => {
      clearTimeout(timer);
      resolve({ status, text, tookMs: performance.now() - started });
    };
    const sent = open(
      { host: base.hostname, port: base.port, method, path: addressOf(request), headers, agent },
      (reply) => {
        const status = reply.statusCode ?? 0;
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (piece: string) => {
          if (text.length < MOST_CHARACTERS) text += piece;
        });
        reply.on('end', () => done(status, text));
        reply.on('error', () => done(0, text));
        if (reply.headers['content-type']?.startsWith('text/event-stream')) {
          done(status, '');
          sent.destroy();
        }
      },
    );
    const timer = setTimeout(() => {
      resolve(undefined);
      sent.destroy();
    }, patienceMs);
    sent.on('error', () => done(0, ''));
    sent.end(body);
  });
}

/** Formats a curl command for bash. */
export function toCurl(request: FuzzRequest, base: string): string {
  const { method, headers, body } = request;
  const verb = method === 'HEAD' ? '-I' : `-X ${method}`;
  const fields = Object.entries(headers).map(
    ([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`,
  );
  const data = body === undefined ? '' : ` --data-binary ${quoted(body.toString('latin1'))}`;
  return `curl -sS -g --path-as-is ${verb} ${quoted(base + addressOf(request))}${fields.join('')}${data}`;
}

/** Quotes a string whose characters represent bytes. */
function quoted(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  const escaped = text.replace(/[^\x20-\x7e]|['\\]/g, (one) => {
    if (one === "'" || one === '\\') return `\\${one}`;
    return `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}
