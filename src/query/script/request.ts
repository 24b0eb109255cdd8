// The `script` of a request: its source, its language and its parameters.
import type { Json, JsonObject } from '../../backend/index.js';
import { Params } from '../params.js';
import { illegal, isObject, malformed, tokenName } from '../values.js';
import { type Expression, LANGUAGES, type ScriptLanguage } from './expression.js';
import { withoutNulls } from './nulls.js';
import { parseScript } from './parser.js';
import type { Script } from './program.js';

/** The names of a script besides those of the document and its parameters. */
type Names = readonly string[];

/**
 * Reads a string, or an object of source, lang and params. `where` names the clause in error
 * messages.
 */
export function readScript(
  where: string,
  value: Json | undefined,
  names: Names = ['_score'],
): Script {
  if (value === undefined) throw malformed(`[${where}] requires [script]`);
  if (typeof value === 'string') return scriptOf(value, 'painless', {}, names);
  if (!isObject(value)) {
    throw malformed(`[${where}] unknown token [${tokenName(value)}] after [script]`);
  }
  const params = new Params('script', value);
  const source = params.raw('source') ?? params.raw('inline');
  const lang = params.text('lang') ?? 'painless';
  const given = params.raw('params') ?? {};
  const options = params.raw('options');
  if (params.raw('id') !== undefined) {
    throw malformed('[script] stored scripts are not supported by this server, give a [source]');
  }
  params.finish();
  if (isObject(options) && Object.keys(options).length > 0) {
    throw malformed('[script] [options] are not supported by this server');
  }
  const language = LANGUAGES.find((known) => known === lang);
  if (language === undefined) throw illegal(`script_lang not supported [${lang}]`);
  if (typeof source !== 'string') throw illegal('must specify <source> for an inline script');
  if (!isObject(given)) throw malformed('[script] [params] must be an object');
  return scriptOf(source, language, given, names);
}

/** Like readScript(), for a script that gives a boolean. A number of [expression] is true unless 0. */
export function readFilterScript(where: string, value: Json): Script {
  const script = readScript(where, value, []);
  if (!script.fractions) return script;
  const zero: Expression = { kind: 'number', value: 0, whole: false };
  const test: Expression = { kind: 'infix', sign: '!=', left: script.expression, right: zero };
  const truth = (is: boolean): Expression => ({ kind: 'truth', value: is });
  const expression: Expression = { kind: 'choice', test, yes: truth(true), no: truth(false) };
  return { ...script, expression };
}

function scriptOf(
  source: string,
  language: ScriptLanguage,
  params: JsonObject,
  names: Names,
): Script {
  const parsed = parseScript(source, { language, names, document: params });
  const expression = withoutNulls(parsed, source);
  return { source, expression, fractions: language === 'expression' };
}
