// What can be read of a file: itself, or what a container holds, and of which kind it is.
import { packagePart } from './packages.js';
import { HEAD_BYTES, type SniffResult } from './sniff.js';
import { type ByteSource, headOf } from './source.js';

export interface FilePart {
  /** Inside an archive; undefined for the file itself. */
  readonly entry: string | undefined;
  /** What its dataset may be called after, where that is not the path of the source. */
  readonly name?: string;
  readonly source: ByteSource;
  readonly sniffed: SniffResult;
}

/** A part that cannot be read. */
export interface BadPart {
  readonly entry: string | undefined;
  readonly problem: string;
  /** Nothing is wrong with it: there is nothing in it to read. */
  readonly isNothing?: true;
}

/** Tells the kind of a file by its first bytes; a text says why it is none that can be read. */
export interface Sniffer {
  sniff(head: Uint8Array, path: string): Promise<SniffResult | string>;
}

/** Of what a container holds, or of a file that is none. */
export async function partOf(
  entry: string | undefined,
  source: ByteSource,
  sniffer: Sniffer,
): Promise<FilePart | BadPart> {
  try {
    const sniffed = await kindOf(source, sniffer);
    if (typeof sniffed === 'string') return { entry, problem: sniffed, isNothing: true };
    const part = { entry, source, sniffed };
    if (sniffed.format !== 'zip') return part;
    return (await packagePart(entry, source)) ?? part;
  } catch (error) {
    return { entry, problem: (error as Error).message };
  }
}

export async function kindOf(source: ByteSource, sniffer: Sniffer): Promise<SniffResult | string> {
  return sniffer.sniff(await headOf(source, HEAD_BYTES), source.path);
}
