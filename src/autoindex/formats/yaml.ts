// YAML: a document for each YAML document, or for each element of one that is a list.
import { parseAllDocuments } from 'yaml';
import { BrokenFile, type ByteSource, type FileRecord, wholeText } from '../source.js';
import { asDocument } from './json.js';

const MAX_YAML_BYTES = 8 << 20;

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
