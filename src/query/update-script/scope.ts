// The variables that are visible at a point of a script. Each has a slot in the values of a run.

export class Scope {
  readonly #outer: Scope | undefined;
  readonly #slots = new Map<string, number>();
  readonly #counter: { next: number };

  constructor(outer?: Scope) {
    this.#outer = outer;
    this.#counter = outer === undefined ? { next: 0 } : outer.#counter;
  }

  /** Whether the scope is that of a block or a loop. */
  get inner(): boolean {
    return this.#outer !== undefined;
  }
  /** Returns the slot; undefined if there is no such variable. */
  find(name: string): number | undefined {
    return this.#slots.get(name) ?? this.#outer?.find(name);
  }
  /** Returns the new slot; undefined if the variable already exists. */
  declare(name: string): number | undefined {
    if (this.find(name) !== undefined) return undefined;
    const slot = this.#counter.next;
    this.#counter.next += 1;
    this.#slots.set(name, slot);
    return slot;
  }
}
