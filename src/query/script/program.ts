// Compiles a script over documents to instructions of the core's stack machine;
// native/core/query/functions/script.h owns the format.

import type { PlanWriter } from '../../wire/plan-writer.js';
import { illegal } from '../values.js';
import { DATE_PARTS, type Expression, REDUCTIONS, VECTOR_METHODS } from './expression.js';

/** A script in the form that is written to a plan. */
export interface Script {
  readonly source: string;
  readonly expression: Expression;
  /** True for the language [expression]: every number is a fraction, and a missing value is 0. */
  readonly fractions: boolean;
}

const CODES = [
  'number',
  'whole',
  'truth',
  'text',
  'score',
  'value',
  'size',
  'negate',
  '!',
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '<=',
  '>',
  '>=',
  '==',
  '!=',
  'jump',
  'jump_unless',
  'call',
  'vector',
  'reduce',
  'date',
] as const;
type Code = (typeof CODES)[number];
const COMPARISONS: readonly Code[] = ['<', '<=', '>', '>=', '==', '!='];
/** In the order of the core's numbers (ScriptCall). */
const CALLS = [
  'abs',
  'ceil',
  'exp',
  'floor',
  'log',
  'log10',
  'max',
  'min',
  'pow',
  'round',
  'signum',
  'sqrt',
  'saturation',
  'sigmoid',
  'acos',
  'acosh',
  'asin',
  'asinh',
  'atan',
  'atan2',
  'atanh',
  'cos',
  'cosh',
  'haversin',
  'logn',
  'sin',
  'sinh',
  'tan',
  'tanh',
  'bit_and',
  'bit_or',
  'bit_xor',
  'bit_not',
  'shift_left',
  'shift_right',
  'shift_right_unsigned',
];
/** Functions of the language [expression] that have another name in Math. */
const OTHER_NAMES: Readonly<Record<string, string>> = { ln: 'log' };

/** Characters of the texts of one script: a parameter is written wherever the script names it. */
const MOST_TEXT = 1_048_576;

interface Instruction {
  readonly code: Code;
  readonly operand?: (writer: PlanWriter) => void;
  /** The instruction that a jump goes to. */
  target?: number;
}

/** Writes str source, list<str field>, then the instructions. */
export function writeScript(writer: PlanWriter, script: Script): void {
  const assembler = new Assembler(script.fractions);
  assembler.add(script.expression);
  writer.str(script.source).list(assembler.fields, (field) => writer.str(field));
  writer.list(assembler.instructions, ({ code, operand, target }) => {
    writer.u8(CODES.indexOf(code));
    operand?.(writer);
    if (target !== undefined) writer.u32(target);
  });
}

class Assembler {
  readonly fields: string[] = [];
  readonly instructions: Instruction[] = [];
  readonly #fractions: boolean;
  /** Characters of all texts. */
  #texts = 0;

  constructor(fractions: boolean) {
    this.#fractions = fractions;
  }

  add(expression: Expression): void {
    switch (expression.kind) {
      case 'number':
        this.#number(expression.value, expression.whole && !this.#fractions);
        return;
      case 'truth':
        this.#push('truth', (writer) => writer.bool(expression.value));
        return;
      case 'null':
        throw new Error('a script over documents has no null');
      case 'text':
        this.#countText(expression.value);
        this.#push('text', (writer) => writer.str(expression.value));
        return;
      case 'name':
        this.#push('score');
        return;
      case 'prefix':
        this.add(expression.of);
        if (expression.sign !== '+') this.#push(expression.sign === '-' ? 'negate' : '!');
        if (expression.sign === '!') this.#fraction();
        return;
      case 'infix':
        this.#infix(expression);
        return;
      case 'choice':
        this.#choice(expression.test, expression.yes, expression.no);
        return;
      case 'call':
        for (const arg of expression.args) if (arg !== undefined) this.add(arg);
        this.#call(expression.method);
        return;
      case 'doc':
        this.#doc(expression);
        return;
      case 'date': {
        const part = DATE_PARTS.indexOf(expression.part);
        const field = this.#field(expression.field);
        this.#push('date', (writer) => writer.u8(part).u16(field));
        return;
      }
      case 'vector': {
        const method = VECTOR_METHODS.indexOf(expression.method);
        const field = this.#field(expression.field);
        this.#push('vector', (writer) => writer.u8(method).u16(field).floats(expression.vector));
        return;
      }
    }
  }

  #push(code: Code, operand?: (writer: PlanWriter) => void): void {
    this.instructions.push(operand === undefined ? { code } : { code, operand });
  }
  #countText(text: string): void {
    this.#texts += text.length;
    if (this.#texts <= MOST_TEXT) return;
    throw illegal(
      `the texts of the script have [${this.#texts}] characters, more than [${MOST_TEXT}]: give shorter ones`,
    );
  }
  #number(value: number, whole: boolean): void {
    if (whole) this.#push('whole', (writer) => writer.i64(BigInt(value)));
    else this.#push('number', (writer) => writer.f64(value));
  }
  #field(name: string): number {
    const at = this.fields.indexOf(name);
    return at >= 0 ? at : this.fields.push(name) - 1;
  }
  #doc(expression: Extract<Expression, { kind: 'doc' }>): void {
    const field = this.#field(expression.field);
    const operand = (writer: PlanWriter) => writer.u16(field);
    const reduction = (REDUCTIONS as readonly string[]).indexOf(expression.what);
    if (reduction >= 0) {
      this.#push('reduce', (writer) => writer.u8(reduction).u16(field));
      return;
    }
    if (expression.what === 'size' || !this.#fractions) {
      this.#push(expression.what === 'size' ? 'size' : 'value', operand);
      if (expression.what === 'size') this.#fraction();
      return;
    }
    this.#push('size', operand);
    const whenMissing = this.#jump('jump_unless');
    this.#push('value', operand);
    this.#fraction();
    const done = this.#jump('jump');
    this.#land(whenMissing);
    this.#number(0, false);
    this.#land(done);
  }

  #infix({ sign, left, right }: Extract<Expression, { kind: 'infix' }>): void {
    const no: Expression = { kind: 'truth', value: false };
    const yes: Expression = { kind: 'truth', value: true };
    if (sign === '&&') this.#choice(left, truthOf(right), no);
    else if (sign === '||') this.#choice(left, yes, truthOf(right));
    else this.#operation(sign, left, right);
  }
  #operation(sign: Code, left: Expression, right: Expression): void {
    this.add(left);
    this.add(right);
    this.#push(sign);
    if (COMPARISONS.includes(sign)) this.#fraction();
  }
  /**
   * In the language [expression], converts whole numbers and booleans to fractions, which are
   * divided differently.
   */
  #fraction(): void {
    if (!this.#fractions) return;
    this.#number(0, false);
    this.#push('+');
  }
  #call(method: string): void {
    const name = OTHER_NAMES[method] ?? method;
    this.#push('call', (writer) => writer.u8(CALLS.indexOf(name)));
  }
  #choice(test: Expression, yes: Expression, no: Expression): void {
    this.add(test);
    const otherwise = this.#jump('jump_unless');
    this.add(yes);
    const done = this.#jump('jump');
    this.#land(otherwise);
    this.add(no);
    this.#land(done);
  }
  #jump(code: 'jump' | 'jump_unless'): Instruction {
    const instruction: Instruction = { code };
    this.instructions.push(instruction);
    return instruction;
  }
  #land(jump: Instruction): void {
    jump.target = this.instructions.length;
  }
}

function truthOf(of: Expression): Expression {
  return { kind: 'prefix', sign: '!', of: { kind: 'prefix', sign: '!', of } };
}
