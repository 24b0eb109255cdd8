// Whose the operations are that run, or ended of late: those that keys of some indexes started. Others are seen by keys of
// everything alone.

/** More than are remembered with their answers. */
const REMEMBERED = 10_000;

export class TaskOwners {
  readonly #owners = new Map<number, string>();

  note(task: number, owner: string): void {
    this.#owners.set(task, owner);
    if (this.#owners.size <= REMEMBERED) return;
    for (const oldest of this.#owners.keys()) {
      this.#owners.delete(oldest);
      return;
    }
  }

  of(task: number): string | undefined {
    return this.#owners.get(task);
  }
}
