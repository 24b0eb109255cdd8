// Runs the golden REST cases, whose answers are those of a single node, against a server in cluster
// mode, and tells which of them have the same answer.
import { isDeepStrictEqual } from 'node:util';
import {
  type ApiRequest,
  bodyOf,
  deleteEverything,
  goldenCase,
  goldenPaths,
  headersOf,
  type RequestCase,
} from '../tools/api-requests.ts';
import { fill } from '../tools/golden-answer.ts';
import type { Reply } from '../tools/server.ts';

interface Golden extends RequestCase {
  readonly then: {
    readonly status: number;
    readonly body?: unknown;
    readonly text?: readonly string[];
  };
}

export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

export interface CaseOutcome {
  readonly name: string;
  readonly agrees: boolean;
  /** Of a case that differs. */
  readonly expected?: string;
  readonly actual?: string;
}

/** Names of the cases of documents, searches, memory and graph, which both modes have. */
export function sharedCases(isNodes: (name: string) => boolean): readonly string[] {
  return goldenPaths()
    .map((path) => path.slice(0, -'.json'.length))
    .filter((name) => !isNodes(name));
}

export async function runCase(call: Caller, name: string): Promise<CaseOutcome> {
  const golden = goldenCase<Golden>(`${name}.json`);
  await deleteEverything(call);
  for (const request of golden.given ?? []) {
    const reply = await send(call, request);
    if (reply.status >= 300) return differs(name, 'a preparation below 300', reply);
  }
  const reply = await send(call, golden.when);
  const { status, body, text } = golden.then;
  const answer = text === undefined ? reply.json : reply.text.split('\n').slice(0, -1);
  const expected = alike(fill(text ?? body, answer), answer);
  if (reply.status === status && isDeepStrictEqual(answer, expected)) return { name, agrees: true };
  return differs(name, `${status} ${JSON.stringify(expected)}`, reply);
}

/** Floats of two engines differ in their last digits. */
const SCORE_TOLERANCE = 1e-6;

/** The expected answer with what means the same in the actual one: see isSame(). */
function alike(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected)) {
    const items = Array.isArray(actual) ? actual : [];
    return expected.map((item, at) => alike(item, items[at]));
  }
  if (typeof expected !== 'object' || expected === null) return expected;
  const members = new Map<string, unknown>(Object.entries(Object(actual)));
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => {
      const other = members.get(key);
      return [key, isSame(key, value, other) ? other : alike(value, other)];
    }),
  );
}

/** Scores but for their last digits; names of clauses in any order, which engines have from tables. */
function isSame(key: string, expected: unknown, actual: unknown): boolean {
  if (key === 'matched_queries' && Array.isArray(expected) && Array.isArray(actual))
    return isDeepStrictEqual(expected.toSorted(), actual.toSorted());
  const isScore = key === '_score' || key === 'max_score';
  if (!isScore || typeof expected !== 'number' || typeof actual !== 'number') return false;
  return Math.abs(expected - actual) <= SCORE_TOLERANCE * Math.abs(expected);
}

function send(call: Caller, request: ApiRequest): Promise<Reply> {
  const body = bodyOf(request);
  const { method, path, headers } = request;
  return call(method, path, body, body === undefined ? headers : headersOf(request));
}

function differs(name: string, expected: string, { status, text }: Reply): CaseOutcome {
  return { name, agrees: false, expected, actual: `${status} ${text.trim()}` };
}
