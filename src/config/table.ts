// The table of configuration keys for the documentation.
import { CONFIG_KEYS, environmentName, specOf } from './schema.js';

/** One Markdown row per key. docs/configuration.md contains the table, and a test compares them. */
export function markdownTable(): string {
  const rows = CONFIG_KEYS.map((key) => {
    const { default: value, unit, reloadable, about, choices } = specOf(key);
    const plain = value === '' ? 'none' : `${value}${unit === undefined ? '' : ` ${unit}`}`;
    const allowed = choices === undefined ? '' : ` (${choices.join(', ')})`;
    return `| \`${key}\` | ${plain} | ${reloadable ? 'SIGHUP' : 'restart'} | ${about}${allowed} |`;
  });
  return [
    `| Key (environment: \`${environmentName('server.port')}\` and so on) | Default | A change applies by | What it is |`,
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}
