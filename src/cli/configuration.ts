// Loads the configuration for a command line: its flags, the environment, and the file given by
// --config.
import { readFileSync } from 'node:fs';
import { ConfigError, type LoadedConfig, loadConfig } from '../config/load.js';
import type { Flags } from './flags.js';

export function readConfig({ settings, values }: Pick<Flags, 'settings' | 'values'>): LoadedConfig {
  const file = values.get('config');
  const sources = { flags: settings, environment: process.env };
  if (file === undefined) return loadConfig(sources);
  return loadConfig({ ...sources, file: { path: file, text: readText(file) } });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot read the configuration file: ${(error as Error).message}`);
  }
}
