// `quarry config`: prints the configuration of a server started with the same arguments, and the
// origin of each value.
import { describeConfig } from '../config/describe.js';
import { markdownTable } from '../config/table.js';
import { readConfig } from './configuration.js';
import { argumentsOf } from './reading.js';
import type { VerbContext } from './verb.js';

export async function printConfig(context: VerbContext): Promise<number> {
  argumentsOf(context);
  for (const line of linesOf(context)) context.print(line);
  return 0;
}

function linesOf(context: VerbContext): readonly string[] {
  if (context.switches.has('markdown')) return markdownTable().split('\n');
  const { config, origins } = readConfig(context);
  const described = describeConfig(config, origins);
  if (context.json) return JSON.stringify(described, null, 2).split('\n');
  const rows = Object.entries(described);
  const width = Math.max(...rows.map(([key]) => key.length));
  return rows.map(
    ([key, { origin, value }]) => `${key.padEnd(width)}  ${origin.padEnd(11)}  ${String(value)}`,
  );
}
