// The table of plan nodes as the addon exports it, read from its source, so that tests of plans
// need no native build.
import { readFileSync } from 'node:fs';

const source = new URL('../../native/core/query/plan/opcodes.def', import.meta.url);

/** DSL name -> opcode number. */
export function readOpcodes(): Readonly<Record<string, number>> {
  const rows = readFileSync(source, 'utf8').matchAll(/^PLAN_OP\(\w+, (\d+), "([\w:]+)"\)/gm);
  return Object.fromEntries([...rows].map(([, number, name]) => [name ?? '', Number(number)]));
}
