// The output of `quarry --help` (commands, short flags, one line per configuration key) and of the
// help of one command.
import { SHORT_FLAGS } from '../config/load.js';
import { CONFIG_KEYS, environmentName, specOf } from '../config/schema.js';
import { USAGES } from './usages.js';
import { VERBS } from './verbs.js';

const EXIT_CODES = 'Exit codes: 0 done, 1 failed, 2 misused.';

export function helpText(): string {
  const usages = [...Object.keys(USAGES).flatMap(usageLines), ...VERBS.map(verbLine)];
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
    ...asUsage(usages),
    '       quarry COMMAND --help   flags of one command, and examples',
    '       quarry --help | --version',
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

/** The help of a command that is not a verb. */
export function commandHelp(name: string): string {
  return [...asUsage(usageLines(name)), '', EXIT_CODES, ''].join('\n');
}

function usageLines(name: string): readonly string[] {
  return (USAGES[name] ?? []).map((line) => (line.startsWith(' ') ? line : `quarry ${line}`));
}

function verbLine({ name, usage }: (typeof VERBS)[number]): string {
  return `quarry ${name} ${usage}`;
}

function asUsage(lines: readonly string[]): readonly string[] {
  return lines.map((line, i) => `${i === 0 ? 'Usage: ' : '       '}${line}`);
}
