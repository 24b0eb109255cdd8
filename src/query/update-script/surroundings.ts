// The state of a script while it runs for one document: the document, parameters, variables, and
// the remaining steps.

import type { CooperativeTask } from '../../base/cooperative-task.js';
import { illegal } from '../values.js';
import { documentText, type TextLimit } from './document-text.js';
import { stepsOfText } from './steps.js';
import {
  copyOf,
  isContainer,
  type ScriptValue,
  type Stored,
  type StoredObject,
  same,
  toStored,
} from './values.js';

/**
 * The limit for one document on statements, loop iterations, list members read, and strings made.
 */
const MOST_STEPS = 500_000;
const MAX_DEPTH = 500;

export interface ScriptContext {
  readonly params: StoredObject;
  /** All lists and objects of the parameters. */
  readonly fixed: WeakSet<object>;
}

export class Surroundings {
  source: StoredObject;
  op: string;
  /** `_id`, `_index`, `_version`, `_routing`, `_now`. */
  readonly meta: Record<string, ScriptValue>;
  readonly locals: ScriptValue[] = [];
  readonly #given: ScriptContext;
  readonly #writable: readonly string[];
  #left = MOST_STEPS;
  #nested = false;

  constructor(
    source: StoredObject,
    meta: Readonly<Record<string, ScriptValue>>,
    given: ScriptContext,
    writable: readonly string[],
    op: string,
  ) {
    this.op = op;
    this.source = source;
    this.meta = { ...meta };
    this.#given = given;
    this.#writable = writable;
  }

  get params(): StoredObject {
    return this.#given.params;
  }
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      throw illegal(
        `script does too much for one document: it takes more than [${MOST_STEPS}] steps, let it go through less`,
      );
    }
  }
  /** Spends the steps for a new string of this length. */
  spendText(characters: number): void {
    this.spend(stepsOfText(characters));
  }
  /** Spends the steps for a string that is longer than its operands. */
  made(text: string): string {
    this.spendText(text.length);
    return text;
  }
  /** Compares deeply: numbers of one type, strings, and containers with equal members. */
  same(a: ScriptValue, b: ScriptValue): boolean {
    return same(a, b, (steps, depth) => {
      if (depth > MAX_DEPTH) throw illegal('script compares what is nested too deeply');
      this.spend(steps);
    });
  }
  /**
   * Returns the document as JSON. Once a script has stored a list or map, the document may have it
   * at many places or inside itself, so each value then costs a step.
   */
  text(limit: TextLimit): CooperativeTask<string> {
    return documentText(this.source, limit, () => {
      if (this.#nested) this.spend(1);
    });
  }
  setMeta(name: string, value: ScriptValue): void {
    if (!this.#writable.includes(name)) throw illegal(`Modifying [${name}] not allowed`);
    this.meta[name] = value;
  }
  /**
   * Returns the container. Throws if it may not be changed, such as parameters, which all documents
   * share.
   */
  own<T extends object>(container: T): T {
    if (this.#given.fixed.has(container)) throw illegal('script cannot change [params]');
    if (Object.isFrozen(container)) {
      throw illegal('script cannot change [keySet()], [values()] and [entrySet()], change the map');
    }
    return container;
  }
  /**
   * Returns the value in the form in which a list, an object or the document stores it. Containers
   * that may not be changed are copied.
   */
  kept(value: ScriptValue): Stored {
    if (!isContainer(value)) return toStored(value);
    this.#nested = true;
    if (!this.#given.fixed.has(value) && !Object.isFrozen(value)) return value;
    return copyOf(value, (steps, depth) => {
      if (depth > MAX_DEPTH) throw illegal('script copies what is nested too deeply');
      this.spend(steps);
    });
  }
}
