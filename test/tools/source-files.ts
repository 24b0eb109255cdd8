// Reads source files for tests of the source itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** npm and vitest both run in the root of the repository. */
const repository = `${process.cwd()}/`;

/** Every file under `folder` with one of the extensions; none if the folder does not exist. */
export function readSources(folder: string, extensions: readonly string[]): SourceFile[] {
  if (!existsSync(repository + folder)) return [];
  const files: SourceFile[] = [];
  for (const entry of readdirSync(repository + folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') {
      files.push(...readSources(path, extensions));
    } else if (extensions.some((extension) => entry.name.endsWith(extension))) {
      files.push({ path, text: readFileSync(repository + path, 'utf8') });
    }
  }
  return files;
}
