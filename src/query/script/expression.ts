// What a script says: one expression as a tree.
export type Expression =
  /** `whole`: written without a fraction, which decides how it divides. */
  | { readonly kind: 'number'; readonly value: number; readonly whole: boolean }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'prefix'; readonly sign: '-' | '+' | '!'; readonly of: Expression }
  | {
      readonly kind: 'infix';
      readonly sign: InfixSign;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'choice';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  /** `object` empty: a function of its own. An argument that is undefined is a window of values. */
  | {
      readonly kind: 'call';
      readonly object: string;
      readonly method: string;
      readonly args: readonly (Expression | undefined)[];
    }
  /** The first value of a field of the document, or how many it has. */
  | { readonly kind: 'doc'; readonly field: string; readonly what: 'value' | 'size' }
  /** A vector of the caller compared with the document's. */
  | {
      readonly kind: 'vector';
      readonly method: VectorMethod;
      readonly field: string;
      readonly vector: readonly number[];
    };

export type InfixSign =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '&&'
  | '||';

export const VECTOR_METHODS = ['cosineSimilarity', 'dotProduct', 'l2norm', 'l1norm'] as const;
export type VectorMethod = (typeof VECTOR_METHODS)[number];

/** Functions of Math and how many arguments they take. */
export const MATH: Readonly<Record<string, number>> = {
  abs: 1,
  ceil: 1,
  exp: 1,
  floor: 1,
  log: 1,
  log10: 1,
  max: 2,
  min: 2,
  pow: 2,
  round: 1,
  signum: 1,
  sqrt: 1,
};
