// `quarry config`: prints the configuration of a server started with the same arguments, and the
// origin of each value.
import { CONFIG_KEYS, type ConfigKey, specOf } from '../config/schema.js';
import { markdownTable } from '../config/table.js';
import { readConfig } from './configuration.js';
import { argumentsOf } from './reading.js';
import type { VerbContext } from './verb.js';

/** Shown instead of a secret. */
const HIDDEN = '(set)';

export async function printConfig(context: VerbContext): Promise<number> {
  argumentsOf(context);
  for (const line of linesOf(context)) context.print(line);
  return 0;
}

function linesOf(context: VerbContext): readonly string[] {
  if (context.switches.has('markdown')) return markdownTable().split('\n');
  const { config, origins } = readConfig(context);
  const shown = (key: ConfigKey) =>
    specOf(key).secret === true && config[key] !== '' ? HIDDEN : config[key];
  if (context.json) {
    const rows = CONFIG_KEYS.map((key) => [
      key,
      { value: shown(key), origin: origins[key], reloadable: specOf(key).reloadable },
    ]);
    return JSON.stringify(Object.fromEntries(rows), null, 2).split('\n');
  }
  const width = Math.max(...CONFIG_KEYS.map((key) => key.length));
  return CONFIG_KEYS.map(
    (key) => `${key.padEnd(width)}  ${origins[key].padEnd(11)}  ${String(shown(key))}`,
  );
}
