// Clients of the suites over HTTP, a process of their own: told over its channel where to ask, what, and by how many connections that
// stay open; answers with the times of all requests. Nothing else runs here.
import { Pool } from 'undici';

export interface LoadOrder {
  readonly base: string;
  readonly requests: readonly {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: string;
  }[];
  readonly clients: number;
  /** Requests begin for so long, or so many of them: the whole list some times over weighs every request alike. */
  readonly until: { readonly milliseconds: number } | { readonly count: number };
}

export interface LoadAnswer {
  readonly times: readonly number[];
  readonly seconds: number;
  readonly failed: number;
}

/** By address and number of clients: a connection is made once, not in every round. */
const pools = new Map<string, Pool>();

function poolOf({ base, clients }: LoadOrder): Pool {
  const key = `${clients} ${base}`;
  const pool = pools.get(key) ?? new Pool(base, { connections: clients, pipelining: 1 });
  pools.set(key, pool);
  return pool;
}

async function run(order: LoadOrder): Promise<LoadAnswer> {
  const { requests, clients, until } = order;
  const pool = poolOf(order);
  const times: number[] = [];
  let [failed, next] = [0, 0];
  const started = performance.now();
  const more = (): boolean =>
    'count' in until ? next < until.count : performance.now() - started < until.milliseconds;
  const client = async (): Promise<void> => {
    while (more()) {
      const { method, path, body } = requests[next++ % requests.length] ?? requests[0] ?? never();
      const asked = performance.now();
      const headers = { 'content-type': 'application/json' };
      const reply = await pool.request({ method, path, headers, body: body ?? null });
      await reply.body.arrayBuffer();
      if (reply.statusCode >= 300) failed++;
      times.push((performance.now() - asked) * 1000);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - started) / 1000;
  return { times, seconds, failed };
}

function never(): never {
  throw new Error('no requests');
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
