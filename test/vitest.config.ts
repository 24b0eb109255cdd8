// How vitest runs the tests: one process per file, because a process can have only one engine.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    setupFiles: [fileURLToPath(new URL('./tools/property-seed.ts', import.meta.url))],
    // A file mostly waits for the servers that it has started: at least two files run at once, even
    // on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    // Servers start slowly on a busy machine.
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', fileURLToPath(new URL('./tools/closing-line.ts', import.meta.url))],
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
