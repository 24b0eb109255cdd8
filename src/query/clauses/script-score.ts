// `script_score`: the documents of a query, with scores that a script computes.
import { type ClauseKind, queryNode } from '../clause.js';
import { type ClauseBase, Params } from '../params.js';
import { type Script, writeScript } from '../script/program.js';
import { readScript } from '../script/request.js';
import { malformed } from '../values.js';
import type { Clause } from './index.js';

export interface ScriptScoreClause extends ClauseBase {
  readonly kind: 'script_score';
  readonly query: Clause;
  readonly script: Script;
  readonly minScore: number | undefined;
}

export const scriptScore: ClauseKind<ScriptScoreClause> = {
  parse(body, parser) {
    const params = Params.of('script_score', body);
    const query = params.raw('query');
    const script = params.raw('script');
    const minScore = params.float('min_score');
    const base = params.base();
    params.finish();
    if (query === undefined) throw malformed('[script_score] requires [query]');
    const read = readScript('script_score', script);
    return { kind: 'script_score', ...base, query: parser.clause(query), script: read, minScore };
  },
  encode(clause, encoder) {
    queryNode(encoder, 'script_score', clause, (writer) => {
      encoder.child(clause.query);
      writer.f32(clause.minScore ?? Number.NaN);
      writeScript(writer, clause.script);
    });
  },
};
