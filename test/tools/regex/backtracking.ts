// Counts the steps of a backtracking matcher that searches a text, as V8 does without its
// optimizations. Unlike a time, the count is the same on every machine. The expression is compiled
// to a program for a machine with a stack of alternatives.
import type { Node } from './syntax.ts';

/** Thrown when the limit on steps is exceeded. */
export class TooManySteps extends Error {}

/** The second way is tried if the first one fails. */
interface Split {
  readonly code: 'split';
  first: number;
  second: number;
}

type Instruction =
  | { readonly code: 'set'; readonly accepts: (char: string) => boolean; readonly way: Way }
  | Split
  | { readonly code: 'jump'; to: number }
  /** Stores the position in a slot. */
  | { readonly code: 'save'; readonly slot: number }
  /** Fails if a repetition consumed nothing. */
  | { readonly code: 'moved'; readonly slot: number }
  | { readonly code: 'look'; readonly negative: boolean; readonly inner: readonly Instruction[] }
  | { readonly code: 'place'; readonly sign: '^' | '$' | 'b' | 'B' }
  | { readonly code: 'back'; readonly slots: readonly [number, number]; readonly way: Way };

/** 1: to the right, -1: to the left, inside of a lookbehind. */
type Way = 1 | -1;

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly slots: number;
  /** `^` and `$` match at the beginning and the end of a line. */
  readonly lines: boolean;
}

export function compileProgram(root: Node, flags: string): Program {
  const compiler = new Compiler();
  const instructions = compiler.program(root, 1);
  return { instructions, slots: compiler.slots, lines: flags.includes('m') };
}

class Compiler {
  slots = 0;
  readonly #groups = new Map<string, readonly [number, number]>();
  #out: Instruction[] = [];

  program(node: Node, way: Way): readonly Instruction[] {
    const outside = this.#out;
    this.#out = [];
    this.#add(node, way);
    const made = this.#out;
    this.#out = outside;
    return made;
  }

  #add(node: Node, way: Way): void {
    switch (node.kind) {
      case 'set':
        this.#out.push({ code: 'set', accepts: node.accepts, way });
        return;
      case 'sequence':
        for (const item of way > 0 ? node.items : node.items.toReversed()) this.#add(item, way);
        return;
      case 'choice':
        this.#choice(node.items, way);
        return;
      case 'repeat':
        this.#repeat(node, way);
        return;
      case 'group':
        this.#group(node, way);
        return;
      case 'look': {
        const inner = this.program(node.of, node.behind ? -1 : 1);
        this.#out.push({ code: 'look', negative: node.negative, inner });
        return;
      }
      case 'place':
        this.#out.push({ code: 'place', sign: node.sign });
        return;
      case 'back':
        this.#out.push({ code: 'back', slots: this.#slotsOf(node.name), way });
    }
  }

  #choice(items: readonly Node[], way: Way): void {
    const jumps: { code: 'jump'; to: number }[] = [];
    for (const [index, item] of items.entries()) {
      if (index === items.length - 1) {
        this.#add(item, way);
        continue;
      }
      const split = this.#split();
      this.#add(item, way);
      const jump = { code: 'jump' as const, to: 0 };
      this.#out.push(jump);
      jumps.push(jump);
      split.second = this.#out.length;
    }
    for (const jump of jumps) jump.to = this.#out.length;
  }

  #repeat({ of, min, max, lazy }: Extract<Node, { kind: 'repeat' }>, way: Way): void {
    for (let count = 0; count < min; count++) this.#add(of, way);
    const exits: Split[] = [];
    const optional = max === Infinity ? 1 : max - min;
    for (let count = 0; count < optional; count++) {
      const begin = this.#out.length;
      const slot = this.slots++;
      exits.push(this.#split());
      this.#out.push({ code: 'save', slot });
      this.#add(of, way);
      this.#out.push({ code: 'moved', slot });
      if (max === Infinity) this.#out.push({ code: 'jump', to: begin });
    }
    for (const exit of exits) {
      exit.second = this.#out.length;
      if (lazy) [exit.first, exit.second] = [exit.second, exit.first];
    }
  }

  #group({ name, of }: Extract<Node, { kind: 'group' }>, way: Way): void {
    if (name === undefined) {
      this.#add(of, way);
      return;
    }
    const [start, end] = this.#slotsOf(name);
    this.#out.push({ code: 'save', slot: way > 0 ? start : end });
    this.#add(of, way);
    this.#out.push({ code: 'save', slot: way > 0 ? end : start });
  }

  #slotsOf(name: string): readonly [number, number] {
    const known = this.#groups.get(name) ?? [this.slots, this.slots + 1];
    if (!this.#groups.has(name)) this.slots += 2;
    this.#groups.set(name, known);
    return known;
  }

  #split(): Split {
    const split: Split = { code: 'split', first: this.#out.length + 1, second: 0 };
    this.#out.push(split);
    return split;
  }
}

/**
 * Tries every position of the text until the program matches. Throws TooManySteps beyond `most`.
 */
export function searchSteps(program: Program, text: string, most: number): number {
  const machine = new Machine(program, text, most);
  for (let at = 0; at <= text.length; at++) {
    if (machine.run(program.instructions, at)) break;
  }
  return machine.steps;
}

/** The point to continue at, or the previous value of a slot. */
type Alternative = readonly [pc: number, at: number] | readonly [-1, slot: number, before: number];

class Machine {
  steps = 0;
  readonly #text: string;
  readonly #lines: boolean;
  readonly #most: number;
  readonly #slots: Int32Array;

  constructor({ slots, lines }: Program, text: string, most: number) {
    this.#text = text;
    this.#lines = lines;
    this.#most = most;
    this.#slots = new Int32Array(slots);
  }

  run(program: readonly Instruction[], from: number): boolean {
    const stack: Alternative[] = [[0, from]];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (top[0] < 0) this.#slots[top[1]] = top[2] ?? 0;
      else if (this.#follow(program, top[0], top[1], stack)) return true;
    }
    return false;
  }

  /** Runs until it fails, or the program ends. */
  #follow(
    program: readonly Instruction[],
    from: number,
    place: number,
    stack: Alternative[],
  ): boolean {
    let [pc, at] = [from, place];
    for (let now = program[pc]; now !== undefined; now = program[pc]) {
      if (++this.steps > this.#most) throw new TooManySteps();
      pc++;
      switch (now.code) {
        case 'set': {
          const char = this.#text[now.way > 0 ? at : at - 1];
          if (char === undefined || !now.accepts(char)) return false;
          at += now.way;
          break;
        }
        case 'split':
          stack.push([now.second, at]);
          pc = now.first;
          break;
        case 'jump':
          pc = now.to;
          break;
        case 'save':
          stack.push([-1, now.slot, this.#slots[now.slot] ?? 0]);
          this.#slots[now.slot] = at;
          break;
        case 'moved':
          if (this.#slots[now.slot] === at) return false;
          break;
        case 'look':
          if (this.run(now.inner, at) === now.negative) return false;
          break;
        case 'place':
          if (!this.#isAt(now.sign, at)) return false;
          break;
        case 'back': {
          const [start, end] = now.slots.map((slot) => this.#slots[slot] ?? 0);
          const text = this.#text.slice(start, end);
          if (!this.#text.startsWith(text, now.way > 0 ? at : at - text.length)) return false;
          at += now.way * text.length;
        }
      }
    }
    return true;
  }

  #isAt(sign: '^' | '$' | 'b' | 'B', at: number): boolean {
    const [before, behind] = [this.#text[at - 1], this.#text[at]];
    if (sign === '^') return before === undefined || (this.#lines && before === '\n');
    if (sign === '$') return behind === undefined || (this.#lines && behind === '\n');
    const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
    return (isWord(before) !== isWord(behind)) === (sign === 'b');
  }
}
