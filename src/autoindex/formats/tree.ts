// YAML: a document for each of its documents. XML: a document for each child that repeats below the root, or for the whole.
import { Parser } from 'htmlparser2';
import { parseAllDocuments } from 'yaml';
import { BrokenFile, type ByteSource, type FileRecord, textOf, wholeText } from '../source.js';
import { asDocument } from './json.js';

const MAX_YAML_BYTES = 8 << 20;
/** Elements inside each other; deeper ones are meant to hurt. */
const MAX_DEPTH = 200;
/** What one document of XML may hold. */
const MAX_NODES = 100_000;

export async function* readYaml(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  const text = await wholeText(source, encoding, MAX_YAML_BYTES);
  let count = 0;
  for (const document of parseAllDocuments(text)) {
    const [error] = 'errors' in document ? document.errors : [];
    if (error !== undefined) throw new BrokenFile(error.message.split('\n')[0] ?? 'no YAML');
    let value: unknown;
    try {
      value = document.toJS({ maxAliasCount: 100 });
    } catch (failure) {
      throw new BrokenFile((failure as Error).message);
    }
    for (const element of Array.isArray(value) ? value : [value]) {
      if (element === null || element === undefined) continue;
      count += 1;
      yield { at: String(count), doc: asDocument(element) };
    }
  }
}

interface Node {
  readonly name: string;
  readonly members: Record<string, unknown>;
  text: string;
}

/** Entities are those of the standard alone: none that the file declares is put in. */
export async function* readXml(source: ByteSource, encoding: string): AsyncIterable<FileRecord> {
  const ready: Node[] = [];
  const open: Node[] = [];
  let nodes = 0;
  let failure: BrokenFile | undefined;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nodes += 1;
        if (open.length >= MAX_DEPTH) failure = new BrokenFile(`deeper than ${MAX_DEPTH} elements`);
        if (nodes > MAX_NODES)
          failure = new BrokenFile(`a record of more than ${MAX_NODES} elements`);
        const members: Record<string, unknown> = {};
        for (const [key, value] of Object.entries(attributes)) members[fieldName(key)] = value;
        open.push({ name: fieldName(name), members, text: '' });
      },
      ontext(text) {
        const top = open.at(-1);
        if (top !== undefined) top.text += text;
      },
      onclosetag() {
        const node = open.pop();
        const parent = open.at(-1);
        if (node === undefined) return;
        if (open.length <= 1) {
          nodes = 0;
          if (parent !== undefined) ready.push(node);
          else if (Object.keys(node.members).length > 0 || node.text.trim() !== '')
            ready.push(node);
        } else if (parent !== undefined) addMember(parent.members, node.name, contentOf(node));
      },
    },
    { xmlMode: true },
  );
  let count = 0;
  for await (const text of textOf(source, encoding)) {
    parser.write(text);
    if (failure !== undefined) throw failure;
    for (const node of ready.splice(0)) {
      count += 1;
      yield { at: String(count), doc: { element: node.name, ...asDocument(contentOf(node)) } };
    }
  }
  if (open.length > 0) throw new BrokenFile(`the element [${open.at(-1)?.name}] is not closed`);
  parser.end();
  for (const node of ready) {
    count += 1;
    yield { at: String(count), doc: { element: node.name, ...asDocument(contentOf(node)) } };
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
