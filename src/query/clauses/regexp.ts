// `regexp`: terms that match a regular expression in Lucene's syntax as a whole. Scores a constant, or its terms.
import { type ClauseKind, queryNode } from '../clause.js';
import type { SearchLimits } from '../limits.js';
import { type ClauseBase, fieldParams, type Params } from '../params.js';
import { readRewrite, scoredNode, type TermScores } from '../rewrite.js';
import { illegal } from '../values.js';

const MAX_STATES = 10_000;

/** The bit of each operator in the older `flags_value`. */
const FLAGS = {
  INTERSECTION: 0x01,
  COMPLEMENT: 0x02,
  EMPTY: 0x04,
  ANYSTRING: 0x08,
  AUTOMATON: 0x10,
  INTERVAL: 0x20,
} as const;

export interface RegexpClause extends ClauseBase {
  readonly kind: 'regexp';
  readonly field: string;
  readonly pattern: string;
  readonly caseInsensitive: boolean;
  /** Undefined: every match scores the boost. */
  readonly scores?: TermScores;
  readonly maxDeterminizedStates: number;
  /** ALL, NONE or names of operators joined by `|`. */
  readonly flags: string;
}

export const regexp: ClauseKind<RegexpClause> = {
  parse(body, { limits }) {
    const { field, params } = fieldParams('regexp', body, 'value');
    const value = params.scalar('value');
    const caseInsensitive = params.flag('case_insensitive') ?? false;
    const maxDeterminizedStates = params.integer('max_determinized_states') ?? MAX_STATES;
    const flags = readFlags(params);
    const scores = readRewrite(params);
    const base = params.base();
    params.finish();
    if (value === undefined || value.kind === 'null') {
      throw illegal(`[regexp] value of field [${field}] cannot be null`);
    }
    const pattern = checkRegexp(value.text, 'Regexp Query request', limits);
    return {
      kind: 'regexp',
      boost: base.boost,
      name: base.name,
      field,
      pattern,
      caseInsensitive,
      maxDeterminizedStates,
      flags,
      ...(scores && { scores }),
    };
  },
  encode({ scores, ...clause }, encoder) {
    if (scores !== undefined) {
      scoredNode(encoder, clause, scores, clause);
      return;
    }
    queryNode(encoder, 'regexp', clause, (writer) => {
      writer
        .str(clause.field)
        .str(clause.pattern)
        .bool(clause.caseInsensitive)
        .u32(clause.maxDeterminizedStates)
        .str(clause.flags);
    });
  },
};

/** Returns the pattern; throws if it is too long. `where` names the clause in the error message. */
export function checkRegexp(pattern: string, where: string, { regexLength }: SearchLimits): string {
  if (pattern.length <= regexLength) return pattern;
  throw illegal(
    `The length of regex [${pattern.length}] used in the ${where} has exceeded the allowed maximum of [${regexLength}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
  );
}

function readFlags(params: Params): string {
  const value = params.integer('flags_value');
  const text = params.text('flags');
  if (text === undefined) return value === undefined ? 'ALL' : flagsOfValue(value);
  const names = text.split('|').map((name) => name.trim().toUpperCase());
  if (names.includes('ALL') || text.trim() === '') return 'ALL';
  for (const name of names) {
    if (name !== 'NONE' && !(name in FLAGS)) throw illegal(`Unknown regexp flag [${name}]`);
  }
  const set = names.filter((name) => name !== 'NONE');
  return set.length === 0 ? 'NONE' : set.join('|');
}

function flagsOfValue(value: number): string {
  const names = Object.entries(FLAGS)
    .filter(([, bit]) => (value & bit) !== 0)
    .map(([name]) => name);
  if (names.length === 0) return 'NONE';
  return names.length === Object.keys(FLAGS).length ? 'ALL' : names.join('|');
}
