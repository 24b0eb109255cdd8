// Compiles statements of update scripts from tokens to functions: assignments, calls, variables,
// `if`, `for`, `while`, blocks.
import { illegal } from '../values.js';
import type { Operator } from './arithmetic.js';
import { parseChain } from './chain.js';
import { type Expression, joined, parseExpression, parseWeighed, truth } from './expression.js';
import { Scope } from './scope.js';
import { stepsOfTokens } from './steps.js';
import type { Surroundings } from './surroundings.js';
import type { Tokens } from './tokens.js';
import { fromStored, isStoredObject, kindOf, type ScriptValue } from './values.js';

/** How a statement ends the enclosing statement; undefined: it does not. */
type Flow = 'return' | 'break' | 'continue' | undefined;
export type Statement = (around: Surroundings) => Flow;

const CHANGES: Readonly<Record<string, Operator>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
};
const TYPES =
  'def int long short byte double float boolean String Object List ArrayList Map HashMap'.split(
    ' ',
  );

export function parseStatements(tokens: Tokens, scope: Scope): readonly Statement[] {
  const statements: Statement[] = [];
  while (!tokens.done && !tokens.at('}')) {
    if (tokens.take(';')) continue;
    statements.push(parseStatement(tokens, scope));
  }
  if (tokens.at('}') && !scope.inner) throw tokens.wrong('unexpected [}]');
  return statements;
}

export function runAll(statements: readonly Statement[], around: Surroundings): Flow {
  for (const statement of statements) {
    around.spend(1);
    const flow = statement(around);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

function parseStatement(tokens: Tokens, scope: Scope): Statement {
  return tokens.nested(() => {
    if (tokens.at('{')) return parseBlock(tokens, scope);
    if (tokens.word('if')) return parseIf(tokens, scope);
    if (tokens.word('for')) return parseFor(tokens, new Scope(scope));
    if (tokens.word('while')) return parseWhile(tokens, scope);
    const statement = parseSimple(tokens, scope);
    if (!tokens.done && !tokens.at('}')) tokens.expect(';');
    return statement;
  });
}

function parseSimple(tokens: Tokens, scope: Scope): Statement {
  const [statement, length] = tokens.measured(() => parseOne(tokens, scope));
  const steps = stepsOfTokens(length);
  if (steps === 0) return statement;
  return (around) => {
    around.spend(steps);
    return statement(around);
  };
}

function parseOne(tokens: Tokens, scope: Scope): Statement {
  for (const flow of ['return', 'break', 'continue'] as const) {
    if (tokens.word(flow)) return () => flow;
  }
  const type = TYPES.find((name) => tokens.shown() === name && declares(tokens));
  return type === undefined ? parseChange(tokens, scope) : parseDeclaration(tokens, scope);
}

/** A type is followed by a name, a class by a dot. */
function declares(tokens: Tokens): boolean {
  return /^[A-Za-z_]/.test(tokens.behind() ?? '');
}

function parseBlock(tokens: Tokens, scope: Scope): Statement {
  tokens.expect('{');
  const statements = parseStatements(tokens, new Scope(scope));
  tokens.expect('}');
  return (around) => runAll(statements, around);
}

function parseIf(tokens: Tokens, scope: Scope): Statement {
  const condition = parseCondition(tokens, scope);
  const yes = parseStatement(tokens, new Scope(scope));
  while (tokens.at(';') && tokens.behind() === 'else') tokens.expect(';');
  const no = tokens.word('else') ? parseStatement(tokens, new Scope(scope)) : undefined;
  return (around) => (truth(condition(around)) ? yes(around) : no?.(around));
}

function parseCondition(tokens: Tokens, scope: Scope): Expression {
  tokens.expect('(');
  const condition = parseWeighed(tokens, scope);
  tokens.expect(')');
  return condition;
}

function parseWhile(tokens: Tokens, scope: Scope): Statement {
  const condition = parseCondition(tokens, scope);
  return loop({ condition, body: parseStatement(tokens, new Scope(scope)) });
}

interface Loop {
  readonly first?: Statement | undefined;
  readonly condition: Expression | undefined;
  readonly step?: Statement | undefined;
  readonly body: Statement;
}

function loop({ first, condition, step, body }: Loop): Statement {
  return (around) => {
    for (first?.(around); condition === undefined || truth(condition(around)); step?.(around)) {
      around.spend(1);
      const flow = body(around);
      if (flow === 'break') return undefined;
      if (flow === 'return') return flow;
    }
    return undefined;
  };
}

/**
 * Parses `for (def x : list)`, `for (x in list)` or `for (int i = 0; i < 3; i++)` after the
 * keyword.
 */
function parseFor(tokens: Tokens, scope: Scope): Statement {
  tokens.expect('(');
  const typed = TYPES.includes(tokens.shown()) && declares(tokens);
  if (tokens.behind() === 'in' || (typed && tokens.behind(2) === ':')) {
    if (typed) tokens.expectName();
    return parseEach(tokens, scope);
  }
  const first = tokens.at(';') ? undefined : parseSimple(tokens, scope);
  tokens.expect(';');
  const condition = tokens.at(';') ? undefined : parseWeighed(tokens, scope);
  tokens.expect(';');
  const step = tokens.at(')') ? undefined : parseSimple(tokens, scope);
  tokens.expect(')');
  return loop({ first, condition, step, body: parseStatement(tokens, scope) });
}

function parseEach(tokens: Tokens, scope: Scope): Statement {
  const slot = declared(tokens, scope);
  if (!tokens.take(':') && !tokens.word('in')) tokens.expect(':');
  const values = parseWeighed(tokens, scope);
  tokens.expect(')');
  const body = parseStatement(tokens, scope);
  return (around) => {
    const list = values(around);
    if (!Array.isArray(list)) {
      throw illegal(
        `script can go through a list, found a value of type [${kindOf(list)}]${isStoredObject(list) ? ', use [keySet()]' : ''}`,
      );
    }
    around.spend(list.length);
    for (const value of [...list]) {
      around.locals[slot] = fromStored(value);
      const flow = body(around);
      if (flow === 'break') return undefined;
      if (flow === 'return') return flow;
    }
    return undefined;
  };
}

function parseDeclaration(tokens: Tokens, scope: Scope): Statement {
  const type = tokens.expectName();
  const parts: Statement[] = [];
  do {
    const name = tokens.shown();
    const given = tokens.behind() === '=';
    const slot = declared(tokens, scope);
    if (given) tokens.expect('=');
    const value: Expression = given ? parseExpression(tokens, scope) : () => null;
    parts.push((around) => {
      around.locals[slot] = converted(type, name, value(around));
      return undefined;
    });
  } while (tokens.take(','));
  return (around) => runAll(parts, around);
}

function declared(tokens: Tokens, scope: Scope): number {
  const name = tokens.expectName();
  const slot = scope.declare(name);
  if (slot === undefined) throw tokens.wrong(`variable [${name}] is already defined`);
  return slot;
}

/** Converts whole numbers for variables of a floating-point type. */
function converted(type: string, name: string, value: ScriptValue): ScriptValue {
  if ((type === 'double' || type === 'float') && typeof value === 'bigint') return Number(value);
  const whole = type === 'int' || type === 'long' || type === 'short' || type === 'byte';
  if (!whole || value === null || typeof value === 'bigint') return value;
  throw illegal(`script cannot cast a value of type [${kindOf(value)}] to [${type} ${name}]`);
}

function parseChange(tokens: Tokens, scope: Scope): Statement {
  const before = ['++', '--'].find((sign) => tokens.at(sign));
  if (before !== undefined) tokens.expect(before);
  const chain = parseChain(tokens, scope);
  const { change, read } = chain;
  const next =
    change === undefined
      ? undefined
      : before === undefined
        ? parseNext(tokens, scope)
        : STEPS[before];
  if (change !== undefined && next !== undefined) {
    return (around) => {
      change(around, (old) => next(around, old));
      return undefined;
    };
  }
  if (!chain.called) throw tokens.wrong(`expected an assignment, found [${tokens.shown()}]`);
  return (around) => {
    read(around);
    return undefined;
  };
}

/** Computes the new value of an assignment's target from its old value. */
type Next = (around: Surroundings, old: () => ScriptValue) => ScriptValue;

const STEPS: Readonly<Record<string, Next>> = {
  '++': (around, old) => joined('+', old(), 1n, around),
  '--': (around, old) => joined('-', old(), 1n, around),
};

function parseNext(tokens: Tokens, scope: Scope): Next | undefined {
  for (const [sign, step] of Object.entries(STEPS)) if (tokens.take(sign)) return step;
  if (tokens.take('=')) {
    const value = parseExpression(tokens, scope);
    return (around) => value(around);
  }
  for (const [sign, operator] of Object.entries(CHANGES)) {
    if (!tokens.take(sign)) continue;
    const value = parseExpression(tokens, scope);
    return (around, old) => joined(operator, old(), value(around), around);
  }
  return undefined;
}
