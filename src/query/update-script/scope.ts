// The variables that a script knows at one of its places, each a place among the values of a run.

export class Scope {
  readonly #outer: Scope | undefined;
  readonly #slots = new Map<string, number>();
  readonly #counter: { next: number };

  constructor(outer?: Scope) {
    this.#outer = outer;
    this.#counter = outer === undefined ? { next: 0 } : outer.#counter;
  }

  /** Within a block or a loop. */
  get inner(): boolean {
    return this.#outer !== undefined;
  }
  /** Undefined: there is no such variable. */
  find(name: string): number | undefined {
    return this.#slots.get(name) ?? this.#outer?.find(name);
  }
  /** Undefined: there is one already. */
  declare(name: string): number | undefined {
    if (this.find(name) !== undefined) return undefined;
    const slot = this.#counter.next;
    this.#counter.next += 1;
    this.#slots.set(name, slot);
    return slot;
  }
}
