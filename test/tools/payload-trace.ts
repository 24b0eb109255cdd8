// Records the payloads that a PlanWriter writes, as PlanTrace in native/core/query/plan/plan_node.h
// records those that the core reads.
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import { PlanWriter } from '../../src/wire/plan-writer.ts';

export interface Payload {
  /** DSL name of the node. */
  readonly name: string;
  /** One letter for each value: integers b, h, i, q, floats f and d, strings s, nodes n. */
  readonly kinds: string;
}

const LETTERS = {
  u8: 'b',
  u16: 'h',
  u32: 'i',
  u64: 'q',
  i64: 'q',
  f32: 'f',
  f64: 'd',
  str: 's',
  strBytes: 's',
  block: 's',
} as const;

type Method = (...given: unknown[]) => unknown;

/** The payloads of all nodes that `work` writes. */
export function tracePayloads(work: () => void): readonly Payload[] {
  const payloads: Payload[] = [];
  /** The kinds of the payloads that are being written, the innermost last. */
  const open: string[][] = [];
  const restore: (() => void)[] = [];
  const replace = (of: object, name: string, by: (original: Method) => Method): void => {
    const methods = of as Record<string, Method>;
    const original = methods[name];
    if (original === undefined) throw new Error(`there is no method ${name}`);
    methods[name] = by(original);
    restore.push(() => {
      methods[name] = original;
    });
  };
  /** Records one value, and nothing of what writing it writes. */
  const asOne = (letter: string, write: () => unknown): unknown => {
    open.at(-1)?.push(letter);
    open.push([]);
    const result = write();
    open.pop();
    return result;
  };
  for (const [name, letter] of Object.entries(LETTERS)) {
    const of = name === 'block' ? PlanWriter.prototype : ByteWriter.prototype;
    replace(of, name, (original) => {
      return function (this: unknown, ...given) {
        return asOne(letter, () => original.apply(this, given));
      };
    });
  }
  replace(PlanWriter.prototype, 'node', (original) => {
    return function (this: unknown, name, payload, flags) {
      const traced = (): void => {
        const kinds: string[] = [];
        open.push(kinds);
        (payload as () => void)();
        open.pop();
        payloads.push({ name: String(name), kinds: kinds.join('') });
      };
      return asOne('n', () => original.call(this, name, traced, flags));
    };
  });
  try {
    work();
  } finally {
    for (const undo of restore) undo();
  }
  return payloads;
}
