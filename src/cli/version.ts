// Reads the version of this program without loading the service.
import { createRequire } from 'node:module';

export function programVersion(): string {
  const read = createRequire(import.meta.url);
  return (read('../../package.json') as { version: string }).version;
}
