// How vitest runs the tests. A process for each file: the engine is one per process, so that test
// files that open it must not share a process.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    setupFiles: [fileURLToPath(new URL('./tools/property-seed.ts', import.meta.url))],
    // Most of the time a file waits for the servers that it has started: two at once even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    // A server on a busy machine takes its time to start.
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', fileURLToPath(new URL('./tools/closing-line.ts', import.meta.url))],
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
