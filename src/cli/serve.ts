// `quarry serve`: configuration from all its places, the service, and the signals that reload and stop it.
import { readFileSync } from 'node:fs';
import { checkBinding } from '../config/binding.js';
import { ConfigError, loadConfig } from '../config/load.js';
import type { Config } from '../config/schema.js';
import { startService } from '../main.js';
import type { CommandLine } from './arguments.js';

/** Resolves when the service has stopped in order; rejects when it could not start. */
export async function serve(line: CommandLine): Promise<void> {
  const load = (): Config => readConfig(line);
  const config = load();
  const warning = checkBinding(config);
  const stopSignal = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });
  const service = await startService({ config, reload: load, warnings: warning ? [warning] : [] });
  process.on('SIGHUP', () => service.reload());
  try {
    const early = service.ready.then(() => stopSignal);
    const signal = await Promise.race([stopSignal, early]);
    service.logger.info(`${signal} received, stopping`);
  } finally {
    await service.stop();
  }
}

function readConfig(line: CommandLine): Config {
  const file = line.configFile;
  const sources = { flags: line.flags, environment: process.env };
  if (file === undefined) return loadConfig(sources).config;
  return loadConfig({ ...sources, file: { path: file, text: readText(file) } }).config;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read the configuration file: ${(error as Error).message}`);
  }
}
