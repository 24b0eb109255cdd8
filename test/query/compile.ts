// Helpers of the query tests: parse one clause, compile one body, and read an error.
import { stringify } from 'lossless-json';
import type { Json, JsonObject } from '../../src/backend/index.ts';
import { QuarryError } from '../../src/errors.ts';
import type { Clause } from '../../src/query/clauses/index.ts';
import { DEFAULT_LIMITS } from '../../src/query/limits.ts';
import { QueryParser } from '../../src/query/parse.ts';
import {
  type CompileContext,
  type CompiledSearch,
  compileSearch,
} from '../../src/query/search-body.ts';
import { readOpcodes } from '../tools/opcodes.ts';

const context = {
  opcodes: readOpcodes(),
  nowMs: 1_700_000_000_000,
  limits: DEFAULT_LIMITS,
};

export function parseClause(query: Json): Clause {
  return new QueryParser().clause(query);
}

/** `filters`: filters of aliases. `more`: members of the context. */
export function compile(
  body: JsonObject,
  filters: readonly JsonObject[] = [],
  more: Partial<CompileContext> = {},
): CompiledSearch {
  return compileSearch(body, { ...context, filters, ...more });
}

/** "type: reason" of the error that the call throws. */
export function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof QuarryError) return `${error.type}: ${error.message}`;
    throw error;
  }
  return 'nothing was refused';
}

/** A query as the name of its test. */
export function label(query: Json): string {
  return (stringify(query) ?? '').slice(0, 100);
}
