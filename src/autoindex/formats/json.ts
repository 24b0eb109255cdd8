// JSON and NDJSON. A JSON list gives a document for each element and is read as a stream; an object
// is one document, or the list of objects that it wraps. NDJSON gives a document for each line.
import {
  BrokenFile,
  type ByteSource,
  type FileRecord,
  linesOf,
  MAX_RECORD_BYTES,
  textOf,
} from '../source.js';

export async function* readNdjson(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  let line = 0;
  for await (const text of linesOf(source, encoding)) {
    line += 1;
    if (text.trim() === '') continue;
    yield { at: String(line), doc: asDocument(parse(text, `line ${line}`)) };
  }
}

/**
 * Consecutive scalars of a list form one document, up to this number, because a single scalar is no
 * useful document.
 */
const SCALARS_AT_ONCE = 1000;

export async function* readJson(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  const cutter = new ValueCutter();
  const records = new ValueRecords();
  for await (const piece of textOf(source, encoding)) {
    for (const text of cutter.take(piece)) yield* records.take(text, cutter.inList);
  }
  for (const text of cutter.end()) yield* records.take(text, cutter.inList);
  yield* records.end();
}

/** Documents of the values of a file, in their order. */
class ValueRecords {
  #count = 0;
  #scalars: unknown[] = [];

  *take(text: string, inList: boolean): Iterable<FileRecord> {
    this.#count += 1;
    const value = parse(text, `value ${this.#count}`);
    if (!inList) {
      yield* valueRecords(value, this.#count);
    } else if (typeof value !== 'object' || value === null) {
      this.#scalars.push(value);
      if (this.#scalars.length === SCALARS_AT_ONCE) yield* this.#flush(this.#count);
    } else {
      yield* this.#flush(this.#count - 1);
      if (Object.keys(value).length > 0) {
        yield { at: String(this.#count), doc: asDocument(value) };
      }
    }
  }

  *end(): Iterable<FileRecord> {
    yield* this.#flush(this.#count);
  }

  /** `last`: the position of the last collected scalar. */
  *#flush(last: number): Iterable<FileRecord> {
    const scalars = this.#scalars;
    if (scalars.length === 0) return;
    this.#scalars = [];
    const value = scalars.length === 1 ? scalars[0] : scalars;
    yield { at: String(last - scalars.length + 1), doc: { value } };
  }
}

function* valueRecords(value: unknown, count: number): Iterable<FileRecord> {
  const wrapped = wrappedList(value);
  if (wrapped === undefined) {
    yield { at: String(count), doc: asDocument(value) };
    return;
  }
  for (const [i, element] of wrapped.entries()) {
    yield { at: `${count}.${i + 1}`, doc: asDocument(element) };
  }
}

/**
 * The only list of objects in an object with otherwise scalar members: `{"took": 3, "rows": [{…},
 * {…}]}`.
 */
function wrappedList(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = Object.values(value);
  const lists = members.filter((member) => Array.isArray(member));
  const [list] = lists;
  if (lists.length !== 1 || list === undefined || list.length < 2) return undefined;
  if (members.some((member) => typeof member === 'object' && member !== null && member !== list)) {
    return undefined;
  }
  const objects = list.every((element) => isObject(element));
  return objects ? list : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asDocument(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : { value };
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BrokenFile(`${what} is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Splits a stream into the elements of its list, or into consecutive values. */
class ValueCutter {
  /** True once the text has begun with a bracket. */
  inList = false;
  #text = '';
  /** Position up to which `#text` has been scanned. */
  #at = 0;
  #depth = 0;
  #quoted = false;
  #started = false;
  #ended = false;

  *take(piece: string): Iterable<string> {
    this.#text += piece;
    let from = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const cut = this.#step(this.#text[this.#at] ?? '');
      if (cut === 'skip') from = this.#at + 1;
      else if (cut === 'value') {
        // A comma or the closing bracket is not part of the value that it ends; a brace is.
        const value = this.#text.slice(from, this.inList ? this.#at : this.#at + 1).trim();
        from = this.#at + 1;
        if (value !== '') yield value;
      } else if (cut === 'escape') {
        this.#at += 1;
      }
    }
    this.#text = this.#text.slice(from);
    this.#at -= from;
    if (this.#text.length > MAX_RECORD_BYTES) {
      throw new BrokenFile(`a value of more than ${MAX_RECORD_BYTES >> 20} MiB`);
    }
  }

  *end(): Iterable<string> {
    if (this.#depth > 0 || this.#quoted || (this.inList && !this.#ended)) {
      throw new BrokenFile('the JSON ends before it is closed');
    }
    const rest = this.#text.trim();
    if (rest === '') return;
    if (this.#ended) throw new BrokenFile('something follows the list of the JSON');
    yield rest;
  }

  #step(letter: string): 'skip' | 'value' | 'escape' | undefined {
    if (this.#quoted) {
      if (letter === '\\') return 'escape';
      if (letter === '"') this.#quoted = false;
      return undefined;
    }
    if (letter === '"') {
      this.#started = true;
      this.#quoted = true;
      return undefined;
    }
    if (letter === '{' || letter === '[') return this.#open(letter);
    if (letter === '}' || letter === ']') return this.#close();
    if (letter === ',' && this.#depth === 0 && this.inList) return 'value';
    if (letter.trim() !== '') this.#started = true;
    return undefined;
  }

  #open(letter: string): 'skip' | undefined {
    if (!this.#started && letter === '[') {
      this.#started = true;
      this.inList = true;
      return 'skip';
    }
    this.#started = true;
    this.#depth += 1;
    return undefined;
  }

  #close(): 'value' | undefined {
    if (this.#depth === 0) {
      if (!this.inList || this.#ended)
        throw new BrokenFile('the JSON closes what it has not opened');
      this.#ended = true;
      return 'value';
    }
    this.#depth -= 1;
    return this.#depth === 0 && !this.inList ? 'value' : undefined;
  }
}
