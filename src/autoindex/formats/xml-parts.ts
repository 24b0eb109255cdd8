// Streams the XML of office documents as events with local names, because writers choose namespace
// prefixes freely. Only standard entities are resolved, so that no declared entity can expand.
import { Parser } from 'htmlparser2';
import { BrokenFile } from '../source.js';
import { type Archive, wideBy } from './archive.js';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Maximum nesting of elements; deeper files are malicious. */
const MAX_DEPTH = 1000;

/**
 * Passes each element to `handler` and yields after each chunk, so that the caller can use what is
 * ready.
 */
export async function* xmlSteps(
  archive: Archive,
  name: string,
  handler: XmlHandler,
): AsyncIterable<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new BrokenFile(`deeper than ${MAX_DEPTH} elements`);
        handler.open?.(localName(tag), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(tag) {
        depth -= 1;
        handler.close?.(localName(tag));
      },
    },
    { xmlMode: true },
  );
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of archive.chunks(name)) {
    decoder ??= new TextDecoder(wideBy(chunk));
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  // Elements that are open at the end were truncated; parser.end() would close them silently.
  if (depth > 0) throw new BrokenFile(`the part [${name}] ends before it is closed`);
  parser.end();
}

/** Does nothing for a part that is missing. */
export async function eachElement(
  archive: Archive,
  name: string,
  handler: XmlHandler,
): Promise<void> {
  if (!archive.names.has(name)) return;
  for await (const _ of xmlSteps(archive, name, handler));
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

/** The value of an attribute, whatever its prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  const found = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return found === undefined ? undefined : attributes[found];
}
