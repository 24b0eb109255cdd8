// Addresses of other servers: the host and port of a URL, networks, and the addresses that a name
// may not lead to unless they are listed themselves.
import { BlockList, isIP } from 'node:net';

export const LOOPBACK = networks(['127.0.0.0', 8], ['::1', 128]);
/**
 * Addresses to which a listed name may not resolve, because they lead back to this machine or to
 * metadata services of cloud providers: loopback, link-local, unspecified, multicast. They are
 * permitted only if the address itself is listed.
 */
export const GUARDED = networks(
  ['127.0.0.0', 8],
  ['::1', 128],
  ['169.254.0.0', 16],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['0.0.0.0', 8],
  ['::', 128],
  ['224.0.0.0', 3],
  ['ff00::', 8],
);

export function networks(...rows: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of rows) list.addSubnet(address, bits, family(address));
  return list;
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

export function inside(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, family(address));
}

const MAPPED = networks(['::ffff:0:0', 96]);

/** Converts an IPv4-mapped IPv6 address to IPv4. */
export function withoutMapping(address: string): string {
  if (isIP(address) !== 6 || !inside(MAPPED, address)) return address;
  // The URL parser normalises all spellings to ::ffff:7f00:1.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The host in lower case, without brackets and final dot, and the port. */
export function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  const host = withoutMapping(hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''));
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}
