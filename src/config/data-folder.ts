// Who may look into the data folder besides the user that the process runs as.
import { statSync } from 'node:fs';

const OTHERS_READ = 0o004;
const OTHERS_SEARCH = 0o001;

/**
 * What is made below the folder is for its owner alone; the folder itself may be anybody's: a volume of Kubernetes
 * belongs to `fsGroup`, so its mode is never changed. Undefined where others may not look into it, or where it is not
 * there yet.
 */
export function openFolderWarning(path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & (OTHERS_READ | OTHERS_SEARCH)) === 0) return undefined;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return `the data folder [${path}] may be read by every user of this machine (mode ${shown})`;
}
