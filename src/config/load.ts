// Merges flags, environment, file and defaults (in this order of precedence) to one frozen Config
// with the origin of each value. Every value is checked; an unknown key is an error that suggests
// the most similar one.
import { createRequire } from 'node:module';
import { similarNames } from '../base/similar-names.js';
import {
  CONFIG_KEYS,
  type Config,
  type ConfigKey,
  type ConfigValue,
  environmentName,
  specOf,
} from './schema.js';

/** Loads packages that are needed only with a file. */
const require = createRequire(import.meta.url);

/** A configuration error of the operator: printed as one line, exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Origin = 'default' | 'file' | 'environment' | 'flag';

export interface ConfigSources {
  /**
   * Flag values by configuration key or short name (`port`); `true` for a flag without a value, as
   * in `--insecure`.
   */
  readonly flags: Readonly<Record<string, string | true>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Content of the YAML file, if one was given. */
  readonly file?: { readonly path: string; readonly text: string };
}

export type Origins = Readonly<Record<ConfigKey, Origin>>;

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Origins;
  /** Path of the file, if one was given. */
  readonly file?: string;
}

/** Short flags of `quarry serve`. */
export const SHORT_FLAGS: Readonly<Record<string, ConfigKey>> = {
  port: 'server.port',
  host: 'server.host',
  'data-dir': 'data_dir',
  insecure: 'server.insecure',
};

/**
 * Environment variables that are not configuration: those that Kubernetes sets for a Service named
 * quarry, and those by which commands find a server.
 */
const SERVICE_LINK = /^QUARRY_(SERVICE_(HOST|PORT)(_|$)|PORT(_|$)|URL$|API_KEY$)/;

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const values = new Map<ConfigKey, ConfigValue>();
  const origins = new Map<ConfigKey, Origin>();
  const put = (key: ConfigKey, raw: unknown, origin: Origin, place: string): void => {
    values.set(key, check(key, raw, place));
    origins.set(key, origin);
  };
  for (const key of CONFIG_KEYS) put(key, specOf(key).default, 'default', key);
  if (sources.file !== undefined) {
    const { path } = sources.file;
    for (const [name, raw] of readFile(sources.file)) {
      put(known(name, `in ${path}`), raw, 'file', `${name} in ${path}`);
    }
  }
  const byVariable = new Map(CONFIG_KEYS.map((key) => [environmentName(key), key]));
  for (const [name, raw] of Object.entries(sources.environment)) {
    if (raw === undefined || !name.startsWith('QUARRY_') || SERVICE_LINK.test(name)) continue;
    const key = byVariable.get(name);
    if (key === undefined) {
      throw new ConfigError(
        `unknown environment variable [${name}]${hintOf(name, byVariable.keys())}`,
      );
    }
    put(key, raw, 'environment', name);
  }
  for (const [name, raw] of Object.entries(sources.flags)) {
    put(SHORT_FLAGS[name] ?? known(name, 'as a flag'), raw, 'flag', `--${name}`);
  }
  return {
    config: Object.freeze(Object.fromEntries(values)) as Config,
    origins: Object.freeze(Object.fromEntries(origins)) as Origins,
    ...(sources.file === undefined ? {} : { file: sources.file.path }),
  };
}

/** Flat list of (dotted key, value) of a YAML file, whose keys may be nested or dotted. */
function readFile(file: { path: string; text: string }): readonly (readonly [string, unknown])[] {
  let tree: unknown;
  try {
    tree = (require('yaml') as typeof import('yaml')).parse(file.text);
  } catch (error) {
    throw new ConfigError(`${file.path} is not valid YAML: ${(error as Error).message}`);
  }
  if (tree === null || tree === undefined) return [];
  if (typeof tree !== 'object' || Array.isArray(tree)) {
    throw new ConfigError(`${file.path} must hold a mapping of configuration keys`);
  }
  return flatten(tree as Record<string, unknown>, '');
}

function flatten(tree: Record<string, unknown>, prefix: string): (readonly [string, unknown])[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value as Record<string, unknown>, `${path}.`)
      : [[path, value] as const];
  });
}

function known(name: string, place: string): ConfigKey {
  if ((CONFIG_KEYS as readonly string[]).includes(name)) return name as ConfigKey;
  const names = [...CONFIG_KEYS, ...Object.keys(SHORT_FLAGS)];
  throw new ConfigError(`unknown configuration key [${name}] ${place}${hintOf(name, names)}`);
}

function check(key: ConfigKey, raw: unknown, place: string): ConfigValue {
  const spec = specOf(key);
  if (spec.type === 'boolean') {
    if (raw === true || raw === 'true') return true;
    if (raw === false || raw === 'false') return false;
    throw new ConfigError(`${place} must be true or false, not [${String(raw)}]`);
  }
  if (spec.type === 'integer') {
    const value =
      typeof raw === 'number' ? raw : /^-?\d+$/.test(String(raw)) ? Number(raw) : Number.NaN;
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = spec;
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    const unit = spec.unit === undefined ? '' : ` ${spec.unit}`;
    throw new ConfigError(
      `${place} must be a whole number between ${min} and ${max}${unit}, not [${String(raw)}]`,
    );
  }
  if (spec.list === true) {
    const items: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    if (items.every((item) => typeof item === 'string')) return items.join(',');
    throw new ConfigError(`${place} must be a list of strings`);
  }
  if (spec.optional === true && (raw === '' || raw === null)) return '';
  if (typeof raw !== 'string' || raw === '') throw new ConfigError(`${place} must be a string`);
  if (spec.choices !== undefined && !spec.choices.includes(raw)) {
    throw new ConfigError(`${place} must be one of ${spec.choices.join(', ')}, not [${raw}]`);
  }
  return raw;
}

/**
 * Lower than for other names, because short keys are mistyped too: [prot] shares only half of its
 * characters with [port].
 */
const SIMILAR_KEY = 0.45;

/** `, did you mean [x]?` for the most similar key; empty if none is similar. */
function hintOf(name: string, known: Iterable<string>): string {
  const nearest = similarNames(name, known, SIMILAR_KEY)[0];
  return nearest === undefined ? '' : `, did you mean [${nearest}]?`;
}
