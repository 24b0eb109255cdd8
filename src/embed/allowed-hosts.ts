// The hosts to which texts may be sent, as configured. An empty list permits only this machine, or
// no host if keys are required: a client with a key must not reach services that listen only on
// this machine. Names are checked when an endpoint is defined, and the addresses that they resolve
// to at every connection.
import { isIP } from 'node:net';
import { QuarryError } from '../errors.js';
import {
  GUARDED,
  inside,
  LOOPBACK,
  networks,
  placeOf,
  withoutMapping,
} from '../remote/addresses.js';

export const HOSTS_SETTING = 'inference.allowed_hosts';

/** An entry: a name, `*.name`, an address or a network, with an optional port. */
interface Entry {
  readonly port: number | undefined;
  readonly matchesName: (name: string) => boolean;
  readonly holds: (address: string) => boolean;
}

/** Immutable; a reload creates a new instance. */
export class AllowedHosts {
  readonly #entries: readonly Entry[];
  readonly #text: string;
  readonly #withKeys: boolean;

  /**
   * `list` is comma-separated; `withKeys` tells whether requests need keys. Throws a QuarryError
   * that names a malformed entry.
   */
  constructor(list: string, withKeys = false) {
    this.#text = list;
    this.#withKeys = withKeys;
    const entries = list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    const listed = entries.length === 0 && !withKeys ? ['localhost'] : entries;
    this.#entries = listed.map(readEntry);
  }

  /**
   * Throws illegal_argument_exception unless texts may be sent to `url`; `name` is the setting that
   * holds it.
   */
  check(url: string, name: string): void {
    const { host, port } = placeOf(url);
    const listed = isIP(host) === 0 ? this.#lists(host, port) : this.#holds(host, port);
    if (listed) return;
    const empty = this.#withKeys
      ? 'which is empty and allows none while [auth.enabled] is on'
      : 'which is empty and allows loopback only';
    const allowed = this.#text.trim() === '' ? empty : `[${this.#text}]`;
    throw new QuarryError(
      'illegal_argument_exception',
      `[${name}] leads to host [${host}] and port [${port}], which the configuration does not allow: ` +
        `add it to [${HOSTS_SETTING}], ${allowed}`,
    );
  }

  /**
   * Why no connection to the address `connected`, to which the host of `url` resolved, may be made;
   * undefined if it is permitted.
   */
  objection(url: string, connected: string): string | undefined {
    const address = withoutMapping(connected);
    const { host, port } = placeOf(url);
    if (this.#holds(address, port)) return undefined;
    if (isIP(host) === 0 && this.#lists(host, port) && host !== 'localhost') {
      if (!inside(GUARDED, address)) return undefined;
    }
    return (
      `host [${host}] resolves to [${address}], which [${HOSTS_SETTING}] does not allow; ` +
      'list the address itself if it is meant'
    );
  }

  #lists(host: string, port: number): boolean {
    return this.#entries.some((entry) => samePort(entry, port) && entry.matchesName(host));
  }
  #holds(address: string, port: number): boolean {
    return this.#entries.some((entry) => samePort(entry, port) && entry.holds(address));
  }
}

function samePort(entry: Entry, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}

const ENTRY = /^(?:\[([^\]]+)\]|([^:/]+))(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/;
const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

function readEntry(text: string): Entry {
  // An IPv6 address or network without a port may be written without brackets.
  const [, bare = '', bits] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const isBare = bare.split(':').length > 2;
  const match = isBare ? [text, bare, undefined, bits, undefined] : ENTRY.exec(text);
  const host = (match?.[1] ?? match?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  const prefix = match?.[3];
  const port = match?.[4] === undefined ? undefined : Number(match[4]);
  if (port !== undefined && (port < 1 || port > 65535)) throw malformed(text);
  if (isIP(host) !== 0)
    return { port, matchesName: () => false, holds: network(text, host, prefix) };
  if (prefix !== undefined || !NAME.test(host) || /^[\d.]+$/.test(host)) throw malformed(text);
  return {
    port,
    matchesName: host.startsWith('*.')
      ? (name) => name.endsWith(host.slice(1)) && name.length > host.length - 1
      : (name) => name === host,
    holds: host === 'localhost' ? (address) => inside(LOOPBACK, address) : () => false,
  };
}

function network(text: string, host: string, prefix: string | undefined): Entry['holds'] {
  const widest = isIP(host) === 6 ? 128 : 32;
  const bits = prefix === undefined ? widest : Number(prefix);
  if (bits > widest) throw malformed(text);
  const list = networks([host, bits]);
  return (address) => inside(list, address);
}

function malformed(entry: string): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    `[${HOSTS_SETTING}] has the entry [${entry}], expected names (embed.example.com, *.example.com), addresses or ` +
      'networks (10.0.0.0/8, [::1]), each with a port or without, between commas',
  );
}
