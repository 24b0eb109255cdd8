// The lines of an export: first the format and the namespace's settings, then memories, links with their history, proposals,
// each by id, and at last how many there were, so that a file that was cut off is seen.
import type { Json, JsonObject } from '../backend.js';
import { QuarryError } from '../errors.js';
import { checkId } from '../graph/names.js';
import { canonical, isObject, readJson } from './transfer-merge.js';

export const KINDS = ['memory', 'link', 'suggestion'] as const;
export type Kind = (typeof KINDS)[number];

export interface Item {
  readonly kind: Kind;
  readonly id: string;
  readonly document: JsonObject;
}

export interface Lines {
  /** Undefined: the lines are a part of an export. */
  readonly settings: JsonObject | undefined;
  readonly items: readonly Item[];
}

export type Counts = Readonly<Record<Kind, number>>;

const FORMAT = 1;
const STARTS = [...KINDS, 'quarry', 'end'] as const;

export function headerLine(settings: JsonObject): string {
  return `${canonical({ quarry: { format: FORMAT, settings } })}\n`;
}

export function itemLine({ kind, id, document }: Item): string {
  return `${canonical({ [kind]: { id, document } })}\n`;
}

export function endLine(counts: Counts): string {
  return `${canonical({ end: { ...counts } })}\n`;
}

/** Everything is checked before anything is written. */
export function readLines(text: string): Lines {
  let settings: JsonObject | undefined;
  let end: JsonObject | undefined;
  const items: Item[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const number = at + 1;
    if (end !== undefined) throw fault(number, 'stands behind [end]');
    const [kind, value] = readLine(line, number);
    if (kind === 'end') end = value;
    else if (kind !== 'quarry') items.push(readItem(kind, value, number));
    else if (settings === undefined && items.length === 0) settings = readHeader(value, number);
    else throw fault(number, 'has [quarry], which stands in the first line only');
  }
  if (settings === undefined && items.length === 0)
    throw new QuarryError('parse_exception', 'the import has no lines, send those of an export');
  checkEnd(settings, end, items);
  return { settings, items };
}

function readLine(line: string, number: number): readonly [(typeof STARTS)[number], JsonObject] {
  let value: Json;
  try {
    value = readJson(line);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new QuarryError(
      'x_content_parse_exception',
      `line ${number} of the import is no JSON: ${why}`,
    );
  }
  const [entry, ...more] = isObject(value) ? Object.entries(value) : [];
  const kind = STARTS.find((one) => one === entry?.[0]);
  const inside = entry?.[1];
  if (kind !== undefined && more.length === 0 && isObject(inside)) return [kind, inside];
  throw fault(number, `must be an object with one of [${STARTS.join(', ')}], itself an object`);
}

function readHeader(value: JsonObject, number: number): JsonObject {
  if (value['format'] !== FORMAT) {
    const format = JSON.stringify(value['format'] ?? null);
    throw fault(number, `has [format] ${format}, this server reads [${FORMAT}]`);
  }
  const settings = value['settings'] ?? {};
  if (isObject(settings)) return settings;
  throw fault(number, 'has [settings] that are no object');
}

function readItem(kind: Kind, { id, document, ...rest }: JsonObject, number: number): Item {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw fault(number, `has an unknown key [${unknown}] in [${kind}]`);
  if (typeof id !== 'string') throw fault(number, `needs an [id] in [${kind}], a string`);
  checkId(id, `id in line ${number}`);
  if (!isObject(document)) throw fault(number, `needs a [document] in [${kind}], an object`);
  if (kind !== 'memory') checkEnds(document, kind, number);
  return { kind, id, document };
}

function checkEnds(document: JsonObject, kind: Kind, number: number): void {
  for (const key of ['src', 'dst', 'type'] as const) {
    const value = document[key];
    if (typeof value !== 'string') throw fault(number, `needs [${key}] in its ${kind}, a string`);
    checkId(value, `${key} in line ${number}`);
  }
}

function checkEnd(
  settings: JsonObject | undefined,
  end: JsonObject | undefined,
  items: readonly Item[],
): void {
  if (end === undefined) {
    if (settings === undefined) return;
    throw illegal(
      'the import is cut off: it has a first line and no [end]; send all of the export',
    );
  }
  for (const kind of KINDS) {
    const there = items.filter((item) => item.kind === kind).length;
    const told = end[kind] ?? 0;
    if (told === there) continue;
    throw illegal(
      `the import is cut off: [end] tells of ${JSON.stringify(told)} lines of [${kind}], there are ${there}`,
    );
  }
}

function fault(number: number, what: string): QuarryError {
  return illegal(`line ${number} of the import ${what}`);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
