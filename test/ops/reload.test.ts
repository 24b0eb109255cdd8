// SIGHUP: settings that a new configuration changes, settings that it cannot change, and the log.
import { describe, expect, test } from 'vitest';
import { ConfigError, type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import { CONFIG_KEYS, specOf } from '../../src/config/schema.ts';
import { LiveConfig } from '../../src/ops/live-config.ts';
import type { Logger } from '../../src/ops/logger.ts';
import { reloadConfig } from '../../src/ops/reload.ts';

function configOf(flags: Record<string, string>): LoadedConfig {
  return loadConfig({ flags, environment: {} });
}

function reload(load: () => LoadedConfig) {
  const { config, origins } = configOf({});
  const live = new LiveConfig(config, origins);
  const lines: string[] = [];
  const log = (level: string) => (first: unknown, text?: string) =>
    lines.push(`${level}: ${text ?? String(first)}`);
  const logger = { level: 'info', info: log('info'), error: log('error') } as unknown as Logger;
  const applied = reloadConfig({
    live,
    load,
    logger,
    isReloadable: (key) => specOf(key).reloadable,
    isSecret: (key) => specOf(key).secret === true,
  });
  return { live, lines, logger, applied };
}

describe('a reload', () => {
  test('may change every limit, what merges do, and the log level', () => {
    const named = CONFIG_KEYS.filter((key) => /^(limits|merge|logging)\./.test(key));
    expect(named).toContain('limits.bulk_bytes');
    expect(named.filter((key) => !specOf(key).reloadable)).toEqual([]);
  });

  test('applies what may change and logs old and new', () => {
    const { live, lines, logger, applied } = reload(() =>
      configOf({
        'limits.max_concurrent_searches': '7',
        'merge.max_merge_count': '4',
        'logging.level': 'debug',
      }),
    );
    expect(live.get('limits.max_concurrent_searches')).toBe(7);
    expect(live.get('merge.max_merge_count')).toBe(4);
    expect(logger.level).toBe('debug');
    expect(applied).toHaveLength(3);
    expect(live.origins).toMatchObject({ 'merge.max_merge_count': 'flag', data_dir: 'default' });
    expect(lines).toContain('info: configuration [limits.max_concurrent_searches]: 256 -> 7');
  });

  test('refuses ports and folders, and keeps the old value', () => {
    const { live, lines, applied } = reload(() => configOf({ port: '1', 'data-dir': '/x' }));
    expect([live.get('server.port'), live.get('data_dir')]).toEqual([9200, './data']);
    expect(live.origins).toMatchObject({ 'server.port': 'default', data_dir: 'default' });
    expect(applied).toEqual([]);
    expect(lines).toContain(
      'error: configuration [server.port] cannot change from 9200 to 1 without a restart, the old value stays',
    );
    expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(2);
  });

  test('logs no secret', () => {
    const { live, lines } = reload(() => configOf({ 'auth.metrics_token': 'sesame' }));
    expect(live.get('auth.metrics_token')).toBe('sesame');
    expect(lines).toContain('info: configuration [auth.metrics_token]: (hidden) -> (hidden)');
    expect(lines.join('')).not.toContain('sesame');
  });

  test('of a broken file changes nothing', () => {
    const { live, lines } = reload(() => {
      throw new ConfigError('q.yml is not valid YAML');
    });
    expect(live.current).toEqual(configOf({}).config);
    expect(lines).toEqual(['error: configuration not reloaded: q.yml is not valid YAML']);
  });
});
