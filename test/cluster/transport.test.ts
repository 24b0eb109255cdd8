import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ClusterNodes } from '../../src/cluster/nodes.ts';
import type { ClusterOptions } from '../../src/cluster/options.ts';
import { ClusterTransport } from '../../src/cluster/transport.ts';
import { QuarryError } from '../../src/errors.ts';
import { freePort } from '../tools/server.ts';
import { type StubNode, stubNode } from './stub-cluster.ts';

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
  const made = new ClusterTransport({
    urls,
    authorization: undefined,
    ca: undefined,
    indexPrefix: '',
    timeoutMs: 5000,
    connectTimeoutMs: 1000,
    maxRetries: 3,
    connections: 4,
    ...more,
  });
  open.push(made);
  return made;
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
    const stuck = createServer((request, response) => {
      paths.push(request.url ?? '');
      if (!hangs) response.end('{}');
    });
    await new Promise<void>((done) => stuck.listen(0, '127.0.0.1', done));
    open.push({
      close: async () => {
        stuck.closeAllConnections();
        stuck.close();
      },
    });
    const live = await node(() => OK);
    const { port } = stuck.address() as AddressInfo;
    const to = transport([`http://127.0.0.1:${port}`, live.url], {
      timeoutMs: 1000,
      connectTimeoutMs: 1000,
    });
    expect((await to.send(GET)).status).toBe(200);
    // From here on it has its probes alone.
    await expect.poll(() => paths).toEqual(['/x', '/_cluster/health']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => to.send(POST)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(paths.filter((path) => path === '/x')).toHaveLength(1);
    hangs = false;
    await expect.poll(() => to.dead()).toEqual([]);
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

  test('keep the path of the address and carry the credentials', async () => {
    const one = await node(() => OK);
    await transport([`${one.url}/es`]).send(GET);
    expect(one.requests[0]?.path).toBe('/es/x');
  });
});
