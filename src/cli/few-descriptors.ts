// Node opens all modules of a program at the same time. If the process may open only few files, the
// modules are loaded one after the other; if it cannot open what the service itself needs, this is
// reported.
import { readFileSync } from 'node:fs';

/** With this many descriptors, modules may be loaded concurrently. */
export const MANY_DESCRIPTORS = 512;
/** Descriptors of an idle service (threads, log, listener) and some files of data. */
export const LEAST_DESCRIPTORS = 80;

const IMPORT = /^(?:import|export)\b[^;]*?from '(\.[^']+)';/gm;
/** Imports of commands, which are loaded when they are called. */
const LATER = /\bimport\('(\.[^']+)'\)/g;

/** Loads a compiled module after all modules that it imports. */
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
