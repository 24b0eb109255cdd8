// What an answer leaves out, in words.
import { countText } from '../../kit/format.js';

const REASONS: Readonly<Record<string, string>> = {
  k: 'ranked after the last hit',
  limit: 'beyond the page',
  expired: 'expired',
  superseded: 'superseded',
  filter: 'left out by the filter',
  not_yet: 'stored or true only later',
  graph: 'out of reach in the graph',
  collapsed: 'after a better one with the same value',
  max_chars: 'beyond the length of texts',
  unknown: 'there is no such memory',
  no_match: 'does not match the question',
  pool: 'ranked after all candidates',
  returned: 'returned',
};

export function reasonText(reason: string): string {
  return REASONS[reason] ?? reason;
}

/** "3 superseded, 1 expired"; empty if nothing is left out. `limit` is what the next pages have. */
export function hiddenText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([reason, count]) => count > 0 && reason !== 'limit')
    .map(([reason, count]) => `${countText(count)} ${reasonText(reason)}`)
    .join(', ');
}
