// Builds clauses from the syntax tree of a query string: texts become match clauses, patterns
// become clauses over each field, operators become bool.
import { QuarryError } from '../../errors.js';
import type { MatchOptions } from '../../wire/plan-writer.js';
import type { EachFieldClause } from '../clauses/each-field.js';
import type { Clause } from '../clauses/index.js';
import type { FieldAndBoost, MultiMatchClause } from '../clauses/multi-match.js';
import { checkRegexp } from '../clauses/regexp.js';
import { checkPattern } from '../clauses/wildcard.js';
import { parseFuzziness } from '../fuzziness.js';
import type { SearchLimits } from '../limits.js';
import type { TermScores } from '../rewrite.js';
import { malformed } from '../values.js';
import { QuerySyntaxError } from './lexer.js';
import type { QueryStringOptions } from './options.js';
import type { Syntax } from './parser.js';

/** Types whose clause for several words of one field differs from a match of each word. */
const MORE_THAN_WORDS: readonly QueryStringOptions['type'][] = [
  'phrase',
  'phrase_prefix',
  'bool_prefix',
];

/** The maximum number of clauses for single fields, added up over all words. */
const MAX_FIELD_CLAUSES = 16_384;

type Leaf<T extends Syntax['type']> = Extract<Syntax, { readonly type: T }>;

/**
 * Builds the clauses of one query string. The parser has already counted the leaves towards the
 * clause limit.
 */
export class ClauseBuilder {
  readonly #options: QueryStringOptions;
  readonly #limits: SearchLimits;
  /** Shared by all clauses because a text may have thousands of words. */
  readonly #wordOptions: MatchOptions;
  readonly #phraseOptions: MatchOptions;
  readonly #scores: { readonly scores?: TermScores };
  #fieldClauses = 0;

  constructor(options: QueryStringOptions, limits: SearchLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#wordOptions = { ...options.match, fuzziness: '' };
    this.#scores = options.scores === undefined ? {} : { scores: options.scores };
    const analyzer = options.quoteAnalyzer === '' ? options.match.analyzer : options.quoteAnalyzer;
    this.#phraseOptions = { ...this.#wordOptions, analyzer };
  }

  build(syntax: Syntax): Clause {
    const { minimumShouldMatch } = this.#options;
    if (syntax.type === 'bool') return this.#bool(syntax, minimumShouldMatch, []);
    return this.#leaf(syntax, minimumShouldMatch);
  }

  #bool(syntax: Leaf<'bool'>, minimumShouldMatch: string, place: readonly 'nested'[]): Clause {
    const lists = { must: [] as Clause[], should: [] as Clause[], must_not: [] as Clause[] };
    for (const { occur, syntax: inner } of syntax.clauses) {
      lists[occur].push(
        inner.type === 'bool' ? this.#bool(inner, '', ['nested']) : this.#leaf(inner, ''),
      );
    }
    const { must, should, must_not: mustNot } = lists;
    return {
      name: '',
      boost: syntax.boost,
      kind: 'bool',
      must,
      should,
      mustNot,
      filter: [],
      minimumShouldMatch,
      queryString: syntax.simple === undefined ? place : [...place, syntax.simple],
    };
  }

  /** `minimumShouldMatch` applies to a leaf that is the whole query. */
  #leaf(syntax: Exclude<Syntax, Leaf<'bool'>>, minimumShouldMatch: string): Clause {
    switch (syntax.type) {
      case 'text':
        return this.#text(syntax, minimumShouldMatch);
      case 'phrase':
        return this.#phrase(syntax);
      case 'prefix':
        return this.#prefix(syntax);
      case 'wildcard':
        return this.#wildcard(syntax);
      case 'regexp':
        return this.#regexp(syntax);
      case 'fuzzy':
        return this.#fuzzy(syntax);
      case 'range':
        return this.#range(syntax);
      case 'any':
        return this.#any(syntax);
    }
  }

  #text(syntax: Leaf<'text'>, minimumShouldMatch: string): Clause {
    const text = syntax.words.join(' ');
    if (syntax.field === '_exists_') return this.#existing(text, syntax.boost);
    const comparison = syntax.words.length === 1 ? /^([<>])(=?)(.+)$/s.exec(text) : null;
    if (comparison !== null) return this.#comparison(syntax, comparison);
    const options = this.#wordOptions;
    const fields = this.#fieldsOf(syntax);
    const [only] = fields;
    const { type } = this.#options;
    if (only === undefined || !this.#isOneField(fields) || MORE_THAN_WORDS.includes(type)) {
      const clause = this.#multiMatch(syntax, text, options, type);
      clause.minimumOfOneField = minimumShouldMatch;
      return clause;
    }
    return {
      name: '',
      boost: syntax.boost * only.boost,
      kind: 'match',
      field: only.field,
      text: { kind: 'string', text },
      options: { ...options, minimumShouldMatch },
    };
  }

  #phrase(syntax: Leaf<'phrase'>): Clause {
    if (syntax.field === '_exists_') return this.#existing(syntax.text, syntax.boost);
    const clause = this.#multiMatch(
      syntax,
      syntax.text,
      this.#phraseOptions,
      'phrase',
      syntax.slop,
    );
    clause.quoteFieldSuffix = this.#options.quoteFieldSuffix;
    return clause;
  }

  #prefix(syntax: Leaf<'prefix'>): Clause {
    if (this.#options.analyzeWildcard) {
      if (this.#options.scores !== undefined) {
        throw malformed(
          '[query_string] [rewrite] of the terms of a prefix is not supported with [analyze_wildcard], leave one of them out',
        );
      }
      return this.#multiMatch(syntax, syntax.text, this.#wordOptions, 'bool_prefix');
    }
    checkPattern(syntax.text);
    return this.#eachField(syntax, {
      boost: 1,
      name: '',
      kind: 'prefix',
      field: '',
      value: syntax.text,
      caseInsensitive: false,
      ...this.#scores,
    });
  }

  #wildcard(syntax: Leaf<'wildcard'>): Clause {
    const { pattern } = syntax;
    if (!this.#options.allowLeadingWildcard && /^[*?]/.test(pattern)) {
      throw new QuerySyntaxError("'*' or '?' not allowed as first character in WildcardQuery", 0);
    }
    checkPattern(pattern);
    return this.#eachField(syntax, {
      boost: 1,
      name: '',
      kind: 'wildcard',
      field: '',
      pattern,
      caseInsensitive: false,
      ...this.#scores,
    });
  }

  #regexp(syntax: Leaf<'regexp'>): Clause {
    return this.#eachField(syntax, {
      boost: 1,
      name: '',
      kind: 'regexp',
      field: '',
      pattern: checkRegexp(syntax.pattern, '[query_string]', this.#limits),
      caseInsensitive: false,
      maxDeterminizedStates: this.#options.maxDeterminizedStates,
      flags: 'ALL',
      ...this.#scores,
    });
  }

  #fuzzy(syntax: Leaf<'fuzzy'>): Clause {
    const { match } = this.#options;
    return this.#eachField(syntax, {
      boost: 1,
      name: '',
      kind: 'fuzzy',
      field: '',
      value: { kind: 'string', text: syntax.text },
      fuzziness: syntax.edits === '' ? match.fuzziness : parseFuzziness(syntax.edits),
      prefixLength: match.prefixLength,
      maxExpansions: match.maxExpansions,
      transpositions: match.transpositions,
    });
  }

  #range(syntax: Leaf<'range'>): Clause {
    const { lower, upper } = syntax;
    if (lower === undefined && upper === undefined && syntax.field !== '') {
      return this.#existing(syntax.field, syntax.boost);
    }
    return this.#eachField(syntax, {
      boost: 1,
      name: '',
      kind: 'range',
      field: '',
      lower: lower === undefined ? undefined : bound(lower, syntax.includeLower),
      upper: upper === undefined ? undefined : bound(upper, syntax.includeUpper),
      format: '',
      timeZone: this.#options.timeZone,
    });
  }

  /** A comparison such as `>10` or `<=5`. */
  #comparison(syntax: Leaf<'text'>, [, sign, orEqual, value]: RegExpExecArray): Clause {
    const end = value ?? '';
    return this.#range({
      type: 'range',
      field: syntax.field,
      boost: syntax.boost,
      lower: sign === '>' ? end : undefined,
      upper: sign === '<' ? end : undefined,
      includeLower: orEqual === '=',
      includeUpper: orEqual === '=',
    });
  }

  /** A lone star: documents with a value in the field; without a field, all documents. */
  #any(syntax: Leaf<'any'>): Clause {
    const fields = this.#fieldsOf(syntax);
    if (fields.some((field) => field.field === '*')) {
      return { name: '', boost: syntax.boost, kind: 'match_all' };
    }
    const queries = fields.map(({ field, boost }) => this.#existing(field, boost * syntax.boost));
    const [only] = queries;
    if (queries.length === 1 && only !== undefined) return only;
    return { boost: 1, name: '', kind: 'dis_max', tieBreaker: 0, queries };
  }

  #existing(field: string, boost: number): Clause {
    return { name: '', boost, kind: 'exists', field };
  }

  /** The clauses for each field of each word have a limit of their own. */
  #fieldsOf(syntax: Syntax): readonly FieldAndBoost[] {
    if (syntax.field !== '') return [{ field: syntax.field, boost: 1 }];
    const { fields } = this.#options;
    this.#fieldClauses += fields.length;
    if (this.#fieldClauses <= MAX_FIELD_CLAUSES) return fields;
    throw new QuarryError(
      'too_many_nested_clauses',
      `the words of a query string in [${fields.length}] fields are more than [${MAX_FIELD_CLAUSES}] clauses: name fewer fields, or use patterns such as [title*]`,
    );
  }

  #isOneField(fields: readonly FieldAndBoost[]): boolean {
    return fields.length === 1 && !(fields[0]?.field.includes('*') ?? true);
  }

  #multiMatch(
    syntax: Syntax,
    text: string,
    options: MatchOptions,
    type: QueryStringOptions['type'],
    slop = this.#options.phraseSlop,
  ): { -readonly [Name in keyof MultiMatchClause]: MultiMatchClause[Name] } {
    const { tieBreaker, phraseTieBreaker } = this.#options;
    return {
      name: '',
      boost: syntax.boost,
      kind: 'multi_match',
      fields: this.#fieldsOf(syntax),
      text: { kind: 'string', text },
      type,
      tieBreaker: type === 'phrase' ? (phraseTieBreaker ?? tieBreaker) : tieBreaker,
      slop: type === 'phrase' || type === 'phrase_prefix' ? slop : 0,
      options,
    };
  }

  #eachField(syntax: Syntax, clause: EachFieldClause['clause']): Clause {
    return {
      name: '',
      boost: syntax.boost,
      kind: 'each_field',
      fields: this.#fieldsOf(syntax),
      tieBreaker: this.#options.tieBreaker,
      lenient: this.#options.match.lenient,
      analyzer: this.#options.match.analyzer,
      analyzesKeywords:
        clause.kind === 'prefix'
          ? this.#options.analyzesKeywords === true
          : clause.kind !== 'wildcard',
      clause,
    };
  }
}

function bound(text: string, inclusive: boolean) {
  return { value: { kind: 'string', text } as const, inclusive };
}
