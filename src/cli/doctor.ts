// `quarry doctor`: checks this installation and reports each problem with its remedy.
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { DamagedEntry } from '../backend/index.js';
import { programVersion } from '../base/package.js';
import type { Config } from '../config/schema.js';
import { type Finding, good, isSound, warning, wrong } from '../doctor/findings.js';
import {
  configurationFinding,
  descriptorFinding,
  folderFindings,
  processorFinding,
  programFinding,
} from '../doctor/machine.js';
import { damageFindings } from '../doctor/service.js';
import { keyOf, RequestError } from './client.js';
import { readConfig } from './configuration.js';
import { table } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

export const DOCTOR: Verb = {
  name: 'doctor',
  usage: ['[--data-dir DIR] [--config FILE]'],
  about:
    'Says what is wrong with this installation and the service that runs, each with its remedy. Changes nothing.',
  flags: {
    'data-dir': 'the data folder (data_dir of the configuration)',
    config: 'a YAML file of configuration keys',
  },
  examples: ['doctor', 'doctor --data-dir /var/lib/quarry --json'],
  run: doctor,
};

async function doctor(context: VerbContext): Promise<number> {
  const here = [
    programFinding(programVersion()),
    await addon(),
    processorFinding(),
    descriptorFinding(),
  ];
  const findings = [...here, ...(await ofConfiguration(context, here))];
  const sound = isSound(findings);
  if (context.json) {
    context.print(JSON.stringify({ sound, findings }));
    return sound ? 0 : 1;
  }
  const rows = findings.map(({ what, state, found, remedy }) => [
    state,
    what,
    remedy === undefined ? found : `${found}; ${remedy}`,
  ]);
  for (const line of table(['STATE', 'WHAT', 'FOUND'], rows)) context.print(line);
  return sound ? 0 : 1;
}

async function addon(): Promise<Finding> {
  try {
    // Only this check loads the service.
    const { addonVersion } = await import('../main.js');
    return good('native core', `version ${addonVersion()}`);
  } catch (error) {
    return wrong(
      'native core',
      (error as Error).message.split('\n', 1)[0] ?? '',
      'build it: npm run build:native',
    );
  }
}

async function ofConfiguration(
  context: VerbContext,
  here: readonly Finding[],
): Promise<readonly Finding[]> {
  const { values } = context;
  const dir = values.get('data-dir');
  try {
    const settings = dir === undefined ? {} : { 'data-dir': dir };
    const loaded = readConfig({ settings, values });
    const { config } = loaded;
    const running = await service(context);
    const free = await port(config['server.host'], config['server.port'], running);
    const stored = config['cluster.enabled']
      ? await cluster(config)
      : folderFindings(resolve(config['data_dir']));
    const own = [configurationFinding(loaded), ...stored];
    const reported = new Set([...here, ...own].map(({ what }) => what));
    return [
      ...own,
      ...(free === undefined ? [] : [free]),
      running,
      ...(running.state === 'good'
        ? [...(await ofService(context, reported)), await key(context)]
        : []),
    ];
  } catch (error) {
    const remedy = 'see quarry config and quarry --help';
    return [wrong('configuration', (error as Error).message, remedy), await service(context)];
  }
}

/** The cluster that stores and searches, in the place of a data folder. */
async function cluster(config: Config): Promise<readonly Finding[]> {
  try {
    const { reportCluster } = await import('../main.js');
    const report = await reportCluster(config);
    const { engine, status, silent, shards, mostShards, namespaces } = report;
    const found = `${engine.kind} ${engine.version} [${engine.clusterName}] is ${status}`;
    const room = `${shards} of ${mostShards} shards are used, ${namespaces} more namespaces fit`;
    return [
      status === 'red'
        ? wrong(
            'cluster',
            found,
            'some shards have no copy: see GET /_cluster/health of the cluster',
          )
        : good('cluster', found),
      ...silent.map(({ url, reason }) =>
        warning('cluster node', `${url}: ${reason}`, 'start it, or take it out of cluster.urls'),
      ),
      namespaces > 0
        ? good('shards', room)
        : wrong('shards', room, 'add data nodes, or raise cluster.max_shards_per_node'),
    ];
  } catch (error) {
    const remedy = 'see cluster.urls and the credentials';
    return [wrong('cluster', (error as Error).message, remedy)];
  }
}

/** Undefined if the running service uses the port. */
async function port(host: string, number: number, running: Finding): Promise<Finding | undefined> {
  if (running.state === 'good' || number === 0) return undefined;
  const taken = await new Promise<string | undefined>((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.listen(number, host, () => probe.close(() => done(undefined)));
  });
  if (taken === undefined) return good('port', `${host}:${number} is free`);
  return wrong(
    'port',
    `${host}:${number}: ${taken}`,
    'end what listens there, or choose another --port',
  );
}

async function service(context: VerbContext): Promise<Finding> {
  const client = context.client();
  try {
    const { status, indices } = await client.json('GET', '/v1/health/ready');
    return good('service', `${client.url} is ${status}, ${indices} indexes`);
  } catch (error) {
    const { message } = error as Error;
    const remedy = 'if one should run: quarry serve, then its log';
    return warning('service', message.split(';', 1)[0] ?? message, remedy);
  }
}

/**
 * What the service finds, except what this command has looked at itself. A key that may not ask the
 * service for findings may see damaged data nevertheless.
 */
async function ofService(
  context: VerbContext,
  reported: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  try {
    const { findings } = await context.client().json('GET', '/v1/doctor');
    return (findings as readonly Finding[]).filter(({ what }) => !reported.has(what));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return damage(context);
  }
}

async function damage(context: VerbContext): Promise<readonly Finding[]> {
  try {
    const { damaged } = await context.client().json('GET', '/_cluster/health');
    return damageFindings((damaged ?? []) as readonly DamagedEntry[]);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return [];
  }
}

/** The privileges of the given key. */
async function key(context: VerbContext): Promise<Finding> {
  const given = keyOf(context.values, context.environment) !== undefined;
  try {
    const { username, metadata } = await context.client().json('GET', '/_security/_authenticate');
    const { privileges, indices } = metadata;
    return good('key', `${username}: ${privileges.join(', ')} on ${indices.join(', ')}`);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.status === 400) return good('key', 'none is needed');
    const remedy = 'make one on the machine of the service: quarry keys create';
    if (given) return wrong('key', 'the service refuses it', remedy);
    return warning('key', 'the service asks for one', `give it by QUARRY_API_KEY; ${remedy}`);
  }
}
