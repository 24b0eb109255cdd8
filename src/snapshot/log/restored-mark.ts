// restored.json in a data folder that was brought back: {"moment", "place"}. The first start says it.
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode, readChecked, writeChecked } from '../../base/durable-file.js';

const FILE = 'restored.json';

export interface RestoredMark {
  /** Epoch milliseconds. */
  readonly moment: number;
  readonly place: string;
}

export function writeRestored(dataDir: string, mark: RestoredMark): Promise<void> {
  return writeChecked(join(dataDir, FILE), mark);
}

/** What a start says of the moment that was reached, once; undefined for any other folder. */
export async function takeRestored(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, FILE);
  try {
    const { moment, place } = (await readChecked(path)) as unknown as RestoredMark;
    await unlink(path);
    const reached = new Date(moment).toISOString();
    return `the data folder was brought back from [${place}] to ${reached}, what was written later is missing`;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
