// Parses the command line to a command and its flags. The known flags are defined by the
// configuration.
import { ConfigError, SHORT_FLAGS } from '../config/load.js';
import { CONFIG_KEYS, type ConfigKey, specOf } from '../config/schema.js';

export interface CommandLine {
  readonly command: 'serve' | 'help' | 'version';
  /** The path given by --config. */
  readonly configFile?: string;
  readonly flags: Readonly<Record<string, string | true>>;
}

/**
 * Throws ConfigError for an invalid command line. `args` excludes the interpreter and the script.
 */
export function readArguments(args: readonly string[]): CommandLine {
  if (args.includes('--help') || args.includes('-h')) return { command: 'help', flags: {} };
  if (args.includes('--version') || args.includes('-v')) return { command: 'version', flags: {} };
  const [command, ...rest] = args;
  if (command === undefined || command === 'help') return { command: 'help', flags: {} };
  if (command === 'version') return { command: 'version', flags: {} };
  if (command !== 'serve') {
    throw new ConfigError(
      `unknown command [${command}], there are serve, config, keys, autoindex, map, backup, restore, check, mcp, search, recall, remember, ego, link, export, import, eval, bench, doctor, completion, help and version`,
    );
  }
  const flags = readFlags(rest);
  const { config, ...others } = flags;
  if (config === undefined) return { command, flags: others };
  if (config === true) throw new ConfigError('--config needs the path of a file');
  return { command, configFile: config, flags: others };
}

/**
 * Flags with their values (`--port 1`, `--port=1`, `--insecure false`); true for a flag without a
 * value.
 */
export function readFlags(args: readonly string[]): Record<string, string | true> {
  const flags: Record<string, string | true> = {};
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (!arg.startsWith('--') || arg === '--') {
      throw new ConfigError(`unexpected argument [${arg}], flags look like --port 9200`);
    }
    const equals = arg.indexOf('=');
    const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
    if (Object.hasOwn(flags, name)) throw new ConfigError(`--${name} is given twice`);
    const value = args[i + 1];
    if (equals >= 0) flags[name] = arg.slice(equals + 1);
    else if (SWITCHES.includes(name)) flags[name] = true;
    else if (isBoolean(name) && value !== 'true' && value !== 'false') flags[name] = true;
    else {
      if (value === undefined || value.startsWith('--')) {
        throw new ConfigError(`--${name} needs a value`);
      }
      flags[name] = value;
      i += 1;
    }
  }
  return flags;
}

/** Flags without a value that are not configuration keys. */
const SWITCHES = ['json', 'markdown'];

/** Whether the flag is a boolean configuration key, whose value may be omitted. */
function isBoolean(name: string): boolean {
  const key = SHORT_FLAGS[name] ?? name;
  return (
    (CONFIG_KEYS as readonly string[]).includes(key) && specOf(key as ConfigKey).type === 'boolean'
  );
}
