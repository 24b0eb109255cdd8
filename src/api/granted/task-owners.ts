// Whose the operations are that run, or ended of late: those that keys of some indexes started. Others are seen by keys of
// everything alone.
import { BoundedMap } from '../../base/bounded-map.js';

/** More than are remembered with their answers. */
const REMEMBERED = 10_000;

export class TaskOwners {
  readonly #owners = new BoundedMap<number, string>(REMEMBERED);

  note(task: number, owner: string): void {
    this.#owners.set(task, owner);
  }

  of(task: number): string | undefined {
    return this.#owners.get(task);
  }
}
