// Memory used by this process, and memory available to it. Mapped files do not count, because the
// system can reclaim their pages at any time.
import { openSync, readSync } from 'node:fs';
import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface MemoryUse {
  /** Bytes that are not backed by a file. */
  readonly anonymous: number;
  /** Used bytes of the JavaScript heap of the main thread. */
  readonly heap: number;
  /** Maximum size of that heap; exceeding it ends the process. */
  readonly heapLimit: number;
}

/** Default limit as a fraction of the memory of the machine or control group. */
const SHARE = 0.8;
/** How long the size of the control group is cached; it only changes manually. */
const GRANTED_MS = 10_000;
/** Buffer size for /proc/self/status, which is shorter. */
const STATUS_BYTES = 8192;

/**
 * Returns a function for repeated measurements. It holds one descriptor, so that it works when no
 * others are available.
 */
export function memoryReader(): () => MemoryUse {
  const anonymous = anonymousReader();
  return () => {
    const { used_heap_size, heap_size_limit } = getHeapStatistics();
    return { anonymous: anonymous(), heap: used_heap_size, heapLimit: heap_size_limit };
  };
}

/** The limit in bytes: `setting`, or if it is 0, a fraction of the available memory. */
export function memoryLimit(setting: number): number {
  if (setting > 0) return setting;
  if (performance.now() - grantedAt > GRANTED_MS) {
    granted = grantedMemory();
    grantedAt = performance.now();
  }
  return Math.floor(SHARE * granted);
}

/**
 * Cached available memory and the time of its measurement. It is read from files of the control
 * group, which takes as long as a few searches.
 */
let granted = 0;
let grantedAt = Number.NEGATIVE_INFINITY;

function grantedMemory(): number {
  const group = process.constrainedMemory();
  const machine = totalmem();
  return group > 0 && group < machine ? group : machine;
}

/**
 * How far the heap may grow before it is fully marked, in percent of the live size after the last
 * marking; the maximum that V8 uses itself. V8 adds external memory allocated since then, and lets
 * a heap that hardly grows have only 8 MiB: the pages of a few hundred searches, which are freed a
 * moment later. With V8's default, the whole heap was marked several times a second because of
 * them.
 */
const GROWTH_PERCENT = 300;

/**
 * Returns a function that runs a full garbage collection. Unreferenced buffers are freed only by a
 * collection, which an idle process postpones.
 */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Sets the flags of the garbage collector for all threads of the service. Short-lived objects are
 * collected by the thread that made them, without parallel helpers: there are few of them, and
 * under load every core already runs a thread, so that the collecting thread would wait for helpers
 * without a core. The old generation is collected only when it has grown a lot.
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
    // On other systems than Linux, the resident set size is the closest number available.
    return () => process.memoryUsage.rss();
  }
}
