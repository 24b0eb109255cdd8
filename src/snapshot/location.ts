// Checks that a repository is inside one of the folders of `snapshot.path` after resolving links
// and dots.
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isCode } from '../base/durable-file.js';
import { unprintable } from '../base/names.js';
import { repositoryError } from './refusals.js';

/**
 * Returns the folder with links resolved as far as it exists. Relative locations are relative to
 * the first of `roots`. `dataDir` is the data folder, in which a repository must not use the
 * engine's folders.
 */
export async function checkLocation(
  repository: string,
  location: string,
  roots: readonly string[],
  dataDir?: string,
): Promise<string> {
  const [first] = roots;
  if (first === undefined) {
    throw refusal(repository, location, 'because this setting is empty');
  }
  const unprinted = unprintable(location);
  if (unprinted !== undefined) throw refusal(repository, location, `(it ${unprinted})`);
  const wanted = isAbsolute(location) ? resolve(location) : resolve(first, location);
  const allowed = roots.map((root) => resolve(root));
  if (!allowed.some((root) => isInside(wanted, root))) throw refusal(repository, location);
  const real = await realFolder(wanted).catch((error: unknown) => {
    const why = (error as Error).message;
    throw repositoryError(repository, `location [${location}] cannot be a folder: ${why}`, 400);
  });
  const realRoots = await Promise.all(allowed.map(realFolder));
  if (!realRoots.some((root) => isInside(real, root))) {
    throw refusal(repository, location, `(links lead to [${real}])`);
  }
  if (dataDir !== undefined) await refuseData(repository, location, real, dataDir);
  return real;
}

/**
 * Rejects a location in the engine's folders, because the engine removes unknown folders there when
 * it starts.
 */
async function refuseData(
  repository: string,
  location: string,
  real: string,
  dataDir: string,
): Promise<void> {
  const data = await realFolder(resolve(dataDir));
  const taken = [join(data, 'indices'), join(data, 'wal')].some((folder) => isInside(real, folder));
  if (real !== data && !taken) return;
  throw repositoryError(
    repository,
    `location [${location}] is the folder of the data itself, give another`,
    400,
  );
}

function refusal(repository: string, location: string, why = ''): Error {
  return repositoryError(
    repository,
    `location [${location}] doesn't match any of the folders of [snapshot.path]${why === '' ? '' : ` ${why}`}: give one ` +
      'inside them, or start the server with --snapshot.path=FOLDER',
    400,
  );
}

/** Whether `path` is `root` or below it. */
function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Resolves links in the existing part of the path, including dangling ones. */
async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) return realFolder(resolve(dirname(path), target));
  const above = dirname(path);
  return above === path ? path : join(await realFolder(above), basename(path));
}
