// The files of a tar archive, compressed or not. A tar has no directory and can only be read from
// its start, so that its entries are read in order as far as possible: once to detect their
// formats, and once for each time that all of them are read.
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { type BadPart, type FilePart, partOf, type Sniffer } from './file-part.js';
import { HEAD_BYTES } from './sniff.js';
import { BrokenFile, type ByteSource, headOf } from './source.js';

const MAX_ENTRIES = 20_000;
/**
 * Bytes at the start of an entry that can be read again without restarting the tar: enough for a
 * sample.
 */
const KEPT_BYTES = 4 << 20;

/**
 * The entries before a truncation, except for an entry that is truncated itself; the truncation is
 * reported as a bad part.
 */
export async function tarParts(
  source: ByteSource,
  sniffer: Sniffer,
): Promise<readonly (FilePart | BadPart)[]> {
  const cursor = new TarCursor(source);
  // By name: a later entry of the same name replaces the earlier one.
  const found = new Map<string, TarEntry>();
  let broken: BadPart | undefined;
  try {
    for (let i = 0; ; i++) {
      const header = await cursor.headerOf(i);
      if (header === undefined) break;
      if (i >= MAX_ENTRIES) throw new BrokenFile(`more than ${MAX_ENTRIES} entries`);
      const { name, size } = header;
      if (header.type !== undefined && header.type !== 'file') continue;
      if (size > 0)
        found.set(name, { index: i, part: await entryPart(cursor, i, name, size, sniffer) });
    }
  } catch (error) {
    broken = { entry: undefined, problem: (error as Error).message };
    for (const [name, { index }] of found) if (index === cursor.cutAt) found.delete(name);
  }
  await cursor.close();
  const parts: (FilePart | BadPart)[] = [];
  for (const { index, part } of found.values()) {
    if ('sniffed' in part) cursor.last = index;
    const isZip = 'sniffed' in part && part.sniffed.format === 'zip';
    parts.push(isZip ? await partOf(part.entry, part.source, sniffer) : part);
  }
  await cursor.close();
  return broken === undefined ? parts : [...parts, broken];
}

interface TarEntry {
  readonly index: number;
  readonly part: FilePart | BadPart;
}

async function entryPart(
  cursor: TarCursor,
  index: number,
  entry: string,
  size: number,
  sniffer: Sniffer,
): Promise<FilePart | BadPart> {
  if (/^\/|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(entry)) {
    return { entry, problem: 'its path leaves the archive' };
  }
  const path = `${cursor.path}/${entry}`;
  const source = { path, size, chunks: () => cursor.read(index) };
  const sniffed = await sniffer.sniff(await headOf(source, HEAD_BYTES), path);
  return typeof sniffed === 'string' ? { entry, problem: sniffed } : { entry, source, sniffed };
}

type Header = ParsedTarEntry['header'];

interface CurrentEntry {
  readonly index: number;
  readonly header: Header;
  readonly body: ReadableStreamDefaultReader<Uint8Array>;
  /** Chunks from the start of the entry. */
  readonly kept: Uint8Array[];
  keptBytes: number;
  /** More was read than is kept. */
  forgot: boolean;
}

/** A read position in the tar. One entry is read at a time. */
class TarCursor {
  readonly path: string;
  /** The last entry that is needed: the file is closed after it was read. */
  last = -1;
  /** The entry in which the tar is truncated. */
  cutAt = -1;
  readonly #source: ByteSource;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #entries: ReadableStreamDefaultReader<ParsedTarEntry> | undefined;
  #current: CurrentEntry | undefined;

  constructor(source: ByteSource) {
    this.path = source.path;
    this.#source = source;
  }

  /** Undefined after the last entry. */
  async headerOf(index: number): Promise<Header | undefined> {
    return (await this.#seek(index))?.header;
  }

  async *read(index: number): AsyncIterable<Uint8Array> {
    const current = await this.#seek(index);
    if (current === undefined) throw new BrokenFile('the tar has changed');
    try {
      for (let i = 0; ; i++) {
        const chunk = current.kept[i] ?? (await this.#next(current));
        if (chunk === undefined) return;
        yield chunk;
      }
    } finally {
      if (index === this.last) await this.close();
    }
  }

  /** Closes the file; a later read starts from the beginning. */
  async close(): Promise<void> {
    const entries = this.#entries;
    const chunks = this.#chunks;
    this.#entries = undefined;
    this.#chunks = undefined;
    this.#current = undefined;
    await entries?.cancel().catch(() => undefined);
    await chunks?.return?.(undefined);
  }

  async #next(current: CurrentEntry): Promise<Uint8Array | undefined> {
    const { value } = await this.#guarded(current.body.read());
    if (value === undefined) return undefined;
    if (!current.forgot && current.keptBytes + value.length <= KEPT_BYTES) {
      current.kept.push(value);
      current.keptBytes += value.length;
    } else current.forgot = true;
    return value;
  }

  async #seek(index: number): Promise<CurrentEntry | undefined> {
    const before = this.#current;
    if (before?.index === index && !before.forgot) return before;
    if (before === undefined || before.index >= index) await this.#restart();
    for (;;) {
      const last = this.#current;
      if (last !== undefined) await this.#skip(last);
      const { value } = await this.#guarded(this.#opened().read());
      if (value === undefined) {
        await this.close();
        return undefined;
      }
      const at = (last?.index ?? -1) + 1;
      const body = value.body.getReader();
      const { header } = value;
      const current = { index: at, header, body, kept: [], keptBytes: 0, forgot: false };
      this.#current = current;
      if (at === index) return current;
    }
  }

  async #skip({ index, body }: CurrentEntry): Promise<void> {
    try {
      while (!(await this.#guarded(body.read())).done);
    } catch (error) {
      this.cutAt = index;
      throw error;
    }
  }

  async #restart(): Promise<void> {
    await this.close();
    this.#opened();
  }

  #opened(): ReadableStreamDefaultReader<ParsedTarEntry> {
    if (this.#entries !== undefined) return this.#entries;
    const chunks = this.#source.chunks()[Symbol.asyncIterator]();
    this.#chunks = chunks;
    this.#entries = ReadableStream.from({ [Symbol.asyncIterator]: () => chunks })
      .pipeThrough(createTarDecoder({ strict: true }))
      .getReader();
    return this.#entries;
  }

  async #guarded<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      await this.close();
      if (error instanceof BrokenFile) throw error;
      throw new BrokenFile(`the tar is broken: ${(error as Error).message}`);
    }
  }
}
