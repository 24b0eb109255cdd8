// `quarry config`: prints the configuration of a server started with the same arguments, and the
// origin of each value.
import { ConfigError } from '../config/load.js';
import { CONFIG_KEYS, type ConfigKey, specOf } from '../config/schema.js';
import { markdownTable } from '../config/table.js';
import { readFlags } from './arguments.js';
import { readConfig } from './configuration.js';

/** Shown instead of a secret. */
const HIDDEN = '(set)';

export function printConfig(args: readonly string[], print: (line: string) => void): void {
  const { json, markdown, config: file, ...flags } = readFlags(args);
  if (file === true) throw new ConfigError('--config needs the path of a file');
  if (markdown !== undefined) {
    print(markdownTable());
    return;
  }
  const { config, origins } = readConfig({
    flags,
    ...(file === undefined ? {} : { configFile: file }),
  });
  const shown = (key: ConfigKey) =>
    specOf(key).secret === true && config[key] !== '' ? HIDDEN : config[key];
  if (json !== undefined) {
    const rows = CONFIG_KEYS.map((key) => [
      key,
      { value: shown(key), origin: origins[key], reloadable: specOf(key).reloadable },
    ]);
    print(JSON.stringify(Object.fromEntries(rows), null, 2));
    return;
  }
  const width = Math.max(...CONFIG_KEYS.map((key) => key.length));
  for (const key of CONFIG_KEYS) {
    print(`${key.padEnd(width)}  ${origins[key].padEnd(11)}  ${String(shown(key))}`);
  }
}
