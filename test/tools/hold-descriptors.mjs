// Loaded before the service: a SIGUSR2 takes all free descriptors of the process, and the next one
// releases them.
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
