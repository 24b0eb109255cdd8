// How many files and connections the system lets this process open, and what it says when there are no more.
import { readFileSync } from 'node:fs';

/** Of the process or of the machine: descriptors, memory, threads, buffers. */
const SCARCE: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ENOBUFS'];

/** Whether the system refused for want of something that others hold: the same may succeed later. */
export function isScarcity(error: unknown): error is NodeJS.ErrnoException {
  return SCARCE.includes((error as NodeJS.ErrnoException | null | undefined)?.code);
}

/** Without end where the system does not say. */
export function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
