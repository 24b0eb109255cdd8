// The expression tree of a script.
export type Expression =
  /** `whole`: written without a fraction, which determines its division. */
  | { readonly kind: 'number'; readonly value: number; readonly whole: boolean }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  /**
   * `unknown`: a missing parameter, which may only be compared. `why` is the error message if a
   * value is needed.
   */
  | { readonly kind: 'null'; readonly unknown: boolean; readonly why: string }
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
  /**
   * An empty `object` stands for a function without an object. An undefined argument is a window of
   * values.
   */
  | {
      readonly kind: 'call';
      readonly object: string;
      readonly method: string;
      readonly args: readonly (Expression | undefined)[];
    }
  /** The first value of a document's field, the number of its values, or a reduction of them. */
  | { readonly kind: 'doc'; readonly field: string; readonly what: 'value' | 'size' | Reduction }
  /** A part of the first date of a field, in UTC; of a document without one 0. */
  | { readonly kind: 'date'; readonly field: string; readonly part: DatePart }
  /** A comparison of a vector in the request with the document's vector. */
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

/** Signs of the language [expression] that take whole numbers of 64 bits, and the calls that they are. */
export const BIT_SIGNS: Readonly<Record<string, string>> = {
  '&': 'bit_and',
  '|': 'bit_or',
  '^': 'bit_xor',
  '<<': 'shift_left',
  '>>': 'shift_right',
  '>>>': 'shift_right_unsigned',
};
export const BIT_NOT = 'bit_not';

/** In the order of the core's numbers (ScriptDatePart). */
export const DATE_PARTS = [
  'centuryOfEra',
  'dayOfMonth',
  'dayOfWeek',
  'dayOfYear',
  'era',
  'hourOfDay',
  'millisOfDay',
  'millisOfSecond',
  'minuteOfDay',
  'minuteOfHour',
  'month',
  'monthOfYear',
  'secondOfDay',
  'secondOfMinute',
  'weekOfWeekyear',
  'weekyear',
  'year',
  'yearOfCentury',
  'yearOfEra',
] as const;
export type DatePart = (typeof DATE_PARTS)[number];
/** Methods of a field of dates itself; the month counts from 0. */
export const DATE_METHODS: Readonly<Record<string, DatePart>> = {
  getYear: 'yearOfEra',
  getMonth: 'month',
  getDayOfMonth: 'dayOfMonth',
  getHourOfDay: 'hourOfDay',
  getMinutes: 'minuteOfHour',
  getSeconds: 'secondOfMinute',
};

/** In the order of the core's numbers. The result for a document without values is 0. */
export const REDUCTIONS = ['min', 'max', 'sum', 'avg', 'median'] as const;
export type Reduction = (typeof REDUCTIONS)[number];

export const VECTOR_METHODS = ['cosineSimilarity', 'dotProduct', 'l2norm', 'l1norm'] as const;
export type VectorMethod = (typeof VECTOR_METHODS)[number];

/** The functions of Math and their numbers of arguments. */
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
  acos: 1,
  asin: 1,
  atan: 1,
  atan2: 2,
  cos: 1,
  cosh: 1,
  sin: 1,
  sinh: 1,
  tan: 1,
  tanh: 1,
};

/**
 * The functions of the language [expression], which are called without an object, and their numbers
 * of arguments.
 */
export const FUNCTIONS: Readonly<Record<string, number>> = {
  abs: 1,
  acos: 1,
  acosh: 1,
  asin: 1,
  asinh: 1,
  atan: 1,
  atan2: 2,
  atanh: 1,
  ceil: 1,
  cos: 1,
  cosh: 1,
  exp: 1,
  floor: 1,
  haversin: 4,
  ln: 1,
  log10: 1,
  logn: 2,
  max: 2,
  min: 2,
  pow: 2,
  sin: 1,
  sinh: 1,
  sqrt: 1,
  tan: 1,
  tanh: 1,
};

export const LANGUAGES = ['painless', 'expression'] as const;
export type ScriptLanguage = (typeof LANGUAGES)[number];
