// The methods of strings, lists, maps and numbers in update scripts, with their names in Painless.
import { illegal } from '../values.js';
import { type Argument, field, list, outside, place, plain, text, whole } from './arguments.js';
import { textOf } from './arithmetic.js';
import { stepsOfCall, stepsOfText } from './steps.js';
import type { Surroundings } from './surroundings.js';
import {
  fromStored,
  isStoredObject,
  kindOf,
  memberOf,
  type ScriptValue,
  type Stored,
  type StoredObject,
  setMember,
} from './values.js';

type Method<T> = (on: T, args: readonly Argument[], around: Surroundings) => ScriptValue;
type Methods<T> = Readonly<Record<string, readonly [counts: readonly number[], method: Method<T>]>>;

const TEXTS: Methods<string> = {
  length: [[0], (on) => BigInt(on.length)],
  isEmpty: [[0], (on) => on === ''],
  contains: [[1], (on, [part]) => on.includes(text(part))],
  startsWith: [[1], (on, [part]) => on.startsWith(text(part))],
  endsWith: [[1], (on, [part]) => on.endsWith(text(part))],
  indexOf: [[1], (on, [part]) => BigInt(on.indexOf(text(part)))],
  lastIndexOf: [[1], (on, [part]) => BigInt(on.lastIndexOf(text(part)))],
  equalsIgnoreCase: [[1], (on, [other]) => on.toLowerCase() === text(other).toLowerCase()],
  toLowerCase: [[0], (on, _args, around) => around.made(on.toLowerCase())],
  toUpperCase: [[0], (on, _args, around) => around.made(on.toUpperCase())],
  trim: [[0], (on) => on.trim()],
  substring: [
    [1, 2],
    (on, [from, to]) => {
      const start = place(from, on.length + 1);
      const end = to === undefined ? on.length : place(to, on.length + 1);
      if (end < start) throw outside(end, on.length);
      return on.slice(start, end);
    },
  ],
  replace: [
    [2],
    (on, [part, other], around) => {
      const places = countOf(on, text(part), around);
      around.spendText(on.length + places * text(other).length);
      return on.replaceAll(text(part), () => text(other));
    },
  ],
  splitOnToken: [
    [1],
    (on, [by], around) => {
      countOf(on, text(by), around);
      return on.split(text(by));
    },
  ],
  compareTo: [[1], (on, [other]) => (on < text(other) ? -1n : on > text(other) ? 1n : 0n)],
};

const LISTS: Methods<Stored[]> = {
  size: [[0], (on) => BigInt(on.length)],
  isEmpty: [[0], (on) => on.length === 0],
  get: [[1], (on, [at]) => fromStored(on[place(at, on.length)])],
  contains: [[1], (on, [value], around) => indexOf(on, value, around) >= 0],
  indexOf: [[1], (on, [value], around) => BigInt(indexOf(on, value, around))],
  add: [
    [1, 2],
    (on, args, around) => {
      const at = args.length === 1 ? on.length : place(args[0], on.length + 1);
      around.own(on).splice(at, 0, around.kept(plain(args.at(-1))));
      return true;
    },
  ],
  addAll: [
    [1],
    (on, [values], around) => {
      const added = list(values).map((value) => around.kept(fromStored(value)));
      around.spend(added.length);
      for (const value of added) around.own(on).push(value);
      return added.length > 0;
    },
  ],
  set: [
    [2],
    (on, [at, value], around) => {
      const index = place(at, on.length);
      const [old] = around.own(on).splice(index, 1, around.kept(plain(value)));
      return fromStored(old);
    },
  ],
  remove: [
    [1],
    (on, [at], around) => fromStored(around.own(on).splice(place(at, on.length), 1)[0]),
  ],
  removeAll: [
    [1],
    (on, [values], around) =>
      keepOf(on, (value) => indexOf(list(values), value, around) < 0, around),
  ],
  join: [
    [1],
    (on, [by], around) => {
      const texts = on.map((one) => textOf(fromStored(one)));
      around.spendText(texts.reduce((sum, one) => sum + one.length + text(by).length, 0));
      return texts.join(text(by));
    },
  ],
  sort: [
    [1],
    (on, [order], around) => {
      if (order !== null) throw illegal('[sort] takes [null]: the natural order');
      around.own(on).sort((a, b) => before(fromStored(a), fromStored(b), around));
      return null;
    },
  ],
  removeIf: [
    [1],
    (on, [test], around) => {
      if (typeof test !== 'function') throw illegal('[removeIf] needs [value -> condition]');
      return keepOf(on, (value) => test(value) !== true, around);
    },
  ],
  clear: [
    [0],
    (on, _args, around) => {
      around.own(on).length = 0;
      return null;
    },
  ],
};

const OBJECTS: Methods<StoredObject> = {
  size: [[0], (on) => BigInt(Object.keys(on).length)],
  isEmpty: [[0], (on) => Object.keys(on).length === 0],
  containsKey: [[1], (on, [key]) => memberOf(on, field(key, 'containsKey')) !== undefined],
  containsValue: [[1], (on, [value], around) => indexOf(Object.values(on), value, around) >= 0],
  get: [[1], (on, [key]) => fromStored(memberOf(on, field(key, 'get')))],
  getOrDefault: [
    [2],
    (on, [key, other]) => {
      const value = memberOf(on, field(key, 'getOrDefault'));
      return value === undefined ? plain(other) : fromStored(value);
    },
  ],
  put: [[2], (on, [key, value], around) => put(on, field(key, 'put'), plain(value), around)],
  putIfAbsent: [
    [2],
    (on, [key, value], around) => {
      const old = fromStored(memberOf(on, field(key, 'putIfAbsent')));
      if (old === null) put(on, field(key, 'putIfAbsent'), plain(value), around);
      return old;
    },
  ],
  putAll: [
    [1],
    (on, [other], around) => {
      const from = plain(other);
      if (!isStoredObject(from)) throw illegal(`[putAll] needs a map, found [${kindOf(from)}]`);
      const members = Object.entries(from);
      around.spend(members.length);
      for (const [key, value] of members) put(on, key, fromStored(value), around);
      return null;
    },
  ],
  remove: [
    [1],
    (on, [key], around) => {
      const name = field(key, 'remove');
      const old = fromStored(memberOf(on, name));
      delete around.own(on)[name];
      return old;
    },
  ],
  keySet: [[0], (on) => seen(Object.keys(on))],
  values: [[0], (on) => seen(Object.values(on))],
  entrySet: [
    [0],
    (on) => seen(Object.entries(on).map(([key, value]) => new MapEntry(key, value).stored())),
  ],
  clear: [
    [0],
    (on, _args, around) => {
      for (const key of Object.keys(on)) delete around.own(on)[key];
      return null;
    },
  ],
};

/** An entry of [entrySet()], with members in addition to its methods, as in Painless. */
class MapEntry {
  readonly key: string;
  readonly value: Stored;

  constructor(key: string, value: Stored) {
    this.key = key;
    this.value = value;
    Object.freeze(this);
  }
  /** The entry in the type of script values: an object that cannot be changed. */
  stored(): StoredObject {
    return this as unknown as StoredObject;
  }
}

const ENTRIES: Methods<StoredObject> = {
  getKey: [[0], (on) => fromStored(memberOf(on, 'key'))],
  getValue: [[0], (on) => fromStored(memberOf(on, 'value'))],
};

const NUMBERS: Methods<bigint | number> = {
  intValue: [[0], (on) => whole(on)],
  longValue: [[0], (on) => whole(on)],
  doubleValue: [[0], (on) => Number(on)],
};

const ANY: Methods<ScriptValue> = {
  equals: [[1], (on, [other], around) => around.same(on, plain(other))],
  ['toString' as string]: [[0], (on: ScriptValue) => textOf(on)],
};

export function callMethod(
  on: ScriptValue,
  name: string,
  args: readonly Argument[],
  around: Surroundings,
): ScriptValue {
  if (on === null) throw illegal(`script cannot access [${name}] of a value of type [null]`);
  const own = methodsOf(on);
  const [counts, method] = (Object.hasOwn(own, name) ? own[name] : ANY[name]) ?? [];
  if (method === undefined || counts === undefined) {
    throw illegal(`script cannot call [${name}] of a value of type [${kindOf(on)}]`);
  }
  checkCount(name, counts, args);
  around.spend(stepsOfCall(on, name, args));
  return method(on, args, around);
}

/** Whether any type has a method of that name. */
export function isMethod(name: string): boolean {
  return [TEXTS, LISTS, OBJECTS, ENTRIES, NUMBERS, ANY].some((methods) =>
    Object.hasOwn(methods, name),
  );
}

function methodsOf(on: ScriptValue): Methods<ScriptValue> {
  if (typeof on === 'string') return TEXTS as Methods<ScriptValue>;
  if (Array.isArray(on)) return LISTS as Methods<ScriptValue>;
  if (on instanceof MapEntry) return ENTRIES as Methods<ScriptValue>;
  if (isStoredObject(on)) return OBJECTS as Methods<ScriptValue>;
  return typeof on === 'boolean' ? ANY : (NUMBERS as Methods<ScriptValue>);
}

export function checkCount(
  name: string,
  counts: readonly number[],
  args: readonly unknown[],
): void {
  if (counts.includes(args.length)) return;
  throw illegal(`[${name}] takes [${counts.join(' or ')}] arguments, found [${args.length}]`);
}

function keepOf(
  on: Stored[],
  kept: (value: ScriptValue) => boolean,
  around: Surroundings,
): boolean {
  const left = on.filter((value) => kept(fromStored(value)));
  const removed = left.length < on.length;
  around.own(on).length = 0;
  for (const value of left) on.push(value);
  return removed;
}

/**
 * Freezes a view of a map. In Painless, changes of the view change the map; here they are rejected.
 */
function seen(values: Stored[]): Stored[] {
  return Object.freeze(values) as Stored[];
}

function put(on: StoredObject, key: string, value: ScriptValue, around: Surroundings): ScriptValue {
  const old = fromStored(memberOf(on, key));
  setMember(around.own(on), key, around.kept(value));
  return old;
}

function before(a: ScriptValue, b: ScriptValue, around: Surroundings): number {
  const alike = typeof a === typeof b && ['string', 'bigint', 'number'].includes(typeof a);
  if (!alike) throw illegal(`script cannot compare types [${kindOf(a)}] and [${kindOf(b)}]`);
  if (typeof a === 'string' && typeof b === 'string') {
    around.spend(Math.max(0, stepsOfText(Math.min(a.length, b.length)) - 1));
  }
  return a === b ? 0 : (a as string) < (b as string) ? -1 : 1;
}

/**
 * Counts the occurrences of a substring, each of which costs a step. It is called before a result
 * is built.
 */
function countOf(text: string, part: string, around: Surroundings): number {
  if (part === '') {
    around.spend(text.length);
    return text.length + 1;
  }
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    around.spend(1);
    count += 1;
  }
  return count;
}

function indexOf(
  values: readonly Stored[],
  wanted: Argument | undefined,
  around: Surroundings,
): number {
  const value = plain(wanted);
  return values.findIndex((one) => around.same(fromStored(one), value));
}
