// What the process itself takes of the machine's memory, and how much of it there is. Mapped files do not count: the
// system takes their pages back whenever it needs them.
import { readFileSync } from 'node:fs';
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

export function readMemoryUse(): MemoryUse {
  const { used_heap_size, heap_size_limit } = getHeapStatistics();
  return { anonymous: anonymousBytes(), heap: used_heap_size, heapLimit: heap_size_limit };
}

/** `setting` in bytes; 0: a share of what there is. */
export function memoryLimit(setting: number): number {
  if (setting > 0) return setting;
  const group = process.constrainedMemory();
  const machine = totalmem();
  return Math.floor(SHARE * (group > 0 && group < machine ? group : machine));
}

/** Buffers that nobody holds are given back only when JavaScript is cleaned up, which an idle process puts off. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function anonymousBytes(): number {
  try {
    const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
    if (line !== null) return Number(line[1]) * 1024;
  } catch {
    // Not Linux, or no descriptor is left: the next best number.
  }
  return process.memoryUsage.rss();
}
