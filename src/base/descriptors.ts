// The limit of open files and connections of this process, and the errors of exhausted resources.
import { readFileSync } from 'node:fs';

/**
 * Error codes for exhausted resources of the process or machine: descriptors, memory, threads,
 * buffers.
 */
const SCARCE: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ENOBUFS'];

/**
 * Whether the error is due to an exhausted resource, so that the same operation may succeed later.
 */
export function isScarcity(error: unknown): error is NodeJS.ErrnoException {
  return SCARCE.includes((error as NodeJS.ErrnoException | null | undefined)?.code);
}

/** Infinity if the system does not report a limit. */
export function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
