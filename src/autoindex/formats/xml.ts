// XML: a document for each element that repeats below the root, or below the only child of the root
// (the entries of a feed); the rest of the file is one more document. Where nothing repeats, the
// whole file is one document.
import { Parser } from 'htmlparser2';
import { BrokenFile, type ByteSource, type FileRecord, headOf, textOf } from '../source.js';
import { asDocument } from './json.js';

/** Maximum nesting of elements; deeper files are malicious. */
const MAX_DEPTH = 200;
/** Maximum number of elements of one document. */
const MAX_NODES = 100_000;
/** Bytes in which repeated elements are searched. */
const HEAD_BYTES = 256 * 1024;

interface Node {
  readonly name: string;
  readonly members: Record<string, unknown>;
  text: string;
}

/** The elements that become documents: their name and the number of their ancestors. */
interface Rows {
  readonly name: string;
  readonly depth: number;
}

/** Only standard entities are resolved; those that the file declares are not. */
export async function* readXml(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  const cutter = new RowCutter(await rowsOf(source, encoding));
  for await (const text of textOf(source, encoding)) yield* cutter.take(text);
  yield* cutter.end();
}

async function rowsOf(source: ByteSource, encoding: string): Promise<Rows | undefined> {
  const head = new TextDecoder(encoding).decode(await headOf(source, HEAD_BYTES));
  let depth = 0;
  const counts: [Map<string, number>, Map<string, number>] = [new Map(), new Map()];
  const parser = new Parser(
    {
      onopentag(name) {
        const level = counts[depth - 1];
        if (level !== undefined) level.set(name, (level.get(name) ?? 0) + 1);
        depth += 1;
      },
      onclosetag() {
        depth -= 1;
      },
    },
    { xmlMode: true },
  );
  // end() is not called, because it would close the elements that the head leaves open.
  parser.write(head);
  const [below, further] = counts;
  return mostOf(below, 1) ?? (below.size === 1 ? mostOf(further, 2) : undefined);
}

/** The most frequent name, if it occurs more than once. */
function mostOf(counts: ReadonlyMap<string, number>, depth: number): Rows | undefined {
  let rows: Rows | undefined;
  let most = 1;
  for (const [name, count] of counts) {
    if (count <= most) continue;
    most = count;
    rows = { name, depth };
  }
  return rows;
}

class RowCutter {
  readonly #rows: Rows | undefined;
  readonly #parser: Parser;
  readonly #open: Node[] = [];
  #ready: Node[] = [];
  #nodes = 0;
  #count = 0;
  #failure: BrokenFile | undefined;

  constructor(rows: Rows | undefined) {
    this.#rows = rows;
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#begin(name, attributes),
        ontext: (text) => {
          const top = this.#open.at(-1);
          if (top !== undefined) top.text += text;
        },
        onclosetag: () => this.#close(),
      },
      { xmlMode: true },
    );
  }

  *take(text: string): Iterable<FileRecord> {
    this.#parser.write(text);
    if (this.#failure !== undefined) throw this.#failure;
    yield* this.#records();
  }

  *end(): Iterable<FileRecord> {
    const open = this.#open.at(-1);
    if (open !== undefined) throw new BrokenFile(`the element [${open.name}] is not closed`);
    this.#parser.end();
    yield* this.#records();
  }

  *#records(): Iterable<FileRecord> {
    const ready = this.#ready;
    this.#ready = [];
    for (const node of ready) {
      this.#count += 1;
      const doc = { element: node.name, ...asDocument(contentOf(node)) };
      yield { at: String(this.#count), doc };
    }
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#nodes += 1;
    if (this.#open.length >= MAX_DEPTH) {
      this.#failure = new BrokenFile(`deeper than ${MAX_DEPTH} elements`);
    }
    if (this.#nodes > MAX_NODES) {
      this.#failure = new BrokenFile(`a record of more than ${MAX_NODES} elements`);
    }
    const members: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(attributes))
      addMember(members, fieldName(key), value);
    this.#open.push({ name: fieldName(name), members, text: '' });
  }

  #close(): void {
    const node = this.#open.pop();
    if (node === undefined) return;
    const parent = this.#open.at(-1);
    const rows = this.#rows;
    const isRow =
      rows !== undefined && this.#open.length === rows.depth && node.name === fieldName(rows.name);
    if (isRow) {
      this.#nodes = 0;
      this.#ready.push(node);
    } else if (parent !== undefined) {
      const content = contentOf(node);
      if (content !== '') addMember(parent.members, node.name, content);
    } else if (Object.keys(node.members).length > 0 || node.text.trim() !== '') {
      this.#ready.push(node);
    }
  }
}

function fieldName(name: string): string {
  return name.replace(/[.:]/g, '_');
}

function contentOf(node: Node): unknown {
  const text = node.text.trim();
  if (Object.keys(node.members).length === 0) return text;
  return text === '' ? node.members : { ...node.members, text };
}

function addMember(members: Record<string, unknown>, name: string, value: unknown): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  if (before === undefined) {
    Object.defineProperty(members, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else if (Array.isArray(before)) before.push(value);
  else members[name] = [before, value];
}
