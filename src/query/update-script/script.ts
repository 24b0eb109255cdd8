// The small language of `_update`, `_update_by_query` and `_reindex`: assignments to `ctx._source`, `+=` and its like,
// `remove`, and `ctx.op`. Compiled once, run for every document.
import { parse, stringify } from 'lossless-json';
import type { Json, JsonObject } from '../../backend.js';
import { illegal, isObject, malformed, tokenName } from '../values.js';
import { apply, type Operator } from './arithmetic.js';
import {
  type Expression,
  noMember,
  parseExpression,
  read,
  type Surroundings,
} from './expression.js';
import { Tokens } from './tokens.js';
import {
  fromJson,
  isStoredObject,
  memberOf,
  type ScriptValue,
  type Stored,
  type StoredObject,
  setMember,
  toStored,
} from './values.js';

export type ScriptOp = 'index' | 'noop' | 'delete';

export interface ScriptOutcome {
  readonly op: ScriptOp;
  /** The document's JSON; as it was where the script left it alone. */
  readonly source: string;
}

export interface UpdateScript {
  /** `meta`: what `ctx._id` and its like stand for. */
  run(source: string, meta: Readonly<Record<string, ScriptValue>>): ScriptOutcome;
}

type Statement = (around: Surroundings) => void;

const CHANGES: Readonly<Record<string, Operator>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '%=': '%',
};
const LANGUAGES = ['painless', 'expression', 'quarry'];
const OPS: Readonly<Record<string, ScriptOp>> = {
  index: 'index',
  create: 'index',
  noop: 'noop',
  none: 'noop',
  delete: 'delete',
};

/** A text, or an object with `source` and `params`. */
export function compileUpdateScript(value: Json): UpdateScript {
  const { source, params } = readScript(value);
  const statements = parseStatements(new Tokens(source));
  const given = fromJson(params) as StoredObject;
  return {
    run(text, meta) {
      const document = parse(text) as Stored;
      if (!isStoredObject(document)) throw illegal('a script needs a document that is an object');
      const around: Surroundings = { source: document, params: given, meta, op: 'index' };
      for (const statement of statements) statement(around);
      const op = Object.hasOwn(OPS, around.op) ? OPS[around.op] : undefined;
      if (op === undefined) {
        throw illegal(
          `Operation type [${around.op}] not allowed, only [noop, index, delete] are allowed`,
        );
      }
      return { op, source: stringify(document) ?? 'null' };
    },
  };
}

function readScript(value: Json): { readonly source: string; readonly params: JsonObject } {
  if (typeof value === 'string') return { source: value, params: {} };
  if (!isObject(value)) {
    throw malformed(`[script] must be a text or an object, found [${tokenName(value)}]`);
  }
  const { source, inline, lang = 'painless', params = {}, options: _options, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown === 'id') throw illegal('stored scripts are not supported, give [source]');
  if (unknown !== undefined) throw malformed(`[script] unknown field [${unknown}]`);
  if (typeof lang !== 'string' || !LANGUAGES.includes(lang)) {
    throw illegal(`script_lang not supported [${String(lang)}]`);
  }
  const text = source ?? inline;
  if (typeof text !== 'string')
    throw illegal('must specify <id> for a stored or <source> for an inline script');
  if (!isObject(params))
    throw malformed(`[script] [params] must be an object, found [${tokenName(params)}]`);
  return { source: text, params };
}

function parseStatements(tokens: Tokens): readonly Statement[] {
  const statements: Statement[] = [];
  while (!tokens.done) {
    if (tokens.take(';')) continue;
    statements.push(parseStatement(tokens));
    if (!tokens.done) tokens.expect(';');
  }
  return statements;
}

function parseStatement(tokens: Tokens): Statement {
  const name = tokens.name();
  if (name !== 'ctx') throw tokens.wrong(`unexpected [${name ?? tokens.shown()}]`);
  const first = tokens.step();
  if (first === 'op') {
    tokens.expect('=');
    const value = parseExpression(tokens);
    return (around) => {
      around.op = String(value(around));
    };
  }
  if (first !== '_source') throw tokens.wrong(`[ctx.${first ?? ''}] cannot be changed`);
  return parseChange(tokens);
}

function parseChange(tokens: Tokens): Statement {
  const path: string[] = [];
  for (let step = tokens.step(); step !== undefined; step = tokens.step()) {
    if (!tokens.at('(')) {
      path.push(step);
      continue;
    }
    if (step !== 'remove') throw tokens.wrong(`method [${step}] is not supported`);
    return parseRemove(tokens, path);
  }
  if (path.length === 0) throw tokens.wrong('[ctx._source] itself cannot be changed');
  return assignment(path, parseValue(tokens, path));
}

/** What is written to the place, from what is there. */
function parseValue(tokens: Tokens, path: readonly string[]): Expression {
  const old: Expression = ({ source }) => read(source, path);
  if (tokens.take('++')) return (around) => apply('+', old(around), 1n);
  if (tokens.take('--')) return (around) => apply('-', old(around), 1n);
  if (tokens.take('=')) return parseExpression(tokens);
  for (const [sign, operator] of Object.entries(CHANGES)) {
    if (!tokens.take(sign)) continue;
    const value = parseExpression(tokens);
    return (around) => apply(operator, old(around), value(around));
  }
  throw tokens.wrong(`expected an assignment, found [${tokens.shown()}]`);
}

function assignment(path: readonly string[], value: Expression): Statement {
  const last = path.at(-1) ?? '';
  return (around) => {
    const stored = toStored(value(around));
    setMember(parentOf(around.source, path.slice(0, -1), last), last, stored);
  };
}

function parseRemove(tokens: Tokens, path: readonly string[]): Statement {
  tokens.expect('(');
  const name = parseExpression(tokens);
  tokens.expect(')');
  return (around) => {
    const key = name(around);
    if (typeof key !== 'string') throw illegal('[remove] needs the name of a field');
    delete parentOf(around.source, path, key)[key];
  };
}

function parentOf(source: StoredObject, path: readonly string[], key: string): StoredObject {
  let at: Stored | undefined = source;
  for (const step of path) {
    if (!isStoredObject(at)) throw noMember(step, at);
    at = memberOf(at, step);
  }
  if (!isStoredObject(at)) throw noMember(key, at);
  return at;
}
