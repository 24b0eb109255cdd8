// The readable parts of a file: the file itself or the entries of a container, with their formats.
import { packagePart } from './packages.js';
import { HEAD_BYTES, type SniffResult } from './sniff.js';
import { type ByteSource, headOf } from './source.js';

export interface FilePart {
  /** Path inside an archive; undefined for the file itself. */
  readonly entry: string | undefined;
  /** Base of the name of its dataset, if it is not the path of the source. */
  readonly name?: string;
  readonly source: ByteSource;
  readonly sniffed: SniffResult;
}

/** A part that cannot be read. */
export interface BadPart {
  readonly entry: string | undefined;
  readonly problem: string;
  /** The part is not broken; it only has no readable content. */
  readonly isNothing?: true;
}

/**
 * Detects the format of a file by its first bytes; a string gives the reason why it cannot be read.
 */
export interface Sniffer {
  sniff(head: Uint8Array, path: string): Promise<SniffResult | string>;
}

/** The part for an entry of a container, or for a file that is no container. */
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
