// The addon built with AddressSanitizer and UndefinedBehaviorSanitizer, in a folder of its own, and
// how a service is started with it: `#native` of package.json has it under the condition
// "sanitized".
import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { ServerOptions } from '../../../test/tools/server.ts';

export type StartOptions = Pick<ServerOptions, 'env' | 'nodeArgs'>;

/** Throws if the addon cannot be built. */
export function buildSanitized(): StartOptions {
  const parallel = String(availableParallelism());
  const args = ['cmake-js', 'build', '--parallel', parallel, '--out', 'build/asan-addon'];
  const built = spawnSync('npx', [...args, '--CDQUARRY_SANITIZE=address'], { stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the addon could not be built with sanitizers');
  return {
    nodeArgs: ['--conditions=sanitized'],
    env: {
      // Node itself is built without them, so that they are loaded before it.
      LD_PRELOAD: [library('libasan.so'), library('libubsan.so')].join(':'),
      // Node ends with memory that it never frees, and has its own handler of SIGSEGV.
      ASAN_OPTIONS: 'detect_leaks=0:allow_user_segv_handler=0',
      UBSAN_OPTIONS: 'print_stacktrace=1',
    },
  };
}

function library(name: string): string {
  return execFileSync('gcc', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
}

/** The report of a sanitizer in the output of a service, or the end of that output. */
export function reportIn(log: string): string {
  const at = log.search(/ERROR: AddressSanitizer|runtime error:/);
  return at < 0 ? log.slice(-3000) : log.slice(Math.max(0, at - 200), at + 4000);
}
