// The output of `quarry --help` (commands, short flags, one line per configuration key), and the
// table of commands for docs/command-line.md.
import { SHORT_FLAGS } from '../config/load.js';
import { CONFIG_KEYS, environmentName, specOf } from '../config/schema.js';
import { EXIT_CODES } from './verb.js';
import { VERBS } from './verbs.js';

export function helpText(): string {
  const width = Math.max(...VERBS.map(({ name }) => name.length));
  const shorts = Object.entries(SHORT_FLAGS).map(
    ([flag, key]) => `  --${flag.padEnd(12)} the same as --${key}`,
  );
  const keys = CONFIG_KEYS.map((key) => {
    const { default: value, about, unit } = specOf(key);
    const plain = value === '' ? 'none' : `${value}`;
    const shown = unit === undefined ? plain : `${plain} ${unit}`;
    return `  --${key.padEnd(30)} ${about} (${shown})`;
  });
  return [
    'Usage: quarry COMMAND [flags]',
    '       quarry COMMAND --help   flags of one command, and examples',
    '       quarry --help | --version',
    '',
    'Commands:',
    ...VERBS.map(({ name, about }) => `  ${name.padEnd(width)}  ${firstSentence(about)}`),
    '',
    'Short flags of serve:',
    ...shorts,
    '  --config FILE  read further keys from a YAML file',
    '',
    `Configuration keys, also as environment variables (${environmentName('server.port')}) and in the file:`,
    ...keys,
    '',
    'Flags win over the environment, the environment over the file.',
    EXIT_CODES,
    '',
  ].join('\n');
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/**
 * One Markdown row per command. docs/command-line.md contains the table, and a test compares them.
 */
export function commandTable(): string {
  const rows = VERBS.map(({ name, usage, about }) => {
    const forms = usage.map((form) => `\`quarry ${name} ${form}`.trimEnd().concat('`'));
    return `| ${[forms.join('<br>'), about].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}
