// `script`: the documents for which a script is true.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { type Script, writeScript } from '../script/program.js';
import { readFilterScript } from '../script/request.js';
import { malformed } from '../values.js';

export interface ScriptClause extends ClauseBase {
  readonly kind: 'script';
  readonly script: Script;
}

export const script: ClauseKind<ScriptClause> = {
  parse(body) {
    const params = Params.of('script', body);
    const given = params.raw('script');
    const base = params.base();
    params.finish();
    if (given === undefined) throw malformed('script must be provided with a [script] filter');
    if (Array.isArray(given)) {
      throw malformed(
        '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.',
      );
    }
    return { kind: 'script', ...base, script: readFilterScript('script', given) };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'script', clause, (writer) => writeScript(writer, clause.script));
  },
};
