// Reloads the configuration at SIGHUP and applies the changes that need no restart. Other changes
// are logged as errors, and the old values are kept.
import type { LoadedConfig, Origins } from '../config/load.js';
import type { Config } from '../config/schema.js';
import type { LiveConfig } from './live-config.js';
import type { Logger } from './logger.js';

export interface ConfigChange {
  readonly key: keyof Config;
  readonly from: Config[keyof Config];
  readonly to: Config[keyof Config];
}

export interface ReloadOptions {
  readonly live: LiveConfig;
  /** Reads flags, environment and file again; throws a description of what is wrong with them. */
  readonly load: () => LoadedConfig;
  readonly isReloadable: (key: keyof Config) => boolean;
  /** Whether values of the key must not be logged. */
  readonly isSecret: (key: keyof Config) => boolean;
  readonly logger: Logger;
}

export function changesBetween(from: Config, to: Config): readonly ConfigChange[] {
  return (Object.keys(to) as (keyof Config)[])
    .filter((key) => from[key] !== to[key])
    .map((key) => ({ key, from: from[key], to: to[key] }));
}

/**
 * Applies a new configuration and returns the applied changes. Never throws: an invalid file
 * changes nothing.
 */
export function reloadConfig(options: ReloadOptions): readonly ConfigChange[] {
  const { live, logger, isReloadable } = options;
  let loaded: LoadedConfig;
  try {
    loaded = options.load();
  } catch (error) {
    logger.error(`configuration not reloaded: ${(error as Error).message}`);
    return [];
  }
  const changes = changesBetween(live.base, loaded.config);
  const applied = changes.filter(({ key }) => isReloadable(key));
  for (const change of changes) {
    const { key, from, to } = options.isSecret(change.key)
      ? { key: change.key, from: '(hidden)', to: '(hidden)' }
      : change;
    if (isReloadable(key))
      logger.info({ key, from, to }, `configuration [${key}]: ${from} -> ${to}`);
    else {
      logger.error(
        { key, from, to },
        `configuration [${key}] cannot change from ${from} to ${to} without a restart, the old value stays`,
      );
    }
  }
  live.replace(
    Object.freeze({
      ...live.base,
      ...Object.fromEntries(applied.map(({ key, to }) => [key, to])),
    }) as Config,
    originsAfter(live.origins, loaded.origins, changes, isReloadable),
  );
  logger.level = live.get('logging.level');
  logger.info(`configuration reloaded, ${applied.length} settings changed`);
  return applied;
}

/** A value that stays because only a restart changes it keeps its origin. */
function originsAfter(
  before: Origins | undefined,
  after: Origins,
  changes: readonly ConfigChange[],
  isReloadable: ReloadOptions['isReloadable'],
): Origins {
  const kept = changes.filter(({ key }) => !isReloadable(key)).map(({ key }) => key);
  return { ...after, ...Object.fromEntries(kept.map((key) => [key, (before ?? after)[key]])) };
}
