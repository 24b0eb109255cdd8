// Clients of the suites over HTTP, a process of their own: told over its channel where to ask, what, and by how many connections that
// stay open; answers with the times of all requests. Nothing else runs here.
import { Connection, requestBytes } from './connection.ts';

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
const pools = new Map<string, readonly Connection[]>();

function connectionsOf({ base, clients }: LoadOrder): readonly Connection[] {
  const key = `${clients} ${base}`;
  const known = pools.get(key);
  if (known !== undefined) return known;
  const made = Array.from({ length: clients }, () => new Connection(new URL(base)));
  pools.set(key, made);
  return made;
}

async function run(order: LoadOrder): Promise<LoadAnswer> {
  const { base, until } = order;
  const address = new URL(base);
  const requests = order.requests.map((request) => requestBytes(address, request));
  const times: number[] = [];
  let [failed, next] = [0, 0];
  const started = performance.now();
  const more = (): boolean =>
    'count' in until ? next < until.count : performance.now() - started < until.milliseconds;
  const client = async (connection: Connection): Promise<void> => {
    while (more()) {
      const bytes = requests[next++ % requests.length] ?? never();
      const asked = performance.now();
      const status = await connection.ask(bytes);
      if (status >= 300) failed++;
      times.push((performance.now() - asked) * 1000);
    }
  };
  await Promise.all(connectionsOf(order).map(client));
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
