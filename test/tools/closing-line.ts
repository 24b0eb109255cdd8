// A reporter that ends the run with one plain line, "N passed, N failed, N skipped", for scripts. A
// file that fails before its first test counts as one failure, as does an error outside of tests. A
// run of many files writes the time of each to build/test-times.json, for `npm run house`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Runs with fewer files are partial runs. */
const MANY_FILES = 100;

export interface TestTimes {
  /** From the first file to the last, in seconds. */
  readonly seconds: number;
  /** Seconds of each file, including its hooks. */
  readonly files: Readonly<Record<string, number>>;
}

export default class ClosingLine implements Reporter {
  #startedMs = performance.now();

  onTestRunStart(): void {
    this.#startedMs = performance.now();
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      count.failed += module.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const skipped = count.skipped + count.pending;
    console.log(`${count.passed} passed, ${count.failed} failed, ${skipped} skipped`);
    if (modules.length < MANY_FILES) return;
    const files = modules.map((module) => [
      relative(process.cwd(), module.moduleId),
      module.diagnostic().duration / 1000,
    ]);
    const seconds = (performance.now() - this.#startedMs) / 1000;
    const times: TestTimes = { seconds, files: Object.fromEntries(files) };
    mkdirSync('build', { recursive: true });
    writeFileSync('build/test-times.json', JSON.stringify(times));
  }
}
