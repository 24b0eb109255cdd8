// The owners of running and recently completed tasks that restricted keys started. All other tasks
// are visible only to keys for all indexes.
import { BoundedMap } from '../../base/bounded-map.js';

/** Must exceed the number of completed tasks whose answers are kept. */
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
