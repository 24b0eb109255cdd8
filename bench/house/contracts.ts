// Counts of the contracts of the core, read from its sources: what a new field type, clause or
// aggregation has to touch.
import { readOpcodeRows } from '../../test/tools/opcodes.ts';
import type { SourceFile } from '../../test/tools/source-files.ts';

type Row = readonly [what: string, value: string];

/** `core`: the sources of native/core, tests aside. */
export function contractRows(core: readonly SourceFile[]): readonly Row[] {
  const nodes = readOpcodeRows().filter(({ macro }) => macro !== 'PLAN_PART');
  const registered = nodes.filter(({ macro }) => macro !== 'PLAN_OP');
  return [
    ['files outside mapping/ that name a field type', fieldTypeUses(core)],
    ...['Scorer', 'Weight', 'DocSet'].map(
      (name): Row => [`virtual functions of ${name}`, String(virtualFunctions(core, name))],
    ),
    ['plan nodes with a layout in opcodes.def', `${nodes.length}, ${registered.length} registered`],
    ['clauses and aggregations that a dispatcher includes', String(dispatched(core))],
    ...['histogram', 'terms', 'composite', 'multi_terms'].map(
      (room): Row => [`ways in which aggs/${room} counts documents`, waysToCount(core, room)],
    ),
    ['files that parse JSON with the scanner', String(including(core, 'json/scanner.h'))],
    ['files that include simdjson', String(including(core, 'simdjson.h'))],
  ];
}

function fieldTypeUses(core: readonly SourceFile[]): string {
  const naming = core.filter(
    ({ path, text }) => !path.startsWith('native/core/mapping/') && text.includes('FieldType::'),
  );
  const uses = naming.reduce((sum, { text }) => sum + text.split('FieldType::').length - 1, 0);
  return `${naming.length}, ${uses} uses`;
}

/** The virtual functions that a class declares, its destructor aside. */
export function virtualFunctions(core: readonly SourceFile[], name: string): number {
  for (const { path, text } of core) {
    if (!path.endsWith('.h')) continue;
    const start = text.search(new RegExp(`^class ${name}(?: final)?(?: : [^{]*)? \\{`, 'm'));
    if (start < 0) continue;
    const body = text.slice(start, text.indexOf('\n};', start));
    return [...body.matchAll(/^ {2}virtual (?!~)/gm)].length;
  }
  throw new Error(`the core has no class ${name}`);
}

/** Headers of clauses and kinds of aggregations in the sources that choose among them. */
function dispatched(core: readonly SourceFile[]): number {
  const dispatchers = ['query/plan/compiler.cc', 'query/aggs/frame/aggregator.cc'];
  const room = /^#include "query\/(?:clauses|functions|nested|vectors|aggs\/(?!frame\/))/gm;
  return core
    .filter(({ path }) => dispatchers.some((file) => path.endsWith(file)))
    .reduce((sum, { text }) => sum + [...text.matchAll(room)].length, 0);
}

/** Functions of a room of aggregations that count documents: of a segment, of a batch, from totals. */
function waysToCount(core: readonly SourceFile[], room: string): string {
  const counting =
    /^ *(?:bool|void|std::vector<uint32_t>) (?:\w+::)?(?:add_totals|(?:collect|count)(?:_\w+)?)\([^;{]*\{/gm;
  const ways = core
    .filter(({ path }) => path.includes(`query/aggs/${room}/`))
    .reduce((sum, { text }) => sum + [...text.matchAll(counting)].length, 0);
  return String(ways);
}

function including(core: readonly SourceFile[], header: string): number {
  return core.filter(
    ({ text }) => text.includes(`#include "${header}"`) || text.includes(`#include <${header}>`),
  ).length;
}
