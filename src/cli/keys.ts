// `quarry keys create | list | revoke`: manages the keys of a data folder, whether or not a server
// uses it. A key is printed only once, when it is created.
import { resolve } from 'node:path';
import { type Grant, PRIVILEGES, type Privilege } from '../auth/grant.js';
import { changeKeys, keyFile, readKeys } from '../auth/key-file.js';
import {
  type KeyRecord,
  keyText,
  type MemoryQuota,
  makeKey,
  QUOTA_NAMES,
} from '../auth/key-record.js';
import { unprintable } from '../base/names.js';
import { ConfigError } from '../config/load.js';
import { readConfig } from './configuration.js';
import { printable } from './terminal.js';
import type { VerbContext } from './verb.js';

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const MAX_NAME = 200;
/** Characters that neither an index name nor a pattern may contain. */
const NOT_IN_PATTERNS = /[\s\\/?"<>|,#:]|^[-_+]/;

export async function keys(context: VerbContext): Promise<number> {
  const [action, id, ...others] = context.rest;
  if (action === undefined || !['create', 'list', 'revoke'].includes(action)) {
    throw new ConfigError(
      `unknown action [${action ?? ''}] of keys, there are create, list and revoke`,
    );
  }
  // The id of the key to revoke may be given without --id.
  const extra = action === 'revoke' ? others[0] : id;
  if (extra !== undefined)
    throw new ConfigError(`unexpected argument [${extra}] of keys ${action}`);
  const path = keyFile(resolve(readConfig(context).config['data_dir']));
  if (action === 'create') await create(path, context);
  else if (action === 'list') await list(path, context);
  else await revoke(path, id, context);
  return 0;
}

async function create(path: string, context: VerbContext): Promise<void> {
  const { values, print } = context;
  const nowMs = context.nowMs();
  refuseOthers(context, ['name', 'indices', 'privileges', 'expires', 'quota']);
  const name = values.get('name');
  if (name === undefined || name.length > MAX_NAME) {
    throw new ConfigError(`--name must say whose the key is, in 1 to ${MAX_NAME} characters`);
  }
  const unprinted = unprintable(name);
  if (unprinted !== undefined) {
    throw new ConfigError(
      `--name must say whose the key is, and [${printable(name)}] ${unprinted}`,
    );
  }
  const expires = readExpiry(values.get('expires'), nowMs);
  const quota = readQuota(values.get('quota'));
  const wanted = {
    name,
    indices: readPatterns(values.get('indices') ?? '*'),
    privileges: readPrivileges(values.get('privileges') ?? PRIVILEGES.join(',')),
    ...(expires === undefined ? {} : { expires }),
    ...(quota === undefined ? {} : { quota }),
  };
  const { record, credentials } = await makeKey(wanted, nowMs);
  await changeKeys(path, (all) => [...all, record]);
  const key = keyText(credentials);
  if (context.json) {
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

async function list(path: string, context: VerbContext): Promise<void> {
  const { print } = context;
  refuseOthers(context, []);
  const all = (await readKeys(path)).map((record) => shown(record, context.nowMs()));
  if (context.json) {
    print(JSON.stringify(all));
    return;
  }
  for (const { id, name, state, indices, privileges, expires, quota = {} } of all) {
    const limits = Object.entries(quota).map(([limit, most]) => ` ${limit}=${most}`);
    const end = `${limits.join('')}${expires === undefined ? '' : ` expires ${expires}`}`;
    print(
      `${id} ${state.padEnd(7)} ${privileges.join(',')} on ${indices.join(',')}${end}  ${name}`,
    );
  }
}

async function revoke(
  path: string,
  bareId: string | undefined,
  context: VerbContext,
): Promise<void> {
  refuseOthers(context, ['id']);
  const nowMs = context.nowMs();
  const id = context.values.get('id') ?? bareId;
  if (id === undefined) throw new ConfigError('--id must name the key, see quarry keys list');
  await changeKeys(path, (all) => {
    if (!all.some((record) => record.id === id)) throw new ConfigError(`there is no key [${id}]`);
    return all.map((record) =>
      record.id === id && record.revoked === undefined ? { ...record, revoked: nowMs } : record,
    );
  });
  context.print(context.json ? JSON.stringify({ id, revoked: true }) : `revoked ${id}`);
}

function shown(
  { id, name, indices, privileges, created, expires, revoked, quota }: KeyRecord,
  nowMs: number,
) {
  const isExpired = expires !== undefined && expires <= nowMs;
  const state = revoked !== undefined ? 'revoked' : isExpired ? 'expired' : 'active';
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    ...{ id, name, indices, privileges, state, created: at(created) },
    ...(expires === undefined ? {} : { expires: at(expires) }),
    ...(revoked === undefined ? {} : { revoked: at(revoked) }),
    ...(quota === undefined ? {} : { quota }),
  };
}

const CREATE_FLAGS = ['name', 'indices', 'privileges', 'expires', 'quota', 'id'];

function refuseOthers({ values }: VerbContext, known: readonly string[]): void {
  const other = CREATE_FLAGS.find((name) => values.has(name) && !known.includes(name));
  if (other !== undefined) throw new ConfigError(`--${other} does not belong to this action`);
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

function readQuota(value: string | undefined): MemoryQuota | undefined {
  if (value === undefined) return undefined;
  const limits = value.split(',').map((part): readonly [string, number] => {
    const [name = '', most = ''] = part.trim().split('=');
    const isKnown = (QUOTA_NAMES as readonly string[]).includes(name);
    if (isKnown && /^[1-9]\d{0,14}$/.test(most)) return [name, Number(most)];
    throw new ConfigError(
      `--quota must look like memories=1000,stores_per_minute=60, with ${QUOTA_NAMES.join(', ')}, found [${printable(part)}]`,
    );
  });
  return Object.fromEntries(limits);
}

function readExpiry(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(value) ?? [];
  if (count !== undefined && unit !== undefined) return nowMs + Number(count) * (UNITS[unit] ?? 0);
  throw new ConfigError(
    `--expires must be a time from now such as 90m, 12h or 30d, not [${value}]`,
  );
}
