// Describes every configuration key with its value and where the value comes from, for
// `quarry config` and GET /v1/configuration. Secrets are never shown.
import type { Origins } from './load.js';
import {
  CONFIG_KEYS,
  type Config,
  type ConfigKey,
  type ConfigValue,
  environmentName,
  specOf,
} from './schema.js';

export interface ConfigDescription {
  readonly value: ConfigValue;
  /** `cluster_setting`: a setting of PUT /_cluster/settings overrides the configured value. */
  readonly origin: Origins[ConfigKey] | 'cluster_setting';
  readonly default: ConfigValue;
  readonly unit?: string;
  /** Whether SIGHUP applies a new value; otherwise a restart is necessary. */
  readonly reloadable: boolean;
  /** The environment variable that sets it. */
  readonly environment: string;
  readonly about: string;
}

/** Shown instead of a secret. */
const HIDDEN = '(set)';
/** User and password in a URL. */
const USER_INFO = /(?<=^[a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

export function describeConfig(
  config: Config,
  origins: Origins,
  isOverridden: (key: ConfigKey) => boolean = () => false,
): Readonly<Record<string, ConfigDescription>> {
  const rows = CONFIG_KEYS.map((key): [string, ConfigDescription] => {
    const { default: unset, unit, reloadable, about } = specOf(key);
    return [
      key,
      {
        value: visibleValue(key, config[key]),
        origin: isOverridden(key) ? 'cluster_setting' : origins[key],
        default: unset,
        ...(unit === undefined ? {} : { unit }),
        reloadable,
        environment: environmentName(key),
        about,
      },
    ];
  });
  return Object.fromEntries(rows);
}

function visibleValue(key: ConfigKey, value: ConfigValue): ConfigValue {
  if (specOf(key).secret === true && value !== '') return HIDDEN;
  return typeof value === 'string' ? value.replace(USER_INFO, `${HIDDEN}@`) : value;
}
