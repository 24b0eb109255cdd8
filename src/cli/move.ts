// `quarry move --to URL`: copies what a service holds, or a data folder, into a cluster, in the form
// in which a service in front of that cluster reads it. Such a service is started for the move, on
// loopback and with a key of its own; a data folder is served in the same way while it is read.
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changeKeys, keyFile } from '../auth/key-file.js';
import { keyText, makeKey } from '../auth/key-record.js';
import { ConfigError, type LoadedConfig, loadConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { type MoveReport, type MoveSide, moveToCluster } from '../migration/cluster-move.js';
import { keyOf, urlOf } from './client.js';
import { readConfig } from './configuration.js';
import {
  changeLines,
  copyProgress,
  indexLines,
  isWhole,
  progressOf,
  stateFolderOf,
  stopped,
  untilSignal,
} from './copying.js';
import { argumentsOf, required } from './reading.js';
import type { VerbContext } from './verb.js';

/** A service that this command has started. */
interface Started {
  readonly side: Omit<MoveSide, 'name'>;
  stop(): Promise<void>;
}

/** What a service of this command does not do, whatever the configuration says. */
const QUIET: Partial<Config> = {
  'server.host': '127.0.0.1',
  'server.port': 0,
  'tls.cert': '',
  'tls.key': '',
  'audit.file': '',
  'console.enabled': false,
  'mcp.enabled': false,
  'tracing.enabled': false,
  'server.read_only': false,
  'snapshot.ship_log': '',
  'logging.level': 'silent',
  // Both sides keep what they have: what has expired is removed by who serves it next.
  'memory.expiry_pause_ms': 86_400_000,
};
/** All indexes, those of memories, links and settings of namespaces included. */
const EVERYTHING = '*,.*';

export async function move(context: VerbContext): Promise<number> {
  argumentsOf(context);
  const { values, switches } = context;
  const to = required(context, 'to');
  if (values.has('url') && values.has('data-dir')) {
    throw new ConfigError('--url is for a running server, --data-dir for a stopped one: give one');
  }
  const loaded = frontConfig(context, to);
  const signal = untilSignal();
  const folder = mkdtempSync(join(tmpdir(), 'quarry-move-'));
  const running: Started[] = [];
  try {
    const front = await startFront(loaded, folder);
    running.push(front);
    const from = await sourceOf(context, running);
    const prefix = loaded.config['cluster.index_prefix'];
    const report = await stopped(
      moveToCluster({
        from,
        to: { ...front.side, name: prefix === '' ? to : `${to} ${prefix}*` },
        indexes: values.get('index') ?? EVERYTHING,
        stateFolder: stateFolderOf(context, 'move'),
        dryRun: switches.has('dry-run'),
        signal,
        onProgress: progressOf(context, copyProgress),
      }),
    );
    context.progress?.('');
    if (context.json) context.print(JSON.stringify(report));
    else for (const line of linesOf(report, to)) context.print(line);
    return report.closed.length === 0 && report.indexes.every(isWhole) ? 0 : 1;
  } finally {
    for (const one of running.reverse()) await one.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The configuration of the environment and file, which is that of the replicas. */
function frontConfig(context: VerbContext, to: string): LoadedConfig {
  const { values } = context;
  const prefix = values.get('prefix');
  const loaded = readConfig({
    settings: {
      'cluster.enabled': 'true',
      'cluster.urls': to,
      ...(prefix === undefined ? {} : { 'cluster.index_prefix': prefix }),
      ...(values.has('data-dir') ? { 'data-dir': values.get('data-dir') ?? '' } : {}),
    },
    values,
  });
  return { ...loaded, config: { ...loaded.config, ...QUIET } };
}

/** Starts a service in front of the cluster. `folder` is empty, and readable by this user alone. */
async function startFront(loaded: LoadedConfig, folder: string): Promise<Started> {
  const { reportCluster } = await import('../main.js');
  // A service waits for its cluster; a command says that it does not answer.
  await reportCluster(loaded.config);
  const models = join(resolve(loaded.config['data_dir']), 'models');
  if (existsSync(models)) symlinkSync(models, join(folder, 'models'));
  const wanted = {
    name: 'quarry move',
    indices: ['*'],
    privileges: ['read', 'write', 'manage'] as const,
  };
  const { record, credentials } = await makeKey(wanted, Date.now());
  await changeKeys(keyFile(folder), () => [record]);
  const config = { ...loaded.config, data_dir: folder, 'auth.enabled': true };
  return start({ ...loaded, config }, keyText(credentials));
}

/** The running service, or one that is started on the data folder. */
async function sourceOf(context: VerbContext, running: Started[]): Promise<MoveSide> {
  const { values, environment } = context;
  const dataDir = values.get('data-dir');
  if (dataDir === undefined) {
    const url = urlOf(values, environment);
    return { name: url, url, apiKey: keyOf(values, environment) };
  }
  const loaded = loadConfig({ flags: { 'data-dir': dataDir }, environment: {} });
  const started = await start({ ...loaded, config: { ...loaded.config, ...QUIET } }, undefined);
  running.push(started);
  return { ...started.side, name: resolve(dataDir) };
}

async function start(loaded: LoadedConfig, apiKey: string | undefined): Promise<Started> {
  const { startService } = await import('../main.js');
  const service = await startService({ loaded, reload: () => loaded, warnings: [] });
  try {
    await service.ready;
  } catch (error) {
    await service.stop();
    throw error;
  }
  return { side: { url: service.address, apiKey }, stop: () => service.stop() };
}

function linesOf({ indexes, changes, entries, closed }: MoveReport, to: string): readonly string[] {
  return [
    ...changeLines(changes),
    ...indexLines(indexes),
    ...closed.map((name) => `${name}: left out, it is closed: open it, and run again`),
    `${indexes.length} indexes, ${entries} templates and inference endpoints are at ${to}`,
  ];
}
