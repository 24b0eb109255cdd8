// The hosts that `_reindex` may read from, as configured in Elasticsearch's spelling: `host:port`,
// both with stars. An empty list permits none. A name must be listed, and must not resolve to
// addresses of this machine or of a cloud's metadata service unless these are listed as well.
import { isIP } from 'node:net';
import { patternMatcher } from '../base/wildcard.js';
import { QuarryError } from '../errors.js';
import { GUARDED, inside, LOOPBACK, placeOf, withoutMapping } from './addresses.js';
import type { AddressRule } from './exchange.js';

export const WHITELIST_SETTING = 'reindex.remote.whitelist';

const ENTRY = /^(?:\[[0-9a-f:.*]+\]|[a-z0-9_.*-]+):[0-9*]+$/;
/** An address of documentation (RFC 3849): a pattern that matches it matches every host. */
const ANY_HOST = '[2001:db8::7]:49151';

export class RemoteWhitelist implements AddressRule {
  readonly #matchers: readonly ((place: string) => boolean)[];
  readonly #text: string;

  /** `list` is comma-separated. Throws a QuarryError that names a malformed entry. */
  constructor(list: string) {
    const entries = list
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== '');
    this.#text = entries.join(',');
    this.#matchers = entries.map(matcherOf);
  }

  /** Throws illegal_argument_exception unless the host and port of `url` are listed. */
  check(url: string): void {
    const place = printPlace(placeOf(url));
    if (this.#lists(place)) return;
    const listed = this.#text === '' ? 'which is empty and allows none' : `[${this.#text}]`;
    throw new QuarryError(
      'illegal_argument_exception',
      `[${place}] not whitelisted in ${WHITELIST_SETTING}, ${listed}: add it to the configuration of the server and restart`,
    );
  }

  objection(url: string, connected: string): string | undefined {
    const { host, port } = placeOf(url);
    const address = withoutMapping(connected);
    if (this.#lists(printPlace({ host: address, port }))) return undefined;
    if (isIP(host) === 0 && this.#lists(printPlace({ host, port }))) {
      if (!inside(GUARDED, address)) return undefined;
      if (host === 'localhost' && inside(LOOPBACK, address)) return undefined;
    }
    return `host [${host}] resolves to [${address}], which [${WHITELIST_SETTING}] does not allow; list the address itself if it is meant`;
  }

  #lists(place: string): boolean {
    return this.#matchers.some((matches) => matches(place));
  }
}

/** `host:port`; an IPv6 address is in brackets. */
function printPlace({ host, port }: { readonly host: string; readonly port: number }): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function matcherOf(entry: string): (place: string) => boolean {
  if (!ENTRY.test(entry)) {
    throw new QuarryError(
      'illegal_argument_exception',
      `[${WHITELIST_SETTING}] has the entry [${entry}], expected host:port, both with or without stars: ` +
        'otherhost:9200, 127.0.10.*:9200, localhost:*, [::1]:9200, between commas',
    );
  }
  const matches = patternMatcher(entry);
  if (!matches(ANY_HOST)) return matches;
  throw new QuarryError(
    'illegal_argument_exception',
    `[${WHITELIST_SETTING}] has the entry [${entry}], which would allow every host: name the hosts`,
  );
}
