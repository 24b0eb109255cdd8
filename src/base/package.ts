// The folder and the version of this package, wherever the code that asks has been bundled into.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);

/** The folder of package.json, in which paths such as `dist/cli/main.js` begin. */
export const PACKAGE_FOLDER = dirname(require.resolve('#package'));

/** The version of this program. */
export function programVersion(): string {
  return (require('#package') as { version: string }).version;
}
