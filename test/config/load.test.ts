// Sources of the configuration, their precedence, and invalid values.
import { describe, expect, test } from 'vitest';
import { checkBinding, isLoopback } from '../../src/config/binding.ts';
import { ConfigError, type ConfigSources, loadConfig } from '../../src/config/load.ts';
import { CONFIG_KEYS, type ConfigKey, environmentName, specOf } from '../../src/config/schema.ts';
import { readSources } from '../tools/source-files.ts';

function load(sources: Partial<ConfigSources> & { readonly yaml?: string }) {
  const { yaml, ...rest } = sources;
  return loadConfig({
    flags: {},
    environment: {},
    ...(yaml === undefined ? {} : { file: { path: 'q.yml', text: yaml } }),
    ...rest,
  });
}

describe('configuration', () => {
  test('has the documented defaults', () => {
    const { config } = load({});
    expect(config['server.host']).toBe('127.0.0.1');
    expect(config['server.port']).toBe(9200);
    expect(config['wal.sync_interval_ms']).toBe(100);
    expect(config['shutdown.grace_ms']).toBe(0);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('flags win over the environment, the environment over the file', () => {
    const yaml = 'server:\n  port: 1\nlogging.level: warn\ndata_dir: /a\n';
    const environment = { QUARRY_SERVER_PORT: '2', QUARRY_DATA_DIR: '/b', HOME: '/h' };
    const { config, origins } = load({ yaml, environment, flags: { port: '3' } });
    expect([config['server.port'], config.data_dir, config['logging.level']]).toEqual([
      3,
      '/b',
      'warn',
    ]);
    expect([origins['server.port'], origins.data_dir, origins['logging.level']]).toEqual([
      'flag',
      'environment',
      'file',
    ]);
  });

  test('an empty file is no configuration', () => {
    expect(load({ yaml: '# nothing\n' }).config['server.port']).toBe(9200);
  });

  test.each<[Parameters<typeof load>[0], string]>([
    [{}, ''],
    [{ yaml: 'inference: { allowed_hosts: [a, "b:80"] }' }, 'a,b:80'],
    [{ yaml: 'inference.allowed_hosts: []' }, ''],
    [{ yaml: 'inference.allowed_hosts: a' }, 'a'],
    [{ flags: { 'inference.allowed_hosts': 'a,b' } }, 'a,b'],
    [{ environment: { QUARRY_INFERENCE_ALLOWED_HOSTS: '' } }, ''],
  ])('a list of %o is [%s]', (sources, expected) => {
    expect(load(sources).config['inference.allowed_hosts']).toBe(expected);
  });

  test.each<[Parameters<typeof load>[0], string]>([
    [{ yaml: 'inference.allowed_hosts: [1]' }, 'must be a list of strings'],
    [{ flags: { 'inference.allowed_hosts': true } }, 'must be a list of strings'],
    [{ flags: { prot: '1' } }, 'unknown configuration key [prot] as a flag, did you mean [port]?'],
    [
      { yaml: 'server: {prot: 1}' },
      'unknown configuration key [server.prot] in q.yml, did you mean [server.port]?',
    ],
    [
      { environment: { QUARRY_SERVER_PROT: '1' } },
      'unknown environment variable [QUARRY_SERVER_PROT], did you mean [QUARRY_SERVER_PORT]?',
    ],
    [
      { flags: { port: '70000' } },
      '--port must be a whole number between 0 and 65535, not [70000]',
    ],
    [{ flags: { port: '1.5' } }, '--port must be a whole number'],
    [{ flags: { port: true } }, '--port must be a whole number'],
    [
      { environment: { QUARRY_SHUTDOWN_GRACE_MS: 'x' } },
      'QUARRY_SHUTDOWN_GRACE_MS must be a whole number between 0 and 14000 ms',
    ],
    [
      { yaml: 'server.insecure: maybe' },
      'server.insecure in q.yml must be true or false, not [maybe]',
    ],
    [
      { yaml: 'logging.level: loud' },
      'must be one of trace, debug, info, warn, error, silent, not [loud]',
    ],
    [{ yaml: 'data_dir: ""' }, 'must be a string'],
    [{ yaml: 'data_dir: [a]' }, 'must be a string'],
    [{ yaml: '- a' }, 'must hold a mapping'],
    [{ yaml: 'a: [' }, 'is not valid YAML'],
  ])('%o is refused', (sources, reason) => {
    expect(() => load(sources)).toThrowError(ConfigError);
    expect(() => load(sources)).toThrowError(reason);
  });

  test('every default passes its own check', () => {
    const flags = Object.fromEntries(CONFIG_KEYS.map((key) => [key, String(specOf(key).default)]));
    expect(load({ flags }).config).toEqual(load({}).config);
  });

  test('every key has an environment variable of its own', () => {
    expect(new Set(CONFIG_KEYS.map(environmentName)).size).toBe(CONFIG_KEYS.length);
  });

  test('every key is read somewhere', () => {
    const code = readSources('src', ['.ts'])
      .filter(({ path }) => path !== 'src/config/schema.ts')
      .map(({ text }) => text)
      .join('\n');
    const unread = CONFIG_KEYS.filter((key: ConfigKey) => !code.includes(`'${key}'`));
    expect(unread).toEqual([]);
  });
});

describe('the address to listen on', () => {
  test.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['localhost', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.168.1.1', false],
    ['127.example.org', false],
  ])('[%s] is loopback: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });

  test('beyond loopback needs --insecure, which warns', () => {
    const open = { host: '0.0.0.0' };
    expect(() => checkBinding(load({ flags: open }).config)).toThrowError('--insecure');
    expect(checkBinding(load({ flags: { ...open, insecure: true } }).config)).toContain(
      'without authentication',
    );
    expect(checkBinding(load({}).config)).toBeUndefined();
  });
});
