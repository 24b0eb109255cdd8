// `source.remote` of `_reindex`: the server that is read, and how.
import type { Json, JsonObject, RemoteSource } from '../../backend/index.js';
import { asText, printValue } from '../../base/json-text.js';
import { trimEndOf } from '../../base/trim-end.js';
import { parseTime } from '../../base/units.js';
import { illegal, invalidAll } from './by-query-options.js';

const KEYS = [
  'host',
  'username',
  'password',
  'password_env',
  'api_key_env',
  'headers',
  'socket_timeout',
  'connect_timeout',
];
/** Members of the source that a server without our extensions understands. */
const SOURCE_KEYS = ['index', 'remote', 'query', 'size', 'sort', '_source', 'slice'];

const HOST = /^(https?):\/\/(?:\[[0-9a-f:.]+\]|[^/?#@:\\[\]\s]+):\d{1,5}(\/[^?#\\\s]*)?$/i;
const HEADER = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
/** Headers that belong to the connection and to the body. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const MAX_HEADERS = 100;
const MAX_HEADER_CHARACTERS = 16_384;
const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 3_600_000;

/** Undefined if the source is of this server. */
export function readRemote(source: JsonObject): RemoteSource | undefined {
  const { remote } = source;
  if (remote === undefined || remote === null) return undefined;
  if (typeof remote !== 'object' || Array.isArray(remote)) {
    throw illegal(`[source] [remote] must be an object, got [${printValue(remote)}]`);
  }
  const body = remote as JsonObject;
  const unknown = Object.keys(body).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) {
    throw illegal(
      `Unsupported fields in [remote]: [${unknown.join(',')}], it takes [${KEYS.join(', ')}]`,
    );
  }
  const other = Object.keys(source).find((key) => !SOURCE_KEYS.includes(key));
  if (other !== undefined) {
    throw illegal(
      `[source] [${other}] is not supported with [remote], which takes [${SOURCE_KEYS.join(', ')}]`,
    );
  }
  return {
    host: readHost(body['host']),
    headers: readHeaders(body['headers']),
    ...readCredentials(body),
    socketTimeoutMs: readTimeout(body, 'socket_timeout'),
    connectTimeoutMs: readTimeout(body, 'connect_timeout'),
  };
}

/** A name that a path would read as another one. */
export function checkRemoteIndex(index: string): void {
  const names = index.split(',');
  if (!names.some((name) => name === '' || name === '.' || name === '..' || name.startsWith('_'))) {
    return;
  }
  if (index === '_all') return;
  throw invalidAll([`[source] [index] must name indexes of the remote, got [${index}]`]);
}

function readHost(value: Json | undefined): string {
  if (value === undefined || value === null) {
    throw illegal('[host] must be specified to reindex from a remote cluster');
  }
  if (typeof value === 'string' && HOST.test(value) && URL.canParse(value)) {
    const { origin, protocol, hostname, port, pathname } = new URL(value);
    const own = port === '' ? (protocol === 'https:' ? ':443' : ':80') : `:${port}`;
    const place = origin === 'null' ? '' : `${protocol}//${hostname}${own}`;
    if (place !== '') return `${place}${trimEndOf(pathname, '/')}`;
  }
  throw illegal(
    `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${printValue(value)}]`,
  );
}

function readHeaders(value: Json | undefined): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw illegal(`[remote] [headers] must be an object, got [${printValue(value)}]`);
  }
  const entries = Object.entries(value as JsonObject);
  if (entries.length > MAX_HEADERS) {
    throw illegal(`[remote] [headers] has ${entries.length} entries, at most ${MAX_HEADERS}`);
  }
  return Object.fromEntries(
    entries.map(([name, text]): [string, string] => {
      if (!HEADER.test(name) || OWN_HEADERS.has(name.toLowerCase())) {
        throw illegal(`[remote] [headers] may not set the header [${name}]`);
      }
      // The value may be a secret, so that no message shows it.
      if (typeof text !== 'string' || text.length > MAX_HEADER_CHARACTERS || !isPrintable(text)) {
        throw illegal(
          `[remote] [headers] [${name}] must be a string of at most ${MAX_HEADER_CHARACTERS} printable characters`,
        );
      }
      return [name.toLowerCase(), text];
    }),
  );
}

function readCredentials(
  body: JsonObject,
): Pick<RemoteSource, 'username' | 'password' | 'passwordEnv' | 'apiKeyEnv'> {
  const username = readString(body, 'username');
  const password = readString(body, 'password');
  const passwordEnv = readString(body, 'password_env');
  const apiKeyEnv = readString(body, 'api_key_env');
  if (password !== undefined && passwordEnv !== undefined) {
    throw illegal('[remote] takes [password] or [password_env], not both');
  }
  if ((password ?? passwordEnv) !== undefined && username === undefined) {
    throw illegal('[remote] has a password without [username]');
  }
  if (apiKeyEnv !== undefined && username !== undefined) {
    throw illegal('[remote] takes [username] or [api_key_env], not both');
  }
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(passwordEnv === undefined ? {} : { passwordEnv }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
  };
}

function readString(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '' && value.length <= MAX_HEADER_CHARACTERS) {
    return value;
  }
  throw illegal(`[remote] [${name}] must be a string that is not empty`);
}

function readTimeout(body: JsonObject, name: string): number {
  const value = body[name];
  if (value === undefined || value === null) return DEFAULT_TIMEOUT_MS;
  const ms = typeof value === 'string' ? parseTime(value, name) : Number.NaN;
  if (ms >= 1 && ms <= MAX_TIMEOUT_MS) return Math.round(ms);
  throw illegal(`[remote] [${name}] must be a time from [1ms] to [1h], got [${asText(value)}]`);
}

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
