// Reads the sizes of the files of a data folder: bytes by kind of section, from the tables at the
// ends of segment files (native/core/segment/section_file.cc), with the names of the fields from
// their field table.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = [
  '',
  'fields',
  'terms',
  'blocks',
  'postings',
  'positions',
  'column',
  'norms',
  'presence',
  'source_blocks',
  'source_index',
  'id_table',
  'vector_head',
  'vector_docs',
  'vector_rows',
  'vector_full',
  'vector_sketch',
  'vector_bounds',
  'vector_graph',
  'completion_weights',
];
const KIND_FIELDS = 1;
const FIELDS_HEAD_BYTES = 32;
const NO_FIELD = 0xffffffff;
const ROW_BYTES = 32;
const TAIL_BYTES = 32;

interface Section {
  readonly kind: number;
  readonly field: number;
  readonly bytes: Buffer;
}

/** Bytes by name of a section and its field, if any; sorted by size, descending. */
export function sectionBytes(indices: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, bytes: number): void => {
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  };
  const files = readdirSync(indices, { recursive: true }).map(String);
  for (const sidx of files.filter((name) => name.endsWith('.sidx'))) {
    const fields = fieldNames(sectionsOf(readFileSync(join(indices, sidx))));
    const stem = sidx.slice(0, -'sidx'.length);
    for (const name of files.filter((other) => other.startsWith(stem))) {
      const file = readFileSync(join(indices, name));
      let rest = file.length;
      for (const { kind, field, bytes } of sectionsOf(file)) {
        rest -= bytes.length;
        const of = field === NO_FIELD ? '' : ` of ${fields[field] ?? field}`;
        add(`${NAMES[kind] ?? kind}${of}`, bytes.length);
      }
      add('between sections', rest);
    }
  }
  return new Map([...sums].sort(([, a], [, b]) => b - a));
}

function sectionsOf(file: Buffer): readonly Section[] {
  const tail = file.length - TAIL_BYTES;
  const table = Number(file.readBigUInt64LE(tail));
  return Array.from({ length: file.readUInt32LE(tail + 8) }, (_, i) => {
    const at = table + i * ROW_BYTES;
    const offset = Number(file.readBigUInt64LE(at + 8));
    const length = Number(file.readBigUInt64LE(at + 16));
    const bytes = file.subarray(offset, offset + length);
    return { kind: file.readUInt16LE(at), field: file.readUInt32LE(at + 4), bytes };
  });
}

/** Sorted by field number. */
function fieldNames(sections: readonly Section[]): readonly string[] {
  const table = sections.find(({ kind }) => kind === KIND_FIELDS)?.bytes;
  if (table === undefined) throw new Error('a segment without a table of fields');
  const names: string[] = [];
  let at = FIELDS_HEAD_BYTES;
  while (at < table.length) {
    const end = at + 4 + table.readUInt32LE(at);
    names.push(table.toString('utf8', at + 4, end));
    at = end + 2;
  }
  return names;
}
