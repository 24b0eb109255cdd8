// How vitest runs the tests. A process can have only one engine, so files have a process each, but
// for those of units without an engine or a server, which share processes and their modules: half a
// second of processor time less for each.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const UNITS = 'auth|base|console|coordinator|fusion|graph|memory|query|wire';
/** Files in the folders of units that have an engine, or change their process. */
const NOT_UNITS = [
  'test/**/*.{integration,property}.test.ts',
  'test/console/browser/**/*.test.ts',
  'test/coordinator/worker-threads.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
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
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: [`test/@(${UNITS})/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...NOT_UNITS],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: [`test/!(${UNITS})/**/*.test.ts`, 'test/*.test.ts', ...NOT_UNITS],
        },
      },
    ],
  },
});
