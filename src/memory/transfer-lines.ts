// The lines of an export: first the format and the namespace's settings, then memories, links with
// their history and proposals, each with its id, and last their numbers, so that a truncated file
// is detected.
import type { Json, JsonObject } from '../backend/index.js';
import type { CooperativeTask } from '../base/cooperative-task.js';
import { isNestedDeeper } from '../base/json-depth.js';
import { printValue } from '../base/json-text.js';
import { QuarryError } from '../errors.js';
import { checkId } from '../graph/names.js';
import { checkedLink, checkedMemory, checkedSuggestion } from './transfer-documents.js';
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
/** Maximum nesting of arrays and objects, as in request bodies. */
const MAX_DEPTH = 100;
/**
 * A memory is stored by a request of 16 MiB at most; its latest earlier version is as long at most,
 * and the others have 4 MiB.
 */
const MAX_LINE_BYTES = 48 * 1024 * 1024;
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

/** Reads and checks all lines before anything is written. */
export function* readLines(bytes: Uint8Array): CooperativeTask<Lines> {
  let settings: JsonObject | undefined;
  let end: JsonObject | undefined;
  const items: Item[] = [];
  for (const [number, line] of linesOf(bytes)) {
    yield;
    if (line.trim() === '') continue;
    if (end !== undefined) throw fault(number, 'comes after [end]');
    const [kind, value] = readLine(line, number);
    if (kind === 'end') end = value;
    else if (kind !== 'quarry') items.push(readItem(kind, value, number));
    else if (settings === undefined && items.length === 0) settings = readHeader(value, number);
    else throw fault(number, 'has [quarry], which is allowed in the first line only');
  }
  if (settings === undefined && items.length === 0)
    throw new QuarryError('parse_exception', 'the import has no lines, send those of an export');
  checkEnd(settings, end, items);
  return { settings, items };
}

function* linesOf(bytes: Uint8Array): Generator<readonly [number: number, line: string]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  for (let at = 0; at < bytes.length; ) {
    number++;
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end - at > MAX_LINE_BYTES)
      throw fault(number, `has ${end - at} bytes, at most ${MAX_LINE_BYTES} are allowed`);
    try {
      yield [number, decoder.decode(bytes.subarray(at, end))];
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new QuarryError(
        'x_content_parse_exception',
        `line ${number} of the import is not valid UTF-8, send JSON encoded as UTF-8`,
      );
    }
    at = end + 1;
  }
}

function readLine(line: string, number: number): readonly [(typeof STARTS)[number], JsonObject] {
  if (isNestedDeeper(line, MAX_DEPTH)) throw tooDeep(number);
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

function tooDeep(number: number): QuarryError {
  return new QuarryError(
    'x_content_parse_exception',
    `line ${number} of the import is nested deeper than ${MAX_DEPTH} levels`,
  );
}

function readHeader(value: JsonObject, number: number): JsonObject {
  if (value['format'] !== FORMAT) {
    const format = printValue(value['format'] ?? null);
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
  try {
    return { kind, id, document: CHECKED[kind](id, document) };
  } catch (error) {
    if (error instanceof QuarryError) throw fault(number, `has a wrong ${kind}: ${error.message}`);
    throw error;
  }
}

const CHECKED: Readonly<Record<Kind, (id: string, document: JsonObject) => JsonObject>> = {
  memory: checkedMemory,
  link: (_id, document) => checkedLink(document),
  suggestion: (_id, document) => checkedSuggestion(document),
};

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
    const reported = end[kind] ?? 0;
    if (reported === there) continue;
    throw illegal(
      `the import is cut off: [end] counts ${printValue(reported)} lines of [${kind}], there are ${there}`,
    );
  }
}

function fault(number: number, what: string): QuarryError {
  return illegal(`line ${number} of the import ${what}`);
}

function illegal(reason: string): QuarryError {
  return new QuarryError('illegal_argument_exception', reason);
}
