// The folder ../shared has data that is not part of the repository (text collections, recorded
// responses). Tests that need it are skipped with a message if it is missing.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of `name` in the shared folder, or undefined with a printed line if it is missing. Use:
 * `const path = sharedPath('lexical'); describe.skipIf(path === undefined)(...)`.
 */
export function sharedPath(name: string): string | undefined {
  const path = fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url));
  if (existsSync(path)) return path;
  console.log(`skipped: ../shared/${name} is not there`);
  return undefined;
}
