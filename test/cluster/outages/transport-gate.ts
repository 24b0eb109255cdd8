// The address under which a node of the cluster is known to the other nodes: it passes their
// connections on, or holds them, as a network does that is partitioned. Nothing is refused and no
// connection ends while it is held.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Connection {
  readonly incoming: Socket;
  readonly outgoing: Socket;
  /** The node at the other end; undefined: it is not known. */
  readonly from: number | undefined;
}

export interface GateOptions {
  readonly port: number;
  /** The port that the node listens on. */
  readonly target: number;
  /** The process ids of all nodes by their numbers. */
  readonly pids: () => ReadonlyMap<number, number>;
  /** Whether what comes from that node is held. */
  readonly holds: (from: number | undefined) => boolean;
}

export class TransportGate {
  readonly #options: GateOptions;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  constructor(options: GateOptions) {
    this.#options = options;
    this.#server = createServer({ allowHalfOpen: true }, (incoming) => this.#open(incoming));
    this.#server.listen(options.port, '127.0.0.1');
  }

  /** Holds or releases every connection, as `holds` says now. */
  update(): void {
    for (const connection of this.#connections) this.#apply(connection);
  }

  async close(): Promise<void> {
    for (const { incoming, outgoing } of this.#connections) {
      incoming.destroy();
      outgoing.destroy();
    }
    await new Promise((done) => this.#server.close(done));
  }

  #open(incoming: Socket): void {
    const { target, pids } = this.#options;
    const from = ownerOf(incoming.remotePort ?? 0, pids());
    const outgoing = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const connection = { incoming, outgoing, from };
    this.#connections.add(connection);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.setNoDelay(true);
      one.on('error', () => {});
      one.on('close', () => this.#ended(connection, other));
    }
    this.#apply(connection);
  }

  #ended(connection: Connection, other: Socket): void {
    // The other end does not learn of it while the network is partitioned.
    if (this.#options.holds(connection.from)) return;
    this.#connections.delete(connection);
    other.destroy();
  }

  #apply(connection: Connection): void {
    const { incoming, outgoing, from } = connection;
    incoming.unpipe(outgoing);
    outgoing.unpipe(incoming);
    if (this.#options.holds(from)) {
      incoming.pause();
      outgoing.pause();
    } else if (incoming.destroyed || outgoing.destroyed) {
      this.#connections.delete(connection);
      incoming.destroy();
      outgoing.destroy();
    } else {
      incoming.pipe(outgoing);
      outgoing.pipe(incoming);
    }
  }
}

/** Which of the processes has the connection from that local port. */
function ownerOf(port: number, pids: ReadonlyMap<number, number>): number | undefined {
  for (const [node, pid] of pids) {
    try {
      const inode = inodeOf(port, pid);
      if (inode !== undefined && hasSocket(pid, inode)) return node;
    } catch {
      // It has ended meanwhile.
    }
  }
  return undefined;
}

/** By /proc/PID/net/tcp (proc(5)): the local address is the second column, the inode the tenth. */
function inodeOf(port: number, pid: number): string | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['tcp6', 'tcp']) {
    for (const line of readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n')) {
      const columns = line.trim().split(/\s+/);
      if (columns[1]?.endsWith(suffix) === true && columns[9] !== '0') return columns[9];
    }
  }
  return undefined;
}

function hasSocket(pid: number, inode: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`) === `socket:[${inode}]`;
    } catch {
      return false;
    }
  });
}
