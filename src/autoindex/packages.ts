// Zip files that are one document; their format is determined by their content.

import type { BadPart, FilePart } from './file-part.js';
import { openArchive } from './formats/archive.js';
import { isPackage, officeOf } from './formats/office.js';
import type { ByteSource } from './source.js';

/** Undefined for an ordinary zip archive. */
export async function packagePart(
  entry: string | undefined,
  source: ByteSource,
): Promise<FilePart | BadPart | undefined> {
  try {
    const archive = await openArchive(source);
    if (!isPackage(archive.names)) return undefined;
    const { format } = await officeOf(archive);
    return { entry, source, sniffed: { format, encoding: 'utf-8' } };
  } catch (error) {
    return { entry, problem: (error as Error).message };
  }
}
