// Prints long answers as a cooperative task: a list of thousands of indexes or fields has
// megabytes, and would hold the thread up.
import { type CooperativeTask, runCooperatively } from '../../base/cooperative-task.js';
import { quote } from '../../base/json-text.js';
import { type MaybePromise, thenMaybe } from '../../base/maybe-promise.js';
import { toJson } from './json.js';
import { Pieces } from './pieces.js';
import type { Answer } from './routes.js';

/** Values that are printed in one step. */
const FEW_VALUES = 256;

/** The answer; a long body is replaced by the bytes that toJson() makes of it. */
export function withLongBody(answer: Answer): MaybePromise<Answer> {
  const { body, ...rest } = answer;
  if (answer.raw !== undefined || !isLong(body)) return answer;
  return thenMaybe(runCooperatively(printSteps(body)), (raw): Answer => ({ ...rest, raw }));
}

/** Lists and plain objects are looked into; any other value is printed as a whole. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether the value has more than FEW_VALUES values; no more of them are counted. */
function isLong(value: unknown): boolean {
  if (!isContainer(value)) return false;
  const left: object[] = [value];
  let values = 0;
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    // Unlike Object.values(), does not make a list of all members.
    for (const name in one) {
      if (++values > FEW_VALUES) return true;
      const member = (one as Readonly<Record<string, unknown>>)[name];
      if (isContainer(member)) left.push(member);
    }
  }
  return false;
}

function* printSteps(body: unknown): CooperativeTask<Buffer> {
  const out = new Pieces();
  yield* addSteps(out, body);
  return yield* out.joinSteps();
}

function* addSteps(out: Pieces, value: unknown): CooperativeTask<void> {
  if (isLong(value)) {
    yield* Array.isArray(value) ? addList(out, value) : addObject(out, value as object);
    return;
  }
  out.add(toJson(value));
  if (out.counted() || isContainer(value)) yield;
}

function* addList(out: Pieces, list: readonly unknown[]): CooperativeTask<void> {
  out.add('[');
  for (let at = 0; at < list.length; at++) {
    if (at > 0) out.add(',');
    yield* addSteps(out, list[at]);
  }
  out.add(']');
}

function* addObject(out: Pieces, object: object): CooperativeTask<void> {
  let separator = '{';
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    out.add(`${separator}${quote(name)}:`);
    yield* addSteps(out, member);
    separator = ',';
  }
  out.add(separator === '{' ? '{}' : '}');
}
