// Settings of Elasticsearch that would change responses through parts that this server does not
// have. They are rejected by name with an alternative. An index that has a stored one shows it, and
// null removes it.
import { QuarryError } from '../../errors.js';
import { row, type SettingRow } from './setting-row.js';

/** The reason, and the alternative. */
const REFUSED_GROUPS: readonly (readonly [string, string])[] = [
  ['index.sort.', 'documents lie in the order of their writes: give searches a [sort]'],
];

/** A row that rejects every value of the setting; undefined for any other setting. */
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
