// The table of plan nodes as the addon exports it, and the layouts of their payloads, read from its
// source, so that tests of plans need no native build.
import { readFileSync } from 'node:fs';

const SOURCE = 'native/core/query/plan/opcodes.def';

/** A row of the table: its macro, the arguments before the layout, and the layout. */
export interface OpcodeRow {
  readonly macro: string;
  readonly head: readonly string[];
  readonly layout: string;
}

export function readOpcodeRows(): readonly OpcodeRow[] {
  const text = readFileSync(SOURCE, 'utf8').replaceAll(/^(?:\/\/|#).*$/gm, '');
  const row = /\b(PLAN_\w+)\((\w+,(?:\s*\d+,\s*"[\w:]+",(?:\s*\w+,\s*\w+,)?)?)((?:\s*"[^"]*")+)\)/g;
  return [...text.matchAll(row)].map(([, macro = '', head = '', strings = '']) => ({
    macro,
    head: head.split(',').map((argument) => argument.trim().replaceAll('"', '')),
    layout: [...strings.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join(''),
  }));
}

/** DSL name -> opcode number. */
export function readOpcodes(): Readonly<Record<string, number>> {
  const nodes = readOpcodeRows().filter(({ macro }) => macro !== 'PLAN_PART');
  return Object.fromEntries(nodes.map(({ head }) => [head[2] ?? '', Number(head[1])]));
}

const LETTERS: Readonly<Record<string, string>> = {
  u8: 'b',
  u16: 'h',
  u32: 'i',
  u64: 'q',
  i64: 'q',
  f32: 'f',
  f64: 'd',
  str: 's',
  opt: 's',
  scalar: 'bs',
  node: 'n',
  'list<': 'i(?:',
  '>': ')*',
  '[': '(?:',
  ']': ')?',
  '(': '(?:',
  ')': ')',
  '{': '(?:',
  '}': ')',
  '|': '|',
};

/** What surrounds the layout of a node. */
const FRAMES: Readonly<Record<string, (layout: string) => string>> = {
  PLAN_OP: (layout) => layout,
  PLAN_CLAUSE: (layout) => `f32, opt, ${layout}`,
  PLAN_AGG: (layout) => `str, str, ${layout}, list<node>`,
};

/** DSL name -> the expression that matches the kinds of the values of a payload (payload-trace.ts). */
export function readLayouts(): ReadonlyMap<string, RegExp> {
  const all = readOpcodeRows();
  const parts = new Map(
    all.filter(({ macro }) => macro === 'PLAN_PART').map(({ head, layout }) => [head[0], layout]),
  );
  const kinds = (layout: string): string =>
    layout.replaceAll(/list<|\w+|[>[\](){}|]|[-, ]+/g, (token) => {
      const part = parts.get(token);
      // Names of values are left out.
      return part === undefined ? (LETTERS[token] ?? '') : kinds(part);
    });
  const nodes = all.flatMap(({ macro, head, layout }) => {
    const frame = FRAMES[macro];
    if (frame === undefined) return [];
    return [[head[2] ?? '', new RegExp(`^${kinds(frame(layout))}$`)] as const];
  });
  return new Map(nodes);
}
