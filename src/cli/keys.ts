// `quarry keys create | list | revoke`: manages the keys of a data folder, whether or not a server
// uses it. A key is printed only once, when it is created.
import { resolve } from 'node:path';
import { type Grant, PRIVILEGES, type Privilege } from '../auth/grant.js';
import { changeKeys, keyFile, readKeys } from '../auth/key-file.js';
import { type KeyRecord, keyText, makeKey } from '../auth/key-record.js';
import { unprintable } from '../base/names.js';
import { ConfigError } from '../config/load.js';
import type { CommandLine } from './arguments.js';
import { readFlags } from './arguments.js';
import { readConfig } from './configuration.js';
import { printable } from './terminal.js';

const OWN = ['name', 'indices', 'privileges', 'expires', 'id', 'json'];
const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const MAX_NAME = 200;
/** Characters that neither an index name nor a pattern may contain. */
const NOT_IN_PATTERNS = /[\s\\/?"<>|,#:]|^[-_+]/;

type Flags = CommandLine['flags'];

export async function keys(
  args: readonly string[],
  print: (line: string) => void,
  nowMs: number,
): Promise<void> {
  const [verb, first, ...others] = args;
  if (verb === undefined || !['create', 'list', 'revoke'].includes(verb)) {
    throw new ConfigError(
      `unknown verb [${verb ?? ''}] of keys, there are create, list and revoke`,
    );
  }
  // The id of the key to revoke may be given without --id.
  const isBare = verb === 'revoke' && first !== undefined && !first.startsWith('--');
  const flags = readFlags(isBare ? ['--id', first, ...others] : args.slice(1));
  const own = Object.fromEntries(Object.entries(flags).filter(([name]) => OWN.includes(name)));
  const rest = Object.entries(flags).filter(([name]) => !OWN.includes(name));
  const { config, ...settings } = Object.fromEntries(rest);
  if (config === true) throw new ConfigError('--config needs the path of a file');
  const file = config === undefined ? {} : { configFile: config };
  const path = keyFile(resolve(readConfig({ flags: settings, ...file }).config['data_dir']));
  if (verb === 'create') return create(path, own, print, nowMs);
  if (verb === 'list') return list(path, own, print, nowMs);
  return revoke(path, own, print, nowMs);
}

async function create(
  path: string,
  flags: Flags,
  print: (line: string) => void,
  nowMs: number,
): Promise<void> {
  refuseOthers(flags, ['name', 'indices', 'privileges', 'expires', 'json']);
  const name = text(flags, 'name');
  if (name === undefined || name.length > MAX_NAME) {
    throw new ConfigError(`--name must say whose the key is, in 1 to ${MAX_NAME} characters`);
  }
  const unprinted = unprintable(name);
  if (unprinted !== undefined) {
    throw new ConfigError(
      `--name must say whose the key is, and [${printable(name)}] ${unprinted}`,
    );
  }
  const expires = readExpiry(text(flags, 'expires'), nowMs);
  const wanted = {
    name,
    indices: readPatterns(text(flags, 'indices') ?? '*'),
    privileges: readPrivileges(text(flags, 'privileges') ?? PRIVILEGES.join(',')),
    ...(expires === undefined ? {} : { expires }),
  };
  const { record, credentials } = await makeKey(wanted, nowMs);
  await changeKeys(path, (all) => [...all, record]);
  const key = keyText(credentials);
  if (flags['json'] === true) {
    const encoded = Buffer.from(`${record.id}:${key}`).toString('base64');
    print(JSON.stringify({ ...shown(record, nowMs), key, encoded }));
    return;
  }
  print(`id:  ${record.id}`);
  print(`key: ${key}`);
  print(
    'It is not shown again. Send it as "Authorization: Bearer <key>" or "Authorization: ApiKey <key>".',
  );
}

async function list(
  path: string,
  flags: Flags,
  print: (line: string) => void,
  nowMs: number,
): Promise<void> {
  refuseOthers(flags, ['json']);
  const all = (await readKeys(path)).map((record) => shown(record, nowMs));
  if (flags['json'] === true) {
    print(JSON.stringify(all));
    return;
  }
  for (const { id, name, state, indices, privileges, expires } of all) {
    const end = expires === undefined ? '' : ` expires ${expires}`;
    print(
      `${id} ${state.padEnd(7)} ${privileges.join(',')} on ${indices.join(',')}${end}  ${name}`,
    );
  }
}

async function revoke(
  path: string,
  flags: Flags,
  print: (line: string) => void,
  nowMs: number,
): Promise<void> {
  refuseOthers(flags, ['id', 'json']);
  const id = text(flags, 'id');
  if (id === undefined) throw new ConfigError('--id must name the key, see quarry keys list');
  await changeKeys(path, (all) => {
    if (!all.some((record) => record.id === id)) throw new ConfigError(`there is no key [${id}]`);
    return all.map((record) =>
      record.id === id && record.revoked === undefined ? { ...record, revoked: nowMs } : record,
    );
  });
  print(flags['json'] === true ? JSON.stringify({ id, revoked: true }) : `revoked ${id}`);
}

function shown(
  { id, name, indices, privileges, created, expires, revoked }: KeyRecord,
  nowMs: number,
) {
  const isExpired = expires !== undefined && expires <= nowMs;
  const state = revoked !== undefined ? 'revoked' : isExpired ? 'expired' : 'active';
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    ...{ id, name, indices, privileges, state, created: at(created) },
    ...(expires === undefined ? {} : { expires: at(expires) }),
    ...(revoked === undefined ? {} : { revoked: at(revoked) }),
  };
}

function text(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  if (value === true || value === '') throw new ConfigError(`--${name} needs a value`);
  return value;
}

function refuseOthers(flags: Flags, known: readonly string[]): void {
  const other = Object.keys(flags).find((name) => !known.includes(name));
  if (other !== undefined) throw new ConfigError(`--${other} does not belong to this verb`);
}

function readPatterns(value: string): Grant['indices'] {
  const patterns = value.split(',').map((pattern) => pattern.trim());
  const wrong = patterns.find(
    (one) => one === '' || NOT_IN_PATTERNS.test(one) || unprintable(one) !== undefined,
  );
  if (wrong === undefined) return patterns;
  throw new ConfigError(
    `--indices must be names of indexes or aliases between commas, stars allowed, found [${printable(wrong)}]`,
  );
}

function readPrivileges(value: string): readonly Privilege[] {
  const requested = value.split(',').map((one) => one.trim());
  const wrong = requested.find((one) => !(PRIVILEGES as readonly string[]).includes(one));
  if (wrong === undefined) return PRIVILEGES.filter((one) => requested.includes(one));
  throw new ConfigError(`--privileges knows ${PRIVILEGES.join(', ')}, found [${wrong}]`);
}

function readExpiry(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(value) ?? [];
  if (count !== undefined && unit !== undefined) return nowMs + Number(count) * (UNITS[unit] ?? 0);
  throw new ConfigError(
    `--expires must be a time from now such as 90m, 12h or 30d, not [${value}]`,
  );
}
