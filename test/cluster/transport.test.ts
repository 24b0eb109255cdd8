import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ClusterNodes } from '../../src/cluster/nodes.ts';
import type { ClusterOptions } from '../../src/cluster/options.ts';
import { ClusterTransport, UnknownOutcome } from '../../src/cluster/transport.ts';
import { QuarryError } from '../../src/errors.ts';
import { freePort } from '../tools/server.ts';
import { OPTIONS, type StubNode, stubNode } from './stub-cluster.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function node(...args: Parameters<typeof stubNode>): Promise<StubNode> {
  const stub = await stubNode(...args);
  open.push(stub);
  return stub;
}

function transport(urls: readonly string[], more: Partial<ClusterOptions> = {}): ClusterTransport {
  const made = new ClusterTransport({ ...OPTIONS, urls, ...more });
  open.push(made);
  return made;
}

/** Takes connections and requests, and answers nothing but what `answer` does. */
async function silentNode(answer: RequestListener = () => {}): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  open.push({
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const OK = { status: 200, body: { ok: true } };
const GET = { method: 'GET', path: '/x', repeatable: true } as const;
const POST = { method: 'POST', path: '/x', body: '{}', repeatable: false } as const;

describe('nodes', () => {
  test('take turns; one that failed is left out until it has answered, and longer each time', () => {
    const nodes = new ClusterNodes(['a', 'b'], () => 0);
    const none = new Set<never>();
    const first = nodes.pick(none);
    expect([first?.url, nodes.pick(none)?.url, nodes.pick(none)?.url]).toEqual(['a', 'b', 'a']);
    if (first === undefined) throw new Error('there is no node');
    const pauses = Array.from({ length: 8 }, () => nodes.failed(first));
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect([nodes.pick(none)?.url, nodes.pick(none)?.url]).toEqual(['b', 'b']);
    expect(nodes.dead()).toEqual(['a']);
    nodes.answered(first);
    expect(nodes.dead()).toEqual([]);
    expect(nodes.failed(first)).toBe(500);
  });

  test('where all have failed, the one that is probed first is asked', () => {
    const nodes = new ClusterNodes(['a', 'b'], () => 0);
    const [a, b] = [nodes.pick(new Set()), nodes.pick(new Set())];
    if (a === undefined || b === undefined) throw new Error('there are no nodes');
    nodes.failed(a);
    nodes.failed(a);
    nodes.failed(b);
    expect(nodes.pick(new Set())?.url).toBe('b');
  });

  test('where none tells its health, the one that has answered anything last is asked', () => {
    let now = 1;
    const nodes = new ClusterNodes(['stopped', 'live', 'gone'], () => now);
    const all = Array.from({ length: 3 }, () => nodes.pick(new Set()));
    for (const node of all) {
      if (node === undefined) throw new Error('there is no node');
      nodes.heard(node);
      now += 1;
    }
    const [, live, gone] = all;
    if (live === undefined || gone === undefined) throw new Error('there are no nodes');
    nodes.lost(gone);
    nodes.heard(live);
    for (const node of all) if (node !== undefined) nodes.failed(node);
    nodes.failed(live);
    expect(nodes.pick(new Set())?.url).toBe('live');
    expect(nodes.pick(new Set([live]))?.url).toBe('stopped');
  });
});

describe('requests', () => {
  test('go to another node where one takes no connection, whatever they change', async () => {
    const live = await node(() => OK);
    const dead = `http://127.0.0.1:${await freePort()}`;
    const to = transport([dead, live.url]);
    for (let i = 0; i < 4; i++) expect((await to.send(POST)).status).toBe(200);
    expect(live.requests).toHaveLength(4);
    expect(to.dead()).toEqual([dead]);
  });

  test('are sent again after a broken connection only if they may be', async () => {
    let answers = 0;
    const one = await node(() => {
      answers += 1;
      return answers === 1 ? 'drop' : OK;
    });
    const to = transport([one.url]);
    await expect(to.send(POST)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('whether it was executed is not known'),
    });
    expect(one.requests).toHaveLength(1);
    answers = 0;
    expect(await to.send(GET)).toMatchObject({ status: 200 });
    expect(one.requests).toHaveLength(3);
  });

  test('that a node cannot serve at present are sent again; a refusal for overload passes', async () => {
    let status = 503;
    const one = await node(() => {
      const now = status;
      status = 200;
      return { status: now, headers: now === 429 ? { 'retry-after': '7' } : {} };
    });
    const to = transport([one.url]);
    expect((await to.send(GET)).status).toBe(200);
    expect(one.requests).toHaveLength(2);
    status = 429;
    expect(await to.send(GET)).toMatchObject({ status: 429, retryAfter: '7' });
    expect(one.requests).toHaveLength(3);
  });

  test('do not wait for a node that takes them and does not answer: it is probed', async () => {
    let hangs = true;
    const paths: string[] = [];
    const stuck = await silentNode((request, response) => {
      paths.push(request.url ?? '');
      if (!hangs) response.end('{}');
    });
    const live = await node(() => OK);
    const to = transport([stuck, live.url], { timeoutMs: 2000 });
    const started = performance.now();
    expect((await to.send(GET)).status).toBe(200);
    // Long before the time of the request has passed.
    expect(performance.now() - started).toBeLessThan(1500);
    // From here on it has its probes alone.
    await expect.poll(() => paths).toEqual(['/x', '/_cluster/health']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => to.send(POST)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(paths.filter((path) => path === '/x')).toHaveLength(1);
    hangs = false;
    await expect.poll(() => to.dead()).toEqual([]);
  });

  test('that end without an answer do not leave a node out that tells its health', async () => {
    const stuck = await silentNode((request, response) => {
      if (request.url === '/_cluster/health') response.end('{}');
    });
    const to = transport([stuck], { timeoutMs: 500 });
    await expect(to.send(POST)).rejects.toMatchObject({ status: 503 });
    expect(to.dead()).toEqual([]);
  });

  test('that a node without a master answers do not bring it back', async () => {
    let reads = 0;
    const alone = await silentNode((request, response) => {
      if (request.method === 'GET' && request.url === '/x' && ++reads > 0) response.end('{}');
    });
    const live = await node(() => OK);
    const to = transport([alone, live.url], { timeoutMs: 1000 });
    const [written] = await Promise.all([
      to.send({ ...POST, repeatable: true }),
      ...Array.from({ length: 40 }, async (_, at) => {
        await new Promise((done) => setTimeout(done, at * 20));
        await to.send(GET);
      }),
    ]);
    expect(written?.status).toBe(200);
    expect(to.dead()).toEqual([alone]);
    const before = reads;
    for (let i = 0; i < 4; i++) await to.send(GET);
    expect(reads).toBe(before);
  });

  test('wait for all attempts together as long as one may take, and end with 503', async () => {
    const silent = await Promise.all([silentNode(), silentNode()]);
    const to = transport(silent, { timeoutMs: 800, maxRetries: 10 });
    const search = { ...POST, path: '/i/_search?size=1', repeatable: true };
    for (const request of [GET, search, POST]) {
      const started = performance.now();
      const error = await to.send(request).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 503 });
      // A read leaves nothing behind that a lease would wait for.
      expect(error instanceof UnknownOutcome).toBe(request === POST);
      const took = performance.now() - started;
      expect(took).toBeGreaterThan(700);
      expect(took).toBeLessThan(1500);
    }
  });

  test('that one client waits for share the time, and what follows the answer has its own', async () => {
    const to = transport([await silentNode()], { timeoutMs: 600, maxRetries: 0 });
    let behind: Promise<unknown> = Promise.resolve();
    const started = performance.now();
    const first = to.deadlines.during(async () => {
      await expect(to.send(GET)).rejects.toMatchObject({ status: 503 });
      behind = new Promise((done) => setTimeout(done, 50)).then(() => to.deadlines.left());
      await to.send(GET);
    });
    // What is left may be enough to send the second one, not to wait for its answer.
    await expect(first).rejects.toThrow(/\[cluster\.timeout_ms\] of 600 ms|no answer in time/);
    expect(performance.now() - started).toBeLessThan(1100);
    expect(await behind).toBe(600);
  });

  test('end with 503 that names the node once every attempt has failed', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    await expect(transport([dead], { maxRetries: 1 }).send(GET)).rejects.toMatchObject({
      type: 'node_not_ready_exception',
      status: 503,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('end where the memory for their answers ends, and the node is not left out', async () => {
    const large = await node(() => ({ status: 200, body: { text: 'x'.repeat(300_000) } }));
    const to = transport([large.url]);
    let held = 0;
    const waiter = {
      check: () => {},
      signal: () => new AbortController().signal,
      reserve: (bytes: number) => {
        held += bytes;
        if (held > 100_000) throw new QuarryError('circuit_breaking_exception', 'Data too large');
      },
    };
    await expect(to.send({ ...GET, waiter })).rejects.toThrow('Data too large');
    expect(held).toBeLessThan(300_000);
    expect(large.requests).toHaveLength(1);
    expect(to.dead()).toEqual([]);
  });

  test('of a service that stops end with 503 at once, and what follows is sent', async () => {
    let isSilent = true;
    const slow = await silentNode((_request, response) => {
      if (!isSilent) response.end('{}');
    });
    const to = transport([slow]);
    const started = performance.now();
    const read = to.send(GET);
    const write = to.send(POST);
    setTimeout(() => to.giveUp(), 100);
    await expect(read).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/this service stops.*send the request again/),
    });
    await expect(write).rejects.toBeInstanceOf(UnknownOutcome);
    expect(performance.now() - started).toBeLessThan(600);
    expect(to.dead()).toEqual([]);
    isSilent = false;
    expect((await to.send(POST)).status).toBe(200);
  });

  test('of a client that has left while they waited for a connection end, and are never sent', async () => {
    const paths: string[] = [];
    const slow = await silentNode((request, response) => {
      paths.push(request.url ?? '');
      setTimeout(() => response.end('{}'), 300);
    });
    const to = transport([slow], { connections: 1 });
    const first = to.send(GET);
    const client = new AbortController();
    const waiter = {
      check: () => {
        if (client.signal.aborted) throw new QuarryError('task_cancelled_exception', 'gone');
      },
      signal: () => client.signal,
      reserve: () => {},
    };
    const second = to.send({ ...GET, path: '/y', waiter });
    await expect.poll(() => paths).toEqual(['/x']);
    client.abort();
    await expect(second).rejects.toThrow('gone');
    expect((await first).status).toBe(200);
    expect((await to.send({ ...GET, path: '/z' })).status).toBe(200);
    expect(paths).toEqual(['/x', '/z']);
  });

  test('keep the path of the address and carry the credentials', async () => {
    const one = await node(() => OK);
    await transport([`${one.url}/es`]).send(GET);
    expect(one.requests[0]?.path).toBe('/es/x');
  });
});
