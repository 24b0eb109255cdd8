// Resolves index expressions (names, comma lists, wildcards, exclusions and `_all`) to concrete
// indexes, with the aliases through which each was reached. Pure: it reads a NameSpace and no
// storage.
import type { IndexOptions } from '../../backend/index.js';
import { isPattern, patternMatcher } from '../../base/wildcard.js';
import { indexNotFound, QuarryError } from '../../errors.js';
import { invalidIndexName, isDotName, refuseDateMath } from './index-names.js';

/** The properties of an index that the resolution needs. */
export interface NamedIndex {
  readonly name: string;
  readonly uuid: string;
  readonly state: 'open' | 'close';
  readonly hidden: boolean;
}

export interface NameSpace<T extends NamedIndex> {
  index(name: string): T | undefined;
  indexes(): Iterable<T>;
  /** The indexes behind an alias, or undefined when there is no such alias. */
  alias(name: string): readonly T[] | undefined;
  aliases(): Iterable<{ readonly name: string; readonly hidden: boolean }>;
}

export interface ResolveOptions extends IndexOptions {
  /** A closed index that is named explicitly is an error (search, refresh …). */
  readonly forbidClosed?: boolean;
  /** Aliases are not resolved: for deletions. */
  readonly ignoreAliases?: boolean;
}

/**
 * An index of an expression. `aliases`: the names through which it was reached, or null when by its
 * own name.
 */
export interface Target<T extends NamedIndex> {
  readonly index: T;
  readonly aliases: readonly string[] | null;
}

interface Expand {
  readonly open: boolean;
  readonly closed: boolean;
  readonly hidden: boolean;
}

/**
 * Throws security_exception for a name that `access` does not allow, whether the name exists or
 * not.
 */
export function checkAccess(access: IndexOptions['access'], name: string): void {
  if (access?.allows(name) === false) throw access.refusal(name);
}

/**
 * Targets in name order. Throws index_not_found_exception, index_closed_exception,
 * illegal_argument_exception.
 */
export function resolveExpression<T extends NamedIndex>(
  space: NameSpace<T>,
  expression: string,
  options: ResolveOptions,
): readonly Target<T>[] {
  if (options.expandWildcards === undefined && options.ignoreAliases !== true) {
    const only = space.index(expression);
    const allowed = options.access?.allows(expression) ?? true;
    if (only?.state === 'open' && allowed) return [{ index: only, aliases: null }];
  }
  const tokens = expression === '' ? ['_all'] : tokensOf(expression);
  const resolution = new Resolution(space, options, tokens);
  return resolution.run();
}

/** The parts between commas, without trailing empty ones. */
function tokensOf(expression: string): readonly string[] {
  const tokens = expression.split(',');
  const last = tokens.findLastIndex((token) => token !== '');
  return last < 0 ? tokens : tokens.slice(0, last + 1);
}

/** True when the expression means all indexes. */
export function meansAll(expression: string): boolean {
  return expression === '' || expression === '_all' || expression === '*';
}

function readExpand(values: readonly string[] | undefined): Expand {
  let expand = { open: false, closed: false, hidden: false };
  for (const value of values ?? ['open']) {
    if (value === 'all' || value === 'none') {
      const every = value === 'all';
      expand = { open: every, closed: every, hidden: every };
      continue;
    }
    if (value !== 'open' && value !== 'closed' && value !== 'hidden') {
      throw new QuarryError(
        'illegal_argument_exception',
        `No valid expand wildcard value [${value}], use one of open, closed, hidden, none, all`,
      );
    }
    expand[value] = true;
  }
  return expand;
}

export function indexClosed(index: NamedIndex): QuarryError {
  return new QuarryError('index_closed_exception', 'closed', {
    extra: { index_uuid: index.uuid, index: index.name },
  });
}

/**
 * Limit for the patterns and exclusions of an expression, each of which is compared with every
 * name.
 */
const MAX_PATTERNS = 256;

/** One pass over the tokens of an expression. */
class Resolution<T extends NamedIndex> {
  readonly #space: NameSpace<T>;
  readonly #options: ResolveOptions;
  readonly #expand: Expand;
  readonly #tokens: readonly string[];
  /** Index name -> the aliases through which it was reached; null: by its own name. */
  readonly #found = new Map<string, { index: T; aliases: Set<string> | null }>();
  #wildcardSeen = false;
  #patterns = 0;

  constructor(space: NameSpace<T>, options: ResolveOptions, tokens: readonly string[]) {
    this.#space = space;
    this.#options = options;
    this.#expand = readExpand(options.expandWildcards);
    this.#tokens = tokens;
  }

  run(): readonly Target<T>[] {
    for (const token of this.#tokens) this.#token(token);
    if (this.#found.size === 0 && this.#options.allowNoIndices === false) this.#nothing();
    return [...this.#found.values()]
      .sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
      .map(({ index, aliases }) => ({ index, aliases: aliases === null ? null : [...aliases] }));
  }

  #token(token: string): void {
    if (token.startsWith('-') && this.#wildcardSeen) {
      this.#countPattern();
      this.#exclude(token.slice(1));
      return;
    }
    const expands = this.#expand.open || this.#expand.closed;
    if (token === '_all' || (isPattern(token) && expands)) {
      this.#wildcardSeen = true;
      this.#countPattern();
      this.#wildcard(token === '_all' ? '*' : token);
      return;
    }
    this.#concrete(token);
  }

  #countPattern(): void {
    if (++this.#patterns <= MAX_PATTERNS) return;
    throw new QuarryError(
      'illegal_argument_exception',
      `an index expression has more than [${MAX_PATTERNS}] patterns and exclusions: use fewer and wider ones`,
    );
  }

  #exclude(pattern: string): void {
    const matches = patternMatcher(pattern);
    for (const [name, { aliases }] of this.#found) {
      if (matches(name)) this.#found.delete(name);
      else if (aliases !== null) {
        for (const alias of aliases) if (matches(alias)) aliases.delete(alias);
        if (aliases.size === 0) this.#found.delete(name);
      }
    }
  }

  #wildcard(pattern: string): void {
    const matches = patternMatcher(pattern);
    let any = false;
    for (const index of this.#space.indexes()) {
      if (!matches(index.name) || !this.#allows(index.name)) continue;
      if (!this.#visible(index, pattern)) continue;
      any = true;
      this.#add(index, null);
    }
    // A client with limited access may reach through an alias what it may not name, so that aliases
    // count for `*` as well.
    const byAlias = pattern !== '*' || this.#options.access !== undefined;
    if (this.#options.ignoreAliases !== true && byAlias) {
      for (const alias of this.#space.aliases()) {
        if (!matches(alias.name) || !this.#allows(alias.name)) continue;
        if (alias.hidden && !this.#showsHidden(alias.name, pattern)) continue;
        for (const index of this.#space.alias(alias.name) ?? []) {
          if (!this.#stateWanted(index)) continue;
          any = true;
          this.#add(index, alias.name);
        }
      }
    }
    if (!any && this.#options.allowNoIndices === false) {
      if (pattern === '*') this.#nothing();
      throw indexNotFound(pattern);
    }
  }

  #concrete(name: string): void {
    const { access, ignoreUnavailable } = this.#options;
    const ignore = ignoreUnavailable === true;
    if (ignore && access?.allows(name) === false) return;
    checkAccess(access, name);
    const index = this.#space.index(name);
    if (index !== undefined) {
      this.#addNamed(index, null, ignore);
      return;
    }
    const behind = this.#space.alias(name);
    if (behind !== undefined) {
      if (this.#options.ignoreAliases === true) {
        if (ignore) return;
        throw new QuarryError(
          'illegal_argument_exception',
          `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
        );
      }
      for (const member of behind) this.#addNamed(member, name, ignore);
      return;
    }
    refuseDateMath(name);
    if (name.startsWith('_')) throw invalidIndexName(name, "must not start with '_'.");
    if (!ignore) throw indexNotFound(name);
  }

  #addNamed(index: T, alias: string | null, ignore: boolean): void {
    if (index.state === 'close' && this.#options.forbidClosed === true) {
      if (ignore) return;
      throw indexClosed(index);
    }
    this.#add(index, alias);
  }

  #allows(name: string): boolean {
    return this.#options.access?.allows(name) ?? true;
  }

  #add(index: T, alias: string | null): void {
    const known = this.#found.get(index.name);
    if (known === undefined) {
      this.#found.set(index.name, { index, aliases: alias === null ? null : new Set([alias]) });
    } else if (alias === null) known.aliases = null;
    else known.aliases?.add(alias);
  }

  #visible(index: T, pattern: string): boolean {
    if (!this.#stateWanted(index)) return false;
    return !index.hidden || this.#showsHidden(index.name, pattern);
  }

  #stateWanted(index: T): boolean {
    if (index.state === 'open') return this.#expand.open;
    if (!this.#expand.closed) return false;
    if (this.#options.forbidClosed !== true) return true;
    if (this.#options.ignoreUnavailable === true) return false;
    throw indexClosed(index);
  }

  /** A pattern with a leading dot also matches hidden names with a leading dot. */
  #showsHidden(name: string, pattern: string): boolean {
    return this.#expand.hidden || (isDotName(name) && pattern.startsWith('.'));
  }

  #nothing(): never {
    const [first, second] = this.#tokens;
    if (second === undefined && first !== undefined && first !== '_all') throw indexNotFound(first);
    const name = second === undefined ? '_all' : null;
    const reason =
      name === null ? 'no such index [null]' : 'no such index [_all] and no indices exist';
    throw new QuarryError('index_not_found_exception', reason, {
      extra: {
        'resource.type': name === null ? 'index_expression' : 'index_or_alias',
        'resource.id': name ?? this.#tokens,
        index_uuid: '_na_',
        index: name ?? 'null',
      },
    });
  }
}
