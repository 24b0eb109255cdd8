// What the process itself takes of the machine's memory, and how much of it there is. Mapped files do not count: the
// system takes their pages back whenever it needs them.
import { openSync, readSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface MemoryUse {
  /** Bytes that no file backs. */
  readonly anonymous: number;
  /** Of JavaScript on the main thread. */
  readonly heap: number;
  /** Beyond it the process would be ended. */
  readonly heapLimit: number;
}

/** Of the machine, or of the control group that the process runs in. */
const SHARE = 0.8;
/** Limits of control groups are changed by hand: they need not be noticed sooner. */
const GRANTED_MS = 10_000;
/** The page of numbers that Linux has of a process is shorter. */
const STATUS_BYTES = 8192;

/** Reads it again and again; holds one descriptor, so that it works when there are no others. */
export function memoryReader(): () => MemoryUse {
  const anonymous = anonymousReader();
  return () => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    return { anonymous: anonymous(), heap: used_heap_size, heapLimit: heap_size_limit };
  };
}

/** `setting` in bytes; 0: a share of what there is. */
export function memoryLimit(setting: number): number {
  if (setting > 0) return setting;
  if (performance.now() - grantedAt > GRANTED_MS) {
    granted = grantedMemory();
    grantedAt = performance.now();
  }
  return Math.floor(SHARE * granted);
}

/** What there is was so much, at that time. Files of the control group say it, which takes as long as a few searches. */
let granted = 0;
let grantedAt = Number.NEGATIVE_INFINITY;

function grantedMemory(): number {
  const group = process.constrainedMemory();
  const machine = totalmem();
  return group > 0 && group < machine ? group : machine;
}

/**
 * How far a heap may grow before all of it is marked, in percent of what was alive the last time: as far as V8 ever lets one. It counts
 * memory beside the heap that came since, and lets a heap that hardly grows have 8 MiB: as much as the pages of a few hundred
 * searches, which are given back a moment later. All of the heap was marked several times a second for them.
 */
const GROWTH_PERCENT = 300;

/** Buffers that nobody holds are given back only when JavaScript is cleaned up, which an idle process puts off. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * How garbage is collected in all threads of a service. What lives for a moment is cleaned up by the thread that made it, without
 * helpers: there is little of it, and under load every core has a thread of its own already, which had to wait for helpers that
 * found none. What lives longer is looked at when there is much of it.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

function anonymousReader(): () => number {
  try {
    const file = openSync('/proc/self/status', 'r');
    const page = Buffer.alloc(STATUS_BYTES);
    return () => {
      const text = page.toString('latin1', 0, readSync(file, page, 0, STATUS_BYTES, 0));
      return Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
    };
  } catch {
    // Not Linux: the next best number.
    return () => process.memoryUsage.rss();
  }
}
