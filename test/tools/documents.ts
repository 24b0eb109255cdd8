// Finds the references in documents: relative links with their anchors, and paths in backticks.
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './source-files.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** Created by builds and runs, or downloaded. */
const MADE = new Set(['.git', 'node_modules', 'build', 'dist', 'coverage', 'data', 'report']);
/** Other paths are relative to one of these. */
const ROOTS = ['', 'src/', 'native/', 'native/core/'];
const SOURCE = /\.(?:ts|mjs|cc|h|def|inc|md|sh|py)$/;

/** Every file and folder of the repository, relative to it, without a trailing slash. */
export function repositoryPaths(folder = ''): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const entry of readdirSync(repository + folder, { withFileTypes: true })) {
    if (MADE.has(entry.name)) continue;
    const path = folder + entry.name;
    paths.add(path);
    if (entry.isDirectory()) for (const inner of repositoryPaths(`${path}/`)) paths.add(inner);
  }
  return paths;
}

/**
 * Links to files, folders and headings that do not exist. `documents`: all documents whose headings
 * can be linked.
 */
export function brokenLinks(
  { path, text }: SourceFile,
  paths: ReadonlySet<string>,
  documents: readonly SourceFile[],
): readonly string[] {
  const targets = [...prose(text).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const to = file === '' ? path : posix.join(posix.dirname(path), file).replace(/\/$/, '');
      if (!paths.has(to)) return true;
      const headings = anchorsOf(documents.find((one) => one.path === to)?.text ?? '');
      return anchor !== undefined && !headings.includes(anchor);
    })
    .map((target) => `${path}: ${target}`);
}

/**
 * Paths in backticks that do not exist. A source file may be given by its name alone, with a star
 * for a part of it; another path begins with a folder of the repository, of src/ or of native/.
 */
export function missingPaths(
  { path, text }: SourceFile,
  paths: ReadonlySet<string>,
): readonly string[] {
  const words = [...prose(text).matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  return words
    .filter((word) => isPath(word, paths) && !exists(word, path, paths))
    .map((word) => `${path}: ${word}`);
}

function isPath(word: string, paths: ReadonlySet<string>): boolean {
  if (!/^[\w.*-]+(?:\/[\w.*-]+)*\/?$/.test(word)) return false;
  const parts = word.split('/');
  if (parts.some((part) => MADE.has(part))) return false;
  return SOURCE.test(word) || (parts.length > 1 && paths.has(parts[0] ?? ''));
}

function exists(word: string, from: string, paths: ReadonlySet<string>): boolean {
  const name = word.replace(/\/$/, '');
  const places = [...ROOTS, `${posix.dirname(from)}/`].map((root) => posix.join(root, name));
  if (places.some((place) => paths.has(place))) return true;
  if (!name.includes('*') && name.includes('/')) return false;
  const form = name.split('*').map((part) => part.replaceAll('.', '\\.'));
  const whole = new RegExp(`(?:^|/)${form.join('[^/]*')}$`);
  return [...paths].some((one) => whole.test(one));
}

/** Without code blocks, which contain no references. */
function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/^ {4}.*$/gm, '');
}

/** Anchors of the headings of a page, as GitHub generates them. */
function anchorsOf(text: string): readonly string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
