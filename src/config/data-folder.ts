// Checks whether other users can read the data folder.
import { statSync } from 'node:fs';

const OTHERS_READ = 0o004;
const OTHERS_SEARCH = 0o001;

/**
 * The warning for a folder that other users can read; undefined if they cannot, or if it does not
 * exist. The mode of the folder is never changed, because it may be shared: a Kubernetes volume
 * belongs to `fsGroup`. Everything created below it is private to its owner.
 */
export function openFolderWarning(path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & (OTHERS_READ | OTHERS_SEARCH)) === 0) return undefined;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return `the data folder [${path}] may be read by every user of this machine (mode ${shown})`;
}
