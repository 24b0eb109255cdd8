// Loaded into each thread of a service by node's --import. Every search and fetch of the core is
// also attempted with small budgets, between two calls without one: an attempt has no answer or
// that of the call before it, and the call after it has the same. All of them without the deadline
// of the call, which they would use up. Prints the numbers of attempts that ended and that answered
// when the thread ends.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const BUDGETS_US = [1, 10, 50, 200, 1000];
/** The position of the budget among the arguments. */
const BUDGET_AT = { search: 4, fetch: 7 };

const addon = createRequire(join(process.cwd(), 'package.json'))('#native');
const counts = { ended: 0, answered: 0 };

/** A search reply without the counters of work, which caches save. */
function comparable(name, reply) {
  const bytes = Buffer.from(reply.slice(0));
  if (name === 'fetch') return bytes;
  const shards = bytes.readUInt32LE(4);
  let at = 8 + 4 * shards;
  for (let shard = 0; shard < shards; shard++) {
    at = Math.ceil(at / 8) * 8;
    const length = bytes.readUInt32LE(8 + 4 * shard);
    if (bytes.readUInt16LE(at + 6) === 0) bytes.fill(0, at + 48, at + 128);
    at += length;
  }
  return bytes;
}

for (const [name, budgetAt] of Object.entries(BUDGET_AT)) {
  const call = addon[name];
  addon[name] = (...args) => {
    const limits = Array.from({ length: budgetAt }, (_, i) => args[i]);
    limits[budgetAt - 1] = 0;
    const expected = comparable(name, call(...limits));
    const check = (what, reply) => {
      const got = comparable(name, reply);
      if (got.equals(expected)) return;
      const at = got.findIndex((byte, i) => byte !== expected[i]);
      console.error(`an attempt changes an answer: ${name} ${what}, byte ${at} of ${got.length}`);
    };
    for (const budgetUs of BUDGETS_US) {
      const reply = call(...limits, budgetUs);
      counts[reply === undefined ? 'ended' : 'answered']++;
      if (reply !== undefined) check(`within ${budgetUs} us`, reply);
    }
    check('behind attempts', call(...limits));
    return call(...args);
  };
}
process.on('exit', () => console.error(`attempts: ${JSON.stringify(counts)}`));
