// `quarry doctor`: checks this installation and reports each problem with its remedy.
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { DamagedEntry } from '../backend/index.js';
import { descriptorLimit } from '../base/descriptors.js';
import { programVersion } from '../base/package.js';
import { checkBinding } from '../config/binding.js';
import { openFolderWarning } from '../config/data-folder.js';
import { CONFIG_KEYS, type Config } from '../config/schema.js';
import { bytesText } from './bytes-text.js';
import { keyOf, RequestError } from './client.js';
import { readConfig } from './configuration.js';
import { table } from './reading.js';
import type { Verb, VerbContext } from './verb.js';

export interface Finding {
  readonly what: string;
  readonly state: 'good' | 'warning' | 'wrong';
  readonly found: string;
  /** Present if the state is not good. */
  readonly remedy?: string;
}

const GIB = 1024 ** 3;
const GOOD_DESCRIPTORS = 4096;

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
  const findings = [
    program(),
    await addon(),
    processor(),
    descriptors(),
    ...(await ofConfiguration(context)),
  ];
  const isWrong = findings.some(({ state }) => state === 'wrong');
  if (context.json) {
    context.print(JSON.stringify({ sound: !isWrong, findings }));
    return isWrong ? 1 : 0;
  }
  const rows = findings.map(({ what, state, found, remedy }) => [
    state,
    what,
    remedy === undefined ? found : `${found}; ${remedy}`,
  ]);
  for (const line of table(['STATE', 'WHAT', 'FOUND'], rows)) context.print(line);
  return isWrong ? 1 : 0;
}

function program(): Finding {
  const found = `quarry ${programVersion()}, node ${process.versions.node}`;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const remedy = 'install node 20.19, 22 or 24';
  if (major < 20 || (major === 20 && minor < 19)) return wrong('version', found, remedy);
  if (![20, 22, 24].includes(major)) return warning('version', found, `not tested: ${remedy}`);
  return good('version', found);
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

function processor(): Finding {
  const cores = `${cpus().length} cores`;
  const { arch } = process;
  if (arch !== 'x64') return good('processor', `${arch}, ${cores}`);
  const flags = readText('/proc/cpuinfo');
  const has = ['avx2', 'fma', 'avx512f'].filter((flag) => new RegExp(`\\b${flag}\\b`).test(flags));
  if (flags === '' || has.includes('avx2'))
    return good('processor', `${arch} ${has.join(' ')}, ${cores}`);
  return warning(
    'processor',
    `${arch} without avx2, ${cores}`,
    'searches by vector are several times slower here',
  );
}

function descriptors(): Finding {
  const limit = descriptorLimit();
  const found = `${limit} files and connections`;
  if (limit >= GOOD_DESCRIPTORS) return good('ulimit', found);
  return warning('ulimit', found, `raise it before the start: ulimit -n ${16 * GOOD_DESCRIPTORS}`);
}

async function ofConfiguration(context: VerbContext): Promise<readonly Finding[]> {
  const { values } = context;
  const dir = values.get('data-dir');
  try {
    const settings = dir === undefined ? {} : { 'data-dir': dir };
    const { config, origins } = readConfig({ settings, values });
    const changed = CONFIG_KEYS.filter((key) => origins[key] !== 'default');
    const set = changed.map((key) => `${key} (${origins[key]})`).join(', ');
    const risk = checkBinding(config);
    const summary = changed.length === 0 ? 'all defaults' : set;
    const running = await service(context);
    const free = await port(config['server.host'], config['server.port'], running);
    return [
      risk === undefined ? good('configuration', summary) : warning('configuration', summary, risk),
      ...(config['cluster.enabled'] ? await cluster(config) : folder(resolve(config['data_dir']))),
      ...(free === undefined ? [] : [free]),
      running,
      ...(running.state === 'good' ? [...(await damage(context)), await key(context)] : []),
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

function folder(path: string): readonly Finding[] {
  const at = existsSync(path) ? path : dirname(path);
  try {
    accessSync(at, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      wrong(
        'data folder',
        `${at} cannot be read and written`,
        'give it to the user that runs quarry (chown)',
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(at);
  const free = bavail * bsize;
  const found = `${path}${at === path ? '' : ' (not yet there)'}, ${bytesText(free)} free`;
  if (free < GIB)
    return [wrong('data folder', found, 'make room: writes are refused on a full disk')];
  const room =
    free < 10 * GIB
      ? warning('data folder', found, 'merges need free space in addition to the data')
      : good('data folder', found);
  const open = openFolderWarning(path);
  return open === undefined ? [room] : [room, warning('data folder', open, `chmod o-rwx ${path}`)];
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

/** Damaged data of the service, as far as the key may see it. */
async function damage(context: VerbContext): Promise<readonly Finding[]> {
  try {
    const { damaged } = await context.client().json('GET', '/_cluster/health');
    const list = (damaged ?? []) as readonly DamagedEntry[];
    if (list.length === 0) return [good('data', 'everything can be read')];
    return list.map(({ kind, name, reason }) => {
      const remedy =
        kind === 'index' ? 'stop the service and see quarry check' : 'then see its log';
      return wrong(`${kind} ${name}`, reason, remedy);
    });
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

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function good(what: string, found: string): Finding {
  return { what, state: 'good', found };
}

function warning(what: string, found: string, remedy: string): Finding {
  return { what, state: 'warning', found, remedy };
}

function wrong(what: string, found: string, remedy: string): Finding {
  return { what, state: 'wrong', found, remedy };
}
