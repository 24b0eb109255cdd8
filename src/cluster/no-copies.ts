// Copies of the files of indexes, which only a node with files of its own can make.
import type { IndexCopies } from '../backend/index.js';
import { QuarryError } from '../errors.js';

function refusal(): QuarryError {
  return new QuarryError(
    'illegal_argument_exception',
    'snapshots of files are not available in cluster mode: take and restore them at the cluster itself',
    { status: 501 },
  );
}

const rejects = (): Promise<never> => Promise.reject(refusal());
const throws = (): never => {
  throw refusal();
};

export const NO_COPIES: IndexCopies = {
  pin: rejects,
  read: rejects,
  release: rejects,
  rename: throws,
  checkRestore: throws,
  prepare: rejects,
  verify: rejects,
  finish: rejects,
  abort: rejects,
};
