// Settings of Elasticsearch that would change answers by parts which this server does not have. They are refused by name, with
// what does their work here. An index that has one from before shows it, and null takes it away.
import { QuarryError } from '../../errors.js';
import { row, type SettingRow } from './setting-row.js';

/** Why there is no use for it, or what does its work. */
const REFUSED_GROUPS: readonly (readonly [string, string])[] = [
  ['index.sort.', 'documents lie in the order of their writes: give searches a [sort]'],
];

/** Of a setting that is refused whatever its value; undefined: it is none of them. */
export function unsupportedRow(key: string): SettingRow | undefined {
  const reason = REFUSED_GROUPS.find(([prefix]) => key.startsWith(prefix))?.[1];
  if (reason === undefined) return undefined;
  return row('dynamic', () => {
    throw new QuarryError(
      'illegal_argument_exception',
      `setting [${key}] is not supported by this server, leave it out: ${reason}`,
    );
  });
}
