// Node reads all modules of a program at once, a descriptor each. Where a process may open only few, they are read one
// after the other; where it may not even open what the service needs to run, it says so.
import { readFileSync } from 'node:fs';

/** With so many the modules may be read at once. */
export const MANY_DESCRIPTORS = 512;
/** What a service holds that does nothing: threads, the log, a listener; and some files of data. */
export const LEAST_DESCRIPTORS = 80;

const IMPORT = /^(?:import|export)\b[^;]*?from '(\.[^']+)';/gm;
/** Of a command, which is loaded when it is called. */
const LATER = /\bimport\('(\.[^']+)'\)/g;

/** Loads a compiled module behind all that it imports. */
export async function loadInTurn(entry: URL): Promise<void> {
  const seen = new Set<string>();
  const load = async (file: URL): Promise<void> => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const text = readFileSync(file, 'utf8');
    for (const [, path] of [...text.matchAll(IMPORT), ...text.matchAll(LATER)]) {
      await load(new URL(path ?? '', file));
    }
    await import(file.href);
  };
  await load(entry);
}
