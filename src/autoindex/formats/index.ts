// Which reader reads which format. Those with a library of their own load it when the first such file comes up.
import type { Sniffed } from '../sniff.js';
import { BrokenFile, type ByteSource, type FileRecord } from '../source.js';

/** Documents of the source; rejects with BrokenFile where it cannot go on. */
export async function* readRecords(
  source: ByteSource,
  sniffed: Sniffed,
): AsyncIterable<FileRecord> {
  const { encoding, format } = sniffed;
  switch (format) {
    case 'json':
      return yield* (await import('./json.js')).readJson(source, encoding);
    case 'ndjson':
      return yield* (await import('./json.js')).readNdjson(source, encoding);
    case 'csv': {
      const { dialect } = sniffed;
      if (dialect === undefined) throw new BrokenFile('a table of no known dialect');
      return yield* (await import('./csv.js')).readCsv(source, encoding, dialect);
    }
    case 'log':
      return yield* (await import('./log.js')).readLog(source, encoding);
    case 'markdown':
      return yield* (await import('./prose.js')).readMarkdown(source, encoding);
    case 'html':
      return yield* (await import('./prose.js')).readHtml(source, encoding);
    case 'text':
      return yield* (await import('./prose.js')).readText(source, encoding);
    case 'code':
      return yield* (await import('./prose.js')).readCode(
        source,
        encoding,
        sniffed.language ?? 'text',
      );
    case 'yaml':
      return yield* (await import('./tree.js')).readYaml(source, encoding);
    case 'xml':
      return yield* (await import('./tree.js')).readXml(source, encoding);
    case 'email':
      return yield* (await import('./mail.js')).readEmail(source);
    case 'mbox':
      return yield* (await import('./mail.js')).readMbox(source);
    case 'gzip':
    case 'zip':
    case 'tar':
      throw new BrokenFile(`a ${format} archive inside another file`);
    case 'pdf':
    case 'sqlite':
    case 'parquet':
      throw new BrokenFile(`a file of the kind ${format}, which autoindex does not read`);
  }
}
