// Loaded before the service: SIGUSR2 takes every descriptor that the process has left, and gives them back the next time.
import { closeSync, openSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  let held = [];
  process.on('SIGUSR2', () => {
    if (held.length > 0) {
      for (const fd of held) closeSync(fd);
      held = [];
      return;
    }
    for (;;) {
      try {
        held.push(openSync('/dev/null', 'r'));
      } catch {
        return;
      }
    }
  });
}
