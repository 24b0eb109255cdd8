// Parses the flags that the definition of a command permits, with parseArgs of node:util.
import { parseArgs } from 'node:util';
import { ConfigError, SHORT_FLAGS } from '../config/load.js';
import { CONFIG_KEYS, type ConfigKey, specOf } from '../config/schema.js';
import { flagsOf, switchesOf, type Verb } from './verb.js';

export interface Flags {
  /** Flags with a value. */
  readonly values: ReadonlyMap<string, string>;
  /** Flags without a value. */
  readonly switches: ReadonlySet<string>;
  /** Positional arguments, in order. */
  readonly rest: readonly string[];
  /**
   * Configuration keys as they were given, if the command accepts them; true for a key without a
   * value.
   */
  readonly settings: Readonly<Record<string, string | true>>;
}

/**
 * `args` are the arguments after the name of the command. Throws ConfigError for an unknown flag, a
 * flag without its value, or a repeated flag. Configuration keys are checked by the configuration
 * loader.
 */
export function readFlags(verb: Verb, args: readonly string[]): Flags {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const rest: string[] = [];
  const settings: Record<string, string | true> = {};
  const valued = Object.keys(flagsOf(verb));
  const switched = Object.keys(switchesOf(verb));
  const isSetting = (name: string): boolean =>
    verb.configured === true && !valued.includes(name) && !switched.includes(name);
  for (const token of tokensOf(args, valued, switched, isSetting)) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const isLong = rawName.startsWith('--');
    if (values.has(name) || switches.has(name) || Object.hasOwn(settings, name)) {
      throw new ConfigError(`--${name} is given twice`);
    }
    if (isLong && isSetting(name)) {
      settings[name] = value ?? (isBoolean(name) ? true : missingValue(name));
      if (inlineValue === false && value?.startsWith('--')) missingValue(name);
    } else if (isLong && switched.includes(name) && value === undefined) {
      switches.add(name);
    } else if (isLong && valued.includes(name)) {
      const isFlag = inlineValue === false && value?.startsWith('--') === true;
      if (value === undefined || value === '' || isFlag) missingValue(name);
      else values.set(name, value);
    } else {
      const all = [...valued, ...switched].map((flag) => `--${flag}`).join(', ');
      const given = value === undefined ? rawName : `${rawName}=${value}`;
      throw new ConfigError(`${verb.name} has no [${given}], there are ${all}`);
    }
  }
  return { values, switches, rest, settings };
}

function missingValue(name: string): never {
  throw new ConfigError(`--${name} needs a value`);
}

function tokensOf(
  args: readonly string[],
  valued: readonly string[],
  switched: readonly string[],
  isSetting: (name: string) => boolean,
) {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const name of valued) options[name] = { type: 'string' };
  for (const name of switched) options[name] = { type: 'boolean' };
  const joined = withBooleanValues(args);
  for (const arg of joined) {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    // A misspelt key takes a value too, so that the loader can suggest the most similar key.
    if (name !== undefined && isSetting(name)) {
      options[name] = { type: isBoolean(name) ? 'boolean' : 'string' };
    }
  }
  return parseArgs({
    args: joined,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

/**
 * The value of a boolean key may be omitted; `--insecure false` is converted to `--insecure=false`.
 */
function withBooleanValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [arg = '', value] = [args[i], args[i + 1]];
    const takes = arg.startsWith('--') && isBoolean(arg.slice(2));
    if (takes && (value === 'true' || value === 'false')) {
      joined.push(`${arg}=${value}`);
      i++;
    } else joined.push(arg);
  }
  return joined;
}

/** Whether the flag is a boolean configuration key. */
function isBoolean(name: string): boolean {
  const key = SHORT_FLAGS[name] ?? name;
  const isKey = (CONFIG_KEYS as readonly string[]).includes(key);
  return isKey && specOf(key as ConfigKey).type === 'boolean';
}
