// IP addresses as strings that sort in the same order as the addresses.

const GROUPS = 8;
/** The groups that precede an IPv4 address when it is written as an IPv4-mapped IPv6 address. */
const MAPPED = ['0', '0', '0', '0', '0', 'ffff'];

/**
 * The 32 hexadecimal digits of `address`, given as the core prints it: `10.0.0.1` or `2001:db8::1`.
 */
export function addressDigits(address: string): string {
  return groupsOf(address)
    .map((group) => group.padStart(4, '0'))
    .join('');
}

function groupsOf(address: string): readonly string[] {
  if (!address.includes(':')) return [...MAPPED, ...groupsOfFour(address)];
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail === undefined) return first;
  const last = tail === '' ? [] : tail.split(':');
  return [...first, ...Array<string>(GROUPS - first.length - last.length).fill('0'), ...last];
}

function groupsOfFour(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16));
}
