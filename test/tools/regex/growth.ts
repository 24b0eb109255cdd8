// Generates texts that may take a regular expression more than linear time, from its syntax tree,
// and judges the growth: three times the text may take about three times the steps.
import { compileProgram, type Program, searchSteps, TooManySteps } from './backtracking.ts';
import { type Expression, type Node, parseExpression } from './syntax.ts';

/** Characters of the shorter text; the longer one has three times as many. */
const LETTERS = 240;
const TIMES = 3;
/** A factor of three is linear, a factor of nine is quadratic. */
const MOST_GROWTH = 5;
/** With fewer steps per character of the shorter text, no growth is assumed. */
const FEW_STEPS = 16;
const MOST_STEPS = 2_000_000;
/** Repetitions up to this count are a constant factor, and no loop. */
const SHORT = 64;
/** Samples of one part of an expression. */
const VARIANTS = 4;
const ALPHABET = [' ', 'a', '1', '-', '.', '_', '\n', '/', '<'];
/** Ends that hardly any expression can match, on the same line and on the next. */
const ENDS = ['\u0001', '\n\u0001'];
const STARTS = 5;
const PAIRED = 14;
const LIKED = 6;

/** Describes a text that takes more than linear time; undefined: none was found. */
export function superlinear(expression: Expression): string | undefined {
  const root = parseExpression(expression);
  const loops = loopsOf(root);
  if (loops.length === 0) return undefined;
  const program = compileProgram(root, expression.flags);
  const alphabet = alphabetOf(root);
  const sampler = new Sampler(alphabet);
  const ways = loops.flatMap((loop) => sampler.ways(root, loop));
  const starts = [...new Set(['', ...ways])].slice(0, STARTS);
  const pumps = new Set([...alphabet, ...loops.flatMap((loop) => sampler.bodies(loop)), ...ways]);
  const paired = pairedOf(root, alphabet);
  for (const first of paired) for (const second of paired) pumps.add(first + second);
  for (const pump of pumps) {
    if (pump === '') continue;
    for (const start of starts) {
      for (const end of ENDS) {
        if (growsTooFast(program, start, pump, end)) {
          return `${JSON.stringify(start)} + ${JSON.stringify(pump)} again and again + ${JSON.stringify(end)}`;
        }
      }
    }
  }
  return undefined;
}

function growsTooFast(program: Program, start: string, pump: string, end: string): boolean {
  const count = Math.max(8, Math.ceil(LETTERS / pump.length));
  const textOf = (times: number): string => start + pump.repeat(times * count) + end;
  try {
    const short = textOf(1);
    const few = searchSteps(program, short, MOST_STEPS);
    if (few < short.length * FEW_STEPS) return false;
    return searchSteps(program, textOf(TIMES), MOST_STEPS) > MOST_GROWTH * few;
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}

type Loop = Extract<Node, { kind: 'repeat' }>;

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === 'sequence' || node.kind === 'choice') return node.items;
  return 'of' in node ? [node.of] : [];
}

function loopsOf(node: Node): Loop[] {
  const inner = childrenOf(node).flatMap(loopsOf);
  return node.kind === 'repeat' && node.max > SHORT ? [node, ...inner] : inner;
}

function setsOf(node: Node): Extract<Node, { kind: 'set' }>[] {
  return node.kind === 'set' ? [node] : childrenOf(node).flatMap(setsOf);
}

/** Characters to try, in descending order of the number of sets that accept them. */
function alphabetOf(root: Node): readonly string[] {
  const sets = setsOf(root);
  const spelled = sets.flatMap(({ chars }) => [...chars]);
  const all = [...new Set([...spelled, ...ALPHABET])].filter((char) => char.length === 1);
  const accepted = new Map(
    all.map((char) => [char, sets.filter(({ accepts }) => accepts(char)).length]),
  );
  return all
    .filter((char) => (accepted.get(char) ?? 0) > 0)
    .sort((a, b) => (accepted.get(b) ?? 0) - (accepted.get(a) ?? 0))
    .slice(0, 24);
}

/** Characters to try in pairs: those in the expression, and some that many sets accept. */
function pairedOf(root: Node, alphabet: readonly string[]): readonly string[] {
  const spelled = setsOf(root).flatMap(({ chars }) => [...chars]);
  return [...new Set([...alphabet.slice(0, LIKED), ...spelled])].slice(0, PAIRED);
}

/** Generates texts that parts of an expression match, ignoring lookarounds. */
class Sampler {
  readonly #alphabet: readonly string[];

  constructor(alphabet: readonly string[]) {
    this.#alphabet = alphabet;
  }

  /** Texts from the beginning to a loop, without and with one repetition of its body. */
  ways(root: Node, loop: Loop): readonly string[] {
    const found: string[] = [];
    for (let variant = 0; variant < VARIANTS; variant++) {
      const way = this.#wayTo(root, loop, variant);
      if (way !== undefined) found.push(way, way + this.#sample(loop.of, variant));
    }
    return found;
  }

  bodies(loop: Loop): readonly string[] {
    return Array.from({ length: 2 * VARIANTS }, (_, variant) => this.#sample(loop.of, variant));
  }

  #wayTo(node: Node, loop: Loop, variant: number): string | undefined {
    if (node === loop) return '';
    if (node.kind !== 'sequence') {
      for (const child of childrenOf(node)) {
        const way = this.#wayTo(child, loop, variant);
        if (way !== undefined) return way;
      }
      return undefined;
    }
    let before = '';
    for (const item of node.items) {
      const way = this.#wayTo(item, loop, variant);
      if (way !== undefined) return before + way;
      before += this.#sample(item, variant);
    }
    return undefined;
  }

  #sample(node: Node, variant: number): string {
    switch (node.kind) {
      case 'set': {
        const own = [...node.chars].filter((char) => node.accepts(char));
        const liked = this.#alphabet.filter((char) => node.accepts(char));
        const all = variant % 2 === 0 ? [...liked, ...own] : [...own, ...liked];
        return all[Math.floor(variant / 2) % Math.max(1, all.length)] ?? '';
      }
      case 'sequence':
        return node.items.map((item) => this.#sample(item, variant)).join('');
      case 'choice':
        return this.#sample(node.items[variant % node.items.length] as Node, variant);
      case 'repeat':
        return this.#sample(node.of, variant).repeat(Math.min(8, Math.max(node.min, variant % 2)));
      case 'group':
        return this.#sample(node.of, variant);
      default:
        return '';
    }
  }
}
