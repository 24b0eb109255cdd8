// Three nodes of a real Elasticsearch on this machine, which can be killed, stopped, started again
// and cut off from each other.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../tools/server.ts';
import { TransportGate } from './transport-gate.ts';

const NODES = [0, 1, 2];
const HEAP = '512m';
const START_MS = 180_000;
/** The user that runs the nodes where this is root, which Elasticsearch refuses. */
const UNPRIVILEGED = 65534;

interface Node {
  readonly number: number;
  readonly folder: string;
  readonly http: number;
  readonly transport: number;
  readonly gate: TransportGate;
}

/** Why no node can be started; undefined: nothing is missing. */
export function nodesMissing(server: string): string | undefined {
  if (!existsSync(join(server, 'bin', 'elasticsearch'))) return `no Elasticsearch in ${server}`;
  return javaHome(server) === undefined ? 'Java is not installed' : undefined;
}

/** Of ES_JAVA_HOME or JAVA_HOME, of the server itself, or of the [java] on the path. */
function javaHome(server: string): string | undefined {
  const bundled = join(server, 'jdk');
  const given = process.env['ES_JAVA_HOME'] ?? process.env['JAVA_HOME'];
  if (given !== undefined) return given;
  if (existsSync(bundled)) return bundled;
  const shown = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  return /java\.home = (.*)/.exec(shown.stderr ?? '')?.[1];
}

export class RealCluster {
  readonly #server: string;
  readonly #root: string;
  #nodes: readonly Node[] = [];
  readonly #pids = new Map<number, number>();
  /** The node that is cut off from the others. */
  #isolated: number | undefined;

  private constructor(server: string) {
    this.#server = server;
    this.#root = mkdtempSync(join(tmpdir(), 'quarry-outages-'));
  }

  /** `server`: the folder of an Elasticsearch that was unpacked, which stays as it is. */
  static async start(server: string): Promise<RealCluster> {
    const cluster = new RealCluster(server);
    try {
      await cluster.#prepare();
      await Promise.all(NODES.map((node) => cluster.launch(node)));
      await cluster.settled();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get urls(): readonly string[] {
    return this.#nodes.map(({ http }) => `http://127.0.0.1:${http}`);
  }

  async launch(node: number): Promise<void> {
    const { folder } = this.#at(node);
    const pid = join(folder, 'pid');
    rmSync(pid, { force: true });
    // It ends when the node runs by itself.
    const starter = spawn(join(this.#server, 'bin', 'elasticsearch'), ['-d', '-p', pid], {
      env: {
        ...process.env,
        HOME: folder,
        ES_JAVA_HOME: javaHome(this.#server),
        ES_PATH_CONF: join(folder, 'config'),
        ES_TMPDIR: join(folder, 'tmp'),
        ES_JAVA_OPTS: `-Xms${HEAP} -Xmx${HEAP}`,
      },
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      ...(process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
    });
    const noted = setInterval(() => this.#note(node, pid), 100);
    const code = await new Promise((resolve) => starter.once('exit', resolve));
    clearInterval(noted);
    this.#note(node, pid);
    if (code !== 0) throw new Error(`node ${node} did not start:\n${this.#logOf(node)}`);
  }

  /** The end of what a node says. */
  #logOf(node: number): string {
    const log = join(this.#at(node).folder, 'logs', 'outages.log');
    return existsSync(log) ? readFileSync(log, 'utf8').slice(-3000) : 'it has said nothing';
  }

  /** The node writes its process id before it connects to others. */
  #note(node: number, file: string): void {
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (pid > 0) this.#pids.set(node, pid);
  }

  signal(node: number, signal: NodeJS.Signals): void {
    const pid = this.#pids.get(node);
    if (pid !== undefined) process.kill(pid, signal);
  }

  /** Ends a node by the signal and waits until it is gone. */
  async end(node: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const pid = this.#pids.get(node);
    if (pid === undefined) return;
    this.#pids.delete(node);
    process.kill(pid, signal);
    while (existsSync(`/proc/${pid}`)) await pause(50);
  }

  /** Cuts a node off from the others; undefined: from now on none is. */
  isolate(node: number | undefined): void {
    this.#isolated = node;
    for (const { gate } of this.#nodes) gate.update();
  }

  /** Waits until all nodes have joined and every copy of every shard is there. */
  async settled(): Promise<void> {
    const query = `wait_for_nodes=${NODES.length}&wait_for_status=green&timeout=5s`;
    for (const end = Date.now() + START_MS; Date.now() < end; await pause(250)) {
      for (const url of this.urls) {
        const answer = await fetch(`${url}/_cluster/health?${query}`).catch(() => undefined);
        if (answer?.status === 200) return;
      }
    }
    throw new Error(`the cluster was not green within ${START_MS} ms:\n${this.#logOf(0)}`);
  }

  /** The node that has the primary of the first shard of an index. */
  async primaryOf(index: string): Promise<number> {
    const [shard] = (
      await this.#ask(`/_cat/shards/${index}?format=json&h=prirep,node,shard`)
    ).filter(({ prirep, shard: number }) => prirep === 'p' && number === '0');
    return Number(shard?.['node']);
  }

  async master(): Promise<number> {
    const [row] = await this.#ask('/_cat/master?format=json&h=node');
    return Number(row?.['node']);
  }

  async stop(): Promise<void> {
    for (const node of [...this.#pids.keys()]) {
      this.signal(node, 'SIGCONT');
      await this.end(node, 'SIGKILL');
    }
    for (const { gate } of this.#nodes) await gate.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #ask(path: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const answer = await fetch(`${this.urls[0]}${path}`);
    return (await answer.json()) as readonly Readonly<Record<string, string>>[];
  }

  #at(node: number): Node {
    const found = this.#nodes[node];
    if (found === undefined) throw new Error(`there is no node ${node}`);
    return found;
  }

  async #prepare(): Promise<void> {
    const ports: { http: number; transport: number; gate: number }[] = [];
    for (const _ of NODES) {
      ports.push({
        http: await freePort(),
        transport: await freePort(),
        gate: await freePort(),
      });
    }
    const seeds = ports.map(({ gate }) => `127.0.0.1:${gate}`);
    this.#nodes = ports.map(({ http, transport, gate }, number) => {
      const folder = join(this.#root, `${number}`);
      for (const part of ['config', 'data', 'logs', 'tmp'])
        mkdirSync(join(folder, part), { recursive: true });
      const given = join(this.#server, 'config');
      copyFileSync(join(given, 'log4j2.properties'), join(folder, 'config', 'log4j2.properties'));
      // Its paths are relative to the folder of the server, which all nodes have.
      const java = readFileSync(join(given, 'jvm.options'), 'utf8');
      writeFileSync(
        join(folder, 'config', 'jvm.options'),
        java.replaceAll(/([=:])(logs|data)\b/g, `$1${folder}/$2`),
      );
      const settings = settingsOf({ number, folder, http, transport, gate, seeds });
      writeFileSync(join(folder, 'config', 'elasticsearch.yml'), settings);
      const holds = (from: number | undefined): boolean =>
        this.#isolated !== undefined && (this.#isolated === number || this.#isolated === from);
      const options = { port: gate, target: transport, pids: () => this.#pids, holds };
      return { number, folder, http, transport, gate: new TransportGate(options) };
    });
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${UNPRIVILEGED}`, this.#root]);
  }
}

interface NodeSettings {
  readonly number: number;
  readonly folder: string;
  readonly http: number;
  readonly transport: number;
  readonly gate: number;
  readonly seeds: readonly string[];
}

/** Faults are noticed within seconds, so that the test sees what happens afterwards. */
function settingsOf({ number, folder, http, transport, gate, seeds }: NodeSettings): string {
  return `cluster.name: outages
node.name: "${number}"
network.host: 127.0.0.1
http.port: ${http}
transport.port: ${transport}
transport.publish_port: ${gate}
discovery.seed_hosts: ${JSON.stringify(seeds)}
cluster.initial_master_nodes: ${JSON.stringify(NODES.map(String))}
path.data: ${join(folder, 'data')}
path.logs: ${join(folder, 'logs')}
xpack.security.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
cluster.fault_detection.follower_check.interval: 500ms
cluster.fault_detection.follower_check.timeout: 2s
cluster.fault_detection.follower_check.retry_count: 2
cluster.fault_detection.leader_check.interval: 500ms
cluster.fault_detection.leader_check.timeout: 2s
cluster.fault_detection.leader_check.retry_count: 2
`;
}
