// Requests between a worker and the main thread, in one process: messages are copied as between threads.
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { OneAnswer } from '../../src/api/kit/client.ts';
import type { Exchange, Reply } from '../../src/http/pipeline/exchange.ts';
import { ForwardedExchange } from '../../src/http/threads/forwarded-exchange.ts';
import { Forwarder } from '../../src/http/threads/forwarder.ts';
import type { ForwardToMain, ForwardToWorker } from '../../src/http/threads/messages.ts';

class Connection extends EventEmitter {
  readonly remoteAddress = '10.0.0.7';
  closed = false;
  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

interface World {
  readonly connection: Connection;
  readonly messages: string[];
  /** At the main thread. */
  readonly arrived: ForwardedExchange[];
  /** What the client gets. */
  readonly replies: Reply[];
  sent: () => void;
  forward(body: Buffer | Readable | undefined, headers?: Record<string, string>): void;
}

function world(): World {
  const messages: string[] = [];
  const arrived: ForwardedExchange[] = [];
  const open = new Map<number, ForwardedExchange>();
  const replies: Reply[] = [];
  const connection = new Connection();
  const receive = (message: ForwardToMain): void => {
    messages.push(message.kind);
    if (message.kind === 'request') {
      const { id, head } = message;
      const exchange = new ForwardedExchange(id, head, post, () => open.delete(id));
      open.set(id, exchange);
      arrived.push(exchange);
    } else open.get(message.id)?.receive(message);
  };
  const copied = <T>(then: (message: T) => void) => {
    return (message: T): void => {
      const copy = structuredClone(message);
      setImmediate(() => then(copy));
    };
  };
  const forwarder: Forwarder = new Forwarder(copied(receive));
  const post = copied((message: ForwardToWorker) => forwarder.receive(message));
  const made: World = {
    connection,
    messages,
    arrived,
    replies,
    sent: () => {},
    forward: (body, headers = {}) => {
      const exchange: Exchange = {
        method: 'PUT',
        url: '/a/_doc/1',
        headers,
        connection,
        body,
        isWhole: !(body instanceof Readable),
        response: new OneAnswer(connection as never),
        validate: () => {},
        send: (reply, sent) => {
          replies.push(reply);
          made.sent = sent;
        },
      };
      forwarder.forward(exchange);
    },
  };
  return made;
}

async function first<T>(list: readonly T[]): Promise<T> {
  await expect.poll(() => list.length).toBeGreaterThan(0);
  return list[0] as T;
}

const pieces = (count: number, read: () => void): Readable => {
  let left = count;
  return new Readable({
    highWaterMark: 1,
    read() {
      read();
      left -= 1;
      this.push(left < 0 ? null : Buffer.alloc(1000, left));
    },
  });
};

describe('a forwarded request', () => {
  test('arrives with its head, its client and its body, and is answered', async () => {
    const at = world();
    at.forward(Buffer.from('xx{"a":1}').subarray(2), { 'x-opaque-id': 'm' });
    const exchange = await first(at.arrived);
    expect([exchange.method, exchange.url, exchange.isWhole]).toEqual(['PUT', '/a/_doc/1', true]);
    expect(exchange.headers).toEqual({ 'x-opaque-id': 'm' });
    expect(exchange.connection.remoteAddress).toBe('10.0.0.7');
    expect(String(exchange.body)).toBe('{"a":1}');
    let isSent = false;
    exchange.send({ status: 201, headers: { a: 'b' }, body: Buffer.from('done') }, () => {
      isSent = true;
    });
    expect(isSent).toBe(true);
    const reply = await first(at.replies);
    expect([reply.status, reply.headers, String(reply.body)]).toEqual([201, { a: 'b' }, 'done']);
    at.sent();
    await new Promise(setImmediate);
    expect(at.messages).toEqual(['request']);
  });

  test('counts a long answer as sent when its client has taken it', async () => {
    const at = world();
    at.forward(undefined);
    const exchange = await first(at.arrived);
    let isSent = false;
    exchange.send({ status: 200, headers: {}, body: Buffer.alloc(100_000) }, () => {
      isSent = true;
    });
    await first(at.replies);
    expect(isSent).toBe(false);
    at.sent();
    await expect.poll(() => isSent).toBe(true);
  });

  test('has a body of unknown length read no further than it is taken', async () => {
    const at = world();
    let reads = 0;
    at.forward(
      pieces(100, () => {
        reads += 1;
      }),
    );
    const exchange = await first(at.arrived);
    const body = exchange.body as Readable;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reads).toBeLessThan(5);
    expect(exchange.isWhole).toBe(false);
    let bytes = 0;
    for await (const piece of body) bytes += (piece as Buffer).length;
    expect(bytes).toBe(100_000);
    expect(exchange.isWhole).toBe(true);
  });

  test('gets an answer in pieces, made no faster than they are taken', async () => {
    const at = world();
    at.forward(undefined);
    let reads = 0;
    const body = pieces(200, () => {
      reads += 1;
    });
    (await first(at.arrived)).send({ status: 200, headers: {}, body }, () => {});
    const reply = await first(at.replies);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reads).toBeLessThan(5);
    let bytes = 0;
    for await (const piece of reply.body as Readable) bytes += (piece as Buffer).length;
    expect(bytes).toBe(200_000);
  });

  test('passes on that an answer in pieces has failed', async () => {
    const at = world();
    at.forward(undefined);
    const body = new Readable({
      read() {
        this.destroy(new Error('no more'));
      },
    });
    body.on('error', () => {});
    (await first(at.arrived)).send({ status: 200, headers: {}, body }, () => {});
    const reply = await first(at.replies);
    await expect((reply.body as Readable).toArray()).rejects.toThrow('could not send the rest');
  });

  test('is cancelled when its client leaves, while it is read, at work, or answered', async () => {
    const reading = world();
    reading.forward(pieces(1000, () => {}));
    const body = (await first(reading.arrived)).body as Readable;
    const failed = body.toArray().catch((error: Error) => error.message);
    reading.connection.close();
    expect(await failed).toBe('the client is gone');

    const working = world();
    working.forward(undefined);
    const { response } = await first(working.arrived);
    const closed = new Promise<void>((resolve) => {
      response.once('close', resolve);
    });
    working.connection.close();
    await closed;
    expect([response.closed, response.writableFinished]).toEqual([true, false]);

    const answering = world();
    answering.forward(undefined);
    const answer = pieces(1000, () => {});
    (await first(answering.arrived)).send({ status: 200, headers: {}, body: answer }, () => {});
    await first(answering.replies);
    answering.connection.close();
    await expect.poll(() => answer.destroyed).toBe(true);
  });

  test('that is refused before all of it has arrived has its rest read and thrown away', async () => {
    const at = world();
    const body = pieces(1000, () => {});
    at.forward(body);
    const refused = { status: 413, headers: {}, body: Buffer.from('too much') };
    (await first(at.arrived)).send(refused, () => {});
    await first(at.replies);
    await expect.poll(() => body.readableEnded).toBe(true);
  });
});
