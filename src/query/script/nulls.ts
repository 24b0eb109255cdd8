// Removes null from scripts over documents, which have no null at run time: comparisons with null
// are decided at compile time, and null is rejected where a value is needed.
import { illegal, shortened } from '../values.js';
import type { Expression } from './expression.js';

/**
 * Returns the script without null. Throws illegal_argument_exception if null is used as a value.
 */
export function withoutNulls(expression: Expression, source: string): Expression {
  const inner = (part: Expression) => withoutNulls(part, source);
  switch (expression.kind) {
    case 'null':
      throw illegal(`compile error in script [${shortened(source, 200)}]: ${expression.why}`);
    case 'prefix':
      return { ...expression, of: inner(expression.of) };
    case 'infix': {
      const known = comparedWithNull(expression);
      if (known !== undefined) return { kind: 'truth', value: known };
      return { ...expression, left: inner(expression.left), right: inner(expression.right) };
    }
    case 'choice': {
      const test = inner(expression.test);
      // A branch that is never taken may be null.
      if (test.kind === 'truth') return inner(test.value ? expression.yes : expression.no);
      return { ...expression, test, yes: inner(expression.yes), no: inner(expression.no) };
    }
    case 'call':
      return {
        ...expression,
        args: expression.args.map((arg) => (arg === undefined ? undefined : inner(arg))),
      };
    default:
      return expression;
  }
}

/**
 * The result of a comparison with null; undefined for other expressions. Values of a document are
 * never null.
 */
function comparedWithNull({
  sign,
  left,
  right,
}: Extract<Expression, { kind: 'infix' }>): boolean | undefined {
  if (left.kind !== 'null' && right.kind !== 'null') return undefined;
  if (sign !== '==' && sign !== '!=') return undefined;
  return (left.kind === right.kind) === (sign === '==');
}
