// Parses names and accesses to their members: `ctx._source.a.b`, `params['x']`, `list[0]`,
// `text.length()`, `Math.max(a, b)`. A chain may be assignable.
import { illegal } from '../values.js';
import { type Argument, place } from './arguments.js';
import { type Expression, noMember, parseExpression, parseWeighed } from './expression.js';
import { functionOf } from './functions.js';
import { callMethod, isMethod } from './methods.js';
import { Scope } from './scope.js';
import type { Surroundings } from './surroundings.js';
import type { Tokens } from './tokens.js';
import {
  fromStored,
  isStoredObject,
  kindOf,
  memberOf,
  type ScriptValue,
  type StoredObject,
  setMember,
} from './values.js';

const META = ['_id', '_index', '_version', '_routing', '_now'];
const CLASSES = ['Math', 'Integer', 'Long', 'Double', 'String'];

export interface Chain {
  readonly read: Expression;
  /**
   * Undefined: the chain is not assignable. Otherwise it resolves the target, then calls `next` for
   * the new value.
   */
  readonly change:
    | ((around: Surroundings, next: (old: () => ScriptValue) => ScriptValue) => void)
    | undefined;
  /** The last step of the chain is a call. */
  readonly called: boolean;
}

type CallArgument = (around: Surroundings) => Argument;

/** Throws if the next token is not a known name. */
export function parseChain(tokens: Tokens, scope: Scope): Chain {
  return parseSteps(tokens, scope, parseRoot(tokens, scope));
}

/** Parses the member accesses and calls after a value. */
export function parseSteps(tokens: Tokens, scope: Scope, start: Chain): Chain {
  let chain = start;
  for (;;) {
    const safe = tokens.take('?.');
    if (safe || tokens.take('.')) {
      const name = tokens.expectName();
      chain = tokens.at('(')
        ? call(chain, name, parseArguments(tokens, scope), safe, tokens)
        : member(chain, () => name, safe);
    } else if (tokens.take('[')) {
      const key = parseExpression(tokens, scope);
      tokens.expect(']');
      chain = member(chain, key, false);
    } else return chain;
  }
}

export function unnamed(read: Expression): Chain {
  return { read, change: undefined, called: false };
}

function parseRoot(tokens: Tokens, scope: Scope): Chain {
  const shown = tokens.shown();
  const name = tokens.name();
  if (name === 'ctx') return parseContext(tokens);
  if (name === 'params') return unnamed(({ params }) => params);
  const slot = name === undefined ? undefined : scope.find(name);
  if (slot !== undefined) return variable(slot);
  if (name !== undefined && CLASSES.includes(name) && tokens.take('.')) {
    const full = `${name}.${tokens.expectName()}`;
    const run = functionOf(full);
    if (run === undefined) throw tokens.wrong(`[${full}] is not supported`);
    const args = parseArguments(tokens, scope);
    const read: Expression = (around) => run(evaluated(args, around), around);
    return { ...unnamed(read), called: true };
  }
  throw tokens.wrong(`unexpected [${shown}]`);
}

function variable(slot: number): Chain {
  const read: Expression = ({ locals }) => locals[slot] ?? null;
  return {
    read,
    change: (around, next) => {
      around.locals[slot] = next(() => read(around));
    },
    called: false,
  };
}

function parseContext(tokens: Tokens): Chain {
  const bracket = tokens.take('[');
  const name = bracket ? tokens.literal()?.value : tokens.take('.') ? tokens.name() : undefined;
  if (bracket) tokens.expect(']');
  if (name === '_source') return { ...SOURCE, called: false };
  if (name === 'op') return { ...OP, called: false };
  if (typeof name === 'string' && META.includes(name)) {
    const read: Expression = ({ meta }) => meta[name] ?? null;
    return {
      read,
      change: (around, next) =>
        around.setMeta(
          name,
          next(() => read(around)),
        ),
      called: false,
    };
  }
  throw tokens.wrong(`[ctx.${String(name ?? '')}] is not supported, use [ctx._source] or [ctx.op]`);
}

const SOURCE: Omit<Chain, 'called'> = {
  read: ({ source }) => source,
  change: (around, next) => {
    const value = around.kept(next(() => around.source));
    if (!isStoredObject(value)) throw illegal('[ctx._source] must be an object');
    around.source = value;
  },
};

const OP: Omit<Chain, 'called'> = {
  read: ({ op }) => op,
  change: (around, next) => {
    const value = next(() => around.op);
    around.op = typeof value === 'object' ? kindOf(value) : String(value);
  },
};

function member(of: Chain, key: Expression, safe: boolean): Chain {
  return {
    read: (around) => {
      const holder = of.read(around);
      if (safe && holder === null) return null;
      return readMember(holder, key(around));
    },
    change: (around, next) => {
      const holder = of.read(around);
      const name = key(around);
      const old = (): ScriptValue => readMember(holder, name);
      if (Array.isArray(holder)) {
        const at = listPlace(name, holder.length);
        around.own(holder)[at] = around.kept(next(old));
        return;
      }
      if (!isStoredObject(holder) || typeof name !== 'string') throw noMember(name, holder);
      setMember(around.own<StoredObject>(holder), name, around.kept(next(old)));
    },
    called: false,
  };
}

function readMember(holder: ScriptValue, name: ScriptValue): ScriptValue {
  if (Array.isArray(holder)) {
    if (name === 'length') return BigInt(holder.length);
    return fromStored(holder[listPlace(name, holder.length)]);
  }
  if (!isStoredObject(holder) || typeof name !== 'string') throw noMember(name, holder);
  return fromStored(memberOf(holder, name));
}

/** Returns the index of a list item; a negative value counts from the end. */
function listPlace(value: ScriptValue, length: number): number {
  if (typeof value !== 'bigint') throw noMember(value, []);
  return place(value < 0n ? value + BigInt(length) : value, length);
}

function call(
  of: Chain,
  name: string,
  args: readonly CallArgument[],
  safe: boolean,
  tokens: Tokens,
): Chain {
  if (!isMethod(name)) throw tokens.wrong(`method [${name}] is not supported`);
  return {
    read: (around) => {
      const holder = of.read(around);
      if (safe && holder === null) return null;
      return callMethod(holder, name, evaluated(args, around), around);
    },
    change: undefined,
    called: true,
  };
}

function parseArguments(tokens: Tokens, scope: Scope): readonly CallArgument[] {
  tokens.expect('(');
  const args: CallArgument[] = [];
  while (!tokens.take(')')) {
    if (args.length > 0) tokens.expect(',');
    args.push(parseArgument(tokens, scope));
  }
  return args;
}

function parseArgument(tokens: Tokens, scope: Scope): CallArgument {
  if (tokens.behind() !== '->') return parseExpression(tokens, scope);
  const inner = new Scope(scope);
  const slot = inner.declare(tokens.expectName());
  if (slot === undefined) throw tokens.wrong('a parameter of [->] has the name of a variable');
  tokens.expect('->');
  const body = parseWeighed(tokens, inner);
  return (around) => (value) => {
    around.locals[slot] = value;
    return body(around);
  };
}

function evaluated(args: readonly CallArgument[], around: Surroundings): readonly Argument[] {
  return args.map((argument) => argument(around));
}
