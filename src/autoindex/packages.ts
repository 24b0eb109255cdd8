// Zips that are one document: which kind they are is told by what they say of themselves inside.

import type { BadPart, FilePart } from './file-part.js';
import { openArchive } from './formats/archive.js';
import { isPackage, officeOf } from './formats/office.js';
import type { ByteSource } from './source.js';

/** Undefined for a zip of files. */
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
