// Shrinks a request that reproduces a fault: parts are left out one after the other as long as it
// still reproduces the fault.
import { parseExact, printExact } from '../../src/base/exact-json.ts';
import type { FuzzRequest } from './request.ts';

const MOST_TRIES = 300;
const MOST_MS = 60_000;
/** Shorter strings are not shrunk. */
const SHORT = 8;

export async function smallestForm(
  request: FuzzRequest,
  shows: (request: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  const end = performance.now() + MOST_MS;
  let smallest = request;
  let candidates = smallerRequests(smallest);
  for (let tries = 0; tries < MOST_TRIES && performance.now() < end; tries++) {
    const { value, done } = candidates.next();
    if (done === true) break;
    if (!(await shows(value))) continue;
    smallest = value;
    candidates = smallerRequests(smallest);
  }
  return smallest;
}

function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  const { params, headers, body } = request;
  for (const shorter of withoutSome(params)) yield { ...request, params: shorter };
  for (const name of Object.keys(headers)) {
    if (name === 'content-length') continue;
    const { [name]: _, ...others } = headers;
    yield { ...request, headers: others };
  }
  if (body === undefined) return;
  const { 'content-length': _, 'content-type': __, ...others } = headers;
  yield { ...bodiless(request), headers: others };
  for (const smaller of smallerBodies(body)) {
    const length = String(smaller.length);
    yield { ...request, body: smaller, headers: { ...headers, 'content-length': length } };
  }
}

function bodiless({ method, path, params, headers }: FuzzRequest): FuzzRequest {
  return { method, path, params, headers };
}

function* smallerBodies(body: Buffer): Generator<Buffer> {
  const lines = parsedLines(body);
  if (lines === undefined) {
    for (const shorter of withoutSome([...body])) yield Buffer.from(shorter);
    return;
  }
  if (lines.length === 1) {
    for (const smaller of smallerValues(lines[0])) yield Buffer.from(printExact(smaller));
    return;
  }
  for (const smaller of smallerValues(lines)) {
    yield Buffer.from(
      (smaller as readonly unknown[]).map((line) => `${printExact(line)}\n`).join(''),
    );
  }
}

/** One value, or one value per line; undefined if the body is not JSON. */
function parsedLines(body: Buffer): readonly unknown[] | undefined {
  const text = body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(body)) return undefined;
  try {
    return [parseExact(text)];
  } catch {
    // Not a single JSON value.
  }
  try {
    return text.trim().split('\n').map(parseExact);
  } catch {
    return undefined;
  }
}

/** The list without all items, without each half, each quarter, and so on down to single items. */
function* withoutSome<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let size = list.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < list.length; start += size) {
      yield [...list.slice(0, start), ...list.slice(start + size)];
    }
  }
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    const half = Math.ceil(value.length / 2);
    if (value.length > SHORT) yield* [value.slice(0, half), value.slice(half)];
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  const remade = (entries: readonly (readonly [string, unknown])[]): unknown =>
    isList ? entries.map(([, member]) => member) : Object.fromEntries(entries);
  const entries = Object.entries(value);
  for (const shorter of withoutSome(entries)) yield remade(shorter);
  for (const [at, [name, member]] of entries.entries()) {
    for (const smaller of smallerValues(member)) {
      yield remade(entries.with(at, [name, smaller]));
    }
  }
}
