// The script language of `_update`, `_update_by_query` and `_reindex`, a subset of Painless:
// statements over `ctx._source`, `ctx.op` and, in `_reindex`, the metadata of the new document. A
// script is compiled once and run for every document.
import type { Json, JsonObject } from '../../backend/index.js';
import type { CooperativeTask } from '../../base/cooperative-task.js';
import { illegal, isObject, malformed, printed, shortened, tokenName } from '../values.js';
import { Scope } from './scope.js';
import { parseStatements, runAll } from './statements.js';
import { parseStored } from './stored-text.js';
import { type ScriptContext, Surroundings } from './surroundings.js';
import { Tokens } from './tokens.js';
import {
  containersOf,
  fromJson,
  isStoredObject,
  type ScriptValue,
  type StoredObject,
} from './values.js';

type ScriptOp = 'index' | 'noop' | 'delete';

/** `meta` has `_id` and the other metadata after the run. */
export type ScriptOutcome = { readonly meta: Readonly<Record<string, ScriptValue>> } & (
  | { readonly op: 'noop' | 'delete'; readonly source?: undefined }
  /** `source` is the JSON of the document to be written. */
  | { readonly op: 'index'; readonly source: string }
);

export interface UpdateScript {
  /**
   * `meta` has the values of `ctx._id` and the other metadata. `writable` names those that a script
   * over many documents may set; it is undefined for the update of a single document. `op` is the
   * initial value of `ctx.op`.
   */
  run(
    source: string,
    meta: Readonly<Record<string, ScriptValue>>,
    writable?: readonly string[],
    op?: 'index' | 'create',
  ): CooperativeTask<ScriptOutcome>;
}

const LANGUAGES = ['painless', 'expression', 'quarry'];
const OPS: Readonly<Record<string, ScriptOp>> = {
  index: 'index',
  create: 'index',
  noop: 'noop',
  none: 'noop',
  delete: 'delete',
};

/** The values of `ctx.op` that are allowed for a script over many documents. */
const OPS_OF_MANY = ['index', 'noop', 'delete'];

/**
 * Compiles a string, or an object with `source` and `params`. `mostCharacters` returns the number
 * of characters that a script may add to a document (limits.body_bytes); it is called at every run.
 */
export function compileUpdateScript(value: Json, mostCharacters: () => number): UpdateScript {
  const { source, params } = readScript(value);
  const tokens = new Tokens(source);
  const statements = parseStatements(tokens, new Scope());
  const parameters = fromJson(params) as StoredObject;
  const given: ScriptContext = { params: parameters, fixed: new WeakSet(containersOf(parameters)) };
  return {
    *run(text, meta, writable, operation = 'index') {
      const document = yield* parseStored(text);
      if (!isStoredObject(document)) throw illegal('a script needs a document that is an object');
      const around = new Surroundings(document, meta, given, writable ?? [], operation);
      runAll(statements, around);
      const op = Object.hasOwn(OPS, around.op) ? OPS[around.op] : undefined;
      if (op === undefined || (writable !== undefined && !OPS_OF_MANY.includes(around.op))) {
        throw illegal(
          `Operation type [${shortened(around.op, 100)}] not allowed, only [noop, index, delete] are allowed`,
        );
      }
      if (op !== 'index') return { op, meta: around.meta };
      const limit = { most: mostCharacters(), before: text.length };
      return { op, source: yield* around.text(limit), meta: around.meta };
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
    throw illegal(`script_lang not supported [${printed(lang)}]`);
  }
  const text = source ?? inline;
  if (typeof text !== 'string')
    throw illegal('must specify <id> for a stored or <source> for an inline script');
  if (!isObject(params))
    throw malformed(`[script] [params] must be an object, found [${tokenName(params)}]`);
  return { source: text, params };
}
